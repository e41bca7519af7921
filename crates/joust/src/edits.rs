//! Edits of the contract: the change that a notice announces, and the operation that does it (seed 000, J7 to J9).
//!
//! An edit is kept as it was announced, word for word, and worked out anew when it is to be done. Where the section has
//! changed so that the announced edit no longer fits, it is refused rather than bent (J8). Who may do it, and when, is
//! decided in `notices`.

use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::{
    figures::{FIGURES, PRESETS, TOURNAMENT_SECTION},
    playable, reading,
};
use kernel::names::normalise;
use kernel::{
    Refusal,
    display::{Block, Cell},
    rulebook::{
        Keys, LiveKey, NumKind, Rule, RuleAct, RuleOp, RuleSource, Rulebook,
        amend::{self, Rebinding},
        diff,
        ops::Played,
        source::Text,
        views,
    },
};

/// A change of one section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub(super) struct Edit {
    /// The section's name in the room.
    pub section: String,
    /// What it was when the edit was announced: the SHA-256 of all that it read, in hexadecimal digits. An undo gives words
    /// back, and under another number.
    pub from: String,
    /// What is done to it.
    pub change: Change,
}

/// The digest of all that a section reads.
fn read(rule: &Rule) -> String {
    let all = json!([rule.number(), &**rule.title(), rule.fields(), rule.text().source()]);
    hex::encode(Sha256::digest(all.to_string()))
}

/// What is done to a section.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Change {
    /// It gets a whole new text.
    Text(String),
    /// A phrase is replaced.
    Replace {
        /// The phrase.
        old: String,
        /// What stands there from now on.
        new: String,
    },
    /// A figure or a name is set.
    Set {
        /// Which, by its key.
        key: String,
        /// What it is from now on.
        to: String,
        /// What it was when the edit was announced.
        was: String,
    },
    /// It goes out of force.
    Repeal,
    /// It was repealed and comes into force again, with a whole new text or as it was.
    Enact(Option<String>),
}

/// An edit worked out on the contract as it reads.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The operation.
    pub(super) op: RuleOp,
    /// The section's text before and after, as people read it.
    texts: (String, String),
    rebindings: Vec<Rebinding>,
}

// ---- reading what the contestmaster types

/// A new text for a section, or the replacement of a phrase: `replace “old” by “new”`.
///
/// # Errors
///
/// A [`Refusal`] where there is no such section or no text.
pub(super) fn amend(subject: &str, text: Option<&str>, rules: &Rulebook) -> Result<Edit, Refusal> {
    let rule = section(subject, rules)?;
    let text = text.map(str::trim).filter(|text| !text.is_empty());
    let Some(text) = text else {
        return Err(Refusal::new("the exact new text is missing").instead("joust intend amend SECTION TEXT"));
    };
    let change = match replacement(text) {
        Some((old, new)) => Change::Replace { old, new },
        None => Change::Text(text.to_owned()),
    };
    Ok(Edit { section: rule.id().to_string(), from: read(rule), change })
}

/// A new value for a figure of the contract.
///
/// # Errors
///
/// A [`Refusal`] where the contract has no such figure, or no value is given.
pub(super) fn set(key: &str, to: Option<&str>, rules: &Rulebook) -> Result<Edit, Refusal> {
    let name = key.trim().trim_start_matches('@').to_ascii_lowercase();
    let Some(key) = FIGURES.iter().find(|key| key.key.trim_start_matches('@') == name) else {
        return Err(Refusal::new("the contract has no figure of that name").instead("show sections"));
    };
    let Some(to) = to.map(str::trim).filter(|to| !to.is_empty()) else {
        return Err(
            Refusal::new(format!("the new {} is missing", key.meaning)).instead("joust intend set FIGURE VALUE")
        );
    };
    let Some((rule, was)) = shown(key.key, rules) else {
        return Err(Refusal::new(format!("no section gives the {}", key.meaning)).instead("show sections"));
    };
    let to = to.trim_end_matches(['.', '!']);
    alone(key, to)?;
    let change = Change::Set { key: key.key.to_owned(), to: to.to_owned(), was };
    Ok(Edit { section: rule.id().to_string(), from: read(rule), change })
}

/// Refuses a value with words beside it: they would come to stand in the contract.
fn alone(key: &LiveKey, to: &str) -> Result<(), Refusal> {
    let why = match key.kind {
        NumKind::Name => normalise(to).err().map(|why| why.to_string()),
        NumKind::Word(_) | NumKind::Weekdays => key.read_name(to).err(),
        _ => key.beside(to).map(|word| format!("“{word}” is no part of it")),
    };
    why.map_or(Ok(()), |why| {
        Err(Refusal::new(format!("that is not the {} alone: {why}", key.meaning))
            .instead("joust intend set FIGURE VALUE"))
    })
}

/// Refuses words that are left over: what is announced must be all that was typed.
pub(super) fn nothing_more(text: Option<&str>, line: &str) -> Result<(), Refusal> {
    match text.map(str::trim).filter(|text| !text.is_empty()) {
        Some(_) => Err(Refusal::new("that takes no text beside what it is about").instead(line)),
        None => Ok(()),
    }
}

/// The end of a section.
///
/// # Errors
///
/// A [`Refusal`] where there is no such section, or more is said.
pub(super) fn repeal(subject: &str, text: Option<&str>, rules: &Rulebook) -> Result<Edit, Refusal> {
    nothing_more(text, "joust intend repeal SECTION")?;
    let rule = section(subject, rules)?;
    Ok(Edit { section: rule.id().to_string(), from: read(rule), change: Change::Repeal })
}

/// The return of a section that was repealed (J7: any section), as it was or with a new text.
///
/// # Errors
///
/// A [`Refusal`] where no section of that name was repealed.
pub(super) fn enact(subject: &str, text: Option<&str>, rules: &Rulebook) -> Result<Edit, Refusal> {
    if let Ok(rule) = section(subject, rules) {
        return Err(Refusal::new(format!("{} is in force", rule.label())).instead("joust intend amend SECTION TEXT"));
    }
    let found = rules.all().into_iter().find(|rule| is_called(rule, subject));
    let rule = found.ok_or_else(|| {
        Refusal::new("no section of that name was repealed").instead("joust intend amend SECTION TEXT")
    })?;
    let text = text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    Ok(Edit { section: rule.id().to_string(), from: read(rule), change: Change::Enact(text) })
}

/// An edit of CURRENT TOURNAMENT: the subject is one of its figures, or `preset`, `text`, `replace`, `repeal` or `enact`.
///
/// # Errors
///
/// A [`Refusal`] where it is none of them.
pub(super) fn tournament(subject: &str, text: Option<&str>, rules: &Rulebook) -> Result<Edit, Refusal> {
    let edit = match subject.trim().to_lowercase().as_str() {
        "preset" => amend(TOURNAMENT_SECTION, Some(&preset_text(text)?), rules)?,
        "text" | TOURNAMENT_SECTION => amend(TOURNAMENT_SECTION, text, rules)?,
        "replace" => amend(TOURNAMENT_SECTION, text.map(|text| format!("replace {text}")).as_deref(), rules)?,
        "repeal" => repeal(TOURNAMENT_SECTION, text, rules)?,
        "enact" => enact(TOURNAMENT_SECTION, text, rules)?,
        _ => set(subject, text, rules)?,
    };
    if edit.section == TOURNAMENT_SECTION {
        return Ok(edit);
    }
    Err(Refusal::new("that stands outside CURRENT TOURNAMENT, which alone is changed by notice")
        .by("BRAINFUCK JOUST, J8")
        .instead("joust intend set FIGURE VALUE"))
}

/// The name of a preset and the file of its CURRENT TOURNAMENT.
///
/// # Errors
///
/// A [`Refusal`] that says which there are.
pub(super) fn preset(name: &str) -> Result<(&'static str, &'static str), Refusal> {
    PRESETS.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name.trim())).ok_or_else(|| {
        let names: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
        Refusal::new(format!("there is no preset of that name; there are {}", names.join(" and ")))
    })
}

/// The text of a preset's CURRENT TOURNAMENT, its figures marked; what the section is called and establishes stays as it
/// is in the room.
fn preset_text(name: Option<&str>) -> Result<String, Refusal> {
    let example = || format!("joust intend tournament preset {}", PRESETS[PRESETS.len() - 1].0);
    let (_, file) = preset(name.unwrap_or_default()).map_err(|why| why.instead(example()))?;
    let source = RuleSource::parse(TOURNAMENT_SECTION, file);
    source.map(|source| source.body).map_err(|why| Refusal::new(format!("the preset cannot be read: {why}")))
}

/// A section in force by name, title or number.
pub(super) fn section<'a>(subject: &str, rules: &'a Rulebook) -> Result<&'a Rule, Refusal> {
    if let Some(rule) = rules.rules().into_iter().find(|rule| is_called(rule, subject)) {
        return Ok(rule);
    }
    Err(match rules.all().into_iter().find(|rule| is_called(rule, subject)) {
        Some(rule) => Refusal::new(format!("{} is repealed; it can be enacted again", rule.label()))
            .instead(format!("joust intend enact {}", rule.id())),
        None => Refusal::new("the contract has no section of that name").instead("show sections"),
    })
}

/// Whether a section is meant by a name, a title or a number.
fn is_called(rule: &Rule, subject: &str) -> bool {
    let wanted = subject.trim().trim_end_matches(':').to_lowercase();
    let title = rule.title().to_lowercase();
    *wanted == **rule.id()
        || wanted == title
        || wanted == rule.number().to_string()
        || wanted == title.replace(' ', "-")
}

/// What a figure shows now, and where.
fn shown<'a>(key: &'a str, rules: &'a Rulebook) -> Option<(&'a Rule, String)> {
    let (rule, _) = rules.places(key).next()?;
    let shown: Vec<&str> = rule.places(key).map(|span| rule.text().shown(span)).collect();
    Some((rule, shown.join(" ")))
}

/// The two phrases of `replace “old” by “new”`, in straight or curly quotation marks.
fn replacement(text: &str) -> Option<(String, String)> {
    let rest = text.strip_prefix("replace").or_else(|| text.strip_prefix("Replace"))?.trim_start();
    let (old, rest) = quoted(rest)?;
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("by").or_else(|| rest.strip_prefix("with"))?;
    let (new, rest) = quoted(rest.trim_start())?;
    rest.trim().is_empty().then(|| (old.to_owned(), new.to_owned()))
}

/// What stands in quotation marks at the beginning of a text, and the rest.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let (inner, close) = match text.strip_prefix('“') {
        Some(inner) => (inner, '”'),
        None => (text.strip_prefix('"')?, '"'),
    };
    inner.split_once(close)
}

// ---- working it out

impl Edit {
    /// Whom it gives an office, where it sets a name.
    pub(super) fn named(&self) -> Option<&str> {
        match &self.change {
            Change::Set { key, to, .. } => {
                let is_name = FIGURES.iter().any(|known| known.key == key && known.kind == NumKind::Name);
                is_name.then_some(&**to)
            }
            _ => None,
        }
    }

    /// Gives the office to somebody under another name.
    pub(super) fn name(&mut self, name: &str) {
        if let Change::Set { to, .. } = &mut self.change {
            name.clone_into(to);
        }
    }

    /// Works the edit out on the contract as it reads.
    ///
    /// # Errors
    ///
    /// A [`Refusal`] where the section changed so that the announced edit no longer fits, or would change nothing.
    pub(super) fn plan(&self, rules: &Rulebook) -> Result<Plan, Refusal> {
        if let Change::Enact(text) = &self.change {
            return self.returning(text.as_deref(), rules);
        }
        let Some(rule) = rules.in_force(&self.section) else {
            return Err(Refusal::new(format!("the section {} is not in force", self.section)).instead("contract"));
        };
        let unchanged = || {
            if self.from == read(rule) {
                return Ok(());
            }
            Err(Refusal::new(format!("{} has changed since this was announced; announce it anew", rule.label()))
                .by("BRAINFUCK JOUST, J8")
                .instead("joust intend WHAT SUBJECT TEXT"))
        };
        let before = rule.text().visible().to_string();
        let edit = match &self.change {
            Change::Repeal => {
                unchanged()?;
                let op = RuleOp::new(rule.id().clone(), RuleAct::Repeal);
                return Ok(Plan { op, texts: (before, String::new()), rebindings: Vec::new() });
            }
            Change::Enact(_) => return self.returning(None, rules),
            Change::Text(text) => {
                unchanged()?;
                amend::replace_text(rule, text)?
            }
            Change::Replace { old, new } => amend::replace_phrase(rule, old, new)?,
            Change::Set { key, to, was } => {
                let Some(key) = FIGURES.iter().find(|known| known.key == key) else {
                    return Err(Refusal::new("the contract has no figure of that name").instead("show sections"));
                };
                match shown(key.key, rules) {
                    Some((at, now)) if now == *was && **at.id() == *self.section => amend::set_figure(rules, key, to)?,
                    _ => {
                        let say = format!("the {} is not {was} any more; announce the change anew", key.meaning);
                        return Err(Refusal::new(say)
                            .by("BRAINFUCK JOUST, J8")
                            .instead("joust intend WHAT SUBJECT TEXT"));
                    }
                }
            }
        };
        let after = edit.text.visible().to_string();
        Ok(Plan { op: edit.op, texts: (before, after), rebindings: edit.rebindings })
    }

    /// Works out how a repealed section comes back.
    fn returning(&self, text: Option<&str>, rules: &Rulebook) -> Result<Plan, Refusal> {
        let gone = rules.get(&self.section).filter(|rule| !rule.in_force() && self.from == read(rule));
        let Some(rule) = gone else {
            let say = format!("the section {} has changed since this was announced; announce it anew", self.section);
            return Err(Refusal::new(say).by("BRAINFUCK JOUST, J8").instead("joust intend WHAT SUBJECT TEXT"));
        };
        let edit = match text {
            Some(text) if *text != **rule.text().visible() => Some(amend::replace_text(rule, text)?),
            _ => None,
        };
        let (source, visible, rebindings) = match edit {
            Some(edit) => (edit.text.source().to_string(), edit.text.visible().to_string(), edit.rebindings),
            None => (rule.text().source().to_string(), rule.text().visible().to_string(), Vec::new()),
        };
        let act = RuleAct::Enact {
            number: rule.number(),
            title: rule.title().to_string(),
            fields: rule.fields().clone(),
            source,
        };
        Ok(Plan { op: RuleOp::new(rule.id().clone(), act), texts: (String::new(), visible), rebindings })
    }

    /// The edit in words, for lists: what is to be, or what was done.
    pub(super) fn words(&self, rules: &Rulebook, done: bool) -> String {
        let section = reading::section(rules, &self.section);
        match &self.change {
            Change::Text(_) => format!("new text for {section}"),
            Change::Replace { old, new } => format!("in {section}, “{old}” becomes “{new}”"),
            Change::Set { key, to, was } => {
                let meaning = FIGURES.iter().find(|known| known.key == key).map_or(key.as_str(), |key| key.meaning);
                match done {
                    false => format!("in {section}, the {meaning} becomes {to} (now {was})"),
                    true => format!("in {section}, the {meaning} is {to} (it was {was})"),
                }
            }
            Change::Repeal => format!("repeal of {section}"),
            Change::Enact(None) => format!("{section} comes into force again"),
            Change::Enact(Some(_)) => format!("{section} comes into force again, with a new text"),
        }
    }

    /// Whether a text typed with the act says what the edit says; blanks do not matter.
    pub(super) fn says(&self, text: &str) -> bool {
        let folded = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let same = |own: &str| folded(own) == folded(text);
        match &self.change {
            Change::Text(own) => same(own),
            Change::Set { key, to, .. } => same(to) || same(&format!("{key} {to}")),
            Change::Replace { old, new } => {
                replacement(text.trim()).is_some_and(|(a, b)| folded(&a) == folded(old) && folded(&b) == folded(new))
            }
            Change::Repeal => same("repeal"),
            Change::Enact(own) => same(own.as_deref().unwrap_or("enact")),
        }
    }
}

/// What settles that the program plays CURRENT TOURNAMENT as it reads, where its words became those of a preset. It
/// plays every preset, so no moderator is asked.
pub(super) fn settled(rules: &Rulebook) -> Option<RuleOp> {
    let rule = rules.in_force(TOURNAMENT_SECTION).filter(|rule| rule.outdated().is_some())?;
    let words = rule.text().words();
    let of = |file: &str| RuleSource::parse(TOURNAMENT_SECTION, file).map(|source| Text::parse(source.body).words());
    if !PRESETS.iter().any(|(_, file)| of(file).is_ok_and(|preset| preset == words)) {
        return None;
    }
    let to = Played { revision: rule.revision(), by_hand: false };
    Some(RuleOp::new(rule.id().clone(), RuleAct::Settle { to, was: rule.played() }))
}

/// What the contest can no longer do by a changed contract and could before, a sentence each; `now` says when.
pub(super) fn stops(before: &Rulebook, after: &Rulebook, now: &str) -> Vec<String> {
    let keys = Keys::new(FIGURES);
    let missing = |rules: &Rulebook| rules.missing(&keys).into_iter().map(|(key, _)| key).collect::<Vec<_>>();
    let held: Vec<&str> = missing(before).into_iter().map(|key| key.key).collect();
    let gone: Vec<_> = missing(after).into_iter().filter(|key| !held.contains(&key.key)).collect();
    let line = |key: &&LiveKey| {
        let mend = views::mending(before, after, key);
        format!("The contract {now} gives no {} to play by, so {}. {mend}", key.meaning, key.absent)
    };
    let mut lines: Vec<String> = gone.iter().map(line).chain(views::reworded(before, after, "")).collect();
    // Figures that are each sound and do not fit together.
    let challenge = |rules: &Rulebook| playable::challenge(rules).map(drop);
    for check in [challenge, playable::start, playable::amendment] {
        if gone.is_empty()
            && check(before).is_ok()
            && let Err(why) = check(after)
        {
            lines.push(format!("The contract {now} holds figures that do not fit together: {}", sentence(&why.say)));
        }
    }
    lines
}

/// A reason as the end of a sentence.
fn sentence(why: &str) -> String {
    if why.ends_with('.') { why.to_owned() } else { format!("{why}.") }
}

// ---- display

impl Plan {
    /// The change as people see it: a diff of the text, and what becomes of each figure in it.
    pub(super) fn blocks(&self) -> Vec<Block> {
        let text = diff::lines(&self.texts.0, &self.texts.1);
        let mut blocks = vec![Block::Code { lang: "diff".to_owned(), text }];
        let figures: Vec<Cell> = self.rebindings.iter().map(figure).map(Cell::new).collect();
        if !figures.is_empty() {
            blocks.push(Block::List(figures));
        }
        blocks
    }
}

/// What becomes of a figure.
fn figure(line: &Rebinding) -> String {
    let key = FIGURES.iter().find(|known| *known.key == *line.key).map_or(&*line.key, |key| key.meaning);
    match (&line.old, &line.new) {
        (Some(old), Some(new)) if line.outcome == amend::Outcome::Hidden => {
            format!("{key}: {old} becomes a remark ({new})")
        }
        (Some(old), Some(new)) if old == new => format!("{key}: stays {new}"),
        (Some(old), Some(new)) => format!("{key}: {old} becomes {new}"),
        (Some(old), None) => format!("{key}: {old} is gone, and what depends on it stops"),
        (None, Some(new)) => format!("{key}: {new}"),
        (None, None) => format!("{key}: nothing"),
    }
}
