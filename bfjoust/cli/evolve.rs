//! `evolve-batch`: programs from standard input against a hill, for those who breed them and keep this running.
//!
//! A question is a line, `{"program": TEXT}`, with an `"id"` of any kind if the answer is to have it too. An answer is
//! a line as well, in the order of the questions: `{"id": .., "score": S, "won": N, "lost": N, "tied": N, "against":
//! [{"name": NAME, "margin": N, "lengths": [N, ..]}, ..]}`, or `{"id": .., "error": WHY}`. The score is the mean
//! margin, from -1 to 1. A margin is charges won less charges lost; those of lengths are in the order of the
//! lengths, shortest first, both polarities together. Questions are worked on by all processors at once.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufReader, Read as _, Write};
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::failure::Failure;
use super::files::{Entrant, entrants};
use crate::{Program, Rules, Setup, Side, play};

/// Longest question that is read.
const LINE_MAX_BYTES: u64 = 1 << 24;

/// Answers that may wait for an earlier one.
const WAITING_MAX_COUNT: u64 = 1 << 12;

#[derive(Debug, Args)]
pub(super) struct EvolveBatch {
    /// The programs of the hill: files, and folders of them
    #[arg(required = true)]
    hill: Vec<PathBuf>,
    /// Answer with the sums alone, without the margins against each program
    #[arg(long)]
    brief: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer<'a> {
    Played {
        #[serde(skip_serializing_if = "Value::is_null")]
        id: Value,
        score: f64,
        won: i64,
        lost: i64,
        tied: i64,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        against: Vec<Against<'a>>,
    },
    Refused {
        #[serde(skip_serializing_if = "Value::is_null")]
        id: Value,
        error: String,
    },
}

#[derive(Serialize)]
struct Against<'a> {
    name: &'a str,
    margin: i64,
    lengths: Vec<i64>,
}

/// Where questions come from, and the number of the next one.
struct Questions<'a> {
    input: Box<dyn BufRead + Send + 'a>,
    next: u64,
}

/// Where answers go, in order: those that are ready before their turn wait.
struct Answers<'a> {
    out: &'a mut (dyn Write + Send),
    next: u64,
    waiting: BTreeMap<u64, Vec<u8>>,
    failure: Option<Failure>,
}

impl EvolveBatch {
    pub(super) fn run(self, rules: &Rules, out: &mut (dyn Write + Send)) -> Result<(), Failure> {
        let (hill, left_out) = entrants(&self.hill, rules.notation)?;
        // No answer may lack a program unseen.
        if let Some(why) = left_out.into_iter().find_map(|file| file.why) {
            return Err(Failure::Input(why));
        }
        let setups: Vec<Setup> = rules.setups().collect();
        let questions = Mutex::new(Questions { input: Box::new(BufReader::new(io::stdin())), next: 0 });
        let answers = Mutex::new(Answers { out, next: 0, waiting: BTreeMap::new(), failure: None });
        let turn = Condvar::new();
        let threads = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    loop {
                        let (number, line) = match locked(&questions).read() {
                            Ok(Some(question)) => question,
                            Ok(None) => return,
                            Err(error) => return locked(&answers).fail(error, &turn),
                        };
                        let answer = answer(&line, &hill, &setups, rules, self.brief);
                        let mut text = serde_json::to_vec(&answer).unwrap_or_default();
                        text.push(b'\n');
                        let waits = |answers: &mut Answers<'_>| {
                            answers.failure.is_none() && number >= answers.next + WAITING_MAX_COUNT
                        };
                        let guard = turn.wait_while(locked(&answers), waits);
                        let mut answers = guard.unwrap_or_else(PoisonError::into_inner);
                        if answers.failure.is_some() {
                            return;
                        }
                        answers.waiting.insert(number, text);
                        if let Err(error) = answers.write() {
                            return answers.fail(error, &turn);
                        }
                        turn.notify_all();
                    }
                });
            }
        });
        match answers.into_inner().unwrap_or_else(PoisonError::into_inner).failure {
            Some(failure) => Err(failure),
            None => Ok(()),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Questions<'_> {
    /// The next line and its number; none at the end.
    fn read(&mut self) -> io::Result<Option<(u64, Vec<u8>)>> {
        let mut line = Vec::new();
        if (&mut self.input).take(LINE_MAX_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.len() as u64 == LINE_MAX_BYTES && line.last() != Some(&b'\n') {
            self.input.skip_until(b'\n')?;
        }
        self.next += 1;
        Ok(Some((self.next - 1, line)))
    }
}

impl Answers<'_> {
    /// Writes what is in turn. Whoever breeds waits for it, so that nothing is held back.
    fn write(&mut self) -> io::Result<()> {
        while let Some(text) = self.waiting.remove(&self.next) {
            self.out.write_all(&text)?;
            self.next += 1;
        }
        self.out.flush()
    }

    fn fail(&mut self, error: io::Error, turn: &Condvar) {
        self.failure = Some(error.into());
        turn.notify_all();
    }
}

/// The program of a question, or why there is none.
fn program(read: Result<&Value, &serde_json::Error>, line: &[u8], rules: &Rules) -> Result<Program, String> {
    let is_none = |why: &str| format!("This is no question: {why}. Write {{\"program\": \"(>)*9[-]\"}}.");
    let is_empty = line.trim_ascii().is_empty();
    let question =
        read.map_err(|error| if is_empty { is_none("the line is empty") } else { is_none(&error.to_string()) })?;
    let text = question.get("program").and_then(Value::as_str);
    let text = text.ok_or_else(|| is_none("it has no text called program"))?;
    Program::parse_as(text, rules.notation).map_err(|error| error.to_string())
}

fn answer<'a>(line: &[u8], hill: &'a [Entrant], setups: &[Setup], rules: &Rules, brief: bool) -> Answer<'a> {
    let read: Result<Value, _> = serde_json::from_slice(line);
    let id = read.as_ref().ok().and_then(|question| question.get("id")).cloned().unwrap_or_default();
    let program = match program(read.as_ref(), line, rules) {
        Ok(program) => program,
        Err(error) => return Answer::Refused { id, error },
    };
    let (mut won, mut lost, mut tied) = (0, 0, 0);
    let shortest = *rules.lengths().start();
    let mut against = Vec::new();
    for Entrant { name, program: opponent, .. } in hill {
        let mut lengths = vec![0; if brief { 0 } else { rules.lengths().count() }];
        let before = won - lost;
        for (setup, charge) in setups.iter().zip(play(&program, opponent, setups, rules)) {
            let margin = match charge.winner {
                Some(Side::Left) => 1,
                Some(Side::Right) => -1,
                None => 0,
            };
            won += i64::from(margin == 1);
            lost += i64::from(margin == -1);
            tied += i64::from(margin == 0);
            if let Some(sum) = lengths.get_mut(setup.length - shortest) {
                *sum += margin;
            }
        }
        if !brief {
            against.push(Against { name, margin: won - lost - before, lengths });
        }
    }
    let charges = (won + lost + tied).max(1);
    Answer::Played { id, score: (won - lost) as f64 / charges as f64, won, lost, tied, against }
}
