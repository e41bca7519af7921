//! The functions that every law has: their names, how they are written, and what they do.
//!
//! No script defines a function of one of these names, errors name the nearest, and the reference of the guide is made
//! of this list.

use std::{collections::BTreeSet, sync::LazyLock};

use kernel::display::counted;

/// A function of laws, in the words of the guide.
pub(crate) struct Word {
    /// Its name, and that of others that are told in the same line.
    pub(crate) names: &'static [&'static str],
    /// How it is written.
    pub(crate) form: &'static str,
    /// What it is for.
    #[cfg_attr(not(test), expect(dead_code, reason = "a test makes the guide's reference of it"))]
    pub(crate) what: &'static str,
}

const fn word(names: &'static [&'static str], form: &'static str, what: &'static str) -> Word {
    Word { names, form, what }
}

/// What stands at the top of a law.
pub(crate) const DECLARES: &[Word] = &[
    word(&["kind"], "kind(\"sock\")", "a kind of objects; with `#{law: true}` documents that have a law of their own"),
    word(
        &["are"],
        "are(\"corporation\", \"owner\")",
        "objects of a kind are also this. In a nomic of your own `are(\"player\", \"robot\")` says what players are called",
    ),
    word(
        &["define"],
        "define(\"hp of player: whole number from 0, 10 at first\")",
        "an attribute, in the words of the directive. `#{gone: \"destroy\"}` or `\"keep\"` says what happens when the \
         object that it names is gone, and `#{nothing: \"nobody\"}` what nothing is called",
    ),
    word(
        &["figure"],
        "figure(\"vote-hours: count from 1 to 500\", \"number of hours of a vote\", \"nothing is voted on\")",
        "a figure of the rules: its kind with its bounds, what it is, and what stops when no rule gives it. Kinds are `count`, \
         `whole number`, `number`, `percent`, `divisor`, `whole of a part`, `rule number`, `moment`, `time of day`, `list`. \
         Kinds in words are `weekdays`, `name`, `one of the most, the least`. Rules mark those as `[the most](#@key)`",
    ),
    word(
        &["there_is"],
        "there_is(\"company\", \"The Company\", #{..})",
        "an object that is there while the rule is in force: where it is destroyed, there is a new one",
    ),
    word(&["action"], "action(name, #{..}, [params], |a| ..)", "a command; the options may be left out"),
    word(&["deed"], "deed(name, [params], |a| ..)", "an act that only laws perform"),
    word(&["condition"], "condition(name, |x| ..)", "a question that other laws may ask, by `holds(name, x)`"),
    word(&["change"], "change(act, |a| ..)", "may alter an act before it is judged"),
    word(&["forbid"], "forbid(act, |a| .., \"why\")", "a bar on an act of any rule"),
    word(
        &["after"],
        "after(act, |a| ..)",
        "what follows an act or an event: `vote`, `pass`, `join`, `new sock`, `change of hp of player`. Things are \
         followed in the order in which they happened; `#{rank: 9}` stands for the number of the rule, here, in `at` and \
         in `whenever`",
    ),
    word(
        &["at"],
        "at(\"end of day\", || ..)",
        "what happens at a time; with `[2, 5]` in between only at these numbers",
    ),
    word(
        &["whenever"],
        "whenever(|| ..), whenever(\"proposal\", #{state: \"Open\"}, |p| ..)",
        "what must always hold; of each object of a kind with these values, each by itself",
    ),
    word(&["display"], "display(name, title, |me| ..)", "a page"),
    word(&["speaks_for"], "speaks_for(kind, |who, it| ..)", "who may act for an object: `as Acme: sock buy Blue`"),
    word(
        &["office"],
        "office(\"Judge\", #{also: [\"Justice\"]}), office(\"Admin\", #{several: true})",
        "an office of players, and other words for it: `who: \"Judge\"` of an action is for its holders. They stand in \
         `game().judge`, so `change of judge of game` is followed. `=> appoint Ann Judge` does the deed `appoint Judge` with \
         `who` and `how`, where a law has that",
    ),
    word(
        &["docket"],
        "docket(\"proposal\", #{..})",
        "numbered documents: how one is made, revised and withdrawn. Options of the text are `text` (`\"changes\"` are \
         directives), `title`, `named`, `amiss: |d| why` and `mark: |d| word`. Its states are `states`, `open`, \
         `revise` and `withdraw`. Its command has `make`, `who`, `limit`, `first`, `help`, `examples` and `asks`: more \
         that its maker says, each an attribute. `head: || words` stands above the list. `foresees: |d| [[x, \"hp\", 5]]` \
         is added before a dry run. Each document has `number`, `name`, `text`, `by`, `made`, `state` and `revisions`",
    ),
    word(
        &["ballot"],
        "ballot(\"proposal\", #{..})",
        "votes on such documents: one command for all ballots of a `name`. Options are `on` (states), `words`, \
         `number`, `marks`, `voters`, `weight`, `latest`, `lasts`, `early`, `remind`, `needed`, `secret`. \
         `also: #{FOR: [\"✅\"]}` is what else is typed for a word. `before: |d| moment` is when players are told to vote at the \
         latest, and `implied: |d| [[d.by, \"FOR\"]]` how those count who cast no vote. A word `#{defers: \"Chair\"}` counts as the \
         vote of that office, and `#{does: \"veto\"}` is no vote but that act on the document. Where their time is over, `votes end` is followed, and what they mean is for that to say. Secret votes are sealed until then",
    ),
    word(
        &["page", "offers"],
        "page(\"proposal\", |p| words), offers(\"proposal\", |p| [[label, line(..)]])",
        "what any rule adds to each document of a kind: a sentence below it, and buttons",
    ),
    word(&["part"], "part(name, #{..}, |a| ..)", "in the law of a document: what the rule's law finds and runs"),
];

/// What a function looks at.
pub(crate) const LOOKS: &[Word] = &[
    word(&[], "x.hp, x[\"hp\"], x.name, x.kind, x.exists", "values of an object"),
    word(
        &["all", "find", "count", "players"],
        "all(kind), find(kind), find(kind, #{a: v}), count(kind), players()",
        "objects, the oldest first; `find` gives one or `()`",
    ),
    word(&["tally"], "tally(list, [\"holder\"])", "how many of each: rows with these values and `count`"),
    word(
        &["the", "holder", "holders", "game"],
        "the(\"The Company\"), holder(\"Judge\"), holders(\"Admin\"), game()",
        "by name; who holds an office, one of them or `()`, and all; the room",
    ),
    word(&["then"], "then(x, \"hp\")", "in what follows something: what it had when that happened"),
    word(
        &["has"],
        "has(x, \"hp\")",
        "whether a rule gives it that: what reads it need not rest where that rule is gone",
    ),
    word(&["columns"], "columns(\"robot\")", "the attributes of a kind, by name"),
    word(&["is_a", "holds"], "is_a(x, \"owner\"), holds(\"twins\", x, y)", "of what kind; a condition"),
    word(
        &["number", "numbers", "word", "has_figure"],
        "number(key), numbers(key), word(key), has_figure(key)",
        "figures of the rules, as numbers or in words, and whether a rule gives one. A time of day is in seconds after \
         midnight, and days are `Monday and Friday`",
    ),
    word(
        &["entries"],
        "entries(\"part-\")",
        "the figures of this rule whose keys begin so, each in a line of a list. Rows have `key`, and as `name` the words \
         with which the line begins. `figure(\"part-*: count\", \"price of {name}\", ..)` declares all of them",
    ),
    word(
        &["terms", "term"],
        "terms(rule), term(\"macks\")",
        "game terms, which rules mark in their text. `terms` lists what a rule `defines`, `uses` and `excludes`, and what is \
         `unclear` in it because it has two meanings. `term` gives the term that words are, in its first form, or `()`",
    ),
    word(
        &["links"],
        "links(rule, other), links(rule)",
        "terms used in one of two rules and defined in the other. Of one rule alone, all rules that it is joined to, each \
         with its `rule` and its `terms`, the rarest first",
    ),
    word(
        &["quote"],
        "quote(rule, \"macks\")",
        "the sentence of a rule that defines a term, else one that uses it or has these words, else nothing",
    ),
    word(
        &["clock", "now", "due", "passed", "day", "weekday", "midnight"],
        "clock(), now(), due(\"4 days\"), due(\"4 days\", moment), passed(from, to), day(moment), day(moment, zone), \
         weekday(moment), midnight(moment)",
        "the game's time, in B Nomic with `voting` while votes are cast; this moment, a later one, one after another. How \
         long it is from one moment to another, in words. The day in which a moment is, as `2026-11-02`, in the room's zone \
         or in another; its name; the next midnight",
    ),
    word(
        &["votes", "vote_of"],
        "votes(d), votes(d, name), vote_of(d, who)",
        "what votes come to, and the row of one voter or `()`. Weights are `yes`, `no`, `rest`, `share`, `words` and \
         `sum`. Lists are `ayes`, `noes`, `voters`, `missing`, `most`, and `cast`. Its rows have `by`, `vote`, `mark`, \
         `weight`, `at` and `revision`; that of `vote_of` has no weight",
    ),
    word(
        &["foresee"],
        "foresee(d), foresee(text)",
        "what directives would bring, done on a copy. `why` is empty where they can be done, `directives` is how many there are, \
         and `prose` whether the text says anything beside. `rules`, `figures`, `begins` and `ends` are what changes. `ways` is by what rules could still be \
         changed. `rulebook` has the rules then, with what laws give to each. A row of `rules` has `rule`, `number`, \
         `title`, `what`, `words` and `sets`",
    ),
    word(
        &["rule"],
        "rule(203), rule(\"Votes\"), rule()",
        "a rule by its number or its title, or that of this law, with `number`, `title`, `text` and `revision`. In a nomic of your own \
         `define(\"immutable of rule: yes/no\")` gives it more. The line `immutable: yes` at the head of its file sets that",
    ),
    word(
        &["numerals"],
        "numerals(rule)",
        "the numbers that people read in a rule, in order and without those of its law: rows with `value` and `shown`",
    ),
    word(&["why_not"], "why_not(|| ..)", "why a group would be refused, or `()`: all of it is taken back"),
    word(&["times"], "times(act, #{by: x}, \"day\")", "how often it was done in this period"),
    word(&["opened"], "opened(act)", "the sealed acts of this rule, opened, in order"),
    word(
        &["parts", "answers"],
        "parts(doc), answers(list, given)",
        "the parts of a document; choices that are checked",
    ),
    word(
        &["route"],
        "route(from, to, [[a, b]])",
        "the places on the shortest way from one to another, both included, where lines join two places each; without a \
         way none",
    ),
    word(
        &["floor", "ceil", "min", "max", "read_number"],
        "floor(n), ceil(n), min(a, b), max(a, b), read_number(text)",
        "numbers, which are exact; that which a text is, or `()`",
    ),
];

/// What a function asks for.
pub(crate) const ASKS: &[Word] = &[
    word(&[], "x.a = v, +=, -=", "sets a value; what is out of range is refused, and `()` is the first value again"),
    word(&["blank"], "blank(x, \"hp\")", "makes a value zero or blank where it can be, and else what it is at first"),
    word(
        &["gain", "lose"],
        "gain(x, \"hp\", n), lose(x, \"hp\", n)",
        "as far as the range goes; they give how much it was",
    ),
    word(&["create", "destroy"], "create(kind, #{..}), destroy(x)", "objects; a list of them ends at once"),
    word(
        &["admit", "suspend", "dismiss"],
        "admit(person), suspend(player), dismiss(player), dismiss(player, #{keeps: true})",
        "who plays, in BlogNomic and a nomic of your own: makes a player of somebody who has a seat, lets em rest, and ends it. What e has \
         as a player goes, or is kept for a return. Who rests is no player to any rule, but is one of \
         `\"player, suspended or not\"`, and of `\"suspended\"`; `admit` ends it. Everybody who has a seat is a `\"person\"`",
    ),
    word(
        &["appoint", "vacate"],
        "appoint(\"Judge\", x), vacate(\"Judge\"), vacate(\"Admin\", x)",
        "who has an office, and who has it no more",
    ),
    word(&["perform"], "perform(act, #{..})", "an act of a law, with bars and followers; or an event"),
    word(&["unask"], "unask(act, #{..})", "ends what this law asked for: all with these choices"),
    word(&["cause"], "cause(x, command)", "somebody or something takes a command that was given, by the rules for it"),
    word(
        &["apply"],
        "apply(\"=> set {key} to {to}\", #{..})",
        "directives; the places are filled after the text is read. `because` says why, in the place of the rule's title",
    ),
    word(
        &["rewrite"],
        "rewrite(numeral, n, why)",
        "writes a number where one of the `numerals` of a rule stands. It gives how that is `shown`, and what it changes \
         as a `page`",
    ),
    word(&["run"], "run(doc, part, #{..})", "a part of a document"),
    word(
        &["attempt"],
        "attempt(|| ..), attempt(|| .., |why| ..)",
        "a group by itself, and what is done where it was refused: it gives false then",
    ),
    word(
        &["in_turn"],
        "in_turn(list, deed), in_turn(list, deed, |x| ..)",
        "a deed for each of a list, where the test holds when its turn comes. All that follows comes before the next, and \
         each has the bounds of an act. It gives how many were done",
    ),
    word(
        &["schedule", "unschedule"],
        "schedule(\"1 day\", deed, #{..}, #{rank: 9}), unschedule(deed, #{..})",
        "something for later, after a length of time or at a moment, and its end. What shares an instant goes by the \
         number of the rule, or by this rank",
    ),
    word(
        &["ask"],
        "ask(who, act, #{..}, \"4 days\")",
        "a question; with a time, a duty: an office owes it until it is done, or nobody can do it any more",
    ),
    word(
        &["line"],
        "line(act, #{..}), line(\"show socks\")",
        "names an act, or a look at a display, in a text for a reader, who can press or type it there",
    ),
    word(
        &["lapse"],
        "lapse(d), lapse(d, who), lapse(d, name)",
        "takes votes off a document, as if they had not been cast",
    ),
    word(&["discard"], "discard(act)", "ends what was sealed"),
    word(
        &["say", "tell"],
        "say(text), say(page), say(text, #{about: d, offers: [[label, line]]}), tell(who, text)",
        "an announcement, signed by the rule; a page begins with words: `say(\"Socks:\" + table(..))`. About a document it \
         stands in its thread, and offers are buttons",
    ),
    word(
        &["refuse", "require"],
        "refuse(why), require(is, why), require(is, why, line)",
        "ends the act; what follows by itself ends in silence only by `require`. The line is what to type instead",
    ),
    word(&["answer"], "answer(text)", "what the doer of the act reads, where its body ends in no text"),
    word(
        &["nameable"],
        "nameable(name), nameable(name, x)",
        "ends the act where something, but for `x`, is called so already, or the game uses the name as a word",
    ),
    word(
        &["draw", "pick", "pick_by", "shuffle"],
        "draw(n), draw(n, name), pick(list), pick(list, name), pick_by(list, attr), shuffle(list)",
        "the room's dice, logged: from 1 to n; one of a list, also by weight. A name is that of the draw on record, which \
         is else that of the rule",
    ),
    word(&["table", "grid"], "table(objects, [attrs]), table(heads, rows), grid(rows)", "what a page is made of"),
    word(
        &["graph"],
        "graph(places, [[0, 1]], #{..})",
        "a map: places are `#{at: [x, y], name: .., what: .., there: [..], shows: ..}`, lines join two of them by their \
         numbers from 0; the options `middle`, `asked` and `other` may be left out",
    ),
];

pub(crate) fn words() -> impl Iterator<Item = &'static Word> {
    DECLARES.iter().chain(LOOKS).chain(ASKS)
}

static KNOWN: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| words().flat_map(|word| word.names.iter().copied()).collect());

/// The names of the functions that laws have beside the engine's own: no script defines another of them.
pub(crate) fn names() -> &'static BTreeSet<&'static str> {
    &KNOWN
}

/// How a function is written.
pub(crate) fn form(name: &str) -> Option<&'static str> {
    words().find(|word| word.names.contains(&name)).map(|word| word.form)
}

/// Types as the engine calls them, and as players do. What the program has of its own is called by its last word.
const TYPES: [(&str, &str); 15] = [
    ("i64", "a whole number"),
    ("bool", "yes or no"),
    ("()", "()"),
    ("&str | ImmutableString | String", "a text"),
    ("ImmutableString", "a text"),
    ("string", "a text"),
    ("char", "a letter"),
    ("array", "a list"),
    ("map", "a map"),
    ("Fn", "a function"),
    ("Obj", "an object"),
    ("object", "an object"),
    ("fraction", "a fraction"),
    ("moment", "a moment"),
    ("parameters", "what an act is done with"),
];

/// A type, as players call it.
pub(crate) fn called(held: &str) -> &str {
    let own = held.rsplit("::").next().unwrap_or(held);
    TYPES.iter().find(|(engine, _)| *engine == own).map_or(own, |(_, word)| word)
}

/// The known name that is most like another; nothing where none is more like it than this.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>, more_than: f64) -> Option<&'a str> {
    let like = |known: &str| likeness(known, name);
    let near = known.into_iter().max_by(|one, other| like(one).total_cmp(&like(other)));
    near.filter(|near| like(near) > more_than)
}

/// How alike two names are, from 0 to 1. Of short ones, letters in another order say little by themselves.
fn likeness(one: &str, other: &str) -> f64 {
    let like = strsim::jaro_winkler(one, other);
    let is_slip = one.len() > 2 && other.len() > 2 && strsim::osa_distance(one, other) == 1;
    if is_slip { like.max(SLIP_SHARE) } else { like }
}

/// How alike two names are that differ by one slip: a letter too many, too few, another one, or two in another order.
const SLIP_SHARE: f64 = 0.9;

/// What several documents of a kind are called: the display that lists them.
pub(crate) fn plural(kind: &str) -> String {
    let many = counted(2, kind);
    many.strip_prefix("2 ").unwrap_or(kind).to_owned()
}

/// A text that begins with a capital.
pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", chars.as_str())
}
