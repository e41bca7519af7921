//! A rehearsal on a copy of a room, in which a proposal has passed: played before the vote, and thrown away.
//!
//! Lines are read and judged as in any rehearsal. Only the room is there, though: no channels, no accounts, no store.
//! Everybody speaks from their seat, and whatever the room announces to everybody is heard in every channel.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    judge::{Outcome, Wrong},
    moment::Moment,
    pattern::{Remembered, fold, recall},
    script::{Act, Expect, Item, Place, Reader, Script, Speech, Whereto},
};
use catalogue::{
    Catalogue, Lookup,
    hint::{self, Form},
};
use kernel::{
    Id, Instant, Refusal,
    deed::Deed,
    display::{self, Document},
    doer::Doer,
    draft::Opened,
    engine::{Context, Step, Table, View},
    entry::Audience,
    viewer::Viewer,
};
use port::{Reply, ReplyKind};

/// Most lines of one: it is played whenever somebody looks.
pub const TRIAL_MAX_LINES: usize = 60;

/// Most instants that it goes through.
const TRIAL_MAX_INSTANTS: usize = 200;

/// The channel in which everything is heard that is for everybody.
const CHANNEL: &str = "game";

/// What reads the words of a room.
pub trait Words {
    /// The commands of a room.
    fn catalogue(&self, view: Arc<dyn View>) -> Arc<Catalogue>;
    /// What its words mean for somebody.
    fn lookup(&self, view: Arc<dyn View>, viewer: Viewer) -> Box<dyn Lookup>;
}

/// How a trial went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How many expectations it had.
    pub expectations: usize,
    /// What was not as expected, a line each.
    pub unmet: Vec<String>,
    /// What was said and announced, a line each.
    pub heard: Vec<String>,
}

/// Plays a rehearsal on a room from an instant on.
pub fn trial(script: &Script, table: Box<dyn Table>, now: Instant, words: &dyn Words) -> Verdict {
    let mut trial = Trial {
        table,
        now,
        words,
        outcome: Outcome::default(),
        remembered: Remembered::new(),
        sealed: BTreeMap::new(),
        instants: 0,
        verdict: Verdict::default(),
    };
    for (place, item) in script.items.iter().take(TRIAL_MAX_LINES) {
        match item {
            Item::Act(act) => {
                trial.close();
                trial.outcome = Outcome::of(place.clone());
                if let Err(why) = trial.act(act) {
                    trial.unmet(place, "something that can be done", &why);
                }
            }
            Item::Expect(expect) => {
                trial.verdict.expectations += 1;
                if let Err((at, (expected, instead))) = trial.expect(place, expect) {
                    trial.unmet(&at, &expected, &instead);
                }
            }
        }
    }
    trial.close();
    if script.items.len() > TRIAL_MAX_LINES {
        trial.verdict.unmet.push(format!("only the first {TRIAL_MAX_LINES} lines were played"));
    }
    trial.verdict
}

struct Trial<'w> {
    table: Box<dyn Table>,
    now: Instant,
    words: &'w dyn Words,
    outcome: Outcome,
    remembered: Remembered,
    /// What was sealed on the way.
    sealed: BTreeMap<Id, Option<Opened>>,
    instants: usize,
    verdict: Verdict,
}

impl Trial<'_> {
    fn act(&mut self, act: &Act) -> Result<(), String> {
        match act {
            Act::At(moment) => self.go(*moment),
            Act::Advance(length) => {
                let to = self.now.checked_add(*length).map_err(|_| "time does not reach that far".to_owned())?;
                self.go(Moment::Exact(to))
            }
            Act::Say(speech) => self.say(speech),
            Act::Show { display, reader } => {
                let viewer = self.viewer(reader.as_deref());
                let shown = self.table.view().display(&recall(display, &self.remembered).replace(' ', "/"), &viewer);
                self.replied(shown, ReplyKind::Shown, reader.is_some());
                Ok(())
            }
            _ => Err("in a proposal a rehearsal has what people say, times, “show”, and what is expected".to_owned()),
        }
    }

    /// Lets time pass, and everything happen that is due on the way.
    fn go(&mut self, moment: Moment) -> Result<(), String> {
        let to = moment.seen_from(self.now);
        if to < self.now {
            return Err(format!("it is {} already", self.now));
        }
        while let Some(due) = self.table.view().next_due().filter(|due| due.at <= to) {
            self.instants += 1;
            if self.instants > TRIAL_MAX_INSTANTS {
                return Err(format!("more than {TRIAL_MAX_INSTANTS} instants are due"));
            }
            self.now = due.at.max(self.now);
            let step = self.table.decide(Deed::Due(due), &self.context()).map_err(|why| why.say)?;
            self.take(step);
        }
        self.now = to;
        Ok(())
    }

    fn say(&mut self, speech: &Speech) -> Result<(), String> {
        let view = self.table.view();
        let seat = view.frame().seats.values().find(|seat| seat.name.eq_ignore_ascii_case(&speech.by));
        // Somebody who is no player yet may want to become one.
        let by = seat.map_or_else(
            || Doer { person: format!("trial-{}", speech.by).into(), name: speech.by.clone() },
            |seat| Doer { person: seat.person.clone(), name: seat.name.clone() },
        );
        let text = recall(&speech.text, &self.remembered);
        let private = matches!(speech.whereto, Whereto::Private);
        let catalogue = self.words.catalogue(view);
        for typed in catalogue::parse(&catalogue, &text, 0) {
            let view = self.table.view();
            let viewer = self.viewer(Some(&speech.by));
            let done = typed.map_err(Refusal::from).and_then(|typed| {
                if !typed.command.acts_in_game() {
                    let why = "in a proposal's rehearsal people do what the game is played by";
                    return Err(Refusal::new(why).instead("show ballot"));
                }
                let private = private || typed.command.private;
                let command = typed.command.name.clone();
                let invocation = catalogue::bind(&typed, &*self.words.lookup(view, viewer))?.to_json();
                let deed = Deed::Act {
                    by: by.clone(),
                    command,
                    invocation,
                    public: !private,
                    private,
                    forum: None,
                    followed: false,
                };
                self.table.decide(deed, &self.context()).map(|step| (step, private))
            });
            match done {
                Ok((step, private)) => {
                    let reply = step.reply.clone();
                    self.take(step);
                    self.replied(Ok(reply), ReplyKind::Done, private);
                }
                Err(why) => self.replied(Err(why), ReplyKind::Refused, private),
            }
        }
        let now = self.now;
        self.go(Moment::Exact(now))
    }

    /// The room goes on from a step.
    fn take(&mut self, step: Step) {
        self.outcome.entries += u64::from(step.entry.is_some());
        for sealed in step.seals {
            if let Some(bytes) = sealed.bytes {
                self.sealed.insert(sealed.id, Some(Opened { salt: sealed.salt.to_vec(), bytes }));
            }
        }
        self.table = step.after;
        let view = self.table.view();
        for say in step.says {
            let lines = lines(&say.document);
            let to = match &say.to {
                Audience::Public | Audience::Forum(_) => Reader::Channel(CHANNEL.to_owned()),
                Audience::Seat(seat) | Audience::Reader { seat, .. } => {
                    Reader::Person(view.frame().name_of(seat).to_owned())
                }
                Audience::Moderators => continue,
            };
            self.verdict.heard.extend(lines.iter().map(|line| match &to {
                Reader::Channel(_) => format!("* {line}"),
                Reader::Person(name) => format!("@{name}: {line}"),
            }));
            self.outcome.announced(to, lines);
        }
    }

    fn replied(&mut self, answer: Result<Document, Refusal>, done: ReplyKind, private: bool) {
        let (kind, document) = match answer {
            Ok(document) => (done, document),
            Err(why) => (ReplyKind::Refused, hint::refused(&why)),
        };
        if document.is_empty() {
            return;
        }
        let lines = lines(&document);
        self.verdict.heard.extend(lines.iter().cloned());
        self.outcome.reply(&Reply { kind, private, document, file: None }, lines);
    }

    fn viewer(&self, name: Option<&str>) -> Viewer {
        let view = self.table.view();
        let seat = name.and_then(|name| {
            view.frame().seats.iter().find(|(_, seat)| seat.name.eq_ignore_ascii_case(name)).map(|(id, _)| id.clone())
        });
        Viewer { seat, private: name.is_some(), now: self.now, ..Viewer::default() }
    }

    fn context(&self) -> Context {
        Context { opened: self.sealed.clone(), ..Context::bare(self.now) }
    }

    // ---- expectations

    fn expect(&mut self, place: &Place, expect: &Expect) -> Result<(), (Place, Wrong)> {
        let found = self.outcome.meets(place, &in_game(expect), &self.remembered, Ok(self.table.view()))?;
        self.remembered.extend(found);
        Ok(())
    }

    /// Ends the last act: a refusal that nobody expected is told.
    fn close(&mut self) {
        let Some(place) = self.outcome.act.clone() else { return };
        for (expected, instead) in self.outcome.leftover(false) {
            self.unmet(&place, &expected, &instead);
        }
    }

    fn unmet(&mut self, place: &Place, expected: &str, instead: &str) {
        self.verdict.unmet.push(format!("line {}: expected {expected}; {}", place.line, fold(instead)));
    }
}

/// An expectation, of the one channel that there is.
fn in_game(expect: &Expect) -> Expect {
    let game = |to: &Reader| match to {
        Reader::Channel(_) => Reader::Channel(CHANNEL.to_owned()),
        Reader::Person(name) => Reader::Person(name.clone()),
    };
    match expect {
        Expect::Announced { to, says } => Expect::Announced { to: game(to), says: says.clone() },
        Expect::NotAnnounced { to, says } => Expect::NotAnnounced { to: to.as_ref().map(game), says: says.clone() },
        other => other.clone(),
    }
}

fn lines(document: &Document) -> Vec<String> {
    display::lines(&hint::written(document, Form::Line))
}
