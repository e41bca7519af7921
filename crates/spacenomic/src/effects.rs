//! The effects of a proposal (S30, S33): the meaning of directives in Spacenomic, and which changes the rules disallow.
//!
//! A change that a rule explicitly disallows, or that cannot be made, is left out with its reason; all others are made.
//! Directives themselves stand in the kernel, and a proposal passes in `voting`.

pub(super) mod body;

use self::body::{Said, acts, is_condition};
use super::{
    displays,
    figures::FIGURES,
    game::{D, Spacenomic},
    guard,
    law::{self, CORRECTION, ESTABLISHES, MOVES, NULL_RULE, Thing},
    location,
    moves::stir::stirred,
    players::{named, players, seat_of},
    proposals::record::{self, Status, by_name, ends, enters, label},
    space,
    stats::{
        self, ACCOUNT, DECLARED, ENCOURAGED, FORMER, LOCATION, NOWHERE, OUTSIDER, PLAYER, POINT, THE_GAME, called,
    },
};
use kernel::{
    Asked, Display, Id, Instant, Mechanic, Num, Path, Refusal, Seq, State, Value, Verb,
    directives::{
        self, Act, Amending, Body, Lawful, Mode, Names, Place, Posted, Setting,
        applied::Outcome,
        syntax::unquote,
        wording::{find_key, folded},
        words::rule_op,
    },
    display::{Block, Cell, Document},
    entry::Audience,
    rulebook::{Keys, Rule, RuleAct, RuleOp, Rulebook, Text, views},
    world::Op,
};
use kit::docket::Numbered;
use kit::effects as texts;

/// What is said of a text without directives (S30).
const PROSE: &str = "It holds no directive: a moderator enters what it says.";

/// The fields at the head of a rule's text that say its colour and why (S33).
const COLOURED: [&str; 2] = ["colour", "reason"];

// ---- the mechanic

/// What proposals do, as a mechanic: it is shown beforehand, and a moderator enters what no directive says.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let dry_run = |state: &State<Spacenomic>, asked: Asked<'_>| show(state, &asked.words());
    Mechanic::new("effects")
        .verb(Verb::new(&["colour", "color"], |said, d| paint(d, said.sentence(), said.setting)))
        .verb(Verb::new(&["encourage"], |said, d| encourage(d, said.sentence(), true)))
        .verb(Verb::new(&["discourage"], |said, d| encourage(d, said.sentence(), false)))
        .verb(Verb::new(&["increment"], |said, d| increment(d, said.sentence())))
        .verb(Verb::new(&["destroy proposal"], |said, d| destroy_proposal(d, said.sentence(), said.setting)))
        .differs(|before, after| law::lacks(&before.rules, &after.rules))
        .display(Display::of("dryrun", dry_run))
        .display(Display::new("encouraged", |state, _| Ok(show_encouraged(state))).listed(displays::ENCOURAGED))
        .corrects(|path, to, d| (path == "gamestate").then(|| mend(to, d)))
        .corrects(|path, to, d| {
            let number = path.strip_prefix("proposal/")?.strip_suffix(".effect")?.parse().ok()?;
            Some(enter(number, to, d))
        })
}

impl Names for Spacenomic {
    fn called(state: &State<Self>, obj: &Id) -> String {
        called(state, obj)
    }

    fn attribute(state: &State<Self>, words: &str, kind: &Id) -> Option<Id> {
        let wanted = folded(words);
        if [PLAYER, FORMER].contains(&&**kind) && ["money", "money unit", "money units"].contains(&wanted.as_str()) {
            return Some(ACCOUNT.id.into());
        }
        let defs = || state.world.defs_for(kind).map(|def| def.id.clone());
        let singular = wanted.strip_suffix('s').unwrap_or(&wanted);
        defs().find(|id| folded(id) == wanted).or_else(|| defs().find(|id| folded(id) == singular))
    }
}

impl Amending for Spacenomic {
    fn one_title(a: &str, b: &str) -> bool {
        use unicode_normalization::UnicodeNormalization;
        // Names of rules are compared to the letter (S21).
        a.trim().nfc().eq(b.trim().nfc())
    }

    fn untitled(number: u32) -> Result<String, Refusal> {
        Ok(format!("Rule {number}"))
    }

    fn rule_fields() -> &'static [&'static str] {
        &[ESTABLISHES, "colour", "reason", MOVES]
    }

    fn place(state: &State<Self>, _title: &str, number: Option<u32>) -> Result<Place, Refusal> {
        let used: std::collections::BTreeSet<u32> = state.rules.all().iter().map(|rule| rule.number()).collect();
        let least = (0..).find(|number| !used.contains(number)).unwrap_or(u32::MAX);
        match number.filter(|number| *number != least) {
            None => Ok(Place { number: least, moves: Vec::new() }),
            Some(_) => {
                let say = format!("a new rule gets the least number that no rule ever had, which is {least}");
                Err(Refusal::new(say).by(Thing::Rules.rule(&state.rules)))
            }
        }
    }

    fn renumber(state: &State<Self>, rule: &Rule, _to: u32) -> Result<Vec<(Id, u32)>, Refusal> {
        let say = format!("{} keeps its number when it is modified", rule.label());
        Err(Refusal::new(say).by(Thing::Rules.rule(&state.rules)))
    }

    fn may(state: &State<Self>, op: &RuleOp) -> Result<(), Refusal> {
        guard::may(state, op)
    }

    fn changes() -> &'static str {
        "a rule changes by amend, rewrite, colour, repeal and “set establishes of rule 4 to …”, and keeps its number and its name"
    }
}

impl Lawful for Spacenomic {
    fn lacks() -> &'static [&'static str] {
        // This game has no offices.
        &["appoint"]
    }

    fn declared(attr: &str) -> bool {
        DECLARED.contains(&attr)
    }

    fn set_value(d: &mut D<'_>, at: &Path, to: Value) -> Result<Option<String>, Refusal> {
        stats::in_play(d, &at.attr)?;
        if *at.attr != *LOCATION.id {
            Self::fits(d, at, &to)?;
            d.overwrite(at.clone(), to);
            return Ok(None);
        }
        let place = match &to {
            Value::Text(text) if text.trim().eq_ignore_ascii_case(NOWHERE) => None,
            Value::Text(text) => Some(space::named(d, text)?),
            _ => return Err(Refusal::new(format!("a location is a vertex or nowhere, and {to} is neither"))),
        };
        location::put(d, &named(d, &at.obj)?, place);
        Ok(None)
    }

    fn add_value(d: &mut D<'_>, at: &Path, by: Num) -> Result<Option<String>, Refusal> {
        stats::in_play(d, &at.attr)?;
        directives::words::add(d, at, by)
    }

    fn create(d: &mut D<'_>, kind: &Id, name: &str) -> Result<Option<String>, Refusal> {
        // The rules know as much more as their laws say.
        if laws::is_kind(d, kind) {
            return directives::words::create(d, kind, name).map(|()| None);
        }
        let say = match &**kind {
            PLAYER | FORMER | OUTSIDER => "a proposal makes no players: players admit those who ask".to_owned(),
            kind => format!("the rules know no more of the kind “{kind}”"),
        };
        Err(Refusal::new(say).by(Thing::Rules.rule(&d.rules)))
    }

    fn destroy(d: &mut D<'_>, obj: &Id) -> Result<Option<String>, Refusal> {
        if d.world.kind(obj).is_some_and(|kind| laws::is_kind(d, kind)) {
            return directives::words::destroy(d, obj).map(|()| None);
        }
        let say = format!("{} is not destroyed by a proposal: players withdraw themselves", called(d, obj));
        Err(Refusal::new(say).by(Thing::Players.rule(&d.rules)))
    }
}

/// `colour rule 7 as green because …`: the rule, the colour, the reason.
fn painted(rest: &str) -> Result<(&str, &str, &str), Refusal> {
    let bad = || {
        Refusal::new(
            "it does not say which rule gets which colour, and why: write “=> colour rule 7 as green because grass is”",
        )
    };
    let (rule, rest) = rest.split_once(" as ").ok_or_else(bad)?;
    let (colour, reason) = rest.split_once(" because ").ok_or_else(bad)?;
    let (rule, colour, reason) = (rule.trim(), colour.trim(), reason.trim());
    if rule.is_empty() || unquote(colour).trim().is_empty() || unquote(reason).trim().is_empty() {
        Err(bad())
    } else {
        Ok((rule, colour, reason))
    }
}

/// The number or name of a rule, where `rule` may stand before it and quotation marks around it.
fn rule_words(words: &str) -> &str {
    let words = words.trim();
    let bare = words.get(..5).filter(|first| first.eq_ignore_ascii_case("rule ")).map_or(words, |_| &words[5..]);
    unquote(bare.trim())
}

/// The rule in force that has a number or a name, all of it.
fn exactly<'s>(state: &'s State<Spacenomic>, words: &str) -> Option<&'s Rule> {
    state.rules.recall(words).filter(|rule| rule.in_force())
}

fn paint(d: &mut D<'_>, rest: &str, setting: &Setting<'_>) -> Result<Option<String>, Refusal> {
    let (words, colour, _) = painted(rest)?;
    let rule = exactly(d, rule_words(words)).ok_or_else(|| {
        let shown: String = words.chars().take(60).collect();
        Refusal::new(format!("no rule in force is called {shown}")).by(Thing::Colours.rule(&d.rules))
    })?;
    let then = setting.posted.and_then(|posted| posted.rules.recall(rule_words(words))).filter(|then| then.in_force());
    let since = |now: &Rule| now.revisions().iter().next().is_some_and(|first| first.seq < d.seq);
    if then.is_some_and(|then| then.id() != rule.id()) && since(rule) {
        let say = format!("{} is another rule than the one that was called so when this was posted", rule.label());
        return Err(Refusal::new(say).by(Thing::Rules.rule(&d.rules)));
    }
    let (id, was) = (rule.id().clone(), rule.field("colour").map(str::to_owned));
    let to = Some(unquote(colour).to_owned());
    if to != was {
        rule_op(d, RuleOp::new(id, RuleAct::Field { name: "colour".to_owned(), to, was }), setting)?;
    }
    Ok(None)
}

/// Puts something on the list of encouraged things, or takes it off (S37).
fn encourage(d: &mut D<'_>, what: &str, on: bool) -> Result<Option<String>, Refusal> {
    let by = Thing::Encouragement.rule(&d.rules);
    if !Thing::Encouragement.is_in(&d.rules) {
        return Err(Refusal::new("no rule has a list of encouraged things").by(by));
    }
    let what = unquote(what).trim().to_owned();
    if what.is_empty() {
        return Err(Refusal::new(
            "it does not say what players are encouraged to do: write “=> encourage drinking tea”",
        )
        .by(by));
    }
    let at = ENCOURAGED.of(&THE_GAME.into());
    let mut list = d.world.get(&ENCOURAGED, &THE_GAME.into()).unwrap_or_default();
    let item = Value::Text(what.clone());
    match (on, list.contains(&item)) {
        (true, true) => Err(Refusal::new(format!("“{what}” is encouraged already")).by(by)),
        (false, false) => Err(Refusal::new(format!("“{what}” is not encouraged")).by(by)),
        (false, true) => {
            d.op(Op::Remove { at, item });
            Ok(None)
        }
        (true, false) => {
            list.push(item.clone());
            Spacenomic::fits(d, &at, &Value::List(list))?;
            d.op(Op::Insert { at, item });
            Ok(None)
        }
    }
}

/// Raises a player's image under the point by one (S92).
fn increment(d: &mut D<'_>, who: &str) -> Result<Option<String>, Refusal> {
    if !Thing::Point.is_in(&d.rules) {
        return Err(Refusal::new("no rule has a point any more").by(Thing::Point.rule(&d.rules)));
    }
    if !Thing::Incrementing.is_in(&d.rules) {
        let say = "no rule says any more what incrementing is: set the point itself";
        return Err(Refusal::new(say).by(Thing::Incrementing.rule(&d.rules)));
    }
    let everybody = ["every player", "each player", "all players"].contains(&folded(who).as_str());
    let players: Vec<Id> = match everybody {
        true => players(d).cloned().collect(),
        false => vec![named(d, &seat_of(d, who)?)?],
    };
    let mut said = Vec::new();
    for who in players {
        d.op(Op::Add { at: POINT.of(&who), by: Num::from(1) });
        let now = d.world.get(&POINT, &who).unwrap_or_default();
        said.push(format!("{} is mapped to {now}", called(d, &who)));
    }
    Ok(Some(said.join("; ")))
}

/// Destroys another proposal (S22): it neither passes nor fails.
fn destroy_proposal(d: &mut D<'_>, rest: &str, setting: &Setting<'_>) -> Result<Option<String>, Refusal> {
    let words = rest.trim();
    let head = words.get(.."proposal".len()).filter(|head| head.eq_ignore_ascii_case("proposal"));
    let words = unquote(head.map_or(words, |head| words[head.len()..].trim()));
    let number = by_name(d, words)?.number;
    let label = label(record::open(d, number)?);
    if label == setting.because {
        return Err(Refusal::new(format!("{label} is this proposal, which passing destroys")));
    }
    let at = d.at;
    ends(d, number, Status::Destroyed(at));
    Ok(Some(format!("{label} is destroyed, neither passed nor failed")))
}

// ---- at submission

/// What a text would do now, for whoever proposes it.
///
/// # Errors
///
/// A [`Refusal`] with the line of a directive that cannot be read, and where a rule would come without colour and reason.
pub(super) fn report(d: &D<'_>, text: &str) -> Result<Vec<Block>, Refusal> {
    let body = texts::read::<Spacenomic>(text)?;
    coloured(d, &body)?;
    Ok(tried(d, &body, d.at, None).blocks)
}

/// What a body would do now: nothing where a condition of it does not hold.
fn tried(state: &State<Spacenomic>, body: &Body, at: Instant, posted: Option<&Posted>) -> Document {
    let setting = Setting { because: "a dry run", mode: Mode::LeaveOutRefused, posted, tried: true };
    let mut run = directives::dry_run(state, body, at, &setting);
    misled(&mut run.outcomes, &state.rules);
    let stop = run.refused().find(|(outcome, _)| is_condition(outcome));
    let Some((outcome, why)) = stop else { return run.document() };
    let say = format!("Nothing of it would be done now: line {}: {}.", outcome.line, why.say);
    Document { title: "Dry run".to_owned(), ..Document::default() }.para(say)
}

/// Says of each colour that was meant for a rule that is left out which rule gets it: the one that has the name.
fn misled(outcomes: &mut [Outcome], rules: &Rulebook) {
    let made = |outcome: &Outcome| {
        let rest = outcome.words.strip_prefix("create rule ")?.trim_start();
        let name = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next()?,
            None => rest.split(':').next()?,
        };
        Some(name.trim().to_owned())
    };
    let left_out: Vec<String> = outcomes.iter().filter(|one| one.result.is_err()).filter_map(made).collect();
    for outcome in outcomes {
        let Some(Ok((words, ..))) = outcome.words.strip_prefix("colour ").map(painted) else { continue };
        let name = rule_words(words);
        let rule = rules.recall(name).filter(|_| left_out.iter().any(|left_out| left_out == name));
        if let (Ok(said), Some(rule)) = (&mut outcome.result, rule) {
            said.push(format!("that is rule {}, not the one that is left out", rule.number()));
        }
    }
}

/// What tells rules apart in a body that creates some. It is the title of one that there will be, else the id of one
/// that there is in the room.
fn identity(state: &State<Spacenomic>, made: &[&str], words: &str) -> String {
    let words = rule_words(words);
    let alike = || made.iter().find(|title| folded(title) == folded(words));
    match made.iter().find(|title| Spacenomic::one_title(title, words)) {
        Some(title) => created(title),
        None => match exactly(state, words) {
            Some(rule) => rule.id().to_string(),
            None => alike().map_or_else(|| folded(words), |title| created(title)),
        },
    }
}

/// The identity of a rule that a body creates.
fn created(title: &str) -> String {
    if title.is_empty() { "the rule without a name".to_owned() } else { format!("“{}”", title.trim()) }
}

/// Whether the head of a rule's text says its colour and why.
fn head_colours(text: &str) -> bool {
    let field = |line: &str| {
        let (name, value) = line.split_once(':')?;
        let name = name.trim().to_lowercase();
        let known = Spacenomic::rule_fields().contains(&name.as_str());
        known.then(|| (name, !unquote(value).trim().is_empty()))
    };
    let head = text.trim_start_matches('\n').lines().map_while(field);
    let fields: Vec<String> = head.filter(|(_, has_value)| *has_value).map(|(name, _)| name).collect();
    COLOURED.iter().all(|wanted| fields.iter().any(|field| field == wanted))
}

/// The rule whose head some words mean, where that is played as its text is: `establishes of rule 19`.
fn played_head(what: &str) -> Option<&str> {
    let (field, rule) = what.trim().split_once(" of ")?;
    let field = field.trim().to_lowercase();
    let field = field.strip_prefix("the ").unwrap_or(&field);
    let is_rule = rule.trim_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("rule "));
    (is_rule && [ESTABLISHES, MOVES].contains(&field)).then_some(rule.trim())
}

/// Refuses a text that creates a rule, or the replacement of one, without a colour and a reason (S33).
fn coloured(state: &State<Spacenomic>, body: &Body) -> Result<(), Refusal> {
    if !Thing::Colours.is_in(&state.rules) {
        return Ok(());
    }
    let keys = Keys::new(FIGURES);
    let acts = acts(body);
    let titles = acts.iter().filter_map(|said| match said.act {
        Act::CreateRule { title, .. } => Some(title.as_str()),
        _ => None,
    });
    let made: Vec<&str> = titles.collect();
    let mut given: Vec<(String, &Said<'_>)> = Vec::new();
    for said in &acts {
        let Act::Own { words, .. } = said.act else { continue };
        let Some((first, rest)) = words.split_once(char::is_whitespace) else { continue };
        if matches!(first.to_lowercase().as_str(), "colour" | "color") {
            let (rule, ..) =
                painted(rest).map_err(|why| Refusal { say: format!("line {}: {}", said.line, why.say), ..why })?;
            given.push((identity(state, &made, rule), said));
        }
    }
    let found = |rule: &str| match identity(state, &made, rule) {
        // An amendment finds its rule by the beginning of a name, too.
        id if state.rules.get(&id).is_none() && !made.iter().any(|title| created(title) == id) => {
            state.rules.find(rule_words(rule)).map_or(id, |rule| rule.id().to_string())
        }
        id => id,
    };
    for said in &acts {
        let line = said.line;
        let (replaced, is_new) = match said.act {
            Act::CreateRule { title, text, .. } if !head_colours(text) => (created(title), true),
            Act::Rewrite { rule, text } if !head_colours(text) => (found(rule), false),
            Act::Amend { rule, .. } | Act::Append { rule, .. } => (found(rule), false),
            Act::Set { what, .. } if played_head(what).is_some() => {
                (played_head(what).map(found).unwrap_or_default(), false)
            }
            Act::Set { what, .. } => {
                let holder = find_key(&keys, unquote(what)).ok().and_then(|key| state.rules.holders(key.key).next());
                match holder {
                    Some(rule) => (rule.id().to_string(), false),
                    None => continue,
                }
            }
            _ => continue,
        };
        // NullRule has no colour, and whatever would change it is left out anyhow.
        let null_rule = state.rules.get(&replaced).is_some_and(|rule| rule.number() == NULL_RULE);
        // A colour counts that is given whenever the rule is made, and to a new one after it is there.
        let coloured = given
            .iter()
            .any(|(rule, by)| *rule == replaced && said.within.starts_with(&by.within) && (!is_new || by.line > line));
        if !null_rule && !coloured {
            let rule = state.rules.get(&replaced);
            let name = rule.map_or_else(|| replaced.clone(), |rule| format!("“{}”", rule.label()));
            let named = || {
                name.strip_prefix('“')
                    .map_or_else(|| "NAME".to_owned(), |name| format!("\"{}\"", name.trim_end_matches('”')))
            };
            let which = rule.filter(|_| !is_new).map_or_else(named, |rule| rule.number().to_string());
            let say = format!(
                "line {line}: a rule that is created, or replaced by a modified one, comes with a colour and a reason, and {name} has none. Write “=> colour rule {which} as green because grass is”"
            );
            return Err(Refusal::new(say).by(Thing::Colours.rule(&state.rules)));
        }
    }
    Ok(())
}

/// Points out to voters that figures of a rule which is created are none that the program plays by (S25).
pub(super) fn plays_by_none(text: &str) -> Option<String> {
    let body = texts::read::<Spacenomic>(text).ok()?;
    let keys = Keys::new(FIGURES);
    let is_field = |line: &&str| {
        let name = line.split_once(':').map(|(name, _)| name.trim().to_lowercase());
        name.is_some_and(|name| Spacenomic::rule_fields().contains(&name.as_str()))
    };
    let bare = |said: &Said<'_>| match said.act {
        Act::CreateRule { title, text, .. } => {
            let source: Vec<&str> = text.lines().skip_while(is_field).collect();
            let invents = text.lines().take_while(is_field).any(|line| line.trim_start().starts_with(MOVES));
            let read = Text::parse(source.join("\n"));
            let played = read.spans().iter().any(|span| span.counts && keys.get(&span.key).is_some());
            // Its own law may play by them, under keys of its own.
            let has_law = read.fences().iter().any(|fence| fence.counts && fence.info.eq_ignore_ascii_case(laws::LAW));
            (!invents && !played && !has_law && !read.numerals(false).is_empty()).then(|| title.clone())
        }
        _ => None,
    };
    let title = acts(&body).iter().find_map(bare)?;
    Some(format!(
        "To voters: the bot plays by no figure of “{title}”. One that it shall play by is marked with its key, as in [1](#vote-max); “rule 0” shows such keys."
    ))
}

/// Points out to voters that the text of a rule holds a word that is the name of a player (S32).
pub(super) fn names_players(state: &State<Spacenomic>, text: &str) -> Option<String> {
    let body = texts::read::<Spacenomic>(text).ok()?;
    let texts: Vec<&str> = acts(&body)
        .into_iter()
        .filter_map(|said| match said.act {
            Act::CreateRule { title, text, .. } => Some(vec![title.as_str(), text.as_str()]),
            Act::Rewrite { text, .. } | Act::Append { text, .. } => Some(vec![text.as_str()]),
            Act::Amend { new, .. } => Some(vec![new.as_str()]),
            _ => None,
        })
        .flatten()
        .collect();
    let names = guard::names_in(state, &texts.join("\n"));
    (!names.is_empty()).then(|| {
        let names: Vec<String> = names.iter().map(|name| format!("“{name}”")).collect();
        format!(
            "To voters: the text of a rule holds {}, as a player is called. A rule must not treat one player otherwise than another.",
            names.join(", ")
        )
    })
}

// ---- at passing

/// Does what a text's directives say, and says what became of each. Its rules are those that were called so when it was
/// posted, where that was before.
pub(super) fn carry_out(d: &mut D<'_>, text: &str, posted: Option<Seq>, why: &str) -> Vec<Block> {
    let body = match texts::read::<Spacenomic>(text) {
        Ok(body) => body,
        Err(why) => return vec![Block::Para(format!("Nothing of it can be read: {}.", why.say))],
    };
    if body.count() == 0 {
        return vec![Block::Para(PROSE.to_owned())];
    }
    let (before, state) = (d.rules.clone(), State::clone(d));
    let posted = texts::posted(d, posted);
    let setting = Setting { because: why, mode: Mode::LeaveOutRefused, posted: posted.as_ref(), tried: false };
    let applied = d.attempt(|d| {
        let applied = directives::apply(&body, d, &setting).map_err(directives::Failure::into_refusal)?;
        // A condition is no change: where it does not hold, nothing of what waits for it is done.
        let stopped = |outcome: &&Outcome| is_condition(outcome) && outcome.result.is_err();
        match applied.outcomes.iter().find(stopped).map(|outcome| (outcome.line, outcome.result.clone())) {
            Some((line, Err(why))) => Err(Refusal { say: format!("line {line}: {}", why.say), ..why }),
            _ => Ok((applied.outcomes, applied.rebindings)),
        }
    });
    let (mut outcomes, rebindings) = match applied {
        Ok(applied) => applied,
        Err(why) => return vec![Block::Para(format!("Nothing of it is done: {}.", why.say))],
    };
    stirred(d, &state, why);
    misled(&mut outcomes, &before);
    // What is left out comes first: that it was proposed everybody has read.
    let (left_out, made): (Vec<Outcome>, Vec<Outcome>) =
        outcomes.into_iter().partition(|outcome| outcome.result.is_err());
    let line = |outcome: Outcome| match outcome.result {
        Ok(said) if said.is_empty() => Cell::new(format!("⇒ {}", outcome.words)),
        Ok(said) => Cell::new(format!("⇒ {}: {}", outcome.words, said.join("; "))),
        Err(why) => {
            let by = why.rule.map_or_else(String::new, |rule| format!(" ({rule})"));
            Cell::new(format!("Left out: {}: {}{by}", outcome.words, why.say))
        }
    };
    let mut blocks = vec![Block::List(left_out.into_iter().chain(made).map(line).collect())];
    blocks.extend(views::difference(&before, &d.rules, ""));
    blocks.extend(texts::figures::<Spacenomic>(&before, &d.rules, &rebindings));
    blocks
}

/// What a proposal would do now, for everybody who asks.
///
/// # Errors
///
/// A [`Refusal`] where there is no such proposal.
fn show(state: &State<Spacenomic>, words: &str) -> Result<Document, Refusal> {
    let proposal = by_name(state, words)?;
    let (body, posted) = (texts::read::<Spacenomic>(&proposal.body)?, texts::posted(state, proposal.posted));
    let mut document = tried(state, &body, state.at, posted.as_ref());
    document.id = format!("dryrun/{}", proposal.number);
    document.title = format!("What {} would do now", label(proposal));
    Ok(document)
}

/// What a moderator writes in one line, as a value is written, with each directive on a line of its own.
fn one_a_line(text: &str) -> String {
    if text.contains('\n') { text.to_owned() } else { text.replace(" => ", "\n=> ") }
}

/// A moderator enters what the prose of a proposal that passed says, outside the rules (S30).
///
/// # Errors
///
/// A [`Refusal`] where it did not pass, and for a line that is no directive.
fn enter(number: u64, text: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    let proposal = record::need(d, number)?.clone();
    let label = label(&proposal);
    if !matches!(proposal.status, Status::Passed(_)) {
        return Err(Refusal::new(format!("{label} did not pass")).instead("show proposals"));
    }
    let text = one_a_line(text);
    if texts::read::<Spacenomic>(&text)?.count() == 0 {
        return Err(Refusal::new("write what shall be done as a directive")
            .instead("correct proposal/3.effect \"=> increment Ann\" because it says so"));
    }
    let mut document = Document::say(format!("A moderator enters what {label} says:"));
    document.blocks.extend(carry_out(d, &text, None, &label));
    enters(d, &proposal, &text);
    // The proposal's words gave the colour; what is entered may give it afterwards.
    let bare = |rule: &&&Rule| rule.number() != NULL_RULE && rule.field("colour").is_none();
    if Thing::Colours.is_in(&d.rules)
        && let Some(rule) = d.rules.rules().iter().find(bare)
    {
        let (number, name) = (rule.number(), rule.label());
        document = document.para(format!(
            "{name} has no colour yet: “correct proposal/{}.effect \"=> colour rule {number} as green because it says so\" because it says so”.",
            proposal.number
        ));
    }
    d.say(Audience::Public, proposal.about(document));
    Ok(())
}

/// A moderator corrects the gamestate by directives, all or none (S13): outside the rules, and on the record as such.
///
/// # Errors
///
/// A [`Refusal`] for a line that is no directive, or that cannot be done.
fn mend(text: &str, d: &mut D<'_>) -> Result<(), Refusal> {
    let text = &one_a_line(text);
    if texts::read::<Spacenomic>(text)?.count() == 0 {
        return Err(Refusal::new("write what shall be as a directive")
            .instead("correct gamestate \"=> increment Ann\" because it was forgotten"));
    }
    let blocks = texts::carry_out(d, text, CORRECTION, PROSE)?;
    let document = Document { blocks, ..Document::default() };
    d.say(Audience::Public, document);
    Ok(())
}

/// The list of encouraged things (S37).
fn show_encouraged(state: &State<Spacenomic>) -> Document {
    let list = state.world.get(&ENCOURAGED, &THE_GAME.into()).unwrap_or_default();
    let document = Document::titled("encouraged", "What players are encouraged to do");
    if list.is_empty() {
        return document.para("Nothing yet. A proposal with “=> encourage SOMETHING” puts something here.");
    }
    document.with(Block::List(list.iter().map(|item| Cell::new(item.to_string())).collect()))
}
