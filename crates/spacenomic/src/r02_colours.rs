//! Colours of rules (S33, S34): who gives them, which rule needs one, and the list of them.
//!
//! A rule that is created or replaced comes with its colour and a reason, or its proposal is refused.

use super::{
    displays,
    effects::body::{Said, acts},
    figures::FIGURES,
    game::{D, Spacenomic},
    law::{ESTABLISHES, MOVES, NULL_RULE, Thing, version},
};
use kernel::{
    Display, Mechanic, Refusal, State, Verb,
    directives::{
        Act, Amending, Body, Setting,
        applied::Outcome,
        syntax::unquote,
        wording::{find_key, folded},
        words::rule_op,
    },
    display::{Cell, Document, cells},
    rulebook::{Keys, Rule, RuleAct, RuleOp, Rulebook},
};

/// The fields at the head of a rule's text that say its colour and why (S33).
const COLOURED: [&str; 2] = ["colour", "reason"];

// ---- the mechanic

/// Colours as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let shown = Display::new("colours", |state, _| Ok(colours(state))).also("colors").listed(displays::COLOURS);
    Mechanic::new("colours")
        .verb(Verb::new(&["colour", "color"], |said, d| paint(d, said.sentence(), said.setting)))
        .display(shown)
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

/// Says of each colour that was meant for a rule that is left out which rule gets it: the one that has the name.
pub(super) fn misled(outcomes: &mut [Outcome], rules: &Rulebook) {
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
pub(super) fn coloured(state: &State<Spacenomic>, body: &Body) -> Result<(), Refusal> {
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

/// The rules with their versions and colours (S19, S34).
fn colours(state: &State<Spacenomic>) -> Document {
    let row = |rule: &Rule| {
        let number = rule.number().to_string();
        cells![
            Cell::new(number.clone()).showing(format!("rule/{number}")),
            rule.label(),
            version(rule).to_string(),
            rule.field("colour").unwrap_or("none"),
        ]
    };
    let rows = state.rules.rules().into_iter().map(row);
    Document::titled("colours", "Rules of Spacenomic, with version and colour")
        .table(["", "name", "version", "colour"], rows)
}
