//! The verbs of directives, each with the form that it wants.

use super::{
    Act, Head, Reader,
    phrase::{colon, cuts, ended, quoted, split_last, split_word, unquote, word},
};
use crate::Refusal;

/// Every verb with the way to write it, for refusals and for the documentation.
pub const VERBS: [(&str, &str); 23] = [
    ("create", "=> create rule \"Title\": text"),
    ("enact", "=> enact rule \"Title\": text"),
    ("amend", "=> amend rule 7: replace \"old words\" with \"new words\""),
    ("rewrite", "=> rewrite rule 7: text"),
    ("append", "=> append to rule 7: text"),
    ("retitle", "=> retitle rule 7 to \"Title\""),
    ("renumber", "=> renumber rule 7 to 12"),
    ("repeal", "=> repeal rule 7"),
    ("set", "=> set power of Ann to 3"),
    ("define", "=> define charm of player: whole number from 0 to 10, 5 at first"),
    ("undefine", "=> undefine charm"),
    ("raise", "=> raise power of Ann by 3"),
    ("increase", "=> increase power of Ann by 3"),
    ("lower", "=> lower power of Ann by 3"),
    ("decrease", "=> decrease power of Ann by 3"),
    ("award", "=> award 3 points to Ann"),
    ("give", "=> give 2 boxes to Ann"),
    ("take", "=> take 2 boxes from Ann"),
    ("transfer", "=> transfer 3 points from Ann to Bob"),
    ("destroy", "=> destroy Beacon"),
    ("appoint", "=> appoint Ann as Judge"),
    ("require", "=> require power of Ann > 3"),
    ("if", "=> if power of Ann > 3: DIRECTIVE"),
];

/// Reads a directive from its verb on. `seen` is its line with comments blanked, byte for byte as long as the line.
pub(super) fn read<'a>(reader: &mut Reader<'a>, head: Head<'a>, seen: &str, line: usize) -> Result<Act, Refusal> {
    let (verb, rest) = word(seen);
    let verb = verb.trim_end_matches(':').to_owned();
    let wrong = || malformed(&verb);
    // The same stretch of the line as it was written: texts keep their comments.
    let raw = |part: &str| head.raw[seen.len() - part.len()..].to_owned();
    match verb.as_str() {
        "create" | "enact" if word(rest).0.trim_end_matches(':') == "rule" || verb == "enact" => {
            let rest = after(rest, &["a", "new"]);
            // A colon after the word begins the text of a rule without a title.
            let bare = rest.get(.."rule:".len()).filter(|head| head.eq_ignore_ascii_case("rule:"));
            let rest = match bare {
                Some(_) => &rest["rule".len()..],
                None if rest.trim().eq_ignore_ascii_case("rule") => "",
                None => after(rest, &["rule"]),
            };
            let (name, text) = match colon(rest) {
                Some((name, text)) => (name, Some(raw(text))),
                None => (rest, None),
            };
            let (title, tail) = match word(name) {
                // `create rule number 7 "Title"` is as good.
                (first, rest) if first == "number" => {
                    let (number, title) = word(rest);
                    (unquote(title).to_owned(), number)
                }
                _ => match quoted(name) {
                    Some((title, tail)) => (title.to_owned(), tail.to_owned()),
                    // `create rule 81 "Title"`
                    None if number_of(word(name).0.as_ref()).is_some() && quoted(word(name).1).is_some() => {
                        let (number, title) = word(name);
                        (unquote(title).to_owned(), number)
                    }
                    None => match split_last(name, &["number"]) {
                        Some((title, number)) => (title.to_owned(), number.to_owned()),
                        None => (name.to_owned(), String::new()),
                    },
                },
            };
            let number = match after(ended(&tail), &["as", "number"]) {
                "" => None,
                number => Some(number_of(number).ok_or_else(wrong)?),
            };
            let text = reader.words_of(text.as_deref())?;
            Ok(Act::CreateRule { title: title.trim().to_owned(), number, text })
        }
        "amend" | "change" => amend(reader, rest, &raw),
        "rewrite" | "replace" => {
            let (rule, text) = rule_and_text(rest, &raw);
            let rule = rule_name(&rule).ok_or_else(wrong)?;
            Ok(Act::Rewrite { rule, text: reader.words_of(text.as_deref())? })
        }
        "append" | "add" if verb == "append" || word(rest).0 == "to" => {
            let (rule, text) = rule_and_text(after(rest, &["to"]), &raw);
            let rule = rule_name(&rule).ok_or_else(wrong)?;
            Ok(Act::Append { rule, text: reader.words_of(text.as_deref())? })
        }
        "retitle" | "rename" => {
            let (rule, title) = split_last(rest, &["to", "as"]).ok_or_else(wrong)?;
            let (rule, title) = (rule_name(rule).ok_or_else(wrong)?, unquote(title).trim().to_owned());
            if title.is_empty() { Err(wrong()) } else { Ok(Act::Retitle { rule, title }) }
        }
        "renumber" => {
            let (rule, number) = split_last(rest, &["to", "as"]).ok_or_else(wrong)?;
            let number = after(ended(number), &["number"]).trim();
            let is_place = number.starts_with('{') && number.ends_with('}');
            let number =
                number_of(number).map(|number| number.to_string()).or_else(|| is_place.then(|| number.to_owned()));
            Ok(Act::Renumber { rule: rule_name(rule).ok_or_else(wrong)?, number: number.ok_or_else(wrong)? })
        }
        "repeal" => Ok(Act::Repeal { rule: rule_name(ended(rest)).ok_or_else(wrong)? }),
        "set" => {
            // `to:` stands before a block.
            let rest = rest.trim_end().strip_suffix(" to:").map_or(rest, |what| &rest[..what.len() + " to".len()]);
            let (what, to) = split_word(rest, &["to", "="]).ok_or_else(wrong)?;
            let to = to.trim();
            let to = if to.is_empty() { reader.words_of(None)? } else { ended(to).to_owned() };
            full(&[what]).map(|[what]| Act::Set { what, to }).ok_or_else(wrong)
        }
        "define" => {
            let (name, spec) = colon(rest).or_else(|| split_word(rest, &["as"])).ok_or_else(wrong)?;
            let (attr, kind) = split_last(name, &["of", "for"]).ok_or_else(wrong)?;
            let kind = after(kind, &["every", "each", "all", "a", "an", "the"]);
            let spec = ended(spec);
            full(&[attr, kind, spec]).map(|[attr, kind, spec]| Act::Define { attr, kind, spec }).ok_or_else(wrong)
        }
        "undefine" => full(&[ended(rest)]).map(|[attr]| Act::Undefine { attr }).ok_or_else(wrong),
        "raise" | "increase" | "lower" | "decrease" | "reduce" => {
            let (what, by) = split_last(rest, &["by"]).ok_or_else(wrong)?;
            let up = matches!(&*verb, "raise" | "increase");
            full(&[what, ended(by)]).map(|[what, by]| Act::Move { up, what, by }).ok_or_else(wrong)
        }
        "add" | "remove" if article(rest, verb == "add").is_some() => {
            let (by, what) = article(rest, verb == "add").ok_or_else(wrong)?;
            full(&[what, by]).map(|[what, by]| Act::Move { up: verb == "add", what, by }).ok_or_else(wrong)
        }
        "award" | "grant" | "add" => {
            let (what, who) = split_last(rest, &["to"]).ok_or_else(wrong)?;
            full(&[what, ended(who)]).map(|[what, who]| Act::Award { what, who }).ok_or_else(wrong)
        }
        "remove" | "deduct" | "subtract" if split_last(rest, &["from"]).is_some() => {
            let (what, who) = split_last(rest, &["from"]).ok_or_else(wrong)?;
            full(&[what, ended(who)]).map(|[what, who]| Act::Hand { give: false, what, who }).ok_or_else(wrong)
        }
        "give" | "take" => {
            let give = verb == "give";
            let (what, who) = split_last(rest, &[if give { "to" } else { "from" }]).ok_or_else(wrong)?;
            full(&[what, ended(who)]).map(|[what, who]| Act::Hand { give, what, who }).ok_or_else(wrong)
        }
        "transfer" | "move" => {
            let (what, ends) = split_last(rest, &["from"]).ok_or_else(wrong)?;
            let (from, to) = split_last(ends, &["to"]).ok_or_else(wrong)?;
            full(&[what, from, ended(to)]).map(|[what, from, to]| Act::Transfer { what, from, to }).ok_or_else(wrong)
        }
        "create" => {
            let rest = after(rest, &["a", "an", "new", "the"]);
            full(&[ended(rest)]).map(|[what]| Act::Create { what }).ok_or_else(wrong)
        }
        "destroy" | "remove" => full(&[ended(rest)]).map(|[what]| Act::Destroy { what }).ok_or_else(wrong),
        "appoint" => {
            let rest = ended(rest);
            if let Some((who, office)) = split_word(rest, &["as", "to", "the"]) {
                let office = after(office, &["the", "be"]);
                return full(&[who, office])
                    .map(|[who, office]| Act::Appoint { who, office: Some(office) })
                    .ok_or_else(wrong);
            }
            if let Some((who, office)) = quoted(rest) {
                return full(&[who, office])
                    .map(|[who, office]| Act::Appoint { who, office: Some(office) })
                    .ok_or_else(wrong);
            }
            if rest.split_whitespace().nth(1).is_none() {
                return Err(wrong());
            }
            Ok(Act::Appoint { who: rest.to_owned(), office: None })
        }
        "require" | "assert" | "check" => {
            let that = after(rest, &["that"]);
            full(&[ended(that)]).map(|[that]| Act::Require { that }).ok_or_else(wrong)
        }
        "if" | "when" => {
            let (that, then) = match colon(rest) {
                Some(parts) => parts,
                None => split_word(rest, &["then"]).ok_or_else(wrong)?,
            };
            if that.is_empty() {
                return Err(wrong());
            }
            let (that, at) = (that.to_owned(), head.start + seen.len() - then.len());
            let (then, _) = reader.inner(head_raw(head, seen, then), at, line)?;
            Ok(Act::If { that, then })
        }
        _ => Err(unknown(&verb)),
    }
}

/// An article and the list that it is added to or removed from: `"gold" to badges of Ann`. Amounts go to somebody.
fn article(rest: &str, add: bool) -> Option<(&str, &str)> {
    let (article, list) = split_last(rest, &[if add { "to" } else { "from" }])?;
    let is_one = quoted(article).is_some_and(|(_, tail)| tail.is_empty())
        || (article.split_whitespace().count() == 1 && !article.contains(|char: char| char.is_ascii_digit()));
    (is_one && split_word(list, &["of"]).is_some()).then_some((article, ended(list)))
}

fn head_raw<'a>(head: Head<'a>, seen: &str, part: &str) -> &'a str {
    &head.raw[seen.len() - part.len()..]
}

/// `rule 7: replace "old" with "new"`, `rule 7: delete "words"`, `rule 7: insert "words" after "words"`.
fn amend(reader: &mut Reader<'_>, rest: &str, raw: &dyn Fn(&str) -> String) -> Result<Act, Refusal> {
    let wrong = || malformed("amend");
    let verbs = ["replace", "replacing", "change", "delete", "deleting", "remove", "insert", "inserting", "add"];
    let (name, edit) = match colon(rest).filter(|(_, edit)| verbs.contains(&&*word(edit).0)) {
        Some((name, edit)) => (name, edit.trim_start()),
        None => {
            let (name, _) = split_word(rest, &verbs).ok_or_else(wrong)?;
            let skipped = rest.len() - rest.trim_start().len() + name.len();
            (name, rest[skipped..].trim_start())
        }
    };
    let name = name.trim().strip_suffix(" by").unwrap_or(name);
    let rule = rule_name(name).ok_or_else(wrong)?;
    let (verb, _) = word(edit);
    let edit = raw(edit);
    let edit = edit[edit.find(char::is_whitespace).unwrap_or(edit.len())..].trim();
    match verb.as_str() {
        "replace" | "replacing" | "change" => {
            let (old, new) = pair(edit, &["with", "by", "to"]).ok_or_else(wrong)?;
            let new = match new {
                Some(new) => new,
                None => reader.words_of(None)?,
            };
            if old.trim().is_empty() { Err(wrong()) } else { Ok(Act::Amend { rule, old, new }) }
        }
        "delete" | "deleting" | "remove" | "removing" => {
            let old = unquote(ended(edit)).to_owned();
            if old.trim().is_empty() { Err(wrong()) } else { Ok(Act::Amend { rule, old, new: String::new() }) }
        }
        "insert" | "inserting" | "add" => {
            let after = pair(edit, &["after"]);
            let before = pair(edit, &["before"]);
            let (words, place, new) = match (after, before) {
                (Some((words, Some(place))), _) => (words.clone(), place.clone(), format!("{place} {words}")),
                (_, Some((words, Some(place)))) => (words.clone(), place.clone(), format!("{words} {place}")),
                _ => {
                    return Err(Refusal::new("it is not clear where the words go")
                        .instead("=> amend rule 7: insert \"new words\" after \"old words\""));
                }
            };
            if words.trim().is_empty() || place.trim().is_empty() {
                return Err(wrong());
            }
            Ok(Act::Amend { rule, old: place, new })
        }
        _ => Err(wrong()),
    }
}

/// Two texts with a word between them. The second is missing where a block is to give it.
fn pair(edit: &str, between: &[&str]) -> Option<(String, Option<String>)> {
    let second = |text: &str| {
        let text = text.trim();
        let text = ended(text.strip_prefix(':').map_or(text, str::trim_start));
        (!text.is_empty()).then(|| unquote(text).to_owned())
    };
    // `with:` stands before a block.
    let open = edit.trim_end().strip_suffix(':');
    if let Some((old, rest)) = quoted(edit) {
        let (joint, new) = word(rest);
        if between.contains(&joint.trim_end_matches(':')) {
            return Some((old.to_owned(), second(new)));
        }
        // Marks inside of the marks: the one place where a mark, the word and a mark follow one another.
        let mut joints = cuts_quoted(edit, between);
        if joints.len() == 1 {
            let (old, new) = joints.remove(0);
            return Some((old, Some(new)));
        }
        return None;
    }
    let line = open.unwrap_or(edit);
    match &cuts(line, between)[..] {
        [(old, new)] => Some(((*old).to_owned(), if open.is_some() { None } else { second(new) })),
        _ => None,
    }
}

fn cuts_quoted(edit: &str, between: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for joint in between {
        let joint = format!("\" {joint} \"");
        for (at, _) in edit.match_indices(&joint) {
            let new = ended(&edit[at + joint.len()..]);
            if let Some(new) = new.strip_suffix('"') {
                found.push((edit[..at].trim_start_matches('"').to_owned(), new.to_owned()));
            }
        }
    }
    found
}

fn rule_and_text(rest: &str, raw: &dyn Fn(&str) -> String) -> (String, Option<String>) {
    match colon(rest) {
        Some((rule, text)) => (rule.to_owned(), Some(raw(text))),
        None => (rest.to_owned(), None),
    }
}

/// What a rule is called, without the word and the marks around it.
fn rule_name(words: &str) -> Option<String> {
    let words = ended(words);
    let words = match word(words) {
        (first, rest) if first == "the" && word(rest).0 == "rule" => rest,
        _ => words,
    };
    let name = match word(words) {
        (first, rest) if first == "rule" && !rest.is_empty() => rest,
        _ => words,
    };
    let name = unquote(name).trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// A line after some words that it may begin with.
fn after<'a>(line: &'a str, words: &[&str]) -> &'a str {
    let mut line = line.trim_start();
    loop {
        let (first, rest) = word(line);
        if !words.contains(&first.as_str()) || rest.is_empty() {
            return line;
        }
        line = rest;
    }
}

/// The number of a rule, also with what a game writes before it: `81`, `#81`, `4E81`.
fn number_of(words: &str) -> Option<u32> {
    let words = words.trim().trim_start_matches('#');
    let (head, number) = match words.rfind(|char: char| char.is_alphabetic()) {
        Some(at) => words.split_at(at + words[at..].chars().next().map_or(0, char::len_utf8)),
        None => ("", words),
    };
    let written = head.is_empty() || head.starts_with(|char: char| char.is_ascii_digit());
    number.parse().ok().filter(|_| written && head.chars().all(|char| char.is_ascii_alphanumeric()))
}

/// The parts of a directive, none of which may be missing.
fn full<const N: usize>(parts: &[&str; N]) -> Option<[String; N]> {
    let parts = parts.map(|part| part.trim().trim_end_matches(',').to_owned());
    parts.iter().all(|part| !part.is_empty()).then_some(parts)
}

fn malformed(verb: &str) -> Refusal {
    let form = VERBS.iter().find(|(known, _)| *known == verb).map(|(_, form)| *form);
    Refusal::new(format!("this is not how “{verb}” is written")).instead(form.unwrap_or(VERBS[0].1))
}

/// What is wrong with a directive whose first word is none of those that directives begin with.
pub const NO_VERB: &str = "is no word that a directive begins with";

fn unknown(verb: &str) -> Refusal {
    let near = VERBS.iter().map(|(known, form)| (strsim::damerau_levenshtein(verb, known), *form)).min();
    let shown: String = verb.chars().take(40).collect();
    let refusal = Refusal::new(format!("“{shown}” {NO_VERB}"));
    match near {
        Some((distance, form)) if distance <= 2 => refusal.instead(form),
        _ => refusal,
    }
}
