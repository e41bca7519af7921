//! The values of a command that takes no text: each word belongs to exactly one of them, or nothing happens.
//!
//! Values are told apart by their names, by markers before them and by their kinds. The words are fitted to them in every
//! way that there is; of those, the ways in the order of the usage line come first. Which of several is meant only a room
//! may know, so that all are handed on ([`bind`](super::super::bind())).

use std::{collections::BTreeMap, sync::Arc};

use super::{
    BECAUSE, Command, Found, GrammarError, Kind, Line, Param, Problem, ROOM_KEY, VALUE_MAX_WORDS, accept, folded,
    is_article, join, missing, sayable, without_stop,
    words::{Reader, Token},
};
use kernel::number::numbered;

/// Most ways that are handed on: a room is asked about each.
const WAYS_MAX_COUNT: usize = 16;

/// Most steps that are tried: enough for every line that somebody types by hand.
const TRIED_MAX_COUNT: usize = 4000;

/// Most words that are joined to the name of a display, as in `match alpha beta`.
const DISPLAY_MAX_WORDS: usize = 4;

/// The words of a command, and where a reason begins.
pub(super) struct Words {
    pub(super) tokens: Vec<Token>,
    /// Whether a reason follows, or what else takes the rest of the line.
    pub(super) rest: bool,
}

impl Line<'_, '_> {
    /// The words up to the end of the command or to its reason; the position is behind them, and behind “because”.
    pub(super) fn tokens(&mut self, command: &Command) -> Result<Words, Problem> {
        let known = |key: &str| key == ROOM_KEY || command.param(key).is_some();
        // What takes the rest of the line begins behind its marker, a reason behind “because”.
        let stop = command.rest().and_then(|rest| rest.marker.as_deref());
        let stop = stop.or(command.takes_reason().then_some(BECAUSE));
        let mut tokens: Vec<Token> = Vec::new();
        while let Some(token) = self.reader.token(known).map_err(|_| Problem::OpenQuote)? {
            if !token.quoted && token.key.is_none() && stop.is_some_and(|stop| folded(&token.text) == stop) {
                return Ok(Words { tokens, rest: true });
            }
            tokens.push(token);
        }
        // A full stop ends a sentence, and is no part of its last word.
        if let Some(last) = tokens.last_mut().filter(|last| !last.quoted) {
            last.text = without_stop(&last.text).to_owned();
            tokens.retain(|token| token.quoted || token.key.is_some() || !token.text.is_empty());
        }
        Ok(Words { tokens, rest: false })
    }

    /// Reads the values of a command whose words end with it.
    pub(super) fn values(&mut self, command: &Arc<Command>, found: &mut Found) -> Result<(), GrammarError> {
        let fail = |problem| GrammarError::of(command, problem);
        let Words { mut tokens, rest: follows } = self.tokens(command).map_err(|problem| {
            self.lost = true;
            fail(problem)
        })?;
        let mut at = 0;
        while at < tokens.len() {
            let token = &tokens[at];
            let names = !token.quoted && token.key.is_none() && token.text.len() > 1 && token.text.starts_with('@');
            let room = match &token.key {
                Some(key) if key == ROOM_KEY => token.text.clone(),
                None if names => token.text[1..].to_owned(),
                _ => {
                    at += 1;
                    continue;
                }
            };
            if room.is_empty() || found.room.replace(room).is_some() {
                return Err(fail(Problem::Twice { param: ROOM_KEY.to_owned() }));
            }
            tokens.remove(at);
        }
        let rest = command.rest().filter(|rest| rest.marker.is_some());
        if follows {
            let reason = self.reason();
            if reason.is_empty() {
                return Err(match rest {
                    Some(rest) => missing(command, rest),
                    None => fail(Problem::NoReason),
                });
            }
            match rest {
                Some(rest) => {
                    // “because of the flood” gives the flood as the reason.
                    let reason = reason.strip_prefix("of ").unwrap_or(&reason);
                    found.args.insert(rest.name.clone(), accept(command, rest, reason)?);
                }
                None => found.reason = Some(reason),
            }
        }
        let ways = Ways::of(command, &tokens, found.args.clone());
        let mut ways = ways.found().map_err(|problem| match problem {
            Wrong::Missing(param) => missing(command, param),
            Wrong::Said(error) => error,
            Wrong::Problem(problem) => fail(problem),
        })?;
        let first = ways.remove(0);
        (found.in_order, found.args) = first;
        found.others = ways;
        Ok(())
    }

    /// What stands up to the end of the line.
    pub(super) fn reason(&mut self) -> String {
        self.reader.skip_space(false);
        let start = self.reader.at();
        self.reader.skip_line();
        self.reader.since(start).trim().to_owned()
    }

    /// The longest value of a kind that comes next; one word where none does.
    pub(super) fn longest(&mut self, command: &Arc<Command>, param: &Param) -> Result<String, GrammarError> {
        let open = |_| GrammarError::of(command, Problem::OpenQuote);
        let (mut ahead, mut tokens, mut best) = (self.reader, Vec::new(), None::<(Vec<Token>, Reader<'_>)>);
        let most = match param.kind {
            kind if kind.spans_words() => VALUE_MAX_WORDS,
            _ => 2,
        };
        while tokens.len() < most
            && let Some(token) = ahead.token(|_| false).map_err(open)?
        {
            let quoted = token.quoted;
            tokens.push(token);
            if tokens.len() == 2 && !param.kind.spans_words() && !is_noun(param, &tokens[0].text) {
                break;
            }
            if fits(command, param, &tokens).is_some_and(|fit| fit.is_ok()) {
                best = Some((tokens.clone(), ahead));
            }
            if quoted {
                break;
            }
        }
        match best {
            Some((tokens, after)) => {
                self.reader = after;
                fits(command, param, &tokens).unwrap_or_else(|| Err(missing(command, param)))
            }
            None => {
                let word = self.reader.word().map_err(open)?;
                let word = word.map(|word| word.text).unwrap_or_default();
                accept(command, param, &word)
            }
        }
    }
}

/// What is wrong with the words of a command.
enum Wrong<'p> {
    Missing(&'p Param),
    Said(GrammarError),
    Problem(Problem),
}

/// Which values were given by place, and whether that follows the usage line.
struct Order {
    placed: Vec<usize>,
    follows: bool,
}

/// Values that the words are, and whether they keep the order of the usage line.
type Way = (bool, BTreeMap<String, String>);

/// The ways in which words fit the values of a command.
struct Ways<'p> {
    command: &'p Arc<Command>,
    tokens: &'p [Token],
    found: Vec<Way>,
    /// How far the words fitted, and what was wrong there.
    furthest: Option<(usize, Wrong<'p>)>,
    tried: usize,
}

impl<'p> Ways<'p> {
    fn of(command: &'p Arc<Command>, tokens: &'p [Token], given: BTreeMap<String, String>) -> Self {
        let mut ways = Self { command, tokens, found: Vec::new(), furthest: None, tried: 0 };
        ways.go(0, given, &Order { placed: Vec::new(), follows: true });
        // Those in the order of the usage line come first.
        ways.found.sort_by_key(|(in_order, _)| !in_order);
        ways
    }

    fn found(self) -> Result<Vec<Way>, Wrong<'p>> {
        match self.furthest {
            Some((_, wrong)) if self.found.is_empty() => Err(wrong),
            _ if self.found.is_empty() => Err(Wrong::Problem(Problem::Extra { word: None, at: 1 })),
            _ => Ok(self.found),
        }
    }

    fn fails(&mut self, at: usize, wrong: Wrong<'p>) {
        // What is said of a word helps more than what is missing behind it.
        let better = |(far, held): &(usize, Wrong<'_>)| {
            *far < at || (*far == at && matches!((held, &wrong), (Wrong::Missing(_), Wrong::Said(_))))
        };
        if self.furthest.as_ref().is_none_or(better) {
            self.furthest = Some((at, wrong));
        }
    }

    /// What is said of a word that no value takes.
    fn left_over(&self, at: usize) -> Problem {
        let shown = Some(&self.tokens[at]).filter(|_| !self.command.is_secret());
        Problem::Extra { word: shown.and_then(|token| sayable(token.text.clone())), at: at + 1 }
    }

    /// Goes on behind so many words.
    fn go(&mut self, at: usize, args: BTreeMap<String, String>, order: &Order) {
        self.tried += 1;
        if self.tried > TRIED_MAX_COUNT || self.found.len() >= WAYS_MAX_COUNT {
            return;
        }
        let command = self.command;
        let Some(token) = self.tokens.get(at) else {
            let later = |param: &&Param| param.comes_later();
            let lacks = |param: &&Param| command.demands(param, &args) && !args.contains_key(&param.name);
            match command.params.iter().filter(|param| !later(param)).find(lacks) {
                Some(param) => self.fails(at, Wrong::Missing(param)),
                None if self.found.iter().all(|(_, held)| *held != args) => self.found.push((order.follows, args)),
                None => {}
            }
            return;
        };
        if let Some(key) = &token.key {
            let Some(param) = command.param(key) else { return };
            match args.contains_key(key) {
                true => self.fails(at, Wrong::Problem(Problem::Twice { param: key.clone() })),
                false if token.text.is_empty() && !token.quoted => self.fails(at, Wrong::Missing(param)),
                false => self.take(param, at, 0, &args, order),
            }
            return;
        }
        let open: Vec<&Param> = command.params.iter().filter(|param| !args.contains_key(&param.name)).collect();
        let marked = open.iter().copied().find_map(|param| Some((param, self.marker(param, at)?)));
        if let Some((param, words)) = marked {
            self.take(param, at, words, &args, order);
            return;
        }
        let mut any = false;
        for (index, param) in command.params.iter().enumerate() {
            if args.contains_key(&param.name) || param.rest || param.named {
                continue;
            }
            let alike = |other: &&Param| class(other) == class(param) && !other.rest;
            let waits = command.params[..index]
                .iter()
                .filter(alike)
                .any(|earlier| !args.contains_key(&earlier.name) && !earlier.skippable);
            // `vote 1` names the proposal, and the vote is missing.
            let taken = |earlier: &&Param| {
                earlier.skippable
                    && !args.contains_key(&earlier.name)
                    && !token.quoted
                    && numbered(&token.text).is_some()
                    && param.required
            };
            let waits = waits || command.params[..index].iter().filter(alike).any(|earlier| taken(&earlier));
            let late =
                order.placed.iter().any(|later| *later > index && class(&command.params[*later]) == class(param));
            if waits || late {
                continue;
            }
            any = true;
            let from = order.placed.iter().max().map_or(0, |last| last + 1);
            let skips = from > index
                || command.params[from..index].iter().any(|it| !it.skippable && !args.contains_key(&it.name))
                || (!param.required && param.marker.is_some() && !param.skippable);
            let placed = order.placed.iter().copied().chain([index]).collect();
            self.take(param, at, 0, &args, &Order { placed, follows: order.follows && !skips });
        }
        if !any {
            self.fails(at, Wrong::Problem(self.left_over(at)));
        }
    }

    /// How many words the marker of a parameter is that stands here, with something behind it.
    fn marker(&self, param: &Param, at: usize) -> Option<usize> {
        let marker: Vec<&str> = param.marker.as_deref()?.split(' ').collect();
        let is =
            |(token, wanted): (&Token, &&str)| !token.quoted && token.key.is_none() && folded(&token.text) == **wanted;
        let behind = self.tokens.get(at..)?;
        let stands = behind.len() > marker.len() && behind.iter().zip(&marker).all(is);
        stands.then_some(marker.len())
    }

    /// Gives a parameter the words behind so many, as many as it can take, in every way.
    fn take(&mut self, param: &'p Param, at: usize, marker: usize, args: &BTreeMap<String, String>, order: &Order) {
        let from = at + marker;
        let most = most_words(param).min(self.tokens.len() - from);
        let mut any = false;
        // Of a time or an amount in several words the longest is meant.
        let longest = (1..=most).rev().find(|count| {
            param.kind.spans_words()
                && self.tokens[from + 1..from + count].iter().all(|token| token.key.is_none())
                && fits(self.command, param, &self.tokens[from..from + count]).is_some_and(|fit| fit.is_ok())
        });
        for count in longest.unwrap_or(1)..=longest.unwrap_or(most) {
            let run = &self.tokens[from..from + count];
            let marked =
                |other: &Param| !args.contains_key(&other.name) && self.marker(other, from + count - 1).is_some();
            if count > 1 && (run[count - 1].key.is_some() || self.command.params.iter().any(marked)) {
                break;
            }
            match fits(self.command, param, run) {
                Some(Ok(value)) => {
                    any = true;
                    let mut args = args.clone();
                    args.insert(param.name.clone(), value);
                    self.go(from + count, args, order);
                }
                Some(Err(error)) if count == 1 => self.fails(from + usize::from(param.required), Wrong::Said(error)),
                _ => {}
            }
        }
        if !any && most == 0 {
            self.fails(from, Wrong::Missing(param));
        }
    }
}

/// How many words a value can consist of without quotation marks.
fn most_words(param: &Param) -> usize {
    match param.kind {
        _ if param.list || param.several => usize::MAX,
        Kind::Phrase => usize::MAX,
        Kind::Display => DISPLAY_MAX_WORDS,
        Kind::Player | Kind::Amount | Kind::Proposal | Kind::Quantity => VALUE_MAX_WORDS,
        // What it is the number of may be said before it.
        Kind::Id | Kind::Rule => 2,
        Kind::Choice => param.choices.iter().map(|choice| choice.split(' ').count()).max().unwrap_or(1),
        kind if kind.spans_words() => VALUE_MAX_WORDS,
        _ => 1,
    }
}

/// Whether a word is digits behind a letter, as an amount of a currency is written.
fn is_measured(word: &str) -> bool {
    let mut signs = word.chars();
    let digits = |signs: &str| !signs.is_empty() && signs.bytes().all(|byte| byte.is_ascii_digit());
    signs.next().is_some_and(|sign| sign.is_ascii_alphabetic()) && digits(signs.as_str())
}

/// Kinds whose words could be taken for one another: values of one class keep the order of the usage line.
#[derive(PartialEq, Eq)]
enum Class<'p> {
    Number,
    Time,
    Pair,
    OneOf(&'p [String]),
    Yes,
    Words,
}

fn class(param: &Param) -> Class<'_> {
    match param.kind {
        Kind::Quantity | Kind::Rational | Kind::Id | Kind::Entry | Kind::Proposal | Kind::Amount => Class::Number,
        Kind::Instant | Kind::Moment | Kind::Duration => Class::Time,
        Kind::Pair => Class::Pair,
        Kind::Choice => Class::OneOf(&param.choices),
        Kind::Bool => Class::Yes,
        _ => Class::Words,
    }
}

/// The value that some words are of a parameter, or why they are none; nothing where so many words never are one.
fn fits(command: &Arc<Command>, param: &Param, run: &[Token]) -> Option<Result<String, GrammarError>> {
    let bare = |token: &Token| token.text.clone();
    let one = || run.iter().map(bare).collect::<Vec<_>>().join(" ");
    if param.list {
        // A list that is named is one quotation.
        if run[0].key.is_some() && run[0].quoted {
            return (run.len() == 1).then(|| accept(command, param, &run[0].text));
        }
        let words: Vec<String> = run
            .iter()
            .map(|token| if token.quoted { bare(token) } else { token.text.trim_end_matches(',').to_owned() })
            .collect();
        return Some(accept(command, param, &join(&words)));
    }
    if param.several && param.kind == Kind::Proposal {
        return listed(param, run).map(|list| accept(command, param, &list));
    }
    if run.len() == 1 && run[0].quoted {
        return Some(accept(command, param, &run[0].text));
    }
    if run.iter().any(|token| token.quoted) {
        // The noun of a title: `proposal "More tea"`.
        let titled = param.kind == Kind::Proposal && run.len() == 2 && is_noun(param, &run[0].text);
        return titled.then(|| accept(command, param, &run[1].text));
    }
    let number = |text: &str| numbered(text).is_some();
    match param.kind {
        Kind::Display => Some(accept(command, param, &run.iter().map(bare).collect::<Vec<_>>().join("/"))),
        Kind::Id | Kind::Rule | Kind::Proposal if run.len() == 2 && is_noun(param, &run[0].text) => {
            (param.kind == Kind::Rule || number(&run[1].text)).then(|| accept(command, param, &run[1].text))
        }
        Kind::Id | Kind::Rule if run.len() > 1 => None,
        // Nobody has a name without a letter; what stands behind “player:” is meant as one, whatever it is.
        Kind::Player if run[0].key.is_none() && !one().contains(char::is_alphabetic) => None,
        // A number may go by a name (4E30), which only a room knows.
        Kind::Quantity | Kind::Rational if run.len() > 1 && is_article(&run[0].text) => {
            Some(Ok(one())).filter(|_| !command.is_secret())
        }
        // An amount may have its unit before it, which only a room knows, too: m75 (seed 002, 4E34).
        Kind::Quantity if run.len() == 1 && is_measured(&run[0].text) && !command.is_secret() => Some(Ok(one())),
        Kind::Quantity if run.len() > 1 => None,
        Kind::Rational if run.len() == 1 || accept(command, param, &one()).is_ok() => {
            Some(accept(command, param, &one()))
        }
        Kind::Rational => unit(param, run).map(|run| accept(command, param, &run)),
        _ => Some(accept(command, param, &one())),
    }
}

/// An amount without the words behind it that say what is counted: `5 money units`.
fn unit(param: &Param, run: &[Token]) -> Option<String> {
    let unit: Vec<&str> = param.unit.as_deref()?.split(' ').collect();
    let singular = |word: &str| folded(word).trim_end_matches('s').to_owned();
    // Its last word alone will do: `5 units`.
    [&unit[..], &unit[unit.len() - 1..]].into_iter().find_map(|unit| {
        let numbers = run.len().checked_sub(unit.len()).filter(|count| *count > 0)?;
        let is = run[numbers..].iter().zip(unit).all(|(token, wanted)| singular(&token.text) == singular(wanted));
        is.then(|| run[..numbers].iter().map(|token| token.text.clone()).collect::<Vec<_>>().join(" "))
    })
}

/// Whether a word only says what is numbered: `proposal 41`, `tweak 3`, `rule 15`.
fn is_noun(param: &Param, word: &str) -> bool {
    let word = folded(word);
    let noun = match param.kind {
        Kind::Proposal => "proposal",
        Kind::Rule => "rule",
        _ => "",
    };
    word == param.name || word == noun || (param.several && word.strip_suffix('s') == Some(noun))
}

/// `1, 2`, `1-3`, `proposals 1, 2`, `"More tea"`: the proposals of a list, with commas between them.
fn listed(param: &Param, run: &[Token]) -> Option<String> {
    let run = match run {
        [noun, behind @ ..] if !noun.quoted && is_noun(param, &noun.text) && !behind.is_empty() => behind,
        _ => run,
    };
    if let [only] = run {
        return Some(only.text.trim_end_matches(',').to_owned());
    }
    let is_of_list = |token: &Token| {
        !token.quoted && token.text.chars().all(|char| char.is_ascii_digit() || ",#()-\u{2013}".contains(char))
    };
    match run.iter().all(is_of_list) {
        // Without commas nobody knows whether a list is meant.
        true => run[..run.len() - 1]
            .iter()
            .all(|token| token.text.ends_with(','))
            .then(|| run.iter().map(|token| token.text.trim_matches(',')).collect::<Vec<_>>().join(", ")),
        false => run
            .iter()
            .all(|token| !token.quoted)
            .then(|| run.iter().map(|token| token.text.clone()).collect::<Vec<_>>().join(" ")),
    }
}
