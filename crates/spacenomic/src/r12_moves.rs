//! Moves (S55 to S60): set in private and sealed, replaced, withdrawn, and kept until their type is evaluated.
//!
//! Setting a move changes nothing in the gamestate, so that it is no action (S12, S82). Everybody reads at once who set
//! a move of which type, and a hash of it under a random salt. After the evaluation the move is published with its
//! salt. Moves are kept in `sealed`, judged in `board` and `invented`, and evaluated in `evaluation`.

pub(super) mod board;
pub(super) mod evaluation;
pub(super) mod invented;
mod judged;
pub(super) mod period;
pub(super) mod r10_r11_kind;
pub(super) mod sealed;
pub(super) mod stir;

pub(super) use r10_r11_kind as kind;

use serde::Deserialize;

use self::{
    board::Board,
    kind::Kind,
    period::span,
    sealed::{
        Phi, Sealed, Timing, What, in_order, is_gone, kinds, next, order, phi, put_at, set_by, set_of, store, tell,
    },
    stir::stirred,
};
use super::{
    activity, displays, end,
    game::{D, Spacenomic},
    law::{Thing, established, times_enacted, version},
    phases,
    roster::{is_player, player},
    stats::called,
};
use kernel::{
    Act, Display, Event, Id, Mechanic, Phase, Refusal, State,
    display::{Block, Cell, Document, cells, counted},
    draft::sealed_block,
    rulebook::Rule,
    time::minute,
    viewer::Viewer,
};

/// The display of one's own moves.
const YOURS: &str = "yours";

/// By what a moderator changes something on which moves hang.
const BY_MODERATOR: &str = "A moderator's correction";

// ---- the mechanic

/// Moves as a mechanic.
pub(super) fn mechanic() -> Mechanic<Spacenomic> {
    let evaluation = Phase::new(phases::EVALUATION, evaluation::next_due, |_, d| evaluation::due(d));
    Mechanic::new("moves")
        .by(Thing::Evaluation.word())
        .table::<Sealed>()
        .table::<Timing>()
        .table::<Phi>()
        .act(Act::new("set_move", |SetMove { what }, d: &mut D<'_>| set(&what.0, false, d)).player())
        .act(
            Act::new("open_move", |OpenMove { what }, d: &mut D<'_>| set(&what, true, d))
                .player()
                .public("move open go (1, 2)"),
        )
        .act(Act::new("withdraw_move", |WithdrawMove { kind }, d: &mut D<'_>| withdraw(&kind, d)).player())
        .phase(evaluation.lapse(evaluation::lapse).fate(|_, _| evaluation::fate()).opens(evaluation::opens))
        .display(Display::new("moves", |state, _| Ok(show(state))).listed(displays::MOVES))
        .display(Display::new(YOURS, |state, asked| show_own(state, asked.viewer)).personal().reads(reads))
        .settle(settle)
        .differs(differs)
        .seals(seals)
        .is_open(is_open)
        .hears(|event, d| match event {
            Event::Mended(before) => stirred(d, before, BY_MODERATOR),
            Event::Forgotten(seat) => forgotten(seat, d),
            Event::Resumed(_) | Event::Happened(..) | Event::Instant(_) => {}
        })
}

kit::args! {
    /// The arguments of `set_move` (S59).
    SetMove { what: Unseen }
}

/// A text that may be a sealed move: nothing can write it to a log.
#[derive(Deserialize)]
#[serde(transparent)]
struct Unseen(String);

kit::args! {
    /// The arguments of `open_move` (S59).
    OpenMove { what: String }

    /// The arguments of `withdraw_move` (S59).
    WithdrawMove { kind: Kind }
}

// ---- state

/// The sealed moves that must be there, with their hashes.
fn seals(state: &State<Spacenomic>) -> Vec<(Id, String)> {
    let all = state.rows::<Sealed>().values();
    all.map(|sealed| (sealed.secret.clone(), sealed.hash.clone())).collect()
}

/// Whether everybody may read a sealed move: it was set openly.
fn is_open(state: &State<Spacenomic>, secret: &str) -> bool {
    state.rows::<Sealed>().values().any(|sealed| *sealed.secret == *secret && sealed.open.is_some())
}

// ---- decide

/// Refuses where no rule in effect has moves of a type.
fn in_force(d: &D<'_>, kind: &Kind) -> Result<(), Refusal> {
    established(&d.rules, Thing::Evaluation)?;
    [kind.thing(), kind.list()].into_iter().flatten().try_for_each(|thing| established(&d.rules, thing))?;
    kind.about().iter().try_for_each(|thing| established(&d.rules, *thing))
}

/// A player sets a move (S59): in private and sealed, or openly. It is judged when it is evaluated (S55); what could not be
/// executed as things stand is told at once, to em alone.
///
/// # Errors
///
/// A [`Refusal`] for others, for what is no move, and where no rule has moves of that type.
fn set(text: &str, open: bool, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    let what = judged::read(d, text)?;
    let kind = what.kind();
    in_force(d, &kind)?;
    let secret: Id = format!("move/{}", d.seq).into();
    let hash = d.seal(secret.clone(), what.to_string().into_bytes());
    let replaces = set_by(d, &kind, &me).is_some();
    let open_as = open.then(|| what.clone());
    let sealed = Sealed { secret, hash: hash.clone(), at: d.at, open: open_as, published: None };
    store(d, &kind, &me, Some(sealed));
    let name = called(d, &me);
    let does = if replaces { "replaces eir" } else { "sets a" };
    let shown = if open { format!(": {what}") } else { String::new() };
    d.tell_all(format!("{name} {does} {} move{shown}. Its hash: {hash}", kind.word()));
    let when = match next(d, &kind) {
        Some(at) => format!("It is evaluated at {}.", minute(at)),
        None => "As the rules read, it is never evaluated.".to_owned(),
    };
    let reply = Document::say(format!("Your {} move is “{what}”. {when}", kind.word()));
    let reply = match judged::legal(&what, d, &me) {
        Err(why) => reply.para(format!(
            "As things stand it could not be executed: {why}. If that is so at the evaluation, no {} move of anybody is.",
            kind.word()
        )),
        Ok(()) => reply,
    };
    let lulls = judged::lulls(&what, d, &me);
    Ok(notes(d, &me, &kind, lulls).into_iter().fold(reply, Document::para))
}

/// What whoever sets a move does not see. It says from where the move was judged, and that setting it is no action
/// (S46, S82); `lulls` where e is inactive after it.
fn notes(state: &State<Spacenomic>, me: &Id, kind: &Kind, lulls: bool) -> Vec<String> {
    let mut notes = Vec::new();
    let set: Vec<&Kind> = in_order(state, me).into_iter().map(|(kind, _)| kind).collect();
    let place = |kind: &Kind| set.iter().position(|other| *other == kind);
    if *kind != Kind::Location && place(&Kind::Location).is_some_and(|first| place(kind).is_some_and(|at| first < at)) {
        notes.push("That was judged where you are now; your location move is evaluated before it.".to_owned());
    }
    for later in set.iter().skip(place(kind).map_or(usize::MAX, |at| at.saturating_add(1))) {
        notes.push(format!(
            "Your {} move is evaluated after it: “⁅show yours⁆”, in private, says whether that could be executed then.",
            later.word()
        ));
    }
    notes.extend(activity::unmoved(state, me, lulls));
    notes
}

/// A player withdraws a move (S59). The one before it does not come back (S60).
///
/// # Errors
///
/// A [`Refusal`] for others, and where none is set.
fn withdraw(kind: &Kind, d: &mut D<'_>) -> Result<Document, Refusal> {
    let me = player(d)?;
    if set_by(d, kind, &me).is_none() {
        return Err(Refusal::new(format!("you have no {} move set", kind.word()))
            .by(Thing::Evaluation.rule(&d.rules))
            .instead("show yours"));
    }
    store(d, kind, &me, None);
    let name = called(d, &me);
    d.tell_all(format!("{name} withdraws eir {} move.", kind.word()));
    Ok(Document::say("Your move is withdrawn, and nobody reads it any more."))
}

/// Moves of whoever is no player any more are void (S61).
fn left(d: &mut D<'_>) -> bool {
    let gone = d.rows::<Sealed>().keys().find(|(_, player)| !is_player(d, player));
    let Some((kind, player)) = gone.cloned() else { return false };
    store(d, &kind, &player, None);
    true
}

/// Moves are void with the rule that made their type, also where another one makes such a type at once (S58). By that
/// one their words may mean something else. Nobody reads them any more, and their movers are told.
fn orphaned(d: &mut D<'_>) -> bool {
    let Some(kind) = kinds(d).into_iter().find(|kind| is_gone(d, kind)).cloned() else { return false };
    let movers: Vec<Id> = set_of(d, &kind).map(|(player, _)| player.clone()).collect();
    let names: Vec<String> = movers.iter().map(|player| called(d, player)).collect();
    d.tell_all(format!(
        "The rule that made {} moves what they were is gone: what was set is void, by {}.",
        kind.word(),
        names.join(", ")
    ));
    for player in movers {
        store(d, &kind, &player, None);
        let say = "the rule by which you set it is gone. Nobody reads it any more";
        tell(d, &player, format!("Your {} move is void: {say}.", kind.word()));
    }
    true
}

/// What differs of moves between two states, a line each.
fn differs(before: &State<Spacenomic>, after: &State<Spacenomic>) -> Vec<String> {
    let mut lines = Vec::new();
    if phi(before) != phi(after) {
        let words: Vec<&str> = phi(after).iter().map(Kind::word).collect();
        lines.push(format!("moves are evaluated in the order: {}", words.join(", ")));
    }
    for kind in phi(after) {
        let (was, now) = (next(before, kind), next(after, kind));
        let period = |state: &State<Spacenomic>| kind.period(state);
        if let (Some(at), Some(seconds)) = (now, period(after))
            && (was != now || period(before) != Some(seconds))
        {
            let every = span(seconds);
            lines.push(format!("{} moves are evaluated next at {}, and every {every}", kind.word(), minute(at)));
        }
    }
    lines.extend(invented::hopeless::since(before, after));
    for kind in kinds(before) {
        let lost = set_of(before, kind).filter(|(player, _)| set_by(after, kind, player).is_none());
        let names: Vec<String> = lost.map(|(player, _)| called(before, player)).collect();
        if !names.is_empty() {
            lines.push(format!("the {} moves that are set are void, by {}", kind.word(), names.join(", ")));
        }
    }
    lines
}

/// Keeps types and their times in step with the rules (S56, S58, S62).
fn settle(d: &mut D<'_>) -> bool {
    if left(d) || orphaned(d) {
        return true;
    }
    let stated: Vec<Kind> = Kind::stated(&d.rules).into_iter().map(|(kind, _)| kind).collect();
    let other = d.rows::<Timing>().keys().find(|kind| !stated.contains(kind)).cloned();
    if let Some(kind) = other {
        d.delete::<Timing>(&kind);
        let rest = phi(d).iter().filter(|other| **other != kind).cloned().collect();
        order(d, rest);
        return true;
    }
    for kind in &stated {
        let (held, Some(rule)) = (d.row::<Timing>(kind), kind.rule(&d.rules)) else { continue };
        if let Some(untimed) = untimed(d, kind, rule).filter(|_| held.is_some()) {
            d.delete::<Timing>(kind);
            d.tell_all(untimed);
            return true;
        }
        let enacted = times_enacted(rule);
        let tied = |timing: &&Timing| {
            timing.rule == *rule.id() && timing.version == version(rule) && timing.enacted == enacted
        };
        if let Some(held) = held.filter(tied) {
            // A time that passed while nothing could be evaluated advanced all the same (S56).
            if let Some(next) = evaluation::put_off(d, kind, held.next) {
                put_at(d, kind, next);
                return true;
            }
            continue;
        }
        let (id, version) = (rule.id().clone(), version(rule));
        let Some(first) = evaluation::first(d, kind, rule) else { continue };
        d.put(kind, Timing { next: first, rule: id, version, enacted });
        if !phi(d).contains(kind) {
            let mut order_now = phi(d).to_vec();
            order_now.push(kind.clone());
            order(d, order_now);
        }
        return true;
    }
    false
}

/// Why moves that a rule invented are never evaluated: its head gives no period.
fn untimed(state: &State<Spacenomic>, kind: &Kind, rule: &Rule) -> Option<String> {
    if kind.thing().is_some() || kind.period(state).is_some() {
        return None;
    }
    let (word, label, number) = (kind.word(), rule.label(), rule.number());
    Some(format!(
        "{label} says no period at its head, so that {word} moves are not evaluated. A proposal, or a moderator's correction \
         of the gamestate, gives one by “=> set moves of rule {number} to {word} every 2 days”."
    ))
}

/// Ends what a seat has set, because whoever sat in it asked to be forgotten.
fn forgotten(seat: &Id, d: &mut D<'_>) {
    let kinds: Vec<Kind> = kinds(d).into_iter().cloned().collect();
    for kind in kinds {
        store(d, &kind, seat, None);
    }
}

// ---- display

/// The types with their evaluation times, in the order in which they are evaluated, and who has set a move.
fn show(state: &State<Spacenomic>) -> Document {
    let row = |kind: &Kind| {
        let is_paused = end::paused(state).is_some();
        let at = next(state, kind).filter(|_| !is_paused).map_or_else(|| "none".to_owned(), minute);
        let set = set_of(state, kind).count();
        cells![Cell::named(kind.word()), at, counted(set, "move")]
    };
    let mut document = Document::titled("moves", "Moves of Spacenomic, in the order of phi")
        .table(["type", "next evaluation", ""], phi(state).iter().map(row));
    document.blocks.extend(end::paused(state).map(Block::Para));
    for (kind, rule) in Kind::stated(&state.rules).iter().filter(|(kind, _)| kind.thing().is_none()) {
        let (moves, by) = (invented::listed(rule).join(", "), rule.label());
        let every = kind.period(state).map_or_else(String::new, |seconds| format!(", every {}", span(seconds)));
        document = document.para(format!("{} moves, by {by}{every}: {moves}.", kind.word()));
        document.blocks.extend(untimed(state, kind, rule).map(Block::Para));
    }
    let rows: Vec<Vec<Cell>> = state
        .rows::<Sealed>()
        .iter()
        .map(|((kind, player), sealed)| {
            let what = sealed.open.as_ref().map_or_else(|| "sealed".to_owned(), What::to_string);
            let what = state.frame.redaction_of_kept().text(&what);
            [called(state, player), kind.word().to_owned(), minute(sealed.at), what, sealed.hash.clone()]
                .map(Cell::new)
                .to_vec()
        })
        .collect();
    document.table_or(
        "Nobody has a move set. “⁅move set go (1, 2)⁆”, in private, sets one.",
        ["", "type", "set", "", "hash"],
        rows,
    )
}

/// A player's own moves, to em alone.
///
/// # Errors
///
/// A [`Refusal`] for whoever is no player.
fn show_own(state: &State<Spacenomic>, viewer: &Viewer) -> Result<Document, Refusal> {
    let mine = viewer.seat.as_ref().filter(|seat| viewer.private && is_player(state, seat));
    let Some(me) = mine else {
        return Err(Refusal::new("your own moves are shown to you alone, as a player").instead("show moves"));
    };
    let mut document = Document::titled(YOURS, "Your moves");
    let mine = in_order(state, me);
    let (mut then, mut before) = (Board::of(state), Vec::new());
    for (kind, sealed) in &mine {
        document = document.para(format!("Your {} move, set {}:", kind.word(), minute(sealed.at)));
        document = document.with(sealed_block(&sealed.secret));
        let opened = viewer.opened.get(&sealed.secret);
        let text = opened.and_then(|opened| std::str::from_utf8(&opened.bytes).ok());
        let Some(what) = text.and_then(|text| What::kept(text, kind)) else { continue };
        let legal = evaluation::in_effect(&state.rules, kind).and_then(|()| match (&what, &before[..]) {
            (What::Mapped(what), [_, ..]) => then.legal(me, *what),
            _ => judged::legal(&what, state, me),
        });
        let when = match &before[..] {
            [] => "As things stand it".to_owned(),
            _ => format!("Once your {} move is executed, it", before.join(" and your ")),
        };
        document = document.para(match &legal {
            Ok(()) => format!("{when} could be executed."),
            Err(why) => format!("{when} could not be executed: {why}."),
        });
        if legal.is_ok() && judged::lulls(&what, state, me) {
            document = document.para("You would be inactive after it, and not paused.");
        }
        if let (What::Mapped(what), Ok(())) = (&what, &legal) {
            then.play(me, *what);
            before.push(kind.word());
        }
    }
    Ok(if mine.is_empty() { document.para("You have no move set.") } else { document })
}

/// The sealed moves by which a player's own ones are judged, for em alone.
fn reads(state: &State<Spacenomic>, viewer: &Viewer) -> Vec<Id> {
    let mine = viewer.seat.as_ref().filter(|_| viewer.private);
    mine.map_or_else(Vec::new, |me| in_order(state, me).iter().map(|(_, sealed)| sealed.secret.clone()).collect())
}
