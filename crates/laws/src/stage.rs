//! The room that a law looks at and changes, without the type of its game.
//!
//! A function of a script runs on a draft: later lines see what earlier ones did, and a refusal takes all of it back.
//! The draft is lent to the engine for the time of one call, and no script can keep it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use jiff::tz::TimeZone;

use kernel::{
    Id, Instant, Num, Path, Refusal, Value,
    directives::DryRun,
    display::{Block, Document},
    draft::{Meter, Payer, Taken},
    entry::{Audience, Because},
    rulebook::{Rule, Rulebook},
    world::{Op, World},
};

use super::{
    apply::Places,
    docket_decl::DocketDecl,
    docket_rows::{Poll, Question, Vote},
    fault::Stop,
    moments::Until,
    tables::{Ask, Done, Faults, Later, Sealed},
};

/// Something sealed, as a law finds it.
pub(crate) enum Envelope {
    /// Its salt in hexadecimal, and what it holds.
    Open(String, Vec<u8>),
    /// It is not opened here: in a dry run, or where the past is played again.
    Closed,
    /// It is not kept any more.
    Lost,
}

/// What directives would bring, as laws have it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Foreseen {
    /// Why they cannot be done; empty where they can.
    pub(crate) why: String,
    /// What is wrong with a law that they bring.
    pub(crate) ill: Option<String>,
    /// How many directives there are, those inside others included.
    pub(crate) directives: usize,
    /// Whether the text says anything beside them.
    pub(crate) prose: bool,
    /// The rules that change.
    pub(crate) rules: Vec<RuleChange>,
    /// The keys of the figures that change.
    pub(crate) figures: Vec<String>,
    /// What laws would add, and what they would add no more.
    pub(crate) begins: Vec<String>,
    pub(crate) ends: Vec<String>,
    /// By what rules could still be changed afterwards.
    pub(crate) ways: BTreeSet<String>,
    /// The rules in force afterwards.
    pub(crate) rulebook: Vec<InForce>,
}

/// A rule in force.
#[derive(Clone, Debug)]
pub(crate) struct InForce {
    pub(crate) number: u32,
    pub(crate) title: String,
    /// What laws give to it.
    pub(crate) has: Vec<(Id, Value)>,
}

/// How a rule changes.
#[derive(Clone, Debug)]
pub(crate) struct RuleChange {
    /// Which.
    pub(crate) rule: Id,
    /// Its number and its title.
    pub(crate) number: u32,
    pub(crate) title: String,
    /// `created`, `repealed`, `amended`, `retitled`, `renumbered` or `changed`: its head alone.
    pub(crate) what: &'static str,
    /// Whether its words change, beside its law and its figures.
    pub(crate) words: bool,
    /// The keys of its figures that change.
    pub(crate) sets: Vec<String>,
}

/// What changed in an entry that votes may follow from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touched {
    /// The objects that came, went or changed their state.
    pub(crate) objects: BTreeSet<Id>,
    /// What was voted on.
    pub(crate) voted: BTreeSet<Id>,
    /// Whether rules changed.
    pub(crate) ruled: bool,
    /// Whether somebody plays, or does not play any more.
    pub(crate) stood: bool,
}

impl Touched {
    /// Whether nothing did.
    pub(crate) fn is_nothing(&self) -> bool {
        self.objects.is_empty() && self.voted.is_empty() && !self.ruled && !self.stood
    }
}

/// A room, as far as laws can look at it and change it.
pub(crate) trait Stage {
    /// Objects, attributes and values.
    fn world(&self) -> &World;
    /// The rules.
    fn rules(&self) -> &Rulebook;
    /// The instant at which it happens.
    fn now(&self) -> Instant;
    /// The entry that it will be part of.
    fn seq(&self) -> u64;
    /// The zone of its days.
    fn zone(&self) -> TimeZone;
    /// The room's time, by the names that its rules use: `nday`, `nweek`.
    fn clock(&self) -> Vec<(&'static str, Value)>;
    /// The kind of those who play.
    fn player(&self) -> &'static str;
    /// A value, those included that the game works out.
    fn value(&self, at: &Path) -> Value;
    /// The object that some words name.
    fn find(&self, words: &str) -> Result<Id, Refusal>;
    /// The objects of a kind.
    fn members(&self, kind: &Id) -> Vec<Id>;
    /// What rules take an object for.
    fn taken_for(&self, obj: &Id) -> Option<Id>;
    /// The kinds of those who have a seat and do not play.
    fn people(&self) -> &'static [&'static str];
    /// Whether there is an object, or a thing that the game keeps beside its world.
    fn is_there(&self, obj: &str) -> bool;
    /// Refuses whoever does not play now, where the game can say why.
    fn plays(&self, seat: Option<&Id>) -> Result<(), Refusal>;
    /// What everybody is shown of a thing, or of an object beside its attributes.
    fn seen(&self, obj: &Id, name: &str) -> Option<Value>;
    /// Refuses a name that something but for one object has already, or that means something else here.
    fn nameable(&self, name: &str, but: Option<&Id>) -> Result<(), Refusal>;
    /// What players call an object.
    fn called(&self, obj: &Id) -> String;
    /// The number that some words stand for by the rules.
    fn quantity(&self, words: &str) -> Option<Num>;
    /// What refusals call a rule.
    fn cited(&self, rule: &Rule) -> String;
    /// What a rule signs with.
    fn sign(&self, rule: &Rule) -> String;
    /// Whether rules give an office of a name, also while nobody holds it.
    fn is_office(&self, name: &str) -> bool;
    /// Who holds an office.
    fn holder(&self, office: &str) -> Option<Id> {
        self.holders(office).into_iter().next()
    }
    /// All who hold one and play; suspended ones, too, where its name says so.
    fn holders(&self, office: &str) -> Vec<Id>;
    /// Makes a player of somebody who has a seat and is none.
    fn admit(&mut self, seat: &Id) -> Result<(), Refusal>;
    /// Lets a player rest.
    fn suspend(&mut self, seat: &Id) -> Result<(), Refusal>;
    /// Ends that somebody plays; what e has as a player may be kept.
    fn dismiss(&mut self, seat: &Id, keeps: bool) -> Result<(), Refusal>;
    /// Whether the game has a kind by itself.
    fn is_of_game(&self, kind: &str) -> bool;
    /// The same, or something here is or may be of that kind.
    fn has_kind(&self, kind: &str) -> bool;
    /// Whether the game has an act of this name by itself, or one that players call so.
    fn has_act(&self, act: &str) -> bool;
    /// What laws see of an act of the game, or of something else that happens by it; nothing where nothing is called so.
    fn holds(&self, name: &str) -> Option<BTreeSet<String>>;
    /// Whether nobody could type a command of this name: the program has it.
    fn is_taken(&self, command: &str) -> bool;
    /// Whether the program has a display of this name.
    fn has_display(&self, name: &str) -> bool;
    /// Whether one of this name is to be looked at now, such as one of a Ministry.
    fn is_listed(&self, name: &str) -> bool;
    /// Whether something of this name is done or told by the game itself.
    fn happens_by_itself(&self, name: &str) -> bool;
    /// Other names of the game's acts, each with what laws call the act.
    fn aliases(&self) -> BTreeMap<String, String>;
    /// The object that some words name: among those of some kinds, else wherever.
    fn find_among(&self, kinds: &[Id], words: &str) -> Result<Id, Refusal>;
    /// When a length of time in words is over, as the game counts: `2 ndays`.
    fn due(&self, words: &str) -> Option<Until>;
    /// Sets a value, by the rules of the game for it.
    fn set(&mut self, at: &Path, to: Value) -> Result<(), Refusal>;
    /// Moves a number by a difference, by the rules of the game for it.
    fn add(&mut self, at: &Path, by: Num) -> Result<(), Refusal>;
    /// Sets a value that the rules of the game have no say in: an attribute that names nothing.
    fn put(&mut self, at: &Path, to: Value);
    /// Brings an object of a law's kind into being: it has a number for a name in the room, and may be called something.
    /// No number of it is less than the first.
    fn create(&mut self, kind: &Id, name: Option<&str>, first: u64) -> Id;
    /// Ends an object.
    fn destroy(&mut self, obj: &Id) -> Result<(), Refusal>;
    /// Announces something.
    fn say(&mut self, to: Audience, document: Document);
    /// Draws a number from 0 to `bound` - 1.
    fn draw(&mut self, label: &str, bound: u64) -> u64;
    /// Notes what directives mean that a document holds from now on.
    fn post(&mut self, document: &Id, text: &str);
    /// Does what directives say, by the law of a rule and with values in their places: all of them or none, or else all
    /// that can be done. Those of a document mean what they meant when it got them. What could not be done is given back,
    /// a line each.
    fn directives(
        &mut self,
        text: &str,
        places: &Places,
        by: (&Id, Option<&Id>),
        portions: bool,
    ) -> Result<Vec<String>, Refusal>;
    /// Writes something in a place of a rule, for a reason; gives what that changes.
    fn rewrite(&mut self, rule: &Id, at: Range<usize>, new: &str, why: &str) -> Result<Vec<Block>, Refusal>;
    /// Puts in order what was changed, before a law runs; whether the laws in force are others by now.
    fn settle(&mut self) -> bool;
    /// The operations on the world since what named something that is gone was seen to last; from then on it was.
    fn unsettled(&mut self) -> Vec<Op>;
    /// The operations on the world that followers have not heard of, each with whose act it was made in; they have from
    /// then on.
    fn unheard(&mut self) -> Vec<((Op, Option<Id>), usize)>;
    /// Says in whose act changes are made, from now on; gives in whose they were made before.
    fn act_of(&mut self, whose: Option<Id>) -> Option<Id>;
    /// In whose act changes are made now.
    fn whose(&self) -> Option<Id>;
    /// What the game did meanwhile that rules may follow, by name and with what belongs to it; it is told once.
    fn happened(&mut self) -> Vec<(String, serde_json::Value)>;
    /// Says what changes come from, from now on; gives what they came from before.
    fn come_from(&mut self, by: Because) -> Because;
    /// Notes that the law from which changes come has read figures of the rules.
    fn has_read(&mut self, key: &str, is: &str);
    /// Notes that the law of a rule ran, and how many operations that took.
    fn has_run(&mut self, rule: &Id, operations: u64);
    /// How many changes were made so far.
    fn emitted(&self) -> usize;
    /// Whether an object was ended behind so many changes.
    fn ended(&self, since: usize, obj: &Id) -> bool;
    /// What was taken so far, of everybody.
    fn all_taken(&self) -> Taken;
    /// Whether each law pays for itself, since nobody has asked for what is done.
    fn pays_each(&self) -> bool;
    /// Says who pays from now on.
    fn pay(&mut self, payer: Payer);
    /// What the law of a rule has taken so far at its own expense.
    fn taken(&mut self, rule: &Id) -> &mut Taken;
    /// How far laws are with it.
    fn meter(&mut self) -> &mut Meter;
    /// When the law of a rule goes on by itself that has nothing left; nothing where it has, or somebody else pays.
    fn rests_until(&self, rule: &Id) -> Option<Instant>;
    /// Why the law of a rule cannot set one thing more for later, or ask for one.
    fn is_full(&self, rule: &Id, asks: bool) -> Option<String>;
    /// What is set for later.
    fn later(&self) -> Vec<(u64, Later)>;
    /// Sets something for later, or takes it off by its number.
    fn set_later(&mut self, number: Option<u64>, to: Option<Later>);
    /// What is asked of players.
    fn asks(&self) -> Vec<(u64, Ask)>;
    /// Whether anything is.
    fn is_asked(&self) -> bool;
    /// Asks for something, or not any more.
    fn set_ask(&mut self, number: Option<u64>, to: Option<Ask>);
    /// The sealed acts, in the order in which they were taken.
    fn sealed(&self) -> Vec<(u64, Sealed)>;
    /// Who has voted on a document under seal, and nobody knows how.
    fn under_seal(&self, question: &Question) -> BTreeSet<Id>;
    /// Changes a sealed act that was opened, or ends one.
    fn set_sealed(&mut self, number: u64, to: Option<Sealed>);
    /// Something sealed, as it is at hand for what is done.
    fn open(&self, secret: &Id) -> Envelope;
    /// What is voted on.
    fn polls(&self) -> Vec<(Question, Poll)>;
    /// The votes on a document in one ballot, as long as they are open or a rule makes something of them.
    fn poll(&self, question: &Question) -> Option<Poll>;
    /// Begins or ends votes, or changes when they end.
    fn set_poll(&mut self, question: &Question, to: Option<Poll>);
    /// What was voted, by voter.
    fn votes(&self, question: &Question) -> Vec<(Id, Vote)> {
        let mut all = Vec::new();
        self.each_vote(question, &mut |by, vote| all.push((by.clone(), vote.clone())));
        all
    }
    /// Goes through what was voted, by voter.
    fn each_vote(&self, question: &Question, sees: &mut dyn FnMut(&Id, &Vote));
    /// A vote, by what it is on and whoever cast it.
    fn vote(&self, key: &(Id, String, Id)) -> Option<Vote>;
    /// Casts a vote, or takes it off.
    fn set_vote(&mut self, key: &(Id, String, Id), to: Option<Vote>);
    /// The earlier texts of a document, the oldest first.
    fn wordings(&self, doc: &Id) -> Vec<String>;
    /// Keeps an earlier text of a document.
    fn set_wording(&mut self, doc: &Id, revision: u32, text: String);
    /// A kind of documents as a law declared it last.
    fn docket(&self, kind: &str) -> Option<&DocketDecl>;
    /// Does what the directives of a document say, by the law of a rule, and says what that changed.
    fn carry_out(&mut self, doc: &Id, label: &str) -> Result<Vec<Block>, Refusal>;
    /// That rules which a document touches have changed since it got its text, in a sentence.
    fn moved(&self, doc: &Id) -> Option<String>;
    /// The text of a document as it is kept; of one with directives, where they can be read. The command is named where a
    /// title stands before a directive.
    fn readable(&self, text: &str, changes: bool, command: &str) -> Result<String, Refusal>;
    /// What the directives of a document would do now.
    fn foreseen(&self, doc: &Id, first: &[(Path, Num)]) -> Result<DryRun, Refusal>;
    /// The same of a text, or of a document, as laws have it.
    fn foresee(&self, text: &str, doc: Option<&Id>) -> Foreseen;
    /// What the directives of a document would have broken when it got them, in sentences.
    fn breaks(&self, doc: &Id) -> Vec<String>;
    /// Keeps that, with the rules that it touches.
    fn set_breaks(&mut self, doc: &Id, run: &DryRun);
    /// What changed behind so many changes of this entry that votes may follow from.
    fn touched(&self, from: usize) -> Touched;
    /// How often something was done.
    fn done(&self, key: &str) -> Option<Done>;
    /// Keeps how often something was done.
    fn set_done(&mut self, key: &str, to: Option<Done>);
    /// How often a function went wrong.
    fn faults(&self, key: &str) -> Option<Faults>;
    /// Takes a command as somebody or something that says nothing itself.
    fn cause(&mut self, who: &Id, act: &serde_json::Value) -> Result<(), Refusal>;
    /// Tries a group of steps: all or none of them happen.
    fn attempt(&mut self, steps: &mut dyn FnMut(&mut dyn Stage) -> Result<(), Stop>) -> Result<(), Stop>;
}
