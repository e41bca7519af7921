//! Proposals (S22 to S24): making, destroying, and the documents that list them.
//!
//! Those that exist are gamestate; those that are over are kept for the record. Votes and what they decide stand in
//! `voting`, the effects of the text in `effects`, and when a proposal expires in `expiry`.

pub(super) mod record;

use serde_json::json;

use self::record::{Proposal, Status, by_name, ends, extant, label, normal, open, over};
use super::{
    activity, displays, effects,
    expiry::expires,
    figures::vote_range,
    game::{D, Spacenomic},
    hosting,
    law::Thing,
    roster::player,
    stats::called,
    voting,
};
use kernel::{
    Act, Asked, Display, Game, Mechanic, Num, Refusal, State,
    directives::Post,
    display::{Block, Cell, Document, Offer, cells},
    entry::Audience,
    rulebook::book::TITLE_MAX_CHARS,
    time::minute,
    viewer::Viewer,
};
use kit::{
    args::Propose,
    docket::{self, Numbered, TEXT_MAX_BYTES, Unfit},
};

/// Most proposals that exist at once: all of them are tested after every event, within a moment.
const EXTANT_MAX_COUNT: usize = 1000;

/// Proposals that the list of displays names: what anybody would look at unasked.
const LISTED_MAX_COUNT: usize = 30;

// ---- the mechanic

/// Proposals as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let proposals = Thing::Proposals.word();
    let make =
        Act::new("propose", |Propose { title, text, trivial }, d: &mut D<'_>| propose(&title, &text, trivial, d));
    let end = Act::new("destroy_proposal", |Which { proposal }, d: &mut D<'_>| destroy(proposal, d));
    // The words of a name come joined as the parts of an address are.
    let one = |state: &State<Spacenomic>, asked: Asked<'_>| show(state, &asked.words(), asked.viewer);
    let each = |state: &State<Spacenomic>| docket::listings(extant(state).rev().chain(over(state)), LISTED_MAX_COUNT);
    Mechanic::new("proposals")
        .table::<Proposal>()
        .act(make.by(proposals).player().public("propose NAME TEXT"))
        .act(end.by(proposals).player().public("destroy 3"))
        .display(Display::new("ballot", |state, _| Ok(ballot(state))).listed(displays::BALLOT))
        .display(Display::new("proposals", |state, _| Ok(list(state))).listed(displays::PROPOSALS))
        .display(Display::of("proposal", one).beside(displays::EACH_PROPOSAL, each))
}

kit::args! {
    /// The arguments of `destroy_proposal` (S24).
    Which { proposal: u64 }
}

// ---- decide

/// One line of visible text.
fn one_line(name: &str) -> Result<String, Refusal> {
    let name = normal(name);
    if name.is_empty() {
        return Err(Refusal::new("a proposal has a name").instead("propose NAME TEXT"));
    }
    if name.chars().count() > TITLE_MAX_CHARS {
        return Err(Refusal::new(format!("a name has at most {TITLE_MAX_CHARS} characters")));
    }
    Ok(name)
}

/// A player makes a proposal (S22, S23, S33). It stands as it is: to change it, destroy it and make another.
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and for a name that is taken. Also for a line that is no directive,
/// and where a rule would come without a colour and a reason.
fn propose(name: &str, text: &str, trivial: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let by = Thing::Proposals.rule(&d.rules);
    if trivial {
        let say = "no rule here knows trivial proposals";
        return Err(Refusal::new(say).by(by).instead("propose NAME TEXT"));
    }
    let name = one_line(name)?;
    if let Some(same) = extant(d).find(|other| *other.name == *name) {
        let say = format!("{} exists, and each proposal has a name of its own", label(same));
        return Err(Refusal::new(say).by(by).instead("show proposals"));
    }
    if extant(d).count() >= EXTANT_MAX_COUNT {
        return Err(Refusal::new(format!("{EXTANT_MAX_COUNT} proposals exist, as many as the bot keeps")));
    }
    let body = docket::text(text).map_err(|why| match why {
        Unfit::Empty => Refusal::new("say what shall change").instead("propose NAME TEXT"),
        Unfit::Long(bytes) => {
            Refusal::new(format!("a text has at most {TEXT_MAX_BYTES} bytes, and this one has {bytes}"))
        }
    })?;
    docket::unmarked(&body, "propose \"Tea\" => set decay-days to 5")?;
    effects::may_be_posted(d, &body)?;
    let number = d.next_number::<Proposal>();
    let proposal = Proposal {
        number,
        name: name.into(),
        post: Post::of(d, &body),
        body: body.into(),
        maker: me.clone(),
        created: d.at,
        refreshed: None,
        put_off: None,
        entered: Vec::new(),
        status: Status::Extant,
    };
    d.put(&number, proposal.clone());
    let report = voting::foresee(d, &proposal, d.at)?;
    activity::acted(d, &me);
    let mut document = full(d, &proposal);
    document.title = format!("{} by {}", label(&proposal), called(d, &me));
    if let Some(names) = effects::names_players(d, &proposal.body) {
        document = document.para(names);
    }
    if let Some(figures) = effects::plays_by_none(&proposal.body) {
        document = document.para(figures);
    }
    document.offers = offers(d, number);
    d.say(Audience::Public, proposal.about(document));
    let with = json!({ "by": me, "proposal": number, "name": proposal.name });
    Spacenomic::mechanics().happened(hosting::PROPOSED, &with, d);
    let mut reply = Document::say(format!("Your proposal is number {number}."));
    reply.blocks.extend(report.blocks);
    Ok(reply)
}

/// A player destroys a proposal of eir own: it has neither passed nor failed (S24).
///
/// # Errors
///
/// A [`Refusal`] for others, outside public forums, and for what does not exist.
fn destroy(number: u64, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let proposal = open(d, number)?.clone();
    if proposal.maker != me {
        let say = format!("only its maker can destroy {}", label(&proposal));
        return Err(Refusal::new(say).by(Thing::Proposals.rule(&d.rules)).instead("show proposals"));
    }
    let at = d.at;
    ends(d, proposal.number, Status::Destroyed(at));
    activity::acted(d, &me);
    let name = called(d, &me);
    let document = Document::say(format!("{name} destroys {}. It has neither passed nor failed.", label(&proposal)));
    d.say(Audience::Public, proposal.about(document));
    Ok(Document::say("Done."))
}

// ---- display

/// Votes that can be cast on a proposal with one touch: the ends of the range and nothing.
fn offers(state: &State<Spacenomic>, number: u64) -> Vec<Offer> {
    let Some((least, most)) = vote_range(&state.rules) else { return Vec::new() };
    let mut votes = vec![most.clone(), Num::default(), least.clone()];
    votes.retain(|vote| *vote >= least && *vote <= most);
    votes.dedup();
    // A vote is final, so that one touch asks first (S26).
    let line = |vote: &Num| format!("sure {number} {vote}");
    let offer = |vote: Num| Offer::new(format!("Vote {vote}"), line(&vote), state.seq);
    votes.into_iter().map(offer).collect()
}

fn full(state: &State<Spacenomic>, proposal: &Proposal) -> Document {
    let document = Document::titled(format!("proposal/{}", proposal.number), label(proposal));
    // Before the text, which a channel may cut.
    let document = match expires(state, proposal).filter(|_| proposal.status == Status::Extant) {
        Some(at) => document.para(format!("It expires at {} unless it is refreshed.", minute(at))),
        None => document,
    };
    document.para(proposal.body.to_string())
}

fn table<'a>(state: &State<Spacenomic>, proposals: impl Iterator<Item = &'a Proposal>) -> Block {
    let row = |proposal: &Proposal| {
        cells![
            Cell::numbered("proposal", proposal.number),
            &*proposal.name,
            called(state, &proposal.maker),
            voting::standing(state, proposal),
        ]
    };
    Block::table(["", "name", "by", ""], proposals.map(row))
}

/// What can be voted on now.
fn ballot(state: &State<Spacenomic>) -> Document {
    let document = Document::titled("ballot", "Proposals of Spacenomic that exist");
    if extant(state).next().is_none() {
        return document.para("There are none. “⁅propose NAME TEXT⁆” makes one.");
    }
    document.with(table(state, extant(state)))
}

/// Proposals that exist, and the latest that are over.
fn list(state: &State<Spacenomic>) -> Document {
    /// Proposals that are over and still listed, the latest first.
    const PAST_MAX_COUNT: usize = 30;
    let mut document = ballot(state);
    "proposals".clone_into(&mut document.id);
    "Proposals of Spacenomic".clone_into(&mut document.title);
    let past = over(state).count();
    if past == 0 {
        return document;
    }
    document = document.para("Over:").with(table(state, over(state).take(PAST_MAX_COUNT)));
    match past.saturating_sub(PAST_MAX_COUNT) {
        0 => document,
        more => document.para(format!("{more} older ones are left out; “⁅show proposal 1⁆” shows one by its number.")),
    }
}

/// One proposal: text, votes, and how it stands.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
fn show(state: &State<Spacenomic>, words: &str, viewer: &Viewer) -> Result<Document, Refusal> {
    let proposal = by_name(state, words)?;
    let mut document = full(state, proposal);
    let stands = format!(
        "By {}, {}. {}.",
        called(state, &proposal.maker),
        minute(proposal.created),
        voting::standing(state, proposal)
    );
    document.blocks.insert(0, Block::Para(stands));
    for text in &proposal.entered {
        document = document.para(format!("A moderator entered of it: {text}"));
    }
    document.blocks.extend(voting::show(state, proposal));
    if proposal.status == Status::Extant {
        document = document.with(voting::bars(state, proposal)).para(voting::ahead(state, proposal));
        if expires(state, proposal).is_none() {
            document = document.para("As the rules read, it does not expire.");
        }
        // A vote is final (S26): whoever has cast one is offered none.
        let has_voted = viewer.seat.as_ref().is_some_and(|seat| voting::has_voted(state, proposal, seat));
        document.offers = if has_voted { Vec::new() } else { offers(state, proposal.number) };
    }
    Ok(document)
}
