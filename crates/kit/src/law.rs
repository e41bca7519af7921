//! What the rulebooks of all games have in common: the rules of a new room, and whether a rule still establishes a
//! thing.
//!
//! A mechanic whose rule was repealed does not happen: each act asks first. The rules and their figures stand with each
//! game.

use kernel::{
    Num, Refusal,
    rulebook::{BadHeader, LiveKey, Rule, RuleOp, RuleSource, Rulebook, book::OPENED},
};

/// The operations that bring the rules of a new room into force, from their names and files.
///
/// # Errors
///
/// A [`Refusal`] where a file is malformed; a test of each game reads its files.
pub fn opening(files: &[(&'static str, &str)]) -> Result<Vec<RuleOp>, Refusal> {
    let read = files.iter().map(|(id, file)| Ok(RuleSource::parse(*id, file)?.enact(OPENED)));
    let read: Result<Vec<_>, BadHeader> = read.collect();
    read.map_err(|why| Refusal::new(why.to_string()))
}

/// A hinge's wordings for a share that is no whole number: the lower one and the higher one.
pub const ROUNDED_DOWN: &str = "rounded down";
/// See [`ROUNDED_DOWN`].
pub const ROUNDED_UP: &str = "rounded up";

/// A number as a hinge of the rules says that it is rounded.
pub fn rounded(rules: &Rulebook, hinge: &LiveKey, value: &Num) -> Num {
    let value = value.as_rational();
    Num::from(if rules.wording(hinge) == ROUNDED_UP { value.ceil() } else { value.floor() })
}

/// Refuses where no rule in force establishes what this word names, or the program does not play the one that does.
///
/// # Errors
///
/// A [`Refusal`] that says so.
pub fn established(rules: &Rulebook, word: &str) -> Result<(), Refusal> {
    if rules.establishes(word).is_some() {
        return Ok(());
    }
    let on = |rule: &&Rule| rule.establishes().any(|thing| thing == word);
    if let Some(rule) = rules.rules().into_iter().find(on) {
        let say = format!("the program does not play {} any more: what it says is done by hand", rule.label());
        return Err(Refusal::new(say).by(rule.label()).instead(format!("rule {}", rule.number())));
    }
    // Players know a rule by its title.
    let had = rules.all().into_iter().find(on);
    let had = had.map(|rule| format!(", as {} had", rule.label())).unwrap_or_default();
    Err(Refusal::new(format!("no rule in force has anything on {word} any more{had}, so this cannot be done"))
        .instead("rules"))
}

/// What the rules of a game establish: an enum `Thing` with the word that the headers of the rules have for each.
#[macro_export]
macro_rules! things {
    ($($thing:ident: $word:literal),* $(,)?) => {
        /// What a rule establishes: one word a mechanic, as the headers of the rules have it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Thing {
            $(#[doc = $word] $thing,)*
        }

        impl Thing {
            /// The words of all of them.
            #[cfg(test)]
            const WORDS: &[&str] = &[$($word),*];

            /// The word in the header.
            pub(super) fn word(self) -> &'static str {
                match self {
                    $(Self::$thing => $word,)*
                }
            }
        }
    };
}
pub use crate::things;

/// What holds of the rules that every game ships; each game's own tests call these.
pub mod checks {
    use super::Rulebook;
    use kernel::{
        Instant,
        rulebook::{Keys, LiveKey, RuleOp},
    };

    /// The rules as a new room has them.
    pub fn book(opening: Vec<RuleOp>) -> Rulebook {
        let mut book = Rulebook::default();
        for op in opening {
            book.apply(&op, 1, Instant::UNIX_EPOCH);
        }
        book
    }

    /// Every figure stands in the rules, every marked figure is one of the game's, and no mark is left as text.
    pub fn figures(book: &Rulebook, figures: &'static [LiveKey]) {
        let missing: Vec<&str> = book.missing(&Keys::new(figures)).iter().map(|(key, _)| key.key).collect();
        assert_eq!(missing, Vec::<&str>::new());
        for rule in book.rules() {
            assert!(!rule.text().visible().contains("](#"), "a mark in {} is none", rule.label());
            // A law names the figures of its rule that it plays by, or what the keys of some begin with.
            let names = |name: &str| rule.text().visible().contains(&format!("\"{name}\""));
            for span in rule.text().spans().iter().filter(|span| !span.key.starts_with('=')) {
                let begins = span.name().split_once('-').map(|(begins, _)| format!("{begins}-"));
                let known = names(span.name())
                    || begins.is_some_and(|begins| names(&begins))
                    || figures.iter().any(|key| *key.key == *span.key);
                assert!(known, "{} is no figure", span.key);
            }
        }
    }

    /// Every thing is established by a rule, and no header has a word that the game does not know.
    pub fn things(book: &Rulebook, words: &[&str]) {
        for word in words {
            assert!(book.establishes(word).is_some(), "{word} is established by no rule");
        }
        for rule in book.rules() {
            for word in rule.establishes() {
                assert!(words.contains(&word), "nothing here is called {word}");
            }
        }
    }
}
