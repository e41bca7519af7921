//! The head of a text: the lines that name the proposals which this one depends on and conflicts with (B15.6).
//!
//! Absent: what a dependency and a Conflict do, which is the tally's.

use super::{
    super::{
        BNomic, D, Id, Refusal, State,
        law::Thing,
        quantities, registry, society,
        stats::{CONFLICTS, DEPENDENCIES, PROPOSAL, called},
        voting,
    },
    TEXT_MAX_BYTES, author, is_called, need,
};
use crate::kernel::rulebook::source;

/// Most characters of a line that its refusal repeats.
const SHOWN_MAX_CHARS: usize = 60;

/// Words that say nothing beside numbers of proposals.
const NOUNS: [&str; 7] = ["and", "proposal", "proposals", "no", "number", "numbers", "nos"];

/// A text with the lines at its head that name other proposals taken off.
pub(super) struct Parts {
    /// What is left.
    pub(super) body: String,
    /// The proposals that it lists as Conflicts.
    pub(super) conflicts: Vec<Id>,
    /// Those that it depends on.
    pub(super) needs: Vec<Id>,
}

/// Whether a text begins with a line of the head of a proposal.
fn is_head(text: &str) -> bool {
    head(text.lines().next().unwrap_or_default()).is_some()
}

/// Whether a line of a head says what a proposal depends on, or what it conflicts with, and the numbers in it. Without a
/// colon it does where nothing but numbers and titles follows; where more follows, it has no numbers.
fn head(line: &str) -> Option<(bool, Option<String>)> {
    begun(line).find_map(|(said, depends)| {
        let rest = untitled(said);
        let plain = |word: &str| word == "&" || is_noun(word) || is_number(word);
        if let Some(numbers) = rest.strip_prefix(':') {
            return Some((depends, Some(numbers.to_owned())));
        }
        let words: Vec<&str> = rest.split_whitespace().collect();
        let named = words.windows(2).any(|pair| {
            let noun = pair[0].to_lowercase();
            ["proposal", "proposals"].contains(&&*noun) && names(pair[1])
        });
        match words.iter().all(|word| plain(word)) {
            // A title that stands alone may be that of several.
            true if !rest.contains(|char: char| char.is_ascii_digit()) => (said != rest).then_some((depends, None)),
            true => Some((depends, Some(rest))),
            false => (named || words.first().is_some_and(|word| names(word))).then_some((depends, None)),
        }
    })
}

/// What stands behind the words with which a line of a head begins, and whether it is a dependency; each way to read it.
fn begun(line: &str) -> impl Iterator<Item = (&str, bool)> {
    const WORDS: [(&str, bool); 13] = [
        ("depends on", true),
        ("depends upon", true),
        ("depending on", true),
        ("dependent on", true),
        ("dependencies", true),
        ("dependency", true),
        ("depends", true),
        ("conflicts with", false),
        ("conflict with", false),
        ("conflicts", false),
        ("conflicting with", false),
        ("in conflict with", false),
        ("conflict", false),
    ];
    let line = line.trim();
    let line =
        ["this proposal ", "this ", "my proposal ", "it "].iter().find_map(|head| after(line, head)).unwrap_or(line);
    let line = after(line, "is ").unwrap_or(line);
    WORDS.iter().filter_map(move |(word, depends)| {
        let said = after(line, word)?.trim_start();
        Some((after(said, "the ").unwrap_or(said), *depends))
    })
}

/// Whether a line of a head names proposals by titles without marks, or by a word each: none of them is known for sure, and
/// the line is refused.
fn by_title(state: &State<BNomic>, line: &str) -> Option<(bool, Option<String>)> {
    let called = |title: &str| {
        let title = title.trim();
        !title.is_empty() && state.world.of_kind(PROPOSAL).any(|id| is_called(state, id, title))
    };
    begun(line).find_map(|(said, depends)| {
        let said = said.trim().trim_end_matches(['.', '!', '?']);
        let noun = after(said, "proposal ").or_else(|| after(said, "proposals "));
        let said = noun.unwrap_or(said);
        let each = |is: &dyn Fn(&str) -> bool| said.split([',', '&']).flat_map(|part| part.split(" and ")).all(is);
        let words = || noun.is_some() && each(&|part| !part.trim().contains(' '));
        (called(said) || each(&called) || words()).then_some((depends, None))
    })
}

/// Whether a word only says that numbers of proposals follow.
fn is_noun(word: &str) -> bool {
    NOUNS.contains(&word.trim_end_matches('.').to_lowercase().as_str())
}

/// What comes after a beginning, whatever its capitals.
fn after<'t>(line: &'t str, head: &str) -> Option<&'t str> {
    line.get(..head.len()).filter(|begins| begins.eq_ignore_ascii_case(head)).map(|_| &line[head.len()..])
}

/// Whether a word consists of signs that stand in lists of numbers.
fn is_number(word: &str) -> bool {
    word.chars().all(|char| char.is_ascii_digit() || ",#.{}-\u{2013}".contains(char))
}

/// Whether a word is the number of a proposal.
fn names(word: &str) -> bool {
    word.contains(|char: char| char.is_ascii_digit()) && is_number(word.trim_end_matches([':', ';', '!']))
}

/// A line without the titles in it, which say again what the numbers say.
fn untitled(line: &str) -> String {
    let (mut kept, mut inside) = (String::new(), false);
    for char in line.chars() {
        match char {
            '"' => inside = !inside,
            '\u{201c}' => inside = true,
            '\u{201d}' => inside = false,
            _ if !inside => kept.push(char),
            _ => {}
        }
    }
    kept
}

/// The titles between marks in a line.
fn marked(line: &str) -> Vec<String> {
    let line = line.replace(['\u{201c}', '\u{201d}'], "\"");
    line.split('"').skip(1).step_by(2).map(|title| title.trim().to_owned()).collect()
}

/// `1-3` and `proposals 1-3` as the numbers that they mean.
fn spread(said: &str) -> Vec<String> {
    match said.rsplit_once(' ').unwrap_or(("", said)) {
        (before, last) if untold(before) => voting::spread(last),
        _ => vec![said.to_owned()],
    }
}

/// Whether some words only say that numbers of proposals follow.
fn untold(words: &str) -> bool {
    words.split_whitespace().all(is_noun)
}

/// The number in one place of such a line: `3`, `#3`, `P3`, `and proposals 3`, or an official quantity (B30.1).
fn numbered(state: &State<BNomic>, said: &str) -> Option<u64> {
    let said = said.split_whitespace().skip_while(|word| is_noun(word)).collect::<Vec<_>>().join(" ");
    let bare = said.trim_start_matches(['#', 'P', 'p']);
    bare.parse().ok().or_else(|| u64::try_from(quantities::read(state, &said).ok()?.to_i64()?).ok())
}

/// A line without the comments in it, which do not count (B5.2).
pub(in crate::games::bnomic) fn uncommented(line: &str) -> String {
    let mut line = line.to_owned();
    for comment in source::comments(&line, &[]).into_iter().rev() {
        line.replace_range(comment, " ");
    }
    line
}

/// Reads the head of a text: `Depends on: 3, 4` and `Conflicts with: 5`.
///
/// # Errors
///
/// A [`Refusal`] where a number is none, names the proposal itself or a Twin's as a Conflict, and where nothing follows.
pub(super) fn parts(d: &D<'_>, text: &str, own: Option<&Id>) -> Result<Parts, Refusal> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    let (mut conflicts, mut needs, mut rest) = (Vec::new(), Vec::new(), text);
    let seen = source::blanked(text);
    loop {
        // A comment before the head is as if it were not there.
        if let Some(comment) = source::comments(rest, &[]).first().filter(|comment| comment.start == 0) {
            let after = rest[comment.end..].trim_start();
            if is_head(after) {
                rest = after;
                continue;
            }
        }
        // A line goes on where a comment is broken.
        let seen = &seen[text.len() - rest.len()..];
        let line = seen.split('\n').next().unwrap_or_default();
        let after = rest.get(line.len() + 1..).unwrap_or_default();
        // A name of a number counts where the line is nothing but numbers then: “It depends on A Few things” is prose.
        let spelt = || head(&quantities::spelt(d, line)).filter(|(_, numbers)| numbers.is_some());
        let Some((depends, numbers)) = head(line).or_else(spelt).or_else(|| by_title(d, line)) else { break };
        let mut here: Vec<Id> = Vec::new();
        let (list, is_conflict) = if depends { (&mut needs, false) } else { (&mut conflicts, true) };
        let Some(numbers) = numbers else {
            let (word, like) = if depends { ("Depends on", "a dependency") } else { ("Conflicts with", "a Conflict") };
            return Err(Refusal::new(format!(
                "“{}” begins like {like}, and more than numbers of Proposals stands in that line: put the numbers in a line of \
                 their own, as in “{word}: 1, 2”, or begin the text with other words",
                line.trim().chars().take(SHOWN_MAX_CHARS).collect::<String>()
            ))
            .by(Thing::Proposals.rule(&d.rules)));
        };
        let numbers = numbers.trim().trim_end_matches('.').trim_start_matches('{').trim_end_matches('}');
        let numbers = numbers
            .split([',', ';', '&'])
            .flat_map(|part| part.split(" and "))
            .map(super::bare_number)
            .flat_map(spread);
        for number in numbers.filter(|number| !["", "none", "nothing"].contains(&&*number.to_lowercase())) {
            let by = Thing::Proposals.rule(&d.rules);
            let named = numbered(d, &number).ok_or_else(|| {
                Refusal::new(format!("“{number}” is no number of a proposal")).by(by.clone()).instead("show proposals")
            })?;
            let id = need(d, named)?;
            if Some(&id) == own {
                return Err(Refusal::new("a proposal names other proposals, not itself")
                    .by(by)
                    .instead("show proposals"));
            }
            let twin = d.actor_seat().zip(author(d, &id)).filter(|(me, theirs)| society::are_twins(d, me, theirs));
            if let Some((_, twin)) = twin.filter(|_| is_conflict) {
                return Err(Refusal::new(format!(
                    "proposal {named} is by {}, your Twin now, and no Conflict names it",
                    called(d, &twin)
                ))
                .by(by)
                .instead("show proposals"));
            }
            if !list.contains(&id) {
                list.push(id.clone());
            }
            here.push(id);
        }
        // A title says again what a number says.
        let other = |title: &String| !here.iter().any(|id| is_called(d, id, title));
        if let Some(title) = marked(line).into_iter().find(other) {
            return Err(Refusal::new(format!(
                "“{title}” is the title of none of the Proposals whose numbers stand in that line: a Proposal is named by its \
                 number here"
            ))
            .by(Thing::Proposals.rule(&d.rules))
            .instead("show proposals"));
        }
        rest = after.trim_start();
        if after.is_empty() {
            break;
        }
    }
    let body = rest.trim().to_owned();
    if body.is_empty() {
        return Err(Refusal::new("say what shall change").instead("propose TITLE TEXT"));
    }
    if body.len() > TEXT_MAX_BYTES {
        return Err(Refusal::new(format!(
            "a text has at most {TEXT_MAX_BYTES} bytes, and this one has {}",
            body.len()
        )));
    }
    registry::fits_count(d, CONFLICTS.id, conflicts.len())?;
    registry::fits_count(d, DEPENDENCIES.id, needs.len())?;
    Ok(Parts { body, conflicts, needs })
}
