//! Proposals (rule 3): who may make one, and its displays.
//!
//! A Proposal is Pending, Enacted, Failed or Expired; neither the rules nor this file make one Expired (N21). Its row
//! stands in `proposal`, its votes in `voting`, its end in `enactment`.

use serde_json::json;

use super::{
    enactment,
    figures::PENDING_LIMIT,
    game::{BlogNomic, D, page},
    law::{Base, Thing},
    proposal::{self, Proposal, Stands, Wording},
    roster, tally, texts, veto, votes,
};
use kernel::{
    Act, Display, Game, Mechanic, Refusal, State,
    directives::Post,
    display::{Block, Cell, Document, cells, counted},
    time::{between, minute},
    viewer::Viewer,
};
use kit::{
    args::Propose,
    docket::{self, Numbered},
};

/// Most Proposals that may be pending at once, trivial ones included: more than any week has seen, few enough to list.
const PENDING_MAX_COUNT: usize = 200;

/// Proposals that the list of displays names, the latest first: what anybody would look at unasked.
const LISTED_MAX_COUNT: usize = 30;

/// What happens where a Proposal is made.
pub(super) const PROPOSED: &str = "propose";

// ---- the mechanic

/// What it adds to play.
pub(super) fn mechanic() -> Mechanic<BlogNomic> {
    Mechanic::new("proposals")
        .table::<Wording>()
        .table::<Proposal>()
        .act(
            Act::new("propose", |Propose { title, text, trivial }, d| propose(&title, &text, trivial, d))
                .by(Thing::Proposals.word())
                .player()
                .public("propose TITLE TEXT")
                .note("Proposal"),
        )
        .display(
            Display::new("proposals", |state, asked| Ok(list(state, page(asked)?, asked.viewer)))
                .fits(|parts| parts <= 1)
                .listed(1),
        )
        .display(Display::new("ballot", |state, asked| Ok(list(state, None, asked.viewer))))
        .display(
            Display::of("proposal", |state, asked| show(state, asked.rest)).fits(|parts| parts == 1).beside(9, latest),
        )
}

// ---- decide

/// A Robot makes a Proposal (N18 to N21).
///
/// # Errors
///
/// A [`Refusal`] for whoever is no current Robot or has too many pending, and for a text with a line that is no directive.
fn propose(title: &str, text: &str, trivial: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = roster::robot(d)?;
    let title = texts::one_line(title)?;
    let text = texts::body(text)?;
    docket::unmarked(&text, "propose \"Tea\" => set quorum-divisor to 3")?;
    if !trivial {
        let limit = d.rules.need_count(&PENDING_LIMIT)?;
        let mine = proposal::open(d).filter(|proposal| proposal.by == me && !proposal.trivial).count() as u64;
        if mine >= limit {
            return Err(Refusal::new(format!(
                "{mine} of your Proposals that are not trivial are pending, and one is made only with fewer than {limit}"
            ))
            .by(Thing::Proposals.rule(&d.rules))
            .instead("propose trivial:yes TITLE TEXT"));
        }
    }
    if proposal::open(d).count() >= PENDING_MAX_COUNT {
        return Err(Refusal::new(format!(
            "{PENDING_MAX_COUNT} Proposals are pending, which is as many as the bot keeps open"
        ))
        .instead("proposals"));
    }
    let number = d.next_number::<Proposal>();
    let proposal = Proposal {
        number,
        by: me.clone(),
        posted: d.at,
        title,
        trivial,
        revision: 0,
        base: Base::new(),
        post: Post::of(d, &text),
        stands: Stands::Pending,
        returned: Vec::new(),
        claim: None,
        claimed: None,
        told: None,
    };
    d.put(&(number, 0), Wording { text: text.as_str().into() });
    d.put(&number, proposal.clone());
    let passing = |d: &mut D<'_>, does: &mut dyn FnMut(&mut D<'_>)| enactment::tried(d, &proposal, does);
    let (report, base) = texts::report(d, &text, &proposal.post, &passing)?;
    d.edit(&number, |proposal: &mut Proposal| proposal.base = base);
    let document = announcement(d, &proposal);
    let with = json!({ "by": me, "proposal": number, "title": proposal.title });
    d.say(kernel::entry::Audience::Public, document);
    BlogNomic::mechanics().happened(PROPOSED, &with, d);
    let mut reply = Document::say(format!("Your Proposal is number {number}."));
    reply.blocks.extend(report);
    Ok(reply)
}

// ---- display

fn announcement(d: &D<'_>, proposal: &Proposal) -> Document {
    let mark = if proposal.trivial { " (Trivial)" } else { "" };
    let mut document =
        Document::titled(format!("proposal/{}", proposal.number), format!("Proposal: {}{mark}", proposal.title))
            .para(format!("Proposal {} by {}.", proposal.number, d.frame.name_of(&proposal.by)))
            .para(proposal.text(d));
    document.offers = proposal::offers(proposal.number, d.seq);
    proposal.about(document)
}

/// The latest Proposals, for the list of displays.
fn latest(state: &State<BlogNomic>) -> Vec<Cell> {
    docket::listings(state.rows::<Proposal>().values().rev(), LISTED_MAX_COUNT)
}

/// The list of Proposals: the pending ones, oldest first, and the latest decided ones; or the decided ones before a number.
fn list(state: &State<BlogNomic>, before: Option<u64>, viewer: &Viewer) -> Document {
    /// Decided Proposals that the list shows, the latest first.
    const DECIDED_MAX_COUNT: usize = 30;
    let row = |proposal: &Proposal| {
        let tally = tally::of(state, proposal);
        let how = if proposal.is_pending() {
            format!("{}; {}", tally.score(), enactment::verdict(state, proposal).word())
        } else {
            proposal.ended(state)
        };
        cells![
            Cell::numbered("proposal", proposal.number),
            format!("{}{}", proposal.title, if proposal.trivial { " (Trivial)" } else { "" }),
            state.frame.name_of(&proposal.by),
            if proposal.is_pending() { between(proposal.posted, viewer.now) } else { String::new() },
            how,
        ]
    };
    let mut open: Vec<&Proposal> = proposal::open(state).filter(|_| before.is_none()).collect();
    open.sort_by_key(|proposal| (proposal.posted, proposal.number));
    let (latest, older) = docket::page(docket::over(state.rows::<Proposal>()), before, DECIDED_MAX_COUNT);
    let rows: Vec<_> = open.iter().chain(&latest).copied().map(row).collect();
    let document = Document::titled("proposals", "Proposals");
    if rows.is_empty() {
        return document.para(match before {
            None => "Nobody has proposed anything yet. “⁅propose TITLE TEXT⁆” does.".to_owned(),
            Some(before) => format!("No Proposal before number {before} has been decided."),
        });
    }
    let next = latest.last().map_or(0, |proposal| proposal.number);
    let robots = counted(roster::count(state), "Robot");
    document
        .para(match enactment::quorum(state) {
            Ok(quorum) => format!("{robots}, Quorum {quorum}."),
            Err(why) => format!("{robots}; {}.", why.say.trim_end_matches('.')),
        })
        .table(["", "title", "by", "age", "stands"], rows)
        .going_on(older, &format!("proposals/{next}"))
}

/// One Proposal: text, votes, what it would do.
///
/// # Errors
///
/// A [`Refusal`] where there is none.
fn show(state: &State<BlogNomic>, number: &str) -> Result<Document, Refusal> {
    let none = || Refusal::new("a Proposal is named by its number").instead("show proposals");
    let proposal = proposal::need(state, number.parse().map_err(|_| none())?)?;
    let mark = if proposal.trivial { " (Trivial)" } else { "" };
    let mut document =
        Document::titled(format!("proposal/{}", proposal.number), format!("Proposal: {}{mark}", proposal.title));
    document = document
        .para(format!(
            "Proposal {} by {}, {}; it is {}.",
            proposal.number,
            state.frame.name_of(&proposal.by),
            minute(proposal.posted),
            proposal.ended(state)
        ))
        .para(proposal.text(state));
    let tally = tally::of(state, proposal);
    document = document.para(format!("Votes: {}. {} can vote.", tally.score(), counted(tally.robots, "Robot")));
    let implicit =
        votes::of(state, &proposal.question(), &proposal.by).is_none() && roster::is_current(state, &proposal.by);
    let proposer =
        implicit.then(|| cells![state.frame.name_of(&proposal.by), "FOR", "as its proposer, without a vote"]);
    let votes = votes::on(state, proposal.question()).map(|(robot, vote)| {
        let counts = if roster::is_current(state, robot) { "" } else { "no current Robot" };
        let older = if vote.revision < proposal.revision { " (on an earlier text)" } else { "" };
        cells![state.frame.name_of(robot), format!("{}{older}", vote.words()), if vote.void { "void" } else { counts },]
    });
    document.blocks.extend(Block::table_if_any(["Robot", "vote", ""], proposer.into_iter().chain(votes)));
    if proposal.is_pending() {
        document = document.with(tally::bars(&tally, enactment::needed(state)));
        let verdict = enactment::sentence(enactment::verdict(state, proposal), state, proposal);
        let needs = enactment::needs(state, proposal).map_or_else(String::new, |needs| format!(" {needs}"));
        document = document.para(format!("{verdict}{needs}"));
        document.offers = proposal::offers(proposal.number, state.seq);
        document.offers.extend(veto::offer(state, proposal, state.seq));
    }
    let texts = state.rows::<Wording>();
    for revision in 1..=proposal.revision {
        let text = |revision| texts.get(&(proposal.number, revision)).map_or("", |text| &*text.text);
        if let Some(block) = kernel::rulebook::diff::block(text(revision - 1), text(revision)) {
            document = document.para(format!("Correction {revision}:")).with(block);
        }
    }
    Ok(document)
}
