//! What a program is compiled to: instructions in a row, each a run of one symbol or a jump.
//!
//! Equal symbols in a row are one instruction with a count, and a repetition `(a)*n` is a counted jump. So a compiled
//! program is never longer than its text, however long its expansion. Counted jumps take no cycle; the others take one
//! for each symbol.

use crate::roll::roll;

/// What an instruction does. Those up to [`Op::End`] take cycles, the others none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// `+`, `count` times.
    Add,
    /// `-`, `count` times.
    Sub,
    /// `>`, `count` times.
    Forward,
    /// `<`, `count` times.
    Back,
    /// `.`, `count` times.
    Wait,
    /// `[`: on zero continues at `target`.
    Open,
    /// `]`: on anything else continues at `target`.
    Close,
    /// The end of the program: idles for ever.
    End,
    /// Entering a repetition: its counter becomes 1.
    Enter,
    /// The end of what is repeated: below `n` the counter grows and play continues at `target`.
    Again,
    /// Before the second half of `(a{b}c)%n`: the counter becomes `n`.
    Top,
    /// The end of that second half: above 1 the counter shrinks and play continues at `target`.
    Down,
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ins {
    head: Head,
    /// Symbols of a run; 1 for a bracket, [`u64::MAX`] for the end; of a counted jump its slot and `n`.
    count: u64,
}

impl Ins {
    pub(crate) const END: Ins = Ins::new(Op::End, u64::MAX);

    const fn new(op: Op, count: u64) -> Ins {
        let head = Head::new(op);
        let is_long = op as u8 <= Op::End as u8 && count >= LONG_MIN_CYCLES;
        Ins { head: if is_long { head.with(Head::LONG) } else { head }, count }
    }

    #[inline(always)]
    pub(crate) fn op(&self) -> Op {
        OPS[usize::from(self.head.0 as u8)]
    }

    /// All but its count.
    #[inline(always)]
    pub(crate) fn head(&self) -> Head {
        self.head
    }

    /// Where a jump that is taken continues.
    pub(crate) fn target(&self) -> usize {
        self.head.target()
    }

    pub(crate) fn run(op: Op, count: u64) -> Ins {
        Ins::new(op, count)
    }

    pub(crate) fn bracket(op: Op) -> Ins {
        Ins::new(op, 1)
    }

    /// A counted jump or the setting of a counter. Repetitions inside one another have different slots.
    pub(crate) fn counted(op: Op, slot: u32, n: u32) -> Ins {
        Ins::new(op, u64::from(slot) << 32 | u64::from(n))
    }

    /// For how many cycles it plays, once it is reached.
    pub(crate) fn cycles(&self) -> u64 {
        self.count
    }

    pub(crate) fn slot(&self) -> usize {
        (self.count >> 32) as usize
    }

    pub(crate) fn n(&self) -> u32 {
        self.count as u32
    }
}

/// Every operation, by its number.
const OPS: [Op; 12] = [
    Op::Add,
    Op::Sub,
    Op::Forward,
    Op::Back,
    Op::Wait,
    Op::Open,
    Op::Close,
    Op::End,
    Op::Enter,
    Op::Again,
    Op::Top,
    Op::Down,
];

/// An instruction without its count: all that is asked of it in every step, in one number, for that takes one register.
/// From the lowest byte on: the operation, what one cycle adds to the cell, and how far it moves towards the enemy's
/// flag. Then follow what kind it is, and in four bytes where a jump that is taken continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head(u64);

impl Head {
    const JUMPS_IF_ZERO: u8 = 1;
    const JUMPS_UNLESS_ZERO: u8 = 2;
    const COUNTED: u8 = 4;
    /// It begins a loop of runs that do not move, with a bracket on either side. The loop ends at `target`.
    const TIGHT: u8 = 8;
    /// It is in a counted loop of runs that do not move: what is done there follows from the time alone.
    const STEADY: u8 = 16;
    /// It begins a counted loop of brackets and runs that do not move.
    const TURN: u8 = 32;

    /// It is in a loop, counted or not, of nothing but brackets and runs that do not move.
    const STILL: u8 = 64;
    /// It takes [`LONG_MIN_CYCLES`] or more.
    const LONG: u8 = 128;

    const fn new(op: Op) -> Head {
        let kind = match op {
            Op::Open => Head::JUMPS_IF_ZERO,
            Op::Close => Head::JUMPS_UNLESS_ZERO,
            Op::Enter | Op::Again | Op::Top | Op::Down => Head::COUNTED,
            _ => 0,
        };
        Head(u64::from_le_bytes([op as u8, op.add() as u8, op.step() as u8, kind, 0, 0, 0, 0]))
    }

    fn to(self, target: u32) -> Head {
        Head(self.0 & u64::from(u32::MAX) | u64::from(target) << 32)
    }

    const fn with(self, flag: u8) -> Head {
        Head(self.0 | (flag as u64) << 24)
    }

    #[inline(always)]
    fn has(self, flags: u8) -> bool {
        self.0 & u64::from(flags) << 24 != 0
    }

    /// What one cycle of it adds to the cell.
    #[inline(always)]
    pub(crate) fn add(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// How far one cycle of it moves towards the enemy's flag.
    #[inline(always)]
    pub(crate) fn step(self) -> i8 {
        (self.0 >> 16) as i8
    }

    /// Where a jump that is taken continues.
    #[inline(always)]
    pub(crate) fn target(self) -> usize {
        (self.0 >> 32) as usize
    }

    #[inline(always)]
    pub(crate) fn is_end(self) -> bool {
        self.0 as u8 == Op::End as u8
    }

    #[inline(always)]
    pub(crate) fn is_bracket(self) -> bool {
        self.has(Head::JUMPS_IF_ZERO | Head::JUMPS_UNLESS_ZERO)
    }

    /// Whether it jumps, and whether back, after a comparison with a cell that was zero or not.
    #[inline(always)]
    pub(crate) fn jumps(self, zero: bool) -> (bool, bool) {
        let (forward, back) = (self.has(Head::JUMPS_IF_ZERO) & zero, self.has(Head::JUMPS_UNLESS_ZERO) & !zero);
        (forward | back, back)
    }

    /// Whether a bracket jumps, after such a comparison.
    #[inline(always)]
    pub(crate) fn jumps_at(self, zero: bool) -> bool {
        self.has(Head::JUMPS_IF_ZERO) == zero
    }

    #[inline(always)]
    pub(crate) fn is_counted(self) -> bool {
        self.has(Head::COUNTED)
    }

    #[inline(always)]
    fn is(self, op: Op) -> bool {
        self.0 as u8 == op as u8
    }

    #[inline(always)]
    pub(crate) fn counts_up(self) -> bool {
        self.is(Op::Again)
    }

    #[inline(always)]
    pub(crate) fn counts_down(self) -> bool {
        self.is(Op::Down)
    }

    /// Whether it sets a counter, and whether to 1.
    #[inline(always)]
    pub(crate) fn starts(self) -> (bool, bool) {
        (self.is(Op::Enter) | self.is(Op::Top), self.is(Op::Enter))
    }

    #[inline(always)]
    pub(crate) fn is_tight(self) -> bool {
        self.has(Head::TIGHT)
    }

    /// Whether it begins a loop that may be told at once.
    #[inline(always)]
    pub(crate) fn begins_loop(self) -> bool {
        self.has(Head::TIGHT | Head::TURN)
    }

    #[inline(always)]
    pub(crate) fn is_steady(self) -> bool {
        self.has(Head::STEADY)
    }

    #[inline(always)]
    pub(crate) fn is_in_still_loop(self) -> bool {
        self.has(Head::STILL)
    }

    /// Whether it takes long, or begins a loop that does.
    #[inline(always)]
    pub(crate) fn is_long(self) -> bool {
        self.has(Head::TIGHT | Head::LONG)
    }

    /// It is begun, and no longer at the beginning of its loop.
    #[inline(always)]
    pub(crate) fn begun(self) -> Head {
        Head(self.0 & !(u64::from(Head::TIGHT | Head::TURN) << 24))
    }
}

impl Op {
    /// Whether it takes cycles.
    pub(crate) fn takes_cycles(self) -> bool {
        self as u8 <= Op::End as u8
    }

    pub(crate) fn is_bracket(self) -> bool {
        matches!(self, Op::Open | Op::Close)
    }

    pub(crate) fn is_counted(self) -> bool {
        !self.takes_cycles()
    }

    pub(crate) fn is_run(self) -> bool {
        (self as u8) <= Op::Wait as u8
    }

    /// Whether it is a run that stays on its cell.
    pub(crate) fn is_still(self) -> bool {
        matches!(self, Op::Add | Op::Sub | Op::Wait)
    }

    /// What one cycle of it adds to the cell.
    pub(crate) const fn add(self) -> i8 {
        match self {
            Op::Add => 1,
            Op::Sub => -1,
            _ => 0,
        }
    }

    /// How far one cycle of it moves towards the enemy's flag.
    pub(crate) const fn step(self) -> i8 {
        match self {
            Op::Forward => 1,
            Op::Back => -1,
            _ => 0,
        }
    }

    /// The symbol of an instruction that has one.
    pub(crate) fn symbol(self) -> Option<char> {
        Some(match self {
            Op::Add => '+',
            Op::Sub => '-',
            Op::Forward => '>',
            Op::Back => '<',
            Op::Wait => '.',
            Op::Open => '[',
            Op::Close => ']',
            _ => return None,
        })
    }

    pub(crate) fn of_run(symbol: u8) -> Op {
        match symbol {
            b'+' => Op::Add,
            b'-' => Op::Sub,
            b'>' => Op::Forward,
            b'<' => Op::Back,
            _ => Op::Wait,
        }
    }
}

/// Most cycles of a turn of a counted loop that is told as one: what it adds is written down for each of them.
pub(crate) const TURN_MAX_CYCLES: usize = 64;

/// Cycles of a run, at least, through which the other program is played alone. 3 and 6 cost 2 % to 4 %.
pub(crate) const LONG_MIN_CYCLES: u64 = 4;

/// Most runs in a loop that is told as one: they are added up whenever it begins.
const TIGHT_RUNS_MAX_COUNT: usize = 8;

/// Most cycles of a run in such a loop.
const TIGHT_RUN_MAX_CYCLES: u64 = u32::MAX as u64;

/// Instructions being written, one symbol after another. Where jumps go is worked out at the end.
#[derive(Default)]
pub(crate) struct Writer {
    code: Vec<Ins>,
}

impl Writer {
    pub(crate) fn here(&self) -> usize {
        self.code.len()
    }

    /// Appends a run, to the one before it if that has the same symbol. Nothing jumps between two runs: whatever is
    /// jumped to follows a bracket or a counted jump.
    pub(crate) fn run(&mut self, op: Op, count: u64) {
        match self.code.last_mut() {
            // A run longer than a number holds is as good as endless: no limit of cycles is larger.
            Some(last) if last.op() == op => *last = Ins::run(op, last.count.saturating_add(count)),
            _ => self.code.push(Ins::run(op, count)),
        }
    }

    pub(crate) fn push(&mut self, ins: Ins) {
        self.code.push(ins);
    }

    /// Ends the half of a repetition that began at instruction `start`, which enters it. A half that is a single run
    /// becomes a longer run, and needs no counter.
    pub(crate) fn repeat(&mut self, op: Op, start: usize, slot: u32, n: u32) {
        match self.code[start + 1..] {
            [ins] if ins.op().is_run() => {
                self.code.truncate(start);
                self.run(ins.op(), ins.count.saturating_mul(u64::from(n)));
            }
            _ => self.code.push(Ins::counted(op, slot, n)),
        }
    }

    /// The program, its jumps connected. Brackets balance, and repetitions stand in one another.
    pub(crate) fn finish(self) -> Vec<Ins> {
        let mut code = roll(self.code);
        code.push(Ins::END);
        connect(&mut code);
        code
    }
}

/// Whether a turn of a loop can be told as one: few instructions, and no more cycles than can be added up.
fn is_short(body: &[Ins]) -> bool {
    body.len() <= TIGHT_RUNS_MAX_COUNT && body.iter().all(|ins| ins.cycles() <= TIGHT_RUN_MAX_CYCLES)
}

/// Lets each jump continue after its partner, never on it: landing on a bracket would cost a cycle (J64).
fn connect(code: &mut [Ins]) {
    let mut open = Vec::new();
    let mut starts: Vec<u32> = Vec::new();
    for at in 0..code.len() {
        let after = u32::try_from(at + 1).expect("no more instructions than symbols, whose number is bounded");
        let slot = code[at].slot();
        match code[at].op() {
            Op::Open => open.push(at),
            Op::Close => {
                let opening = open.pop().expect("brackets balance");
                code[opening].head = code[opening].head.to(after);
                code[at].head = code[at].head.to(opening as u32 + 1);
                let body = &mut code[opening + 1..at];
                if body.iter().all(|ins| ins.op().is_still()) && is_short(body) {
                    if let Some(first) = body.first_mut() {
                        first.head = first.head.with(Head::TIGHT).to(at as u32);
                    }
                    code[opening + 1..=at].iter_mut().for_each(|ins| ins.head = ins.head.with(Head::STILL));
                }
            }
            Op::Enter | Op::Top => {
                starts.resize(starts.len().max(slot + 1), 0);
                starts[slot] = after;
            }
            Op::Again | Op::Down => {
                code[at].head = code[at].head.to(starts[slot]);
                let body = &mut code[starts[slot] as usize..at];
                // No repetition stands in it, or the first of it takes no cycle.
                if body.iter().all(|ins| ins.op().is_still() || ins.op().is_bracket()) && is_short(body) {
                    body[0].head = body[0].head.with(Head::TURN);
                    // A loop may begin in one half of `(a{b}c)%n` and end in the other: its end leads out of this one.
                    if body.iter().all(|ins| ins.op() != Op::Close || ins.target() > starts[slot] as usize) {
                        body.iter_mut().for_each(|ins| ins.head = ins.head.with(Head::STILL));
                    }
                }
                let cycles: u64 = body.iter().map(Ins::cycles).fold(0, u64::saturating_add);
                if cycles <= TURN_MAX_CYCLES as u64 && body.iter().all(|ins| ins.op().is_still()) {
                    body.iter_mut().for_each(|ins| ins.head = ins.head.with(Head::STEADY));
                }
            }
            _ => {}
        }
    }
}
