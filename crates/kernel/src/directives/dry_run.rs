//! What a body would do now: the difference to the rules and to the state.
//!
//! It is applied to a copy of the room, with dice that are thrown away; nothing is journalled. Every directive is
//! tried, even after one that failed, so that a proposer reads all mistakes at once. A dry run remembers which
//! revisions of rules it was made on.

use std::collections::{BTreeMap, VecDeque};

use super::{
    applied::{Applied, Outcome},
    apply::apply,
    setting::{Mode, Setting},
    syntax::Body,
    words::Lawful,
};
use crate::Draft;
use crate::Id;
use crate::Instant;
use crate::Refusal;
use crate::State;
use crate::dice::{Dice, SEED_BYTES, Seed};
use crate::display::{Block, Cell, Document, plain};
use crate::doer::Doer;
use crate::draft::{Finished, SALT_BYTES};
use crate::entry::Draw;
use crate::mechanic::SETTLE_MAX_ROUNDS;
use crate::rulebook::{Keys, Live, Rulebook, views};
use crate::told::steps;

/// Most lines that a dry run shows of the state: a page on a phone several times over.
pub const SHOWN_MAX_LINES: usize = 100;

/// Most outcomes of one throw that are shown: as many as anybody compares.
const CHANCES_MAX_COUNT: u64 = 20;

/// What a body would do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DryRun {
    /// What would become of each directive.
    pub outcomes: Vec<Outcome>,
    /// Lines that look like directives and do not count, with why.
    pub notes: Vec<(usize, String)>,
    /// Whether anything would happen: not where all or nothing is to, and something is refused.
    pub happens: bool,
    /// The difference of the rules.
    pub rules: Vec<Block>,
    /// The difference of the state, in the words of players.
    pub state: Vec<String>,
    /// What would become of figures of the rules.
    pub rebindings: Option<Block>,
    /// The rules of which words would change that the program does not play.
    pub reworded: Vec<String>,
    /// Figures that the game would lack, and does not lack now, and what no rule would be on.
    pub lost: Vec<String>,
    /// What would no longer hold.
    pub warnings: Vec<String>,
    /// What may follow by itself where dice decide, an outcome each; nothing that depends on them is shown otherwise.
    pub chances: Vec<String>,
    /// The rules that it touches, with the revisions on which it was made.
    pub base: BTreeMap<Id, Option<u32>>,
}

/// What a game does where a text takes effect, around carrying it out: it ends the document, and pays.
pub type Passing<'p, G> = &'p dyn Fn(&mut Draft<'_, G>, &mut dyn FnMut(&mut Draft<'_, G>));

/// Nothing but what a text says: how one is tried that nothing is done around.
pub fn alone<G: Lawful>(d: &mut Draft<'_, G>, does: &mut dyn FnMut(&mut Draft<'_, G>)) {
    does(d);
}

/// Tries a body on a copy of a room, as of an instant, with all that follows where it passes.
pub fn dry_run<G: Lawful>(
    state: &State<G>,
    body: &Body,
    at: Instant,
    setting: &Setting<'_>,
    passing: Passing<'_, G>,
) -> DryRun {
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), state.seq + 1, VecDeque::new());
    let at = at.max(state.at);
    let mut d = Draft::new(state.clone(), at, Doer::default(), true, &mut dice, [0; SALT_BYTES]);
    let all = Setting { mode: Mode::LeaveOutRefused, tried: true, ..*setting };
    let mut applied = Applied::default();
    passing(&mut d, &mut |d| {
        applied = apply(body, d, &all).unwrap_or_else(|failure| {
            let outcome = Outcome { line: failure.line, words: failure.words, result: Err(failure.refusal) };
            Applied { outcomes: vec![outcome], ..Applied::default() }
        });
    });
    let refused = applied.outcomes.iter().any(|outcome| outcome.result.is_err());
    let happens = !(refused && setting.mode == Mode::AllOrNone);
    let chances = settle(&mut d);
    let Finished { state: after, changes, .. } = d.finish();
    let mut differing: Vec<String> = Vec::new();
    for (by, lines) in steps(state, &changes, at) {
        let by = by.rule.map(|rule| format!(", by {rule}")).unwrap_or_default();
        differing.extend(lines.into_iter().map(|(sign, line)| format!("{sign} {line}{by}")));
    }
    for line in G::mechanics().differs(state, &after).into_iter().map(|line| format!("! {line}")) {
        if !differing.contains(&line) {
            differing.push(line);
        }
    }
    let keys = Keys::new(G::mechanics().keys(&after));
    let was: Vec<&str> = state.rules.missing(&keys).into_iter().map(|(key, _)| key.key).collect();
    let lost = after.rules.missing(&keys).into_iter().filter(|(key, _)| !was.contains(&key.key)).map(|(key, live)| {
        let (why, mend) = match live {
            Live::Broken { text, why, .. } => (format!("would be “{text}”: {why}"), String::new()),
            Live::Is { .. } | Live::Absent => {
                let mend = views::mending(&state.rules, &after.rules, key);
                ("would be given by no rule".to_owned(), format!(" {mend}"))
            }
        };
        format!("The {} {why}; so {}.{mend}", key.meaning, key.absent)
    });
    let held = G::mechanics().warnings(state);
    let warnings = G::mechanics().warnings(&after).into_iter().filter(|warning| !held.contains(warning));
    DryRun {
        notes: body.notes.clone(),
        happens,
        rules: views::difference(&state.rules, &after.rules, G::numbering()),
        state: differing,
        rebindings: views::figures(&state.rules, &after.rules, &applied.rebindings, &keys, G::numbering()),
        reworded: views::reworded(&state.rules, &after.rules, G::numbering()),
        lost: lost.chain(views::given_up(&state.rules, &after.rules)).collect(),
        warnings: warnings.collect(),
        chances,
        base: applied.base,
        outcomes: applied.outcomes,
    }
}

/// Does what is due by now, which nobody can know before where it opens something sealed; whether it did.
fn due<G: Lawful>(d: &mut Draft<'_, G>) -> bool {
    let due = G::mechanics().next_due(d).filter(|due| due.at <= d.at && G::mechanics().opens(d, due).is_empty());
    due.is_some_and(|due| {
        G::mechanics().due(&due, d);
        // What is due still is set aside.
        G::mechanics().next_due(d).as_ref() != Some(&due)
    })
}

/// Does what follows by itself, and what falls due by it, as far as no dice decide it; what each throw would bring
/// where they do.
fn settle<G: Lawful>(d: &mut Draft<'_, G>) -> Vec<String> {
    for _ in 0..SETTLE_MAX_ROUNDS {
        let drawn = d.draws().len();
        let settled = d.attempt(|d| match G::mechanics().settle(d) || due(d) {
            _ if d.draws().len() > drawn => Err(Refusal::new("dice decide it")),
            settled => Ok(settled),
        });
        match (settled, d.draws().get(drawn).cloned()) {
            (_, Some(draw)) => {
                return chances(d, &draw);
            }
            (Ok(true), None) => {}
            _ => break,
        }
    }
    Vec::new()
}

/// What may follow where dice decide: of each outcome the first line that is not said whatever they show.
fn chances<G: Lawful>(d: &Draft<'_, G>, draw: &Draw) -> Vec<String> {
    let all: Vec<Vec<String>> = (0..draw.bound.min(CHANCES_MAX_COUNT)).map(|got| outcome(d, draw, got)).collect();
    let is_common = |at: usize| all.iter().all(|said| said.get(at).is_some() && said.get(at) == all[0].get(at));
    let common = (0..).take_while(|at| is_common(*at)).count();
    let mut told: Vec<String> = Vec::new();
    for said in &all {
        let line = said.get(common).cloned().unwrap_or_else(|| format!("{}: 1 of {}", draw.label, draw.bound));
        if !told.contains(&line) {
            told.push(line);
        }
    }
    if draw.bound > CHANCES_MAX_COUNT && told.len() > 1 {
        told.push(format!("and {} outcomes more", draw.bound - CHANCES_MAX_COUNT));
    }
    told
}

/// The lines of what follows by itself where dice show so much.
fn outcome<G: Lawful>(d: &Draft<'_, G>, draw: &Draw, got: u64) -> Vec<String> {
    let fixed = VecDeque::from([(draw.label.clone(), got)]);
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), d.seq, fixed);
    let mut then = Draft::new(State::clone(d), d.at, Doer::default(), true, &mut dice, [0; SALT_BYTES]);
    G::mechanics().settle(&mut then);
    let said = then.said().iter().map(|say| plain(&say.document));
    said.flat_map(|said| said.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// The rules that do not read as they did when something was made on them, by what people call them.
pub fn moved_since(base: &BTreeMap<Id, Option<u32>>, now: &Rulebook) -> Vec<String> {
    let moved = base.iter().filter(|(id, was)| match (now.in_force(id), was) {
        (Some(rule), Some(revision)) => !rule.reads_as(*revision),
        (rule, was) => rule.is_some() || was.is_some(),
    });
    moved.map(|(id, _)| now.get(id).map_or_else(|| id.to_string(), |rule| rule.label())).collect()
}

impl DryRun {
    /// The directives that would be refused.
    pub fn refused(&self) -> impl Iterator<Item = (&Outcome, &Refusal)> {
        self.outcomes.iter().filter_map(|outcome| Some((outcome, outcome.result.as_ref().err()?)))
    }

    /// One sentence of it.
    pub fn summary(&self) -> String {
        let (all, refused) = (self.outcomes.len(), self.refused().count());
        match (all, refused, self.happens) {
            (0, _, _) => "It holds no directive, so the program would do nothing.".to_owned(),
            (1, 0, _) => "Its one directive would be done.".to_owned(),
            (all, 0, _) => format!("All {all} directives would be done."),
            (1, _, false) => "Nothing would happen: its one directive would be refused.".to_owned(),
            (all, refused, false) => format!("Nothing would happen: {refused} of {all} directives would be refused."),
            (all, refused, true) => format!("{refused} of {all} directives would be left out, the others done."),
        }
    }

    /// The whole of it: what is wrong first, then what each directive does, then the differences.
    pub fn document(&self) -> Document {
        let mut page = Document { title: "Dry run".to_owned(), ..Document::default() }.para(self.summary());
        for (outcome, why) in self.refused() {
            let instead = why.instead.as_ref().map_or_else(String::new, |instead| {
                // What is no directive is a line to type.
                let word = if instead.starts_with("=>") { "Write" } else { "See" };
                format!("\n{word}: {instead}")
            });
            let by = why.rule.as_ref().map_or_else(String::new, |rule| format!(" ({rule})"));
            page = page.para(format!("Line {}: {}{by}{instead}", outcome.line, why.say));
        }
        let wrong = self.warnings.iter().chain(&self.lost).map(|say| Cell::new(say.as_str()));
        let wrong: Vec<Cell> = wrong.collect();
        if !wrong.is_empty() {
            let what = if self.happens { "It would break:" } else { "What could be done would break:" };
            page = page.para(what).with(Block::List(wrong));
        }
        for (line, why) in &self.notes {
            page = page.para(format!("Line {line} is passed over: {why}."));
        }
        let done: Vec<Cell> = self
            .outcomes
            .iter()
            .flat_map(|outcome| {
                outcome.result.iter().flatten().map(move |say| Cell::new(format!("Line {}: {say}.", outcome.line)))
            })
            .collect();
        if !done.is_empty() {
            page = page.with(Block::List(done));
        }
        let doubtful = if self.happens { "" } else { " of what could be done" };
        if !self.rules.is_empty() {
            page = page.para(format!("The rules{doubtful}:"));
            page.blocks.extend(self.rules.iter().cloned());
            page.blocks.extend(self.reworded.iter().cloned().map(Block::Para));
        }
        if let Some(figures) = &self.rebindings {
            page = page.para("Figures in the text:").with(figures.clone());
        }
        if !self.state.is_empty() {
            let shown = self.state.iter().take(SHOWN_MAX_LINES);
            page = page.para(format!("The state{doubtful}:"));
            let text: String = shown.map(|line| format!("{line}\n")).collect();
            page = page.with(Block::Code { lang: "diff".to_owned(), text });
            if let Some(more @ 1..) = self.state.len().checked_sub(SHOWN_MAX_LINES) {
                page = page.para(format!("{more} more lines are left out."));
            }
        }
        if !self.chances.is_empty() {
            let chances = self.chances.iter().map(|say| Cell::new(say.as_str())).collect();
            page = page.para("Then dice decide, and one of these follows:").with(Block::List(chances));
        }
        page
    }
}
