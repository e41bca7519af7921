//! A rulebook that the moderator brings along: the seed's own, or one that a group has played by.
//!
//! Sections become rules, figures are bound by `bindings/blognomic.toml`, and the source of the Master Control Program
//! gets its fence. A rule that has a law here gets that, to be played by it. Figures that stay unbound, and mechanics that no rule of the file establishes, are told to the
//! moderator and played by hand. The meaning of a sentence is never guessed.

use std::collections::BTreeMap;

use super::{
    game::{BlogNomic, D},
    law::{self, Thing},
    mcp, program,
};
use kernel::{
    Game, Id, Refusal, State,
    display::{Block, Cell},
    rulebook::{
        Keys, LiveKey, Rule, RuleAct, RuleOp,
        binding::{Bindings, Bound, fenced},
        page,
    },
};

/// The list of what is known of such rulebooks.
const BINDINGS: &str = include_str!("../../../bindings/blognomic.toml");

/// The rule that holds the source.
const MCP: &str = "mcp";

/// A rulebook of the moderator's own, read.
pub(super) struct Supplied {
    /// What brings its rules into force.
    pub(super) ops: Vec<RuleOp>,
    /// The lines of the file that are page furniture, as a sentence.
    skipped: Option<String>,
    bound: Bound,
    /// How many figures the game is played by.
    figures: usize,
}

/// What is known of our own rules: their laws, and all figures that they are played by.
pub(super) struct Own {
    /// Each with the head of its rule.
    laws: BTreeMap<Id, (String, BTreeMap<String, String>)>,
    pub(super) figures: Vec<&'static LiveKey>,
}

/// Brings our own rules into force for a look at them, and takes them back.
pub(super) fn own(d: &mut D<'_>) -> Result<Own, Refusal> {
    let ops = law::opening()?;
    let mut own = Own { laws: BTreeMap::new(), figures: Vec::new() };
    let _undone: Result<(), Refusal> = d.attempt(|d| {
        ops.into_iter().for_each(|op| d.rule(op));
        laws::declare(d);
        let law = |rule: &&Rule| {
            let law = laws::law_of(rule)?.to_owned();
            Some((rule.id().clone(), (law, rule.fields().clone())))
        };
        own.laws = d.rules.rules().iter().filter_map(law).collect();
        own.figures = BlogNomic::mechanics().keys(d).collect();
        Err(Refusal::new("it is only looked at"))
    });
    Ok(own)
}

/// Reads a rulebook.
///
/// # Errors
///
/// A [`Refusal`] with the lines that cannot be read.
pub(super) fn read(text: &str, own: &Own) -> Result<Supplied, Refusal> {
    let instead = "room open blognomic NAME rulebook:FILE";
    let page = page::read(text).map_err(|bad| Refusal::from(bad).instead(instead))?;
    let mut bound =
        Bindings::parse(BINDINGS)?.bind(&page, &Keys::new(own.figures.iter().copied()), "the room was opened")?;
    let ops = std::mem::take(&mut bound.ops).into_iter().map(|op| with_law(with_fence(op), own));
    Ok(Supplied { ops: ops.collect(), skipped: page.passed_over(text), bound, figures: own.figures.len() })
}

/// Puts the law that our own rule has behind the words of the file's: from then on that says how it is played. What the
/// program still does of it stays.
fn with_law(mut op: RuleOp, own: &Own) -> RuleOp {
    if let (RuleAct::Enact { source, fields, .. }, Some((law, head))) = (&mut op.act, own.laws.get(&op.rule)) {
        *source = format!("{}\n\n```{}\n{law}```\n", source.trim_end(), laws::LAW);
        fields.clone_from(head);
    }
    op
}

/// Puts the source into a fence, where the file has it as plain text: so it is read as it stands, line by line.
fn with_fence(mut op: RuleOp) -> RuleOp {
    if let RuleAct::Enact { source, .. } = &mut op.act
        && *op.rule == *MCP
        && mcp::locate(source).is_none()
        && let Some(place) = mcp::unfenced(source)
    {
        let (prose, code) = (source[..place.start].trim_end(), &source[place.start..]);
        *source = format!("{prose}\n\n{}", fenced(code)).trim_start().to_owned();
    }
    op
}

impl Supplied {
    /// What whoever opens the room is told of it, once its rules are in force.
    pub(super) fn report(&self, state: &State<BlogNomic>) -> Vec<Block> {
        let figures = self.figures - self.bound.unbound.len();
        let mut blocks = vec![Block::Para(format!(
            "{} read from your file, and {figures} of {} figures in them are live.",
            if self.ops.len() == 1 { "1 rule was".to_owned() } else { format!("{} rules were", self.ops.len()) },
            self.figures
        ))];
        blocks.extend(self.skipped.clone().map(Block::Para));
        let mut by_hand: Vec<Cell> = Vec::new();
        for thing in &self.bound.unknown {
            by_hand.push(Cell::new(format!("No rule is on {thing}: the program does nothing of that sort.")));
        }
        let gone = |rule: &str| self.ops.iter().all(|op| *op.rule != *rule);
        let known = Bindings::parse(BINDINGS).map(|known| known.rules).unwrap_or_default();
        let missing = |key: &str| known.iter().any(|rule| gone(&rule.id) && rule.figures.contains_key(key));
        let number = |key: &str| {
            let rule = known.iter().find(|rule| rule.figures.contains_key(key))?;
            Some(state.rules.get(&rule.id)?.number().to_string())
        };
        for (key, why) in self.bound.unbound.iter().filter(|(key, _)| !missing(key.key)) {
            by_hand.push(Cell::new(format!(
                "The {} is not bound, so {}: {why}. Type: ⁅rule bind {} {} \"the words with it\"⁆",
                key.meaning,
                key.absent,
                number(key.key).unwrap_or_else(|| "RULE".to_owned()),
                key.typed()
            )));
        }
        if state.rules.establishes(Thing::Mcp.word()).is_some()
            && let Some(fault) = program::fault(state)
        {
            by_hand.push(Cell::new(format!("The Master Control Program cannot be run: {fault}.")));
        }
        if !by_hand.is_empty() {
            blocks.push(Block::Para(
                "What follows is played by hand, with “⁅gndt set⁆” and directives, until it is bound or amended:"
                    .to_owned(),
            ));
            blocks.push(Block::List(by_hand));
        }
        blocks
    }
}

#[cfg(test)]
mod tests;
