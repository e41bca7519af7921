//! Rules that are paragraphs with numbers, as nomics print them: `101. All players must always abide by the rules.`
//!
//! Headings among them are sections. They are passed over, with what stands between one and the first number below it.

use super::{
    Page, SECTIONS_MAX_COUNT, Section, furniture,
    style::{self, Heading, Style},
};

/// Longest title that is made of the first words of a rule, in characters.
const TITLE_MAX_CHARS: usize = 40;

/// A paragraph that begins with a number.
struct Start {
    line: usize,
    number: u32,
    words: String,
}

/// A heading, and what stands below it until the next.
struct Part {
    /// How deep the heading is; 0 above the first.
    level: usize,
    is_numbered: bool,
    has_text: bool,
    has_rules: bool,
}

/// Reads a page whose rules are paragraphs with numbers; nothing where it is none.
pub fn paragraphs(text: &str) -> Option<Page> {
    let lines: Vec<&str> = text.lines().collect();
    [true, false].into_iter().find_map(|is_marked| read(&lines, is_marked))
}

fn read(lines: &[&str], is_marked: bool) -> Option<Page> {
    let (mut skip, code) = (furniture::of(lines), style::code(lines));
    let is_blank = |line: usize| lines[line].trim().is_empty();
    let style = style::of(lines, &skip);
    let is_explicit = matches!(style, Style::Wiki | Style::Markdown);
    let style = if is_explicit { style } else { Style::Bare };
    let mut heads = style.headings(lines, &skip);
    heads.retain(|head| numbered(lines[head.line], is_marked).is_none());
    if heads.len() > SECTIONS_MAX_COUNT {
        return None;
    }
    let mut starts: Vec<Start> = Vec::new();
    for line in (0..lines.len()).filter(|line| !skip[*line] && !code[*line]) {
        // One more than is taken is refused like all others.
        if starts.len() > SECTIONS_MAX_COUNT {
            break;
        }
        let Some((number, words)) = numbered(lines[line], is_marked) else { continue };
        let above = line.checked_sub(1);
        let is_fresh =
            above.is_none_or(|above| skip[above] || is_blank(above) || heads.iter().any(|head| head.line == above));
        if is_fresh || number == starts.last().map_or(0, |last| last.number) + 1 {
            starts.push(Start { line, number, words });
        }
    }
    let first = (0..lines.len()).find(|line| !skip[*line] && !is_blank(*line))?;
    // A title alone between blank lines is a section where a number follows.
    if !is_explicit {
        let all = heads.len();
        let mut opens = false;
        for line in (0..lines.len()).rev().filter(|line| !skip[*line] && !is_blank(*line)) {
            match heads.iter().position(|head| head.line == line) {
                Some(place) if !opens => drop(heads.remove(place)),
                Some(_) => {}
                None => opens = starts.iter().any(|start| start.line == line),
            }
        }
        // The others are the headings of rules.
        if heads.len() < all && starts.first()?.line != first {
            return None;
        }
    }
    if starts.len() < 2 && starts.first()?.line != first {
        return None;
    }
    let is_rising = starts.is_sorted_by(|one, next| one.number < next.number);
    let are_rules = starts.len() > 1 && is_rising && are_sections(lines, &skip, &heads, &starts);
    if !(are_rules || (heads.is_empty() && is_marked)) {
        return None;
    }
    let (mut page, mut passed) = (Page::default(), 0);
    for (place, start) in starts.iter().enumerate() {
        let next = starts.get(place + 1).map_or(lines.len(), |next| next.line);
        let end =
            heads.iter().map(|head| head.line).find(|line| *line > start.line).map_or(next, |line| line.min(next));
        (passed..start.line).filter(|line| !is_blank(*line)).for_each(|line| skip[line] = true);
        passed = end;
        page.sections.push(section(start, lines, &skip, end, style)?);
    }
    (passed..lines.len()).filter(|line| !is_blank(*line)).for_each(|line| skip[line] = true);
    (!page.sections.is_empty()).then(|| page.skipping(lines, &skip))
}

/// Whether the rules are the paragraphs with numbers, and not the headings above them. Numbers that rise over two headings
/// are of rules. Those below a single one may be a list.
fn are_sections(lines: &[&str], skip: &[bool], heads: &[Heading], starts: &[Start]) -> bool {
    let mut parts = vec![Part { level: 0, is_numbered: false, has_text: false, has_rules: false }];
    for line in (0..lines.len()).filter(|line| !skip[*line] && !lines[*line].trim().is_empty()) {
        if let Some(head) = heads.iter().find(|head| head.line == line) {
            let is_numbered = head.number.is_some();
            parts.push(Part { level: head.level, is_numbered, has_text: false, has_rules: false });
        } else if let Some(part) = parts.last_mut() {
            part.has_text = true;
            part.has_rules |= starts.iter().any(|start| start.line == line);
        }
    }
    let mut below = parts.iter().filter(|part| part.has_rules);
    let (Some(only), None) = (below.next(), below.next()) else { return true };
    let is_rule = |part: &Part| part.has_text && !part.has_rules && part.level >= only.level;
    !only.is_numbered && !parts.iter().any(is_rule)
}

/// A rule: its title is a line that stands alone above the rest, or its first words.
fn section(start: &Start, lines: &[&str], skip: &[bool], end: usize, style: Style) -> Option<Section> {
    let Start { line, number, words } = start;
    let below = style.body(lines, skip, line + 1..end, &[]);
    let is_alone = lines.get(line + 1).is_some_and(|next| next.trim().is_empty());
    let mut first = lines.to_vec();
    first[*line] = words;
    let (title, body) = match style::bare(words).filter(|_| is_alone && !below.is_empty()) {
        Some(title) => (style::plain(&title), below),
        None => {
            let body = style.body(&first, skip, *line..end, &[]);
            (begins(&style::plain(&body)), body)
        }
    };
    (!body.is_empty()).then_some(Section { line: line + 1, number: Some(*number), title, body })
}

/// The first words of a rule: its first sentence, or as much of it as a title holds.
fn begins(text: &str) -> String {
    let mut title = String::new();
    for word in text.split_whitespace() {
        if title.chars().count() + word.chars().count() >= TITLE_MAX_CHARS && !title.is_empty() {
            return format!("{}…", title.trim_end_matches([',', ' ']));
        }
        title = if title.is_empty() { word.to_owned() } else { format!("{title} {word}") };
        if word.ends_with(['.', ':', ';', '!', '?']) {
            break;
        }
    }
    let shown: String = title.trim_end_matches(['.', ':', ';']).chars().take(TITLE_MAX_CHARS).collect();
    if shown.is_empty() { title.chars().take(TITLE_MAX_CHARS).collect() } else { shown }
}

/// A line that begins with a number: the number, and what stands behind it. A mark makes it one, as in `101.`, `101)`,
/// `**101.**` or `Rule 101:`; without one, a capital behind it does.
fn numbered(line: &str, is_marked: bool) -> Option<(u32, String)> {
    let rest = line.trim_start_matches(['*', '_', '\'']);
    let bold = &line[..line.len() - rest.len()];
    let named = rest.get(..5).is_some_and(|word| word.eq_ignore_ascii_case("rule "));
    let rest = if named { &rest[5..] } else { rest };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..digits].parse().ok()?;
    let behind = &rest[digits..];
    let words = behind.trim_start_matches(['.', ')', ':', '*', '_', '\'']);
    let mark = &behind[..behind.len() - words.len()];
    if !(words.is_empty() || words.starts_with([' ', '\t'])) {
        return None;
    }
    let words = words.trim();
    let (words, is_dash) = match words.strip_prefix(['-', '–', '—']).filter(|_| named) {
        Some(words) => (words.trim_start(), true),
        None => (words, false),
    };
    let is_one = match is_marked {
        true => is_dash || mark.contains(['.', ')', ':']),
        false => words.starts_with(char::is_uppercase),
    };
    let closed = bold.is_empty() || mark.contains(bold);
    is_one.then(|| (number, if closed { words.to_owned() } else { format!("{bold}{words}") }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<(u32, String)> {
        let page = paragraphs(text).unwrap_or_default();
        page.sections
            .into_iter()
            .map(|rule| (rule.number.unwrap_or(0), format!("{}: {}", rule.title, rule.body)))
            .collect()
    }

    /// Given any way to write numbers and headings above them, then the rules are the same.
    #[test]
    fn rules_below_headings_keep_their_numbers() {
        let printed = "Immutable Rules\n\n101. All obey.\n\n102. Some are mutable,\nsome are not.\n\nMutable Rules\n\n\
            201. Turns go round.\n";
        let is = told(printed);
        assert_eq!(is.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [101, 102, 201]);
        assert_eq!(is[0].1, "All obey: All obey.");
        assert_eq!(is[1].1, "Some are mutable, some are not: Some are mutable,\nsome are not.");
        let marked = printed.replace("Immutable", "# Immutable").replace("Mutable R", "# Mutable R");
        let wiki = printed.replace("Immutable Rules", "== Immutable ==").replace("Mutable Rules", "== Mutable ==");
        for (mark, end) in [("**", ".**"), ("**", "**."), ("", ""), ("", ")"), ("Rule ", ":"), ("**Rule ", ":**")] {
            for text in [printed, &marked, &wiki] {
                let of =
                    |text: String, number: &str| text.replace(&format!("{number}."), &format!("{mark}{number}{end}"));
                let text = ["101", "102", "201"].into_iter().fold(text.to_owned(), of);
                assert_eq!(told(&text), is, "{text}");
            }
        }
        let page = paragraphs(&format!("# Our game\n\nBy us.\n\n{marked}\n[[Category:Rules]]\n")).unwrap();
        assert_eq!(page.sections.len(), 3);
        assert_eq!(page.skipped, [1..=5, 12..=12, 16..=16]);
    }

    #[test]
    fn the_shortest_rules_have_titles_of_their_first_words() {
        let is =
            [(1, "Be excellent: Be excellent.".to_owned()), (2, "Votes last a week: Votes last a week.".to_owned())];
        for text in [
            "1. Be excellent.\n2. Votes last a week.\n",
            "1) Be excellent.\n\n2) Votes last a week.\n",
            "Rule 1: Be excellent.\nRule 2: Votes last a week.",
            "Our rules are these:\n1. Be excellent.\n2. Votes last a week.",
        ] {
            assert_eq!(told(text), is, "{text}");
        }
        assert_eq!(told("Rule 1: Be excellent."), is[..1]);
        assert_eq!(told("1. Be excellent\n\n2. No spam")[1].1, "No spam: No spam");
        assert_eq!(told("1. Robots\n\nThey play.\n\n2. Power\n\nNone.")[0].1, "Robots: They play.");
        assert_eq!(told("1. **Members.** All of us.\n\n**2. Votes.** By hand.")[1].1, "Votes: **Votes.** By hand.");
        let long = &told(&format!("1. {}\n", "word ".repeat(90)))[0].1;
        assert!(long.starts_with("word word word word word word word word…: word"), "{long}");
    }

    /// A list in the text of a rule is no rules.
    #[test]
    fn lists_below_headings_are_lists() {
        for text in [
            "# Joining\nTo join:\n1. Say so.\n2. Wait.\n\n# Voting\nBy hand.\n",
            "# Joining\n1. Say so.\n2. Wait.\n\n# Voting\n1. Say so.\n2. Wait.\n",
            "== 101. Joining ==\n1. Say so.\n2. Wait.\n",
            "Robots\n\nThey:\n1. play.\n2. wait.\n\nPower\n\nMore.\n",
            "Robots\n\n1. They play.\n\nPower\n\nMore.\n",
            "Only prose.\n\n3 Robots play.\n",
        ] {
            assert_eq!(told(text), [], "{text}");
        }
    }
}
