//! The effects of a proposal (S30, S33): the meaning of directives in Spacenomic, and which changes the rules disallow.
//!
//! A change that a rule explicitly disallows, or that cannot be made, is left out with its reason; all others are made.
//! Directives themselves stand in the kernel, and a proposal passes in `voting`.

pub(super) mod body;

use self::body::{Said, acts, is_condition};
use super::{
    colours::{coloured, misled},
    figures::FIGURES,
    game::{D, Spacenomic},
    guard,
    law::{self, ESTABLISHES, MOVES, NULL_RULE, Thing},
    location,
    moves::{invented::hopeless, stir::stirred},
    proposals::record::{self, Proposal, Status, ends, enters, label},
    roster::named,
    space,
    stats::{self, ACCOUNT, DECLARED, FORMER, LOCATION, NOWHERE, OUTSIDER, PLAYER, called},
    symmetry,
};
use kernel::{
    Id, Instant, Mechanic, Num, Path, Refusal, State, Value, Verb,
    directives::{
        self, Act, Amending, Lawful, Mode, Names, Passing, Place, Post, Setting, applied::Outcome, syntax::unquote,
        wording::folded,
    },
    display::{Block, Cell, Document},
    entry::Audience,
    rulebook::{Keys, Rule, RuleOp, Text, views},
};
use kit::docket::Numbered;
use kit::effects as texts;

/// How a moderator corrects the gamestate (S13).
const MENDED: &str = "correct gamestate \"=> increment Ann\" because it was forgotten";

// ---- the mechanic

/// What proposals do, as a mechanic: it is shown beforehand, and a moderator enters what no directive says.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    Mechanic::new("effects")
        .verb(Verb::new(&["destroy proposal"], |said, d| destroy_proposal(d, said.sentence(), said.setting)))
        .differs(|before, after| law::lacks(&before.rules, &after.rules))
        .corrects(|path, to, d| (path == "gamestate").then(|| texts::mend(to, MENDED, d)))
        .corrects(|path, to, d| {
            let number = path.strip_prefix("proposal/")?.strip_suffix(".effect")?.parse().ok()?;
            Some(enter(number, to, d))
        })
}

impl Names for Spacenomic {
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

/// Destroys another proposal (S22): it neither passes nor fails.
fn destroy_proposal(d: &mut D<'_>, rest: &str, setting: &Setting<'_>) -> Result<Option<String>, Refusal> {
    let words = rest.trim();
    let head = words.get(.."proposal".len()).filter(|head| head.eq_ignore_ascii_case("proposal"));
    let words = unquote(head.map_or(words, |head| words[head.len()..].trim()));
    let number = record::meant(d, words, setting.posted)?.number;
    let label = label(record::open(d, number)?);
    if label == setting.because {
        return Err(Refusal::new(format!("{label} is this proposal, which passing destroys")));
    }
    let at = d.at;
    ends(d, number, Status::Destroyed(at));
    Ok(Some(format!("{label} is destroyed, neither passed nor failed")))
}

// ---- at submission

/// Refuses a text that cannot be proposed.
///
/// # Errors
///
/// A [`Refusal`] with the line of a directive that cannot be read, and where a rule would come without colour and reason.
pub(super) fn may_be_posted(d: &D<'_>, text: &str) -> Result<(), Refusal> {
    coloured(d, &texts::read::<Spacenomic>(text)?)
}

/// What a proposal would do now: nothing where a condition of it does not hold.
///
/// # Errors
///
/// A [`Refusal`] with the line of a directive that cannot be read.
pub(super) fn tried(
    state: &State<Spacenomic>,
    proposal: &Proposal,
    at: Instant,
    passing: Passing<'_, Spacenomic>,
) -> Result<Document, Refusal> {
    let posted = proposal.post.posted(state);
    let setting = Setting { because: "a dry run", mode: Mode::LeaveOutRefused, posted: Some(&posted), tried: true };
    let mut run = directives::dry_run(state, &texts::read::<Spacenomic>(&proposal.body)?, at, &setting, passing);
    misled(&mut run.outcomes, &state.rules);
    let stop = run.refused().find(|(outcome, _)| is_condition(outcome));
    let Some((outcome, why)) = stop else { return Ok(run.document()) };
    let say = format!("Nothing of it would be done now: line {}: {}.", outcome.line, why.say);
    Ok(Document { title: "Dry run".to_owned(), ..Document::default() }.para(say))
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
        "To voters: the bot plays by no figure of “{title}”. One that it shall play by is marked with its key, as in [1](#vote-max); “⁅rule 0⁆” shows such keys."
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
    let names = symmetry::names_in(state, &texts.join("\n"));
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
pub(super) fn carry_out(d: &mut D<'_>, text: &str, post: Option<&Post>, why: &str) -> Vec<Block> {
    let body = match texts::read::<Spacenomic>(text) {
        Ok(body) => body,
        Err(why) => return vec![Block::Para(format!("Nothing of it can be read: {}.", why.say))],
    };
    if body.count() == 0 {
        return vec![Block::Para(texts::PROSE.to_owned())];
    }
    let (before, state) = (d.rules.clone(), State::clone(d));
    let posted = post.map(|post| post.posted(d));
    let setting = Setting { because: why, mode: Mode::LeaveOutRefused, posted: posted.as_ref(), tried: false };
    let applied = d.attempt(|d| {
        let applied = d.in_act_of(None, |d| directives::apply(&body, d, &setting));
        let applied = applied.map_err(directives::Failure::into_refusal)?;
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
    blocks.extend(texts::figures(&before, d, &rebindings));
    // Whoever votes read it in the dry run; now the moves are there.
    blocks.extend(
        hopeless::since(&state, d)
            .into_iter()
            .map(|line| Block::Para(format!("{}.", line.replacen("nobody", "Nobody", 1)))),
    );
    blocks
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
    let text = texts::one_a_line(text);
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
            "{name} has no colour yet: “⁅correct proposal/{}.effect \"=> colour rule {number} as green because it says so\" because it says so⁆”.",
            proposal.number
        ));
    }
    d.say(Audience::Public, proposal.about(document));
    Ok(())
}
