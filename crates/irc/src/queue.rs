//! What waits to be sent, in the order in which it goes: commands to the server, announcements, answers.
//!
//! A flood of questions may silence nobody. So announcements go before answers, and answers to different people take
//! turns, a whole answer at a time. Whoever asks for more than their share comes after everybody else. What stands in
//! a channel stays together: an answer that has begun there is finished before anything else begins there. When a line
//! goes is decided by [`super::limiter`], and who has asked for too much by [`super::person_limit`].

use std::collections::{HashMap, VecDeque};

/// Most commands to the server that wait: they are few, and each answers something bounded.
pub(super) const COMMANDS_MAX_COUNT: usize = 512;

/// Most people and most destinations for which text waits; beyond, nobody new is asked what they want.
pub(super) const LANES_MAX_COUNT: usize = 1024;

/// Lines of announcements after which an answer that waits gets a line: many announcements slow answers down, and never
/// silence them.
pub(super) const NEWS_IN_A_ROW_MAX_LINES: u32 = 4;

/// What a text is, and whose turn it takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Lane {
    /// An announcement, by where it goes.
    News(String),
    /// A word to somebody about their own flood, by person: it does not wait behind what they are waiting for.
    Word(String),
    /// An answer, by the person who asked.
    Answer(String),
}

/// What goes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next<C, T> {
    /// A command.
    Command(C),
    /// Text.
    Text(T),
}

/// Lines that belong together.
struct Unit<T> {
    /// The folded name of the channel that they go to; `None` in private, where nobody sees what goes between them.
    channel: Option<String>,
    lines: VecDeque<T>,
}

/// What waits of one kind, by lane.
struct Lanes<T> {
    lanes: HashMap<String, VecDeque<Unit<T>>>,
    /// The lanes in the order of their turns; each non-empty lane once.
    turns: VecDeque<String>,
}

/// Everything that waits. `C` is a command, `T` is text.
pub(super) struct Queue<C, T> {
    commands: VecDeque<C>,
    news: Lanes<T>,
    words: Lanes<T>,
    answers: Lanes<T>,
    /// Whose lines stand half in a channel, by the channel's folded name.
    begun: HashMap<String, Lane>,
    /// Lines of announcements since the last line of an answer.
    news_in_a_row: u32,
}

impl<T> Lanes<T> {
    fn new() -> Self {
        Self { lanes: HashMap::new(), turns: VecDeque::new() }
    }

    fn lane(&mut self, name: &str) -> &mut VecDeque<Unit<T>> {
        if !self.lanes.contains_key(name) {
            self.turns.push_back(name.to_owned());
        }
        self.lanes.entry(name.to_owned()).or_default()
    }

    /// The first lane whose turn it is among those that are meant, and the channel that its text goes to.
    fn first(&self, meant: impl Fn(&str) -> bool) -> Option<(&String, Option<&String>)> {
        let name = self.turns.iter().find(|name| meant(name))?;
        Some((name, self.lanes.get(name)?.front()?.channel.as_ref()))
    }

    /// Takes a line of a lane; whether its unit goes on, and in which channel. A lane keeps its turn until its unit ends.
    fn pop(&mut self, name: &str) -> Option<(T, Option<String>, bool)> {
        let lane = self.lanes.get_mut(name)?;
        let unit = lane.front_mut()?;
        let line = unit.lines.pop_front()?;
        let (channel, goes_on) = (unit.channel.clone(), !unit.lines.is_empty());
        if !goes_on {
            lane.pop_front();
            let more = !lane.is_empty();
            self.turns.retain(|turn| turn != name);
            if more {
                self.turns.push_back(name.to_owned());
            } else {
                self.lanes.remove(name);
            }
        }
        Some((line, channel, goes_on))
    }

    fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        for lane in self.lanes.values_mut() {
            lane.iter_mut().for_each(|unit| unit.lines.retain(&keep));
            lane.retain(|unit| !unit.lines.is_empty());
        }
        self.lanes.retain(|_, lane| !lane.is_empty());
        let lanes = &self.lanes;
        self.turns.retain(|name| lanes.contains_key(name));
    }
}

impl<C, T> Queue<C, T> {
    /// Nothing waits.
    pub(super) fn new() -> Self {
        Self {
            commands: VecDeque::new(),
            news: Lanes::new(),
            words: Lanes::new(),
            answers: Lanes::new(),
            begun: HashMap::new(),
            news_in_a_row: 0,
        }
    }

    /// Adds a command; `false` when too many wait.
    pub(super) fn command(&mut self, command: C) -> bool {
        let room = self.commands.len() < COMMANDS_MAX_COUNT;
        if room {
            self.commands.push_back(command);
        }
        room
    }

    /// How many lines of answers wait for a person; `None` where there is no room for one more person.
    pub(super) fn answer_lines(&self, person: &str) -> Option<usize> {
        match self.answers.lanes.get(person) {
            Some(lane) => Some(lane.iter().map(|unit| unit.lines.len()).sum()),
            None => (self.answers.lanes.len() < LANES_MAX_COUNT).then_some(0),
        }
    }

    /// Whether a word to this person about their own flood waits.
    pub(super) fn has_word(&self, person: &str) -> bool {
        self.words.lanes.contains_key(person)
    }

    /// Adds lines that belong together, in a channel (folded) or in private.
    pub(super) fn text(&mut self, lane: &Lane, channel: Option<String>, lines: impl IntoIterator<Item = T>) {
        let lines: VecDeque<T> = lines.into_iter().collect();
        if !lines.is_empty() {
            let (lanes, name) = self.lanes_mut(lane);
            lanes.lane(name).push_back(Unit { channel, lines });
        }
    }

    /// Puts a private line back to where it came from, before everything else of its lane.
    pub(super) fn text_back(&mut self, lane: &Lane, text: T) {
        let (lanes, name) = self.lanes_mut(lane);
        let units = lanes.lane(name);
        match units.front_mut() {
            Some(unit) if unit.channel.is_none() => unit.lines.push_front(text),
            _ => units.push_front(Unit { channel: None, lines: VecDeque::from([text]) }),
        }
    }

    /// Whether what goes next is for somebody who has asked for more than their share, and nobody else waits.
    pub(super) fn is_next_late(&self, is_late: impl Fn(&str) -> bool) -> bool {
        self.commands.is_empty() && self.next_lane(is_late).is_some_and(|(_, _, late)| late)
    }

    /// Takes out what should go next; `is_late` says who has asked for more than their share.
    pub(super) fn pop(&mut self, is_late: impl Fn(&str) -> bool) -> Option<Next<C, T>> {
        if let Some(command) = self.commands.pop_front() {
            return Some(Next::Command(command));
        }
        let (lane, channel, _) = self.next_lane(is_late)?;
        // Where somebody else's lines stand half in that channel, they are finished first.
        let holder = channel.as_ref().and_then(|channel| self.begun.get(channel)).filter(|holder| **holder != lane);
        let lane = holder.cloned().unwrap_or(lane);
        self.news_in_a_row = match lane {
            Lane::News(_) => self.news_in_a_row.saturating_add(1),
            Lane::Word(_) | Lane::Answer(_) => 0,
        };
        let (lanes, name) = self.lanes_mut(&lane);
        let (line, channel, goes_on) = lanes.pop(name)?;
        match channel {
            Some(channel) if goes_on => drop(self.begun.insert(channel, lane)),
            Some(channel) => drop(self.begun.remove(&channel)),
            None => {}
        }
        Some(Next::Text(line))
    }

    /// Whose turn it is, the channel that it is about, and whether that is for somebody who has asked for too much.
    fn next_lane(&self, is_late: impl Fn(&str) -> bool) -> Option<(Lane, Option<String>, bool)> {
        let answer = |late: bool| {
            let (person, channel) = self.answers.first(|person| is_late(person) == late)?;
            Some((Lane::Answer(person.clone()), channel.cloned(), late))
        };
        let news = self.news.first(|_| true).map(|(name, at)| (Lane::News(name.clone()), at.cloned(), false));
        let word = || self.words.first(|_| true).map(|(name, at)| (Lane::Word(name.clone()), at.cloned(), true));
        let other = answer(false).or_else(word).or_else(|| answer(true));
        match (news, other) {
            (Some(_), Some(other)) if self.news_in_a_row >= NEWS_IN_A_ROW_MAX_LINES => Some(other),
            (Some(news), _) => Some(news),
            (None, other) => other,
        }
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.news.turns.is_empty() && self.has_answered()
    }

    /// Whether no answer waits.
    pub(super) fn has_answered(&self) -> bool {
        self.words.turns.is_empty() && self.answers.turns.is_empty()
    }

    /// How many lines of answers wait.
    pub(super) fn answers_len(&self) -> usize {
        let units = [&self.words, &self.answers].into_iter().flat_map(|lanes| lanes.lanes.values().flatten());
        units.map(|unit| unit.lines.len()).sum()
    }

    /// Drops the text for which this does not hold.
    pub(super) fn retain_text(&mut self, keep: impl Fn(&T) -> bool) {
        for lanes in [&mut self.news, &mut self.words, &mut self.answers] {
            lanes.retain(&keep);
        }
        let held = |channel: &String, lane: &Lane| {
            let (lanes, name) = match lane {
                Lane::News(name) => (&self.news, name),
                Lane::Word(name) => (&self.words, name),
                Lane::Answer(name) => (&self.answers, name),
            };
            let unit = lanes.lanes.get(name).and_then(|units| units.front());
            unit.is_some_and(|unit| unit.channel.as_ref() == Some(channel))
        };
        self.begun.retain(|channel, lane| held(channel, lane));
    }

    fn lanes_mut<'l>(&mut self, lane: &'l Lane) -> (&mut Lanes<T>, &'l str) {
        match lane {
            Lane::News(name) => (&mut self.news, name),
            Lane::Word(name) => (&mut self.words, name),
            Lane::Answer(name) => (&mut self.answers, name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Texts = Queue<&'static str, &'static str>;

    fn drain(queue: &mut Texts, late: &[&str]) -> String {
        let text = |next| match next {
            Next::Command(text) | Next::Text(text) => text,
        };
        let all: Vec<_> = std::iter::from_fn(|| queue.pop(|person| late.contains(&person)).map(text)).collect();
        all.join(" ")
    }

    fn answer(queue: &mut Texts, person: &str, channel: Option<&str>, lines: &[&'static str]) {
        queue.text(&Lane::Answer(person.to_owned()), channel.map(str::to_owned), lines.iter().copied());
    }

    fn news(queue: &mut Texts, channel: &str, lines: &[&'static str]) {
        queue.text(&Lane::News(channel.to_owned()), Some(channel.to_owned()), lines.iter().copied());
    }

    #[test]
    fn commands_go_first_then_announcements_then_answers() {
        let mut queue = Texts::new();
        answer(&mut queue, "al", None, &["answer"]);
        assert_eq!(queue.answers_len(), 1);
        news(&mut queue, "#a", &["news"]);
        assert!(queue.command("JOIN"));
        assert_eq!(drain(&mut queue, &[]), "JOIN news answer");
        assert!(queue.is_empty());
    }

    #[test]
    fn people_take_turns_by_answer_and_who_asks_too_much_comes_last() {
        let mut queue = Texts::new();
        for lines in [["f1", "f2"], ["f3", "f4"]] {
            answer(&mut queue, "flooder", Some("#a"), &lines);
        }
        answer(&mut queue, "al", Some("#a"), &["a1", "a2"]);
        answer(&mut queue, "bob", None, &["b1", "b2"]);
        answer(&mut queue, "al", None, &["a3"]);
        assert_eq!(drain(&mut queue, &[]), "f1 f2 a1 a2 b1 b2 f3 f4 a3");
        for lines in [["f1", "f2"], ["f3", "f4"]] {
            answer(&mut queue, "flooder", None, &lines);
        }
        answer(&mut queue, "al", None, &["a1", "a2"]);
        queue.text(&Lane::Word("flooder".to_owned()), None, ["you wait"]);
        assert_eq!(drain(&mut queue, &["flooder"]), "a1 a2 you wait f1 f2 f3 f4");
    }

    #[test]
    fn an_answer_stays_together_in_its_channel_and_only_there() {
        let mut queue = Texts::new();
        answer(&mut queue, "al", Some("#a"), &["a1", "a2", "a3"]);
        assert_eq!(queue.pop(|_| true), Some(Next::Text("a1")));
        news(&mut queue, "#b", &["other"]);
        news(&mut queue, "#a", &["n1", "n2"]);
        answer(&mut queue, "bob", None, &["b1"]);
        assert_eq!(drain(&mut queue, &["al"]), "other a2 a3 n1 n2 b1");
    }

    #[test]
    fn many_announcements_do_not_silence_answers() {
        let mut queue = Texts::new();
        news(&mut queue, "#a", &["n"; 10]);
        answer(&mut queue, "al", None, &["a", "a"]);
        assert_eq!(drain(&mut queue, &[]), "n n n n a n n n n a n n");
    }

    #[test]
    fn a_line_goes_back_before_the_others_and_text_can_be_taken_back() {
        let mut queue = Texts::new();
        answer(&mut queue, "al", None, &["1", "2", "3"]);
        assert_eq!(queue.pop(|_| false), Some(Next::Text("1")));
        queue.text_back(&Lane::Answer("al".to_owned()), "1");
        news(&mut queue, "#a", &["4", "5"]);
        assert_eq!(queue.pop(|_| false), Some(Next::Text("4")));
        queue.retain_text(|text| *text != "5");
        answer(&mut queue, "bob", Some("#a"), &["6"]);
        assert_eq!(drain(&mut queue, &[]), "1 2 3 6");
    }

    #[test]
    fn there_is_room_for_so_many_people_and_no_more() {
        let mut queue = Texts::new();
        while queue.command("WHOIS") {}
        assert_eq!(queue.commands.len(), COMMANDS_MAX_COUNT);
        for person in 0..LANES_MAX_COUNT {
            answer(&mut queue, &person.to_string(), None, &["x", "y"]);
        }
        assert_eq!((queue.answer_lines("0"), queue.answer_lines("new")), (Some(2), None));
    }
}
