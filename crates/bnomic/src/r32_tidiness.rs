//! Tidiness Lists (4E32): spelling, capitals and other trivial errors in rules, mended together without objection.
//!
//! A line names a rule, the old words and the new ones. Objectors judge whether an error is trivial. They are awaited
//! in `intents`.

use serde::{Deserialize, Serialize};

use super::{
    figures::{TIDY_ERRORS, TIDY_NDAYS, TIDY_OBJECTIONS, TIDY_POINTS},
    game::{BNomic, D},
    intents::needs::Needs,
    law::{PREFIX, Thing, established},
    stats::{self, called},
};
use kernel::{
    Id, Num, Refusal, State,
    directives::syntax::unquote,
    display::{Block, Cell, Document, cells},
    rulebook::{Rule, amend},
};

/// Most lines of a list: more than any ruleset has had errors.
const LINES_MAX_COUNT: usize = 200;

// ---- lists

/// A correction of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Line {
    /// Which rule.
    rule: Id,
    /// The words as they stand.
    old: String,
    /// The words as they should.
    new: String,
}

/// The signs between the words as they stand and as they should, the longer one of two that begin alike first.
const ARROWS: [&str; 5] = ["-->", "->", "→", "=>", "⇒"];

/// Reads a list: `15: recieve -> receive`, a line a correction or several with semicolons between them, of the rule of the
/// one before where it names none (B32.1).
///
/// # Errors
///
/// A [`Refusal`] with the first line that is none, names no rule, or whose words do not stand there once.
pub(super) fn read(state: &State<BNomic>, text: &str) -> Result<Vec<Line>, Refusal> {
    let by = Thing::Tidiness.rule(&state.rules);
    let mut list = List { state, rule: None, lines: Vec::new() };
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).peekable();
    while let Some((index, line)) = lines.next() {
        let line = line.trim();
        let read = match line.ends_with(',') && lines.peek().is_some() {
            true => Err(Refusal::new(
                "the comma at its end may be one of the new words or part it from the next line. Leave it out, or put marks round \
                 the words that have it",
            )),
            false => list.read(line),
        };
        read.map_err(|why| {
            let instead = why.instead.clone().or_else(|| Some("intend tidy 15: recieve -> receive".to_owned()));
            Refusal { say: format!("line {}: {}", index + 1, why.say), instead, ..why }.by(by.clone())
        })?;
    }
    if list.lines.is_empty() {
        return Err(Refusal::new("say which words are to be mended")
            .by(by)
            .instead("intend tidy 15: recieve -> receive"));
    }
    Ok(list.lines)
}

/// A list that is being read.
struct List<'s> {
    state: &'s State<BNomic>,
    /// The rule that was named last.
    rule: Option<&'s Rule>,
    lines: Vec<Line>,
}

/// The words of a line, with which of its bytes stand between quotation marks.
struct Words<'t> {
    line: &'t str,
    quoted: Vec<bool>,
}

impl<'t> Words<'t> {
    fn of(line: &'t str) -> Words<'t> {
        let mut quoted = Vec::with_capacity(line.len());
        let mut inside = false;
        for char in line.chars() {
            inside = match char {
                '"' => !inside,
                '“' => true,
                '”' => false,
                _ => inside,
            };
            quoted.extend([inside].repeat(char.len_utf8()));
        }
        // One that is never closed marks nothing.
        if inside {
            quoted.fill(false);
        }
        Words { line, quoted }
    }

    /// What stands between its semicolons.
    fn corrections(&self) -> Vec<&'t str> {
        let (mut found, mut from) = (Vec::new(), 0);
        for (at, _) in self.line.match_indices(';').filter(|(at, _)| !self.quoted[*at]) {
            found.push(&self.line[from..at]);
            from = at + 1;
        }
        found.push(&self.line[from..]);
        found.retain(|words| !words.trim().is_empty());
        found
    }

    /// The arrows in it: where each begins and ends.
    fn arrows(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut at = 0;
        while let Some(char) = self.line[at..].chars().next() {
            let arrow = ARROWS.iter().find(|arrow| !self.quoted[at] && self.line[at..].starts_with(**arrow));
            let end = at + arrow.map_or(char.len_utf8(), |arrow| arrow.len());
            found.extend(arrow.map(|_| (at, end)));
            at = end;
        }
        found
    }
}

impl<'s> List<'s> {
    fn read(&mut self, line: &str) -> Result<(), Refusal> {
        let line = ["- ", "* ", "• "].iter().find_map(|sign| line.strip_prefix(sign)).unwrap_or(line).trim();
        Words::of(line).corrections().into_iter().try_for_each(|words| self.correction(words.trim()))
    }

    fn correction(&mut self, words: &str) -> Result<(), Refusal> {
        match Words::of(words).arrows()[..] {
            [] => {
                // A rule alone is named for what stands behind it.
                let rule = words.strip_suffix(':').ok_or_else(|| {
                    Refusal::new("a correction reads RULE: old words -> new words, and no arrow stands in this one")
                })?;
                self.rule = Some(self.named(rule)?);
                Ok(())
            }
            [(at, end)] => {
                let (rule, old) = self.place(&words[..at])?;
                self.rule = Some(rule);
                self.correct(rule, old, &words[end..])
            }
            _ => Err(Refusal::new(format!(
                "“{words}” has more than one arrow: a semicolon parts corrections, or each has a line of its own"
            ))),
        }
    }

    /// A rule by what somebody calls it, the prefix of numbers included.
    fn named(&self, words: &str) -> Result<&'s Rule, Refusal> {
        let words = words.trim();
        let words = words.strip_prefix("in ").or_else(|| words.strip_prefix("In ")).unwrap_or(words);
        let bare = words.get(..PREFIX.len()).filter(|head| head.eq_ignore_ascii_case(PREFIX));
        self.state.rules.find(bare.map_or(words, |_| &words[PREFIX.len()..]))
    }

    /// The rule and the words in it that stand before an arrow.
    fn place(&self, words: &str) -> Result<(&'s Rule, String), Refusal> {
        let words = words.trim();
        let within = |rule: &'s Rule, words: &str| {
            let marked = amend::phrase(rule, words).map(|_| words);
            // Marks round the words are none of them, unless they stand there.
            let found = marked.or_else(|why| match unquote(words) {
                bare if bare == words => Err(why),
                bare => amend::phrase(rule, bare).map(|_| bare),
            });
            found.map(|words| (rule, words.to_owned()))
        };
        let named = words.split_once(':').map(|(rule, words)| (self.named(rule), words.trim()));
        match (named, self.rule) {
            (Some((Ok(rule), words)), _) => within(rule, words),
            (_, Some(rule)) => within(rule, words),
            (Some((Err(why), _)), None) => Err(why),
            (None, None) => Err(Refusal::new(format!(
                "it does not say in which rule “{words}” stands: its number goes before it, as in RULE: old words -> new words"
            ))),
        }
    }

    fn correct(&mut self, rule: &'s Rule, old: String, new: &str) -> Result<(), Refusal> {
        let new = new.trim();
        // What stands between marks there loses them, as the old words did; marks that are to stand stay.
        let marked = old.trim() != unquote(&old);
        let new = if marked { new } else { unquote(new) };
        amend::replace_phrase(rule, &old, new)?;
        self.lines.push(Line { rule: rule.id().clone(), old, new: new.to_owned() });
        if self.lines.len() > LINES_MAX_COUNT {
            return Err(Refusal::new(format!("a list has at most {LINES_MAX_COUNT} corrections")));
        }
        Ok(())
    }
}

/// What it needs: nobody who objects, after a wait of its own (B32.1).
///
/// # Errors
///
/// A [`Refusal`] where the rule that allows it is gone.
pub(super) fn needs(state: &State<BNomic>) -> Result<Needs, Refusal> {
    established(&state.rules, Thing::Tidiness)?;
    Ok(Needs {
        without: Some(state.rules.need_count(&TIDY_OBJECTIONS)?),
        wait: Some(state.rules.need_count(&TIDY_NDAYS)?),
        ..Needs::default()
    })
}

/// Mends what still stands, and pays for it (B32.2).
///
/// # Errors
///
/// None but where a correction breaks the rulebook.
pub(super) fn perform(me: &Id, lines: &[Line], d: &mut D<'_>) -> Result<Document, Refusal> {
    let mut mended = Vec::new();
    for line in lines {
        let Some(rule) = d.rules.in_force(&line.rule) else { continue };
        // Words that are gone by now are skipped, and not counted.
        let Ok(edit) = amend::replace_phrase(rule, &line.old, &line.new) else { continue };
        let op = edit.op.because("a Tidiness List");
        if d.rules.check(&op).is_ok() {
            d.rule(op);
            mended.push(line.clone());
        }
    }
    let (errors, points) = (d.rules.need_count(&TIDY_ERRORS)?, d.rules.need_count(&TIDY_POINTS)?);
    let full = (mended.len() as u64).checked_div(errors).unwrap_or_default();
    let gained = Num::from(i64::try_from(full.saturating_mul(points)).unwrap_or(i64::MAX));
    let paid = established(&d.rules, Thing::Points).is_ok() && !gained.is_zero();
    if paid {
        stats::score(d, me, &gained);
    }
    let name = called(d, me);
    let price = match (paid, gained == Num::from(1)) {
        (false, _) => String::new(),
        (true, true) => ", for 1 point".to_owned(),
        (true, false) => format!(", for {gained} points"),
    };
    let mut document = Document::say(format!(
        "{name} submits a Tidiness List: {} of {} errors mended{price}.",
        mended.len(),
        lines.len()
    ));
    document.blocks.extend(preview(d, &mended));
    d.say(kernel::entry::Audience::Public, document);
    Ok(Document::say("Done."))
}

/// What a list changes.
pub(super) fn preview(state: &State<BNomic>, lines: &[Line]) -> Vec<Block> {
    let row = |line: &Line| {
        let number = state.rules.get(&line.rule).map_or(0, Rule::number);
        cells![
            Cell::new(format!("{PREFIX}{number}")).showing(format!("rule/{number}")),
            line.old.clone(),
            line.new.clone(),
        ]
    };
    vec![Block::table(["rule", "reads", "shall read"], lines.iter().map(row))]
}
