//! Acts of laws that need others, in a game whose own rules have a way for such acts: B Nomic's intentions (4E21).
//!
//! The game keeps what was announced, and asks here what it needs, what it is called and whether it can be done. What is
//! needed is what the law says now.

use super::{
    declared::ActDecl,
    mechanic,
    pending::{self, Needs},
    room::Hosts,
    tables::{Announced, Enacted},
};
use kernel::{Draft, Id, Outcome, State, display::Block};

impl Announced {
    /// The act as the laws in force declare it; nothing where none has it.
    fn declared<'s, G: Hosts>(&self, state: &'s State<G>) -> Option<&'s ActDecl> {
        let mut acts = state.rows::<Enacted>().values().flat_map(|law| &law.declared.acts);
        acts.find(|act| act.name == self.act)
    }

    /// What it needs as the laws read now; nothing where none has it, or it needs nobody any more.
    #[must_use]
    pub fn needs<G: Hosts>(&self, state: &State<G>) -> Option<Needs> {
        Needs::read(&self.declared(state)?.needs)
    }

    /// The kind or the office whose it is; nothing where the law does not say, and it is players'.
    #[must_use]
    pub fn who<'s, G: Hosts>(&self, state: &'s State<G>) -> Option<&'s str> {
        self.declared(state).map(|act| &*act.who).filter(|who| !who.is_empty())
    }

    /// It in words, as it is typed, without the texts that [`Self::texts`] shows.
    #[must_use]
    pub fn words<G: Hosts>(&self, state: &State<G>) -> String {
        format!("“{}{}”", self.act, pending::shown(state, &self.args).0)
    }

    /// The texts of several lines that it is given, and the long ones, each below its name.
    #[must_use]
    pub fn texts<G: Hosts>(&self, state: &State<G>) -> Vec<Block> {
        let texts = pending::shown(state, &self.args).1.into_iter();
        let named = |(name, text)| [Block::Para(format!("{name}:")), Block::Code { lang: String::new(), text }];
        texts.flat_map(named).collect()
    }

    /// Does it as whoever announced it.
    ///
    /// # Errors
    ///
    /// Why it cannot be done, where no law has it any more too.
    pub fn perform<G: Hosts>(&self, by: &Id, d: &mut Draft<'_, G>) -> Outcome {
        mechanic::perform(&self.act, &self.args, Some(by), d)
    }
}
