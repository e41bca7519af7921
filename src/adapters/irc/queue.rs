//! What waits to be sent, in the order in which it goes: commands to the server, private answers, channel text.
//!
//! Bounded, because a stalled socket must not eat the memory. Within a class everybody has a lane and the lanes take
//! turns, so that somebody who asks for a lot waits for themselves; and channel text gets every
//! [`CHANNEL_TURN_EVERY`]th line, so that private answers slow it down but never silence it. When a line goes is
//! decided by [`super::limiter`].

use std::collections::{HashMap, VecDeque};

/// Most commands to the server that wait: they are few, and each answers something bounded.
pub(super) const COMMANDS_MAX_COUNT: usize = 512;

/// Most lines that wait for one person: two pages and a bit.
pub(super) const PRIVATE_LANE_MAX_LINES: usize = 32;

/// Most lines that wait for one channel: at a line a second, two minutes.
pub(super) const CHANNEL_LANE_MAX_LINES: usize = 120;

/// Most people and most channels for which lines wait.
pub(super) const LANES_MAX_COUNT: usize = 512;

/// Which of the lines is channel text when both classes wait.
pub(super) const CHANNEL_TURN_EVERY: u32 = 4;

/// A class of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// To one person.
    Private,
    /// To a channel.
    Channel,
}

/// Everything that waits. `C` is a command, `T` is text.
pub(super) struct Queue<C, T> {
    commands: VecDeque<C>,
    private: Lanes<T>,
    channel: Lanes<T>,
    /// Private lines since the last line of channel text.
    since_channel: u32,
}

/// What goes next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Next<C, T> {
    /// A command.
    Command(C),
    /// Text.
    Text(T),
}

struct Lanes<T> {
    lanes: HashMap<String, VecDeque<T>>,
    /// The lanes in the order of their turns; each non-empty lane once.
    turns: VecDeque<String>,
    lane_max: usize,
}

impl<T> Lanes<T> {
    fn new(lane_max: usize) -> Self {
        Self { lanes: HashMap::new(), turns: VecDeque::new(), lane_max }
    }

    fn room(&self, lane: &str) -> usize {
        match self.lanes.get(lane) {
            Some(waiting) => self.lane_max.saturating_sub(waiting.len()),
            None if self.lanes.len() >= LANES_MAX_COUNT => 0,
            None => self.lane_max,
        }
    }

    fn push(&mut self, lane: &str, item: T) {
        self.lane(lane).push_back(item);
    }

    fn push_front(&mut self, lane: &str, item: T) {
        self.lane(lane).push_front(item);
    }

    fn lane(&mut self, lane: &str) -> &mut VecDeque<T> {
        if !self.lanes.contains_key(lane) {
            self.turns.push_back(lane.to_owned());
        }
        self.lanes.entry(lane.to_owned()).or_default()
    }

    fn pop(&mut self) -> Option<T> {
        let name = self.turns.pop_front()?;
        let lane = self.lanes.get_mut(&name)?;
        let item = lane.pop_front();
        if lane.is_empty() {
            self.lanes.remove(&name);
        } else {
            self.turns.push_back(name);
        }
        item
    }

    fn retain(&mut self, keep: impl Fn(&T) -> bool) {
        for lane in self.lanes.values_mut() {
            lane.retain(&keep);
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
            private: Lanes::new(PRIVATE_LANE_MAX_LINES),
            channel: Lanes::new(CHANNEL_LANE_MAX_LINES),
            since_channel: 0,
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

    /// How many more lines this lane takes.
    pub(super) fn room(&self, class: Class, lane: &str) -> usize {
        self.lanes(class).room(lane)
    }

    /// Adds text. The caller has asked for [`Self::room`].
    pub(super) fn text(&mut self, class: Class, lane: &str, text: T) {
        self.lanes_mut(class).push(lane, text);
    }

    /// Puts text back to where it came from, before everything else of its lane.
    pub(super) fn text_back(&mut self, class: Class, lane: &str, text: T) {
        self.lanes_mut(class).push_front(lane, text);
    }

    /// Takes out what should go next.
    pub(super) fn pop(&mut self) -> Option<Next<C, T>> {
        if let Some(command) = self.commands.pop_front() {
            return Some(Next::Command(command));
        }
        let channel_turn = self.since_channel + 1 >= CHANNEL_TURN_EVERY && !self.channel.turns.is_empty();
        let private = if channel_turn { None } else { self.private.pop() };
        match private {
            Some(text) => {
                self.since_channel = self.since_channel.saturating_add(1);
                Some(Next::Text(text))
            }
            None => {
                self.since_channel = 0;
                self.channel.pop().or_else(|| self.private.pop()).map(Next::Text)
            }
        }
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.commands.is_empty() && self.private.turns.is_empty() && self.channel.turns.is_empty()
    }

    /// Whether no private answer waits.
    pub(super) fn is_private_empty(&self) -> bool {
        self.private.turns.is_empty()
    }

    /// Drops the text for which this does not hold.
    pub(super) fn retain_text(&mut self, keep: impl Fn(&T) -> bool) {
        self.private.retain(&keep);
        self.channel.retain(&keep);
    }

    fn lanes(&self, class: Class) -> &Lanes<T> {
        match class {
            Class::Private => &self.private,
            Class::Channel => &self.channel,
        }
    }

    fn lanes_mut(&mut self, class: Class) -> &mut Lanes<T> {
        match class {
            Class::Private => &mut self.private,
            Class::Channel => &mut self.channel,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(queue: &mut Queue<&'static str, &'static str>) -> Vec<&'static str> {
        std::iter::from_fn(|| {
            queue.pop().map(|next| match next {
                Next::Command(c) | Next::Text(c) => c,
            })
        })
        .collect()
    }

    #[test]
    fn commands_go_first_then_private_answers_then_channel_text() {
        let mut queue = Queue::new();
        queue.text(Class::Channel, "#a", "channel");
        queue.text(Class::Private, "al", "private");
        assert!(queue.command("JOIN"));
        assert_eq!(drain(&mut queue), ["JOIN", "private", "channel"]);
        assert!(queue.is_empty());
    }

    #[test]
    fn channel_text_is_slowed_down_but_not_silenced() {
        let mut queue = Queue::new();
        for _ in 0..6 {
            queue.text(Class::Private, "al", "p");
        }
        queue.text(Class::Channel, "#a", "c");
        queue.text(Class::Channel, "#a", "c");
        assert_eq!(drain(&mut queue).concat(), "pppcpppc");
    }

    #[test]
    fn who_asks_for_a_lot_waits_for_themselves() {
        let mut queue = Queue::new();
        for _ in 0..4 {
            queue.text(Class::Private, "flooder", "f");
        }
        queue.text(Class::Private, "al", "1");
        queue.text(Class::Private, "al", "2");
        assert_eq!(drain(&mut queue).concat(), "f1f2ff");
    }

    #[test]
    fn the_order_within_a_lane_is_kept() {
        let mut queue = Queue::new();
        queue.text(Class::Channel, "#a", "2");
        queue.text(Class::Channel, "#a", "3");
        queue.text_back(Class::Channel, "#a", "1");
        assert_eq!(drain(&mut queue).concat(), "123");
    }

    #[test]
    fn everything_is_bounded() {
        let mut queue: Queue<u8, u8> = Queue::new();
        for _ in 0..COMMANDS_MAX_COUNT {
            assert!(queue.command(0));
        }
        assert!(!queue.command(0));
        for lane in 0..LANES_MAX_COUNT {
            queue.text(Class::Private, &lane.to_string(), 0);
        }
        assert_eq!(queue.room(Class::Private, "0"), PRIVATE_LANE_MAX_LINES - 1);
        assert_eq!(queue.room(Class::Private, "new"), 0);
        assert_eq!(queue.room(Class::Channel, "#a"), CHANNEL_LANE_MAX_LINES);
    }

    #[test]
    fn text_can_be_taken_back() {
        let mut queue = Queue::new();
        for (lane, text) in [("#a", "1"), ("#b", "2"), ("#a", "3")] {
            queue.text(Class::Channel, lane, text);
        }
        let _: Option<Next<&str, &str>> = None;
        queue.retain_text(|text| *text != "2");
        assert_eq!(drain(&mut queue).concat(), "13");
    }
}
