//! Changes without a vote: plain slips (rule 1), and the source of the Master Control Program, of which the Control Unit
//! settles the meaning (rule 11).
//!
//! A mended slip is one of spelling or punctuation (`slips`), never of a figure, a hinge, a fence or what a directive does
//! (N6). The Admin who mends it answers for it being plain, and a Call for Judgment can say otherwise (N7).

use super::{
    game::{BlogNomic, D},
    law::Thing,
    mcp, program,
    roster::{ADMIN_STAFF, CONTROL_UNIT},
    slips,
};
use kernel::{
    Act, Game, Id, Mechanic, Path, Refusal, Value, directives,
    display::Document,
    entry::Audience,
    rulebook::{Edit, Keys, Mark, Rule, Text, amend, diff, numeral::numerals},
};
use kit::effects;

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    let gamestate = Thing::Gamestate.word();
    let mend_rule = Act::new("mend_rule", |MendRule { rule, old, new }, d| mend_rule(&rule, &old, &new, d));
    let mend_proposal =
        Act::new("mend_proposal", |MendProposal { proposal, old, new }, d| mend_proposal(proposal, &old, &new, d));
    let source = Act::new("source", |Source { old, new, reason }, d| settle_source(&old, &new, &reason, d));
    Mechanic::new("corrections")
        .act(
            mend_rule
                .by(gamestate)
                .player()
                .office(ADMIN_STAFF)
                .public("admin mend 3 \"recieve\" \"receive\"")
                .note("correction"),
        )
        .act(
            mend_proposal
                .by(gamestate)
                .player()
                .office(ADMIN_STAFF)
                .public("admin mend-proposal 3 \"recieve\" \"receive\"")
                .note("correction"),
        )
        .act(
            source
                .by(Thing::Mcp.word())
                .player()
                .office(CONTROL_UNIT)
                .public("cu source \"old\" \"new\" because REASON")
                .note("correction"),
        )
}

kit::args! {
    /// The arguments of `mend_rule` (N6).
    MendRule { rule: Id, old: String, new: String }

    /// The arguments of `mend_proposal` (N6).
    MendProposal { proposal: u64, old: String, new: String }

    /// The arguments of `source` (N80).
    Source { old: String, new: String, reason: String }
}

// ---- decide

/// An Admin mends a slip in a rule (N6).
///
/// # Errors
///
/// A [`Refusal`] for what is no plain slip.
fn mend_rule(rule: &Id, old: &str, new: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let admin = d.actor()?;
    let held =
        d.rules.in_force(rule).ok_or_else(|| Refusal::new("that rule is not in force").instead("rules"))?.clone();
    let edit = amend::replace_phrase(&held, old, new)?;
    plain(d, held.text().visible(), edit.text.visible())?;
    played_by(d, &held, &edit)?;
    if **held.id() == *"mcp" || held.establishes().any(|thing| thing == Thing::Mcp.word()) {
        let source = |text: &str| mcp::locate(text).map(|place| text[place].to_owned());
        if source(held.text().visible()) != source(edit.text.visible()) {
            return Err(Refusal::new("the source of the Master Control Program is no matter of spelling")
                .by(Thing::Gamestate.rule(&d.rules))
                .instead("cu source OLD NEW because REASON"));
        }
    }
    spelled(d, held.text().visible(), edit.text.visible())?;
    let name = d.frame.name_of(&admin).to_owned();
    let why = format!("a slip, mended by {name}");
    amended(d, edit, held.text().visible(), &why, &format!("{name} mends a slip in {}.", held.label()))?;
    Ok(Document::say("Mended. Whoever objects raises a Call for Judgment."))
}

/// An Admin mends a slip in a pending Proposal, as its proposer asked (N6). The votes stay.
///
/// # Errors
///
/// A [`Refusal`] for what is no plain slip.
fn mend_proposal(number: u64, old: &str, new: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let admin = d.actor()?;
    let (proposal, text) = pending(d, number)?;
    let label = laws::labelled_as(d, &proposal);
    let to = match text.matches(old).count() {
        1 => text.replacen(old, new, 1),
        0 => {
            return Err(
                Refusal::new(format!("“{old}” does not stand in {label}")).instead(format!("proposal {number}"))
            );
        }
        count => {
            return Err(Refusal::new(format!("“{old}” stands in {label} {count} times; quote more of it"))
                .instead(format!("proposal {number}")));
        }
    };
    plain(d, &text, &to)?;
    let post = laws::post_of(d, &proposal);
    let dry_run = |text: &str| effects::dry_run::<BlogNomic>(d, text, d.at, post, &directives::alone);
    let (old_run, new_run) = (dry_run(&text)?, dry_run(&to)?);
    let played = (old_run.rebindings, old_run.lost) == (new_run.rebindings, new_run.lost);
    if !played || !effects::read::<BlogNomic>(&text)?.does_as(&effects::read::<BlogNomic>(&to)?) {
        return Err(Refusal::new(
            "what the directives of a Proposal do is never a plain slip. Those who voted would have voted on \
             something else. Words that a directive quotes can be mended",
        )
        .by(Thing::Gamestate.rule(&d.rules))
        .instead("show proposals"));
    }
    spelled(d, &text, &to)?;
    let name = d.frame.name_of(&admin).to_owned();
    let said = format!("{name} mends a slip in {label}, as its proposer asked; the votes stay.");
    let report = laws::reword(d, &proposal, &to, &said)?;
    let mut reply = Document::say("Mended.");
    reply.blocks.extend(report);
    Ok(reply)
}

/// A pending Proposal by number, with its text.
fn pending(d: &D<'_>, number: u64) -> Result<(Id, String), Refusal> {
    let proposal = Id::from(format!("proposal/{number}"));
    let held = |attr: &str| match d.world.value(&Path::new(proposal.clone(), attr)) {
        Value::Text(text) => text,
        _ => String::new(),
    };
    let why = match held("state").as_str() {
        "Pending" => return Ok((proposal.clone(), held("text"))),
        "" => format!("there is no Proposal {number}"),
        state => format!("{} is no longer pending: it is {state}", laws::labelled_as(d, &proposal)),
    };
    Err(Refusal::new(why).instead("show proposals"))
}

/// Refuses what is never plain: a text in which another figure stands, or one more, or one less.
fn plain(d: &D<'_>, old: &str, new: &str) -> Result<(), Refusal> {
    let figures = |text: &str| numerals(text, true).into_iter().map(|numeral| numeral.value).collect::<Vec<_>>();
    if figures(old) == figures(new) {
        return Ok(());
    }
    Err(Refusal::new("a changed figure is never a plain slip")
        .by(Thing::Gamestate.rule(&d.rules))
        .instead("show proposals"))
}

/// Refuses what is no matter of spelling or punctuation, and what changes a fence: that must be proposed.
fn spelled(d: &D<'_>, old: &str, new: &str) -> Result<(), Refusal> {
    let never = |say: String| Err(Refusal::new(say).by(Thing::Gamestate.rule(&d.rules)).instead("show proposals"));
    if slips::fenced(old) != slips::fenced(new) {
        return never("what stands in a fence is never a plain slip".to_owned());
    }
    match slips::beyond_spelling(old, new) {
        None => Ok(()),
        Some((old, new)) => {
            let shown = |words: &str| words.chars().take(60).collect::<String>();
            let what = match (shown(&old), shown(&new)) {
                (old, new) if old.is_empty() => format!("“{new}” would come to it"),
                (old, new) if new.is_empty() => format!("“{old}” would go"),
                (old, new) => format!("“{old}” is not how “{new}” could be misspelt"),
            };
            never(format!("{what}; a plain slip changes letters of a word, or punctuation"))
        }
    }
}

/// Refuses an edit that changes or loses what the program plays by: a figure of the rules, or what that counts.
fn played_by(d: &D<'_>, held: &Rule, edit: &Edit) -> Result<(), Refusal> {
    let mut after = d.rules.clone();
    after.apply(&edit.op, d.seq, d.at);
    let keys = Keys::new(BlogNomic::mechanics().keys(d));
    let figure = d.rules.unlike(&after, &keys).first().map(|key| key.meaning);
    let (counted, now) = (counted(held.text()), counted(&edit.text));
    let unit = counted.iter().zip(&now).find(|(was, is)| was != is);
    let unit = unit.and_then(|((key, _), _)| keys.get(key));
    let what = match (figure, unit) {
        (Some(what), _) => format!("those words give the {what}"),
        (None, Some(key)) => format!("that word says what the {} counts", key.meaning),
        (None, None) if slips::marked(held.text()) == slips::marked(&edit.text) => return Ok(()),
        (None, None) => "that changes a word that the rule marks".to_owned(),
    };
    Err(Refusal::new(format!("{what}, and what the game is played by is never a plain slip"))
        .by(Thing::Gamestate.rule(&d.rules))
        .instead("show proposals"))
}

/// The word behind each figure of a text, by its key: what it counts.
fn counted(text: &Text) -> Vec<(String, String)> {
    let figures = text.spans().iter().filter(|span| span.counts && span.mark() == Mark::Number);
    let word = |at: usize| {
        let behind = text.visible().get(at..).unwrap_or_default().split_whitespace().next().unwrap_or_default();
        behind.trim_matches(|char: char| !char.is_alphanumeric()).to_lowercase()
    };
    figures.map(|span| (span.key.to_string(), word(span.at.end))).collect()
}

/// The Control Unit settles what the program means and changes its source so that it is clear (N80).
///
/// # Errors
///
/// A [`Refusal`] outside the source, and where it could not be read any more.
fn settle_source(old: &str, new: &str, reason: &str, d: &mut D<'_>) -> Result<Document, Refusal> {
    let by = Thing::Mcp.rule(&d.rules);
    let held = d.rules.establishes(Thing::Mcp.word()).and_then(|id| d.rules.get(id)).cloned();
    let held = held.ok_or_else(|| Refusal::new("no rule has the source").instead("rules"))?;
    let visible = held.text().visible().clone();
    let place = amend::phrase(&held, old)?;
    let source = mcp::locate(&visible).filter(|source| source.start <= place.start && place.end <= source.end);
    if source.is_none() {
        return Err(Refusal::new("that does not stand in the source, and only the source is yours to change")
            .by(by)
            .instead(program::rule_line(d)));
    }
    let edit = amend::replace_at(&held, place, new)?;
    amended(
        d,
        edit,
        &visible,
        reason,
        &format!("The Control Unit settles what the Master Control Program means: {reason}"),
    )?;
    program::read(d)?;
    Ok(Document::say("The source is changed."))
}

/// Does an edit and announces it with its diff.
fn amended(d: &mut D<'_>, edit: Edit, before: &str, why: &str, said: &str) -> Result<(), Refusal> {
    let block = diff::block(before, edit.text.visible());
    d.rules.check(&edit.op)?;
    let rules = d.rules.clone();
    d.rule(edit.op.because(why));
    let mut document = Document::say(said);
    document.blocks.extend(block);
    document.blocks.extend(effects::figures(&rules, d, &edit.rebindings));
    d.say(Audience::Public, document);
    Ok(())
}
