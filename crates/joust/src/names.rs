//! Names of programs: which may be used, and when two can be taken for each other.
//!
//! Names are this product's addition: the contract knows programs only by their submitters and their places. A name is
//! a word that fits into a command line, a table and a path (`match/LEFT/RIGHT`). No two programs on the Hill and in
//! the queue may be confused (seed 000, J17). Whether a name is free is judged in `submission`.

use kernel::Refusal;
pub(super) use kernel::names::confusable;

/// Longest name of a program, in characters: it must fit beside five numbers on a phone.
pub(super) const NAME_MAX_CHARS: usize = 24;

/// Checks a program's name.
///
/// # Errors
///
/// A [`Refusal`] that says what names look like; the text is not repeated, because it may be code.
pub(super) fn program_name(text: &str) -> Result<String, Refusal> {
    if is_program_name(text) {
        return Ok(text.to_owned());
    }
    Err(Refusal::new(format!(
        "a program's name begins with a letter, goes on with letters, digits, - and _, and ends with none of these two, \
         {NAME_MAX_CHARS} characters at most"
    )))
}

/// Whether a text can be a program's name.
pub(super) fn is_program_name(text: &str) -> bool {
    let rest = |char: char| char.is_ascii_alphanumeric() || matches!(char, '-' | '_');
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.ends_with(|last: char| last.is_ascii_alphanumeric())
        && text.chars().all(rest)
        && text.len() <= NAME_MAX_CHARS
}

/// Whether a text is the number of a program, as displays give it: `#3`.
pub(super) fn is_program_number(text: &str) -> bool {
    text.strip_prefix('#').is_some_and(|digits| !digits.is_empty() && digits.chars().all(|char| char.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_word_without_commands() {
        for good in ["Alpha", "joust0", "a", "my-prog_2"] {
            assert!(is_program_name(good), "{good}");
        }
        let long = "x".repeat(NAME_MAX_CHARS + 1);
        for bad in ["", "0x", ">+", "a>b", "a b", "a/b", "a.b", "-a", "a-", "é", &long] {
            assert!(!is_program_name(bad), "{bad}");
            let refusal = program_name(bad).unwrap_err();
            assert!(bad.is_empty() || bad == "a-" || bad == "-a" || !refusal.say.contains(&format!("“{bad}”")));
        }
    }

    #[test]
    fn j17_names_that_look_alike_are_one() {
        for (one, other) in [("Alpha", "alpha"), ("joust1", "joustl"), ("Ian", "lan")] {
            assert!(confusable(one, other), "{one} {other}");
        }
        assert!(!confusable("joust1", "joust2"));
    }
}
