//! The commands that laws add, as the catalogue takes them.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use kernel::{
    Id, State,
    directives::define,
    own_command::{Languages, OwnCommand, OwnKind, OwnParam},
    rulebook::{Rule, Rulebook},
    world::{Range, SCOPES},
};

use super::{
    declared::{ActDecl, PERSON, ParamDecl, SUSPENDED, kind_id},
    displays::{self, OFFERS},
    docket_decl,
    docket_page::BALLOT,
    languages::Spoken,
    params, pending,
    room::{Hosts, PROPOSAL, sign},
    tables::{self, Enacted},
};

/// The kinds of those who have a seat, however they stand: their names are completed, and they can be mentioned.
const SEATED: [&str; 3] = ["player", PERSON, SUSPENDED];

/// The commands of laws. They are asked for with every line, and worked out once for a rulebook.
pub(crate) fn commands<G: Hosts>(state: &State<G>) -> Vec<Arc<OwnCommand>> {
    struct Kept {
        rests: bool,
        rules: Rulebook,
        laws: kernel::Rows<Id, Enacted>,
        commands: Vec<Arc<OwnCommand>>,
    }
    /// How many rulebooks are kept so: those of rooms that are busy at once.
    const KEPT_MAX_COUNT: usize = 64;
    static KEPT: LazyLock<Mutex<VecDeque<Kept>>> = LazyLock::new(Default::default);
    let (rests, laws) = (G::rests(state), state.rows::<Enacted>());
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |kept: &&Kept| kept.rests == rests && kept.laws.ptr_eq(laws) && kept.rules.is_same(&state.rules);
    if let Some(known) = kept.iter().rev().find(same) {
        return known.commands.clone();
    }
    let commands = commands_of(state);
    if kept.len() >= KEPT_MAX_COUNT {
        kept.pop_front();
    }
    let (rules, laws) = (state.rules.clone(), laws.clone());
    kept.push_back(Kept { rests, rules, laws, commands: commands.clone() });
    commands
}

/// The commands by the numbers of their rules.
fn commands_of<G: Hosts>(state: &State<G>) -> Vec<Arc<OwnCommand>> {
    let number = |rule: Option<&Rule>| rule.map(Rule::number);
    let words: Arc<Languages> =
        Arc::new(state.rows::<Spoken>().iter().map(|(code, Spoken(words))| (code.clone(), words.clone())).collect());
    let command =
        |act: &ActDecl, by: &str, group: String| OwnCommand { words: words.clone(), ..command::<G>(act, by, group) };
    let of_law = |(rule, law): (&Id, &Enacted)| {
        let rule = state.rules.get(rule);
        let by = rule.map(G::cited).unwrap_or_default();
        let (title, sign) = (rule.map(Rule::label).unwrap_or_default(), rule.map(sign::<G>));
        let heading = |act: &ActDecl| {
            let group = if act.group.is_empty() { &title } else { &act.group };
            displays::signed(group, sign.as_deref().unwrap_or_default())
        };
        let acts = law.declared.acts.iter().filter(|act| !act.deed && !law.rests.contains(&act.name));
        acts.map(|act| (number(rule), Arc::new(command(act, &by, heading(act))))).collect::<Vec<_>>()
    };
    if G::rests(state) {
        return Vec::new();
    }
    let mut all: Vec<_> = state.rows::<Enacted>().iter().flat_map(of_law).collect();
    let names: BTreeSet<&str> = tables::declared(state).map(|(_, ballot)| ballot.name.as_str()).collect();
    for name in names {
        let of_name = || tables::declared(state).filter(|(_, ballot)| ballot.name == name);
        let Some((rule, _)) = of_name().next() else { continue };
        if state.row::<Enacted>(rule).is_some_and(|law| law.rests.iter().any(|rests| rests == name)) {
            continue;
        }
        let ballots: Vec<_> = of_name().map(|(_, ballot)| ballot).collect();
        let act = docket_decl::act(name, ballots.iter().copied());
        let (by, sign) = state.rules.get(rule).map(|rule| (G::cited(rule), sign::<G>(rule))).unwrap_or_default();
        let title = state.rules.get(rule).map(Rule::label).unwrap_or_default();
        let mut command = command(&act, &by, displays::signed(&title, &sign));
        let on = command.params.iter_mut().filter(|param| param.name == docket_decl::ON);
        on.for_each(|param| param.completes = Some(format!("{BALLOT}/{name}")));
        let vote = command.params.iter_mut().filter(|param| param.name == docket_decl::VOTE);
        vote.for_each(|param| param.also = ballots.iter().flat_map(|ballot| ballot.also.clone()).collect());
        all.push((number(state.rules.get(rule)), command.into()));
    }
    all.sort_by_key(|(number, _)| *number);
    let mut all: Vec<Arc<OwnCommand>> = all.into_iter().map(|(_, command)| command).collect();
    let acts = || state.rows::<Enacted>().values().flat_map(|law| &law.declared.acts);
    if G::ANNOUNCE.is_none() && acts().any(|act| !act.needs.is_empty()) {
        all.push(answering(pending::OBJECT, "Objects to an act that was announced").into());
        all.push(answering(pending::SUPPORT, "Supports an act that was announced").into());
    }
    all
}

/// A command by which somebody answers an act that needs others.
fn answering(name: &str, help: &str) -> OwnCommand {
    let help_of_it = "Its number, as the display “pending” has it".to_owned();
    let kind = OwnKind::Whole(Some(1), None);
    OwnCommand {
        name: name.to_owned(),
        help: help.to_owned(),
        by: "laws".to_owned(),
        params: vec![OwnParam {
            name: pending::INTENT.to_owned(),
            kind,
            help: help_of_it,
            empty: "3".to_owned(),
            required: true,
            ..Default::default()
        }],
        examples: vec![format!("{name} 3")],
        group: "Acts that others answer".to_owned(),
        seated: true,
        ..Default::default()
    }
}

fn command<G: Hosts>(act: &ActDecl, by: &str, group: String) -> OwnCommand {
    let last = act.params.len().saturating_sub(1);
    let mut params: Vec<OwnParam> =
        act.params.iter().enumerate().map(|(place, param)| own_param::<G>(param, place == last)).collect();
    params.sort_by_key(|param| !param.required && !param.skips);
    let help = "Something that you speak for, where a law lets you".to_owned();
    params.push(OwnParam { name: OwnCommand::AS.to_owned(), kind: OwnKind::Word, help, ..Default::default() });
    OwnCommand {
        name: act.name.clone(),
        help: if act.help.is_empty() { format!("By {by}") } else { act.help.clone() },
        by: by.to_owned(),
        params,
        examples: act.examples.clone(),
        group,
        seated: act.who != "anybody",
        private: act.forum == "private" || act.sealed,
        sealed: act.sealed,
        ..Default::default()
    }
}

fn own_param<G: Hosts>(param: &ParamDecl, is_last: bool) -> OwnParam {
    let words = param.range.as_str();
    let object = words.strip_prefix("a ").or_else(|| words.strip_prefix("an "));
    let read =
        define::read(&params::least(words), &define::Words { kind: &|_| None, number: &|_| None, link: &|_, _| None });
    let whole = |bound: Option<kernel::Num>| bound.and_then(|bound| bound.to_i64());
    let kind = match (object, read) {
        _ if words == params::LONG_TEXT => OwnKind::Text,
        (Some(kind), _) if kind_id(kind).split(SCOPES).all(|kind| kind == G::player() || SEATED.contains(&kind)) => {
            OwnKind::Player
        }
        (Some("rule"), _) => OwnKind::Rule,
        (Some(PROPOSAL), _) if G::KINDS.contains(&PROPOSAL) => OwnKind::Proposal,
        (Some("moment"), _) => OwnKind::Moment,
        (Some("law"), _) => OwnKind::Text,
        (Some("command"), _) => OwnKind::Command,
        (Some(kind), Err(_)) => OwnKind::Object(kind_id(kind)),
        (_, Ok((Range::Num { min, max, whole: true }, _))) => OwnKind::Whole(whole(min), whole(max)),
        (_, Ok((Range::Num { .. }, _))) => OwnKind::Number,
        (_, Ok((Range::Bool, _))) => OwnKind::YesNo,
        (_, Ok((Range::OneOf(choices), _))) => OwnKind::Choice(choices),
        (_, Ok((Range::Time, _))) => OwnKind::Moment,
        _ if is_last => OwnKind::Words,
        _ => OwnKind::Word,
    };
    OwnParam {
        name: param.name.replace('_', "-"),
        kind,
        help: if param.help.is_empty() { param.words() } else { format!("{} ({})", param.help, param.words()) },
        empty: param.empty.clone(),
        required: !param.optional,
        skips: param.skips,
        completes: (!param.offers.is_empty()).then(|| format!("{OFFERS}/{}", param.offers)),
        behind: param.behind.clone(),
        ..Default::default()
    }
}
