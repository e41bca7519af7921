//! Shorthand for long texts: `{>*134}` stands for 134 `>`.
//!
//! The programs of seed 000 have no run-length notation (J11), and this one is of the rehearsal alone: what the bot
//! hears is written out. The public hills have one, `(a{b}c)*9`, with the same braces. So what stands within
//! parentheses, or has any in it, is never a repetition of this kind. Braces that are none stay as they are.

/// Longest text that a line may come to, in bytes: a program of the largest size and what stands around it.
pub(super) const EXPANDED_MAX_BYTES: usize = 2 * 1024 * 1024;

/// How deep repetitions may stand in each other.
const NESTED_MAX_LEVELS: usize = 8;

/// How many parentheses are open at the end of a text, of which some may be open at its beginning.
pub(super) fn open_at_end(text: &str, open: usize) -> usize {
    text.chars().fold(open, |open, char| match char {
        '(' => open + 1,
        ')' => open.saturating_sub(1),
        _ => open,
    })
}

/// Writes repetitions out, in a text at whose beginning so many parentheses are open.
///
/// # Errors
///
/// A sentence where the text gets longer than [`EXPANDED_MAX_BYTES`].
pub(super) fn expand(text: &str, parens_open: usize) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    write_out(text, 0, parens_open, &mut out)?;
    Ok(out)
}

fn write_out(text: &str, level: usize, mut parens_open: usize, out: &mut String) -> Result<(), String> {
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        push(out, before)?;
        parens_open = open_at_end(before, parens_open);
        match repetition(from).filter(|_| level < NESTED_MAX_LEVELS && parens_open == 0) {
            Some((unit, times, after)) => {
                let mut once = String::new();
                write_out(unit, level + 1, 0, &mut once)?;
                if once.len().saturating_mul(times) > EXPANDED_MAX_BYTES {
                    return Err(too_long());
                }
                for _ in 0..times {
                    push(out, &once)?;
                }
                rest = after;
            }
            None => {
                push(out, "{")?;
                rest = &from[1..];
            }
        }
    }
    push(out, rest)
}

fn push(out: &mut String, text: &str) -> Result<(), String> {
    if out.len() + text.len() > EXPANDED_MAX_BYTES {
        return Err(too_long());
    }
    out.push_str(text);
    Ok(())
}

fn too_long() -> String {
    format!("written out, this line has more than {EXPANDED_MAX_BYTES} bytes")
}

/// The unit and the count of the repetition that a text begins with, and what follows it.
fn repetition(text: &str) -> Option<(&str, usize, &str)> {
    let mut depth = 0_usize;
    let close = text.char_indices().find_map(|(at, char)| {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let (unit, times) = text[1..close].rsplit_once('*')?;
    let times = times.trim().parse().ok()?;
    let is_unit = !unit.is_empty() && !unit.contains(['(', ')']);
    is_unit.then_some((unit, times, &text[close + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_written_out_and_other_braces_stay() {
        for (short, long) in [
            ("{>*3}[-]", ">>>[-]"),
            ("{[-]>*2}", "[-]>[-]>"),
            ("{{+*2}>*2}.", "++>++>."),
            ("{.*0}+", "+"),
            ("a {notice} b", "a {notice} b"),
            ("{a*b} {", "{a*b} {"),
            ("(>)*8", "(>)*8"),
            ("{>* 2}", ">>"),
            ("}{+*2}", "}++"),
        ] {
            assert_eq!(expand(short, 0).unwrap(), long);
        }
    }

    #[test]
    fn programs_of_the_public_hills_stay_as_they_are() {
        for program in [
            "joust test ((+)*4{(<>)*6}(-)*4)%9 against joust3",
            "(>+[{.<}-])%4",
            "(a{b*9}c)%4",
            "((a{(b{c*2}d)*3}e)*2{(f)*7}g)%5",
            "{(<>)*6}(-)*4)%9",
            "(+)*4{(<>)*6}",
        ] {
            assert_eq!(expand(program, 0).unwrap(), program);
        }
        for line in include_str!("../../bfjoust/corpus/egojoust.txt").lines() {
            assert_eq!(expand(line, 0).unwrap(), line);
        }
        // Beside parentheses there is shorthand all the same, and none within those of the line before.
        assert_eq!(expand("Ann (private): (>)*3{+*2}) {-*2}", 0).unwrap(), "Ann (private): (>)*3++) --");
        assert_eq!((open_at_end("((a)b", 0), open_at_end(") )(", 1)), (1, 1));
        assert_eq!(expand("{b*9}c)%4{-*2}", 1).unwrap(), "{b*9}c)%4--");
    }

    #[test]
    fn a_line_that_would_grow_without_bound_is_refused() {
        assert!(expand("{+*99999999}", 0).is_err());
        assert!(expand("{{{{+*9999}*9999}*9999}*9999}", 0).is_err());
        assert_eq!(expand(&format!("{{+*{EXPANDED_MAX_BYTES}}}"), 0).unwrap().len(), EXPANDED_MAX_BYTES);
    }
}
