//! A room of a game for tests of its laws: it is opened, gets a law, is acted in, and its time goes on.
//!
//! What is done here is done as the engine does it: judged, followed, settled, and due in order. Nothing is journalled.

use serde_json::{Map, Value as Json};

use kernel::{
    Draft, Id, Instant, Refusal, State, Value,
    deed::{Deed, Moderation},
    dice::{Dice, SEED_BYTES, Seed},
    directives::{self, Mode, Place, Setting, syntax, wording::slug},
    display::{Block, Document, plain},
    doer::Doer,
    engine::{Context, Engine},
    frame::ClockMode,
    own_command::OwnKind,
    rulebook::{RuleAct, RuleOp},
    viewer::Viewer,
};

use super::{
    declared::ActDecl,
    displays,
    docket_decl::{revise, withdraw},
    docket_rows::Docket,
    room::Hosts,
    tables::Enacted,
};

/// A room under test.
pub struct Room<G: Hosts> {
    /// How it stands.
    pub state: State<G>,
    /// What time it is.
    pub now: Instant,
}

fn at(text: &str) -> Instant {
    text.parse().expect("a test names an instant as RFC 3339 does")
}

fn doer(name: &str) -> Doer {
    Doer { person: name.into(), name: name.to_owned() }
}

impl<G: Hosts> Room<G> {
    /// A room that somebody opens at an instant.
    ///
    /// # Panics
    ///
    /// Where the game refuses to open.
    pub fn open(opener: &str, now: &str, options: Map<String, Json>) -> Self {
        let context = Context { seed: Seed([1; SEED_BYTES]), ..Context::bare(at(now)) };
        let (name, zone) = ("main".to_owned(), "UTC".to_owned());
        let open = Moderation::Open { name, clock: ClockMode::Live, zone, forum: None, options };
        let mut engine = Engine::<G>::default();
        let step = kernel::engine::Table::decide(&engine, Deed::Moderate { by: doer(opener), act: open }, &context);
        let entry = step.expect("it opens").entry.expect("opening is an entry");
        kernel::engine::Table::fold(&mut engine, &entry).expect("it folds");
        Self { state: engine.state().clone(), now: at(now) }
    }

    /// Does something in it as somebody, with what follows; gives what was announced.
    ///
    /// # Errors
    ///
    /// What that refuses; then the room is as before.
    pub fn does(
        &mut self,
        who: &str,
        does: impl FnOnce(&mut Draft<'_, G>) -> Result<(), Refusal>,
    ) -> Result<Vec<String>, Refusal> {
        let mut dice = Dice::new(Seed([1; SEED_BYTES]), self.state.seq + 1, Default::default());
        let mut d = Draft::new(self.state.clone(), self.now, doer(who), true, &mut dice, [0; 16]);
        does(&mut d)?;
        assert!(G::mechanics().settle_all(&mut d), "what follows comes to an end");
        let said = d.said().iter().map(|say| words(&say.document)).collect();
        self.state = d.finish().state;
        Ok(said)
    }

    /// Somebody acts in public.
    ///
    /// # Errors
    ///
    /// Where that is refused.
    pub fn act(&mut self, who: &str, invocation: &Json) -> Result<Vec<String>, Refusal> {
        self.does(who, |d| G::mechanics().take(invocation, d).map(drop))
    }

    /// Time goes on to an instant, with all that is due until then; gives what was announced.
    ///
    /// # Panics
    ///
    /// Where something is due for ever.
    pub fn to(&mut self, until: &str) -> Vec<String> {
        let (until, mut said) = (at(until), Vec::new());
        for _ in 0..DUE_MAX_COUNT {
            let Some(due) = G::mechanics().next_due(&self.state).filter(|due| due.at <= until) else {
                self.now = until;
                return said;
            };
            self.now = self.now.max(due.at);
            let done = self.does("", |d| {
                G::mechanics().due(&due, d);
                Ok(())
            });
            said.extend(done.unwrap_or_default());
        }
        panic!("something is due for ever");
    }

    /// A rule with a law comes into force; gives what was announced.
    ///
    /// # Panics
    ///
    /// Where the game has no place for it, or the law cannot be read.
    pub fn law(&mut self, title: &str, law: &str) -> Vec<String> {
        let said = self.enact(title, law);
        assert!(said.iter().all(|line| !line.contains("cannot be read")), "{said:?}");
        said
    }

    /// The same with a law that may be none.
    ///
    /// # Panics
    ///
    /// Where the game has no place for its rule.
    pub fn enact(&mut self, title: &str, law: &str) -> Vec<String> {
        let source = format!("It is so.\n\n```law\n{law}\n```");
        let said = self.does("", |d| {
            let Place { number, .. } = G::place(d, title, None)?;
            let act = RuleAct::Enact { number, title: title.to_owned(), fields: Default::default(), source };
            d.rule(RuleOp::new(Id::from(slug(title)), act));
            Ok(())
        });
        said.expect("there is a place for it")
    }

    /// The directives of a text are done, all or none; gives what was announced.
    ///
    /// # Errors
    ///
    /// Why one of them is not done, with its line; then the room is as before.
    pub fn body(&mut self, text: &str) -> Result<Vec<String>, Refusal> {
        self.does("", |d| {
            let body = syntax::parse(text, &|words| G::mechanics().owns(words))?;
            let setting = Setting { because: "a test", mode: Mode::AllOrNone, posted: None, tried: false };
            directives::apply(&body, d, &setting).map(drop).map_err(directives::Failure::into_refusal)
        })
    }

    /// Holds a body against the rules whose every line depends on the one before, and one whose last line the line before
    /// forbids. `kind` is one of which there is `who`; `things` says whether directives make objects of laws here, and
    /// `head` is what the head of every new rule has.
    ///
    /// # Panics
    ///
    /// Where a line is done under other rules than the lines before it leave.
    pub fn is_done_line_by_line(&mut self, kind: &str, who: &str, head: &str, things: bool) {
        let text = |kinds: &str| {
            format!(
                "=> create rule \"Cats\":\n~~~~\n{head}Everybody has [9](#cat-lives) lives.\n\n```law\n{kinds}define(`lives of \
                 {kind}: whole number from 0, ${{number(\"cat-lives\")}} at first`);\n```\n~~~~\n"
            )
        };
        let cats = "kind(\"cat\");\ndefine(`toys of cat: whole number from 0, ${number(\"cat-lives\")} at first`);\n";
        let mut body = text(if things { cats } else { "" });
        if things {
            body += "=> create cat \"Tom\"\n=> require toys of Tom = 9\n=> set cat-lives to 3\n=> create cat \"Kit\"\n\
                     => require toys of Kit = 3\n=> require toys of Tom = 9\n=> set cat-lives to 9\n";
        }
        body += &format!(
            "=> require lives of {who} = 9\n=> set cat-lives to 4\n=> raise lives of {who} by cat-lives\n=> require lives of \
             {who} = 13\n=> amend rule \"Cats\": replace \"Everybody has\" with \"On [2](#cat-toys) toys everybody has\"\n=> \
             lower lives of {who} by cat-toys\n=> require lives of {who} = 11\n=> append to rule \"Cats\": They purr.\n=> amend \
             rule \"Cats\": replace \"They purr\" with \"They sleep\"\n=> define fur of {kind}: text\n=> set fur of {who} to \
             \"red\"\n=> require fur of {who} = \"red\"\n"
        );
        self.body(&body).unwrap_or_else(|why| panic!("{why:?}\n{body}"));

        let before = self.state.clone();
        let forbids = format!(
            "=> set lives of {who} to 20\n=> amend rule \"Cats\": replace \"lives of {kind}: whole number from 0\" with \
             \"lives of {kind}: whole number from 0 to 50\"\n=> set lives of {who} to 60\n"
        );
        let why = self.body(&forbids).expect_err("the line before forbids it");
        assert!(why.say.starts_with("line 3: "), "{why:?}");
        assert!(self.state == before, "all of it is done, or nothing");

        // What begins in the midst of a body ends with it, and leaves nothing.
        let mut passing = text(if things { cats } else { "" }).replace("lives", "bones");
        if things {
            passing += "=> create cat \"Rex\"\n";
        }
        passing += &format!("=> raise bones of {who} by 1\n=> repeal rule \"Cats\"\n");
        let passing = passing.replace("Cat", "Dog").replace("cat", "dog");
        let said = self.body(&passing).unwrap_or_else(|why| panic!("{why:?}\n{passing}"));
        assert!(said.iter().all(|line| !line.contains("The law of ")), "{said:?}");
        assert_eq!(self.state.world, before.world);
    }

    /// What the commands of laws lack that somebody who types them needs: a line about it, an example, what to give, what
    /// completes that, and an answer.
    pub fn undescribed(&self) -> Vec<String> {
        let acts = self.state.rows::<Enacted>().values().flat_map(|law| &law.declared.acts).filter(|act| !act.deed);
        // The program says what becomes of a numbered document.
        let answers = |act: &ActDecl| {
            let of_docket = |(kind, Docket(docket)): (&String, &Docket)| {
                docket.make == act.name || [revise(kind), withdraw(kind)].contains(&act.name)
            };
            self.state.rows::<Docket>().iter().any(of_docket)
        };
        let lacks = |act: &ActDecl| {
            let own = [
                ("help", act.help.is_empty()),
                ("examples", act.examples.is_empty()),
                ("answer", act.answer.is_empty() && !answers(act)),
            ];
            let own = own.into_iter();
            let own = own.filter(|(_, lacks)| *lacks).map(|(what, _)| format!("{}: {what}", act.name));
            let params = act.params.iter().filter(|param| param.help.is_empty());
            own.chain(params.map(|param| format!("{}: help of {}", act.name, param.name))).collect::<Vec<_>>()
        };
        let mut lacking: Vec<String> = acts.flat_map(lacks).collect();
        let viewer = Viewer { now: self.now, ..Viewer::default() };
        for command in G::mechanics().commands(&self.state) {
            for param in &command.params {
                let of_kind = match &param.kind {
                    OwnKind::Object(kind) => Some(format!("{}/{kind}", displays::OBJECTS)),
                    _ => None,
                };
                if let Some(shown) = param.completes.clone().or(of_kind)
                    && G::mechanics().show(&self.state, &shown, &viewer).is_err()
                {
                    lacking.push(format!("{}: no display {shown} completes {}", command.name, param.name));
                }
            }
        }
        lacking
    }

    /// A value, by its place: `player/ann.score`.
    ///
    /// # Panics
    ///
    /// Where that is no place.
    pub fn value(&self, at: &str) -> Value {
        G::value(&self.state, &at.parse().expect("a test names a place"))
    }
}

/// Most things that are due before a test goes on.
const DUE_MAX_COUNT: usize = 10_000;

/// A document without the signs of what laws say: tests of what they say name their rules.
pub(crate) fn words(document: &Document) -> String {
    let mut document = document.clone();
    for block in &mut document.blocks {
        if let Block::Said { text, .. } = block {
            *block = Block::Para(std::mem::take(text));
        }
    }
    plain(&document)
}
