//! The effects of a proposal: its directives are tried when it is posted and done, all or none, when it takes effect.
//!
//! Every game that takes proposals uses these. Each game says for itself what the words of directives mean (`Lawful`).

use std::collections::VecDeque;

use kernel::{
    Draft, Instant, Refusal, State,
    dice::{Dice, SEED_BYTES, Seed},
    directives::{
        self, Applied, Body, DryRun, Lawful, Mode, Passing, Post, Posted, Setting,
        syntax::{NO_VERB, VERBS},
    },
    display::{Block, Document},
    doer::Doer,
    draft::SALT_BYTES,
    entry::Audience,
    rulebook::{Keys, Rebinding, Rulebook, views},
};

fn setting<'a>(because: &'a str, posted: Option<&'a Posted>) -> Setting<'a> {
    Setting { because, mode: Mode::AllOrNone, posted, tried: false }
}

/// Reads the directives of a text.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first one that is none.
pub fn read<G: Lawful>(text: &str) -> Result<Body, Refusal> {
    let body = directives::syntax::parse(text, &|words| G::mechanics().owns(words))?;
    match body.malformed().first() {
        Some((line, why)) => {
            // Whoever typed no word of a directive reads those of this game.
            let listed = why.say.ends_with(NO_VERB) && why.instead.is_none();
            let list = if listed { format!(": those are {}", verbs::<G>().join(", ")) } else { String::new() };
            Err(Refusal { say: format!("line {line}: {}{list}", why.say), ..(*why).clone() })
        }
        None => Ok(body),
    }
}

/// The words that a directive of a game begins with, for whoever typed none of them.
fn verbs<G: Lawful>() -> Vec<&'static str> {
    let every = VERBS.map(|(verb, _)| verb).into_iter().filter(|verb| !G::lacks().contains(verb));
    every.chain(G::mechanics().own_verbs()).collect()
}

/// What the directives of a text would do now, by names meaning what they meant when it was posted, with what the game
/// does around them where it passes.
///
/// # Errors
///
/// A [`Refusal`] with the line of a directive that is none.
pub fn dry_run<G: Lawful>(
    state: &State<G>,
    text: &str,
    at: Instant,
    post: Option<&Post>,
    passing: Passing<'_, G>,
) -> Result<DryRun, Refusal> {
    let posted = post.map(|post| post.posted(state));
    Ok(directives::dry_run(state, &read::<G>(text)?, at, &setting("a dry run", posted.as_ref()), passing))
}

/// The room as it would be if something passed now, on a copy with dice that are thrown away.
///
/// # Errors
///
/// Why it cannot.
pub fn passed<G: Lawful>(
    state: &State<G>,
    passes: impl FnOnce(&mut Draft<'_, G>) -> Result<(), Refusal>,
) -> Result<State<G>, Refusal> {
    let mut dice = Dice::new(Seed([0; SEED_BYTES]), state.seq + 1, VecDeque::new());
    let mut d = Draft::new(state.clone(), state.at, Doer::default(), true, &mut dice, [0; SALT_BYTES]);
    passes(&mut d)?;
    if !G::mechanics().settle_all(&mut d) {
        return Err(Refusal::new("what would follow from it comes to no end"));
    }
    Ok(d.finish().state)
}

/// Does what a text's directives say, all or none, and says what changed; `prose` is said where it holds none.
///
/// # Errors
///
/// A [`Refusal`] with the line of the first directive that cannot be done.
pub fn carry_out<G: Lawful>(d: &mut Draft<'_, G>, text: &str, why: &str, prose: &str) -> Result<Vec<Block>, Refusal> {
    carry_out_as_posted(d, text, None, why, prose)
}

/// The same of a text that means by names what they meant when it was posted.
///
/// # Errors
///
/// As [`carry_out`].
pub fn carry_out_as_posted<G: Lawful>(
    d: &mut Draft<'_, G>,
    text: &str,
    post: Option<&Post>,
    why: &str,
    prose: &str,
) -> Result<Vec<Block>, Refusal> {
    let (body, posted) = (read::<G>(text)?, post.map(|post| post.posted(d)));
    if body.count() == 0 {
        return Ok(vec![Block::Para(prose.to_owned())]);
    }
    let rules = d.rules.clone();
    let Applied { outcomes, rebindings, .. } =
        directives::apply(&body, d, &setting(why, posted.as_ref())).map_err(directives::Failure::into_refusal)?;
    let mut blocks: Vec<Block> = Vec::new();
    for outcome in outcomes {
        let said = outcome.result.unwrap_or_default();
        let said = if said.is_empty() { String::new() } else { format!(": {}", said.join("; ")) };
        blocks.push(Block::Para(format!("⇒ {}{said}", outcome.words)));
    }
    blocks.extend(views::difference(&rules, &d.rules, G::numbering()));
    blocks.extend(figures(&rules, d, &rebindings));
    Ok(blocks)
}

/// What caused a change that a moderator made outside the rules.
pub const CORRECTION: &str = "a correction by a moderator";

/// What is said of a text without directives.
pub const PROSE: &str = "It holds no directive: a moderator enters what it says.";

/// What a moderator writes in one line, as a value is written, with each directive on a line of its own.
pub fn one_a_line(text: &str) -> String {
    if text.contains('\n') { text.to_owned() } else { text.replace(" => ", "\n=> ") }
}

/// A moderator changes the game by directives, all or none: outside the rules, and on the record as such.
///
/// # Errors
///
/// A [`Refusal`] for a line that is no directive, with an example, or that cannot be done.
pub fn mend<G: Lawful>(text: &str, example: &str, d: &mut Draft<'_, G>) -> Result<(), Refusal> {
    let text = &one_a_line(text);
    if read::<G>(text)?.count() == 0 {
        return Err(Refusal::new("write what shall be as a directive").instead(example));
    }
    let blocks = carry_out(d, text, CORRECTION, PROSE)?;
    d.say(Audience::Public, Document { blocks, ..Document::default() });
    Ok(())
}

/// What becomes of figures by what was done, but for those that were set, which is said already; and what is not played
/// any more.
pub fn figures<G: Lawful>(before: &Rulebook, d: &State<G>, rebindings: &[Rebinding]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let after = &d.rules;
    let keys = Keys::of(G::mechanics().keys(d), [before, after]);
    let figures = views::figures(before, after, rebindings, &keys, G::numbering());
    if let Some(Block::Table { head, mut rows }) = figures {
        // A place that changed its number where it stood reads so in the difference.
        rows.retain(|row| row.last().is_some_and(|note| !note.text.is_empty()));
        if !rows.is_empty() {
            blocks.extend([Block::Para("What the game plays by:".to_owned()), Block::table(head, rows)]);
        }
    }
    let stopped = views::unbound(before, after, &keys).into_iter().chain(views::given_up(before, after));
    blocks.extend(stopped.chain(views::reworded(before, after, G::numbering())).map(Block::Para));
    blocks
}
