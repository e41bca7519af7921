//! The programs of `corpus/`, and repetitions written out by hand, for tests and benches.
//!
//! Writing out shares nothing with the crate: it works on the text alone, and is how the compiled form is checked.

/// A program of the corpus.
#[allow(dead_code, reason = "not everybody asks for all of it")]
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) class: &'static str,
    pub(crate) name: &'static str,
    /// With repetitions written short.
    pub(crate) text: &'static str,
}

/// The programs for seed 000's rules, to be played written out.
pub(crate) fn agora() -> Vec<Entry> {
    entries(include_str!("../../corpus/agora.txt"))
}

/// The programs for today's public hills.
pub(crate) fn egojoust() -> Vec<Entry> {
    entries(include_str!("../../corpus/egojoust.txt"))
}

/// Programs in the style of what people play on public hills, with repetitions up to 125 deep in one another.
pub(crate) fn warriors() -> Vec<Entry> {
    entries(include_str!("../../corpus/warriors.txt"))
}

/// How deep repetitions stand in one another in a text.
#[allow(dead_code, reason = "not everybody asks for all of it")]
pub(crate) fn depth(text: &str) -> usize {
    let (mut now, mut most) = (0_usize, 0);
    for sign in text.chars() {
        match sign {
            '(' => now += 1,
            ')' => now = now.saturating_sub(1),
            _ => {}
        }
        most = most.max(now);
    }
    most
}

fn entries(text: &'static str) -> Vec<Entry> {
    let mut class = "";
    let mut entries = Vec::new();
    for line in text.lines().skip_while(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            class = name;
        } else if let Some((name, text)) = line.split_once(": ") {
            entries.push(Entry { class, name, text });
        }
    }
    entries
}

/// Most symbols that anything is written out to.
const WRITTEN_MAX_SYMBOLS: usize = 5_000_000;

/// So many symbols without a loop are as good as endless: no charge of the corpus has as many cycles.
const ENDLESS_SYMBOLS: usize = 400_000;

/// The same program without repetitions; `,` and comments are gone. Only for texts without mistakes, and for braces
/// that belong to the parentheses directly around them.
pub(crate) fn written_out(text: &str) -> String {
    let signs: Vec<char> = text.chars().filter(|sign| "+-<>.[](){}*%0123456789".contains(*sign)).collect();
    let mut at = 0;
    let parts = sequence(&signs, &mut at);
    assert_eq!(at, signs.len(), "the text has no mistakes");
    parts.0
}

/// What stands up to the next `{`, `}` or `)`, and where that is.
fn sequence(signs: &[char], at: &mut usize) -> (String, Option<char>) {
    let mut out = String::new();
    while let Some(&sign) = signs.get(*at) {
        match sign {
            '{' | '}' | ')' => return (out, Some(sign)),
            '(' => {
                *at += 1;
                let (first, mut end) = sequence(signs, at);
                let (mut inner, mut second) = (String::new(), String::new());
                if end == Some('{') {
                    *at += 1;
                    (inner, end) = sequence(signs, at);
                    assert_eq!(end, Some('}'));
                    *at += 1;
                    (second, end) = sequence(signs, at);
                }
                assert_eq!(end, Some(')'));
                *at += 1;
                let times = count(signs, at);
                for (text, times) in [(first, times), (inner, 1), (second, times)] {
                    let endless = ENDLESS_SYMBOLS / text.len().max(1) + 1;
                    let times = if text.contains(['[', ']']) { times } else { times.min(endless) };
                    assert!(out.len() + text.len() * times <= WRITTEN_MAX_SYMBOLS, "too long to write out");
                    out.push_str(&text.repeat(times));
                }
            }
            '+' | '-' | '<' | '>' | '.' | '[' | ']' => {
                out.push(sign);
                *at += 1;
            }
            _ => *at += 1,
        }
    }
    (out, None)
}

fn count(signs: &[char], at: &mut usize) -> usize {
    if !matches!(signs.get(*at), Some('*' | '%')) {
        return 0;
    }
    *at += 1;
    let negative = signs.get(*at) == Some(&'-');
    *at += usize::from(negative);
    let mut digits = String::new();
    while let Some(digit) = signs.get(*at).filter(|sign| sign.is_ascii_digit()) {
        digits.push(*digit);
        *at += 1;
    }
    let count: usize = digits.parse().unwrap_or(0);
    if count > 100_000 || (negative && count > 0) { 100_000 } else { count }
}
