//! Shorthand for long texts: `{>*134}` stands for 134 `>`.
//!
//! Real programs have no run-length notation (seed 000, J11), so this one is of the rehearsal alone: what the bot hears
//! is written out. Braces that are no such repetition stay as they are.

/// Longest text that a line may come to, in bytes: a program of the largest size and what stands around it.
pub(super) const EXPANDED_MAX_BYTES: usize = 2 * 1024 * 1024;

/// How deep repetitions may stand in each other.
const NESTED_MAX_LEVELS: usize = 8;

/// Writes repetitions out.
///
/// # Errors
///
/// A sentence where the text gets longer than [`EXPANDED_MAX_BYTES`].
pub(super) fn expand(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    write_out(text, 0, &mut out)?;
    Ok(out)
}

fn write_out(text: &str, level: usize, out: &mut String) -> Result<(), String> {
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        push(out, before)?;
        match repetition(from).filter(|_| level < NESTED_MAX_LEVELS) {
            Some((unit, times, after)) => {
                let mut once = String::new();
                write_out(unit, level + 1, &mut once)?;
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
    (!unit.is_empty()).then_some((unit, times, &text[close + 1..]))
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
            assert_eq!(expand(short).unwrap(), long);
        }
    }

    #[test]
    fn a_line_that_would_grow_without_bound_is_refused() {
        assert!(expand("{+*99999999}").is_err());
        assert!(expand("{{{{+*9999}*9999}*9999}*9999}").is_err());
        assert_eq!(expand(&format!("{{+*{EXPANDED_MAX_BYTES}}}")).unwrap().len(), EXPANDED_MAX_BYTES);
    }
}
