//! Where in a source text something stands, in the numbers that editors show.
//!
//! Places are worked out only for what is reported, so that parsing keeps nothing but byte offsets.

/// A place in a text: both numbers count from 1, the column in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Place {
    /// The place of the character that begins at byte `offset` of `source`.
    pub(crate) fn of(source: &str, offset: usize) -> Place {
        let before = &source[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Place {
            line: before.bytes().filter(|&byte| byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_lines_and_characters_from_one() {
        assert_eq!(Place::of("x", 0), Place { line: 1, column: 1 });
        assert_eq!(Place::of("a\nb", 2), Place { line: 2, column: 1 });
        assert_eq!(Place::of("a\n\nbc", 4), Place { line: 3, column: 2 });
    }

    #[test]
    fn a_column_is_a_character_however_many_bytes_it_takes() {
        assert_eq!(Place::of("ö€🐎[", "ö€🐎".len()), Place { line: 1, column: 4 });
        assert_eq!(Place::of("€\r\n é[", "€\r\n é".len()), Place { line: 2, column: 3 });
    }
}
