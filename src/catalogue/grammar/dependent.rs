//! Dependent acts in the rules' words: `I intend, without objection, to retitle rule 15 to "Ballots"` (4E21, 4E22).
//!
//! How an act is attempted follows from what it is, so that the words for it change nothing, and belong to no title and to no
//! name (B21.1, B22.1). Absent: which acts are attempted how.

use super::{Command, Line, Reader, folded};

/// The first word of the commands that announce such an act.
pub(super) const INTEND: &str = "intend";

/// What is waited for.
const HOW: [&str; 5] = ["objection", "objections", "support", "supporter", "supporters"];

fn plain(word: &str) -> String {
    folded(word.trim_matches(|sign: char| !sign.is_alphanumeric()))
}

/// What stands behind the rules' words for how, where they come next: `without objection`, `with 2 supporters`.
pub(super) fn over_how(reader: Reader<'_>) -> Option<Reader<'_>> {
    let (mut here, mut any) = (reader, false);
    loop {
        let mut ahead = here;
        let mut word = plain(&ahead.bare().unwrap_or_default());
        if any && ["and", "please"].contains(&&*word) {
            here = ahead;
            word = plain(&ahead.bare().unwrap_or_default());
        }
        if !["with", "without"].contains(&&*word) {
            return any.then_some(here);
        }
        // A number at most stands between.
        let mut behind = ahead;
        let is_how = |word: Option<String>| word.is_some_and(|word| HOW.contains(&&*plain(&word)));
        let next = if is_how(ahead.bare()) {
            Some(ahead)
        } else {
            let _ = behind.bare();
            is_how(behind.bare()).then_some(behind)
        };
        let Some(next) = next else { return any.then_some(here) };
        (here, any) = (next, true);
    }
}

/// What is announced without the rules' words for how behind it.
pub(super) fn bare(words: &str) -> &str {
    let mut at = words.len();
    for (from, _) in
        words.char_indices().filter(|(from, _)| *from == 0 || words[..*from].ends_with(char::is_whitespace))
    {
        let rest = &words[from..];
        let is_how = rest.trim_end_matches(['.', ',', '!', ' ']).eq_ignore_ascii_case("please")
            || over_how(Reader::new(rest, rest)).is_some_and(|mut behind| {
                behind.skip_space(true);
                let left = behind.remainder().trim_matches([' ', '.', ',']);
                left.is_empty() || left.eq_ignore_ascii_case("please")
            });
        if is_how {
            at = from;
            break;
        }
    }
    words[..at].trim_end_matches(|sign: char| sign == ',' || sign.is_whitespace())
}

/// Whether a command announces such an act.
pub(super) fn announces(command: &Command) -> bool {
    command.head() == Some(INTEND)
}

impl Line<'_, '_> {
    /// Goes over the rules' words for how behind what is announced; whether they stood there.
    pub(super) fn skip_how(&mut self, command: &Command) -> bool {
        let over = over_how(self.reader).filter(|_| self.catalogue.takes_letters() && announces(command));
        if let Some(over) = over {
            self.reader = over;
        }
        over.is_some()
    }
}
