//! Payments as sentences: `I pay 5 points to increase the Retainer of Law` (4E48), `pay A Few to Bob` (4E33).
//!
//! Which of the two is meant hangs on whether a Retainer is spoken of. What is paid is absent.

use std::sync::Arc;

use super::{Command, Found, Line, folded, parting::STOPS, without_stops};

/// The actions that are meant.
const PAY: &str = "pay";
const GIVE: &str = "give_mackerel";

/// Words for the two ways in which a Retainer is moved.
const WAYS: [(&str, &str); 8] = [
    ("increase", "up"),
    ("raise", "up"),
    ("up", "up"),
    ("decrease", "down"),
    ("lower", "down"),
    ("reduce", "down"),
    ("down", "down"),
    ("retainer", ""),
];

impl Line<'_, '_> {
    /// The words up to the end of the sentence.
    fn ahead(&self) -> Vec<String> {
        let (mut ahead, mut words) = (self.reader, Vec::new());
        while let Some(word) = ahead.bare() {
            let stops = word.ends_with(STOPS);
            words.push(word);
            if stops {
                break;
            }
        }
        words
    }

    /// The command that is meant by a word for paying: a gift where no Retainer is spoken of, but somebody.
    pub(super) fn paid(&self, command: Arc<Command>) -> Arc<Command> {
        let words: Vec<String> = self.ahead().iter().map(|word| plain(word)).collect();
        let of_retainer = words.iter().any(|word| WAYS.iter().any(|(way, _)| way == word));
        if command.action != PAY || of_retainer || words.len() < 2 {
            return command;
        }
        self.catalogue.commands().iter().find(|other| other.action == GIVE).cloned().unwrap_or(command)
    }

    /// Reads what is paid, which way and for which Ministry, where a sentence says so: `5 points to increase the Retainer of
    /// Law`.
    pub(super) fn pays(&mut self, command: &Command, found: &mut Found) {
        if command.action != PAY || command.param("way").is_none() || !found.args.is_empty() {
            return;
        }
        let words = self.ahead();
        let said: Vec<String> = words.iter().map(|word| plain(word)).collect();
        let way = |at: &usize| WAYS.iter().find(|(word, way)| *word == said[*at] && !way.is_empty());
        let Some((at, (_, way))) = (1..said.len()).find_map(|at| Some((at, way(&at)?))) else { return };
        if said[at - 1] != "to" {
            return;
        }
        let mut behind = &words[at + 1..];
        while behind.first().is_some_and(|word| plain(word) == "the") {
            behind = &behind[1..];
        }
        // `by 5` behind it says the amount again, or for the first time.
        let by = behind.iter().position(|word| plain(word) == "by");
        let (behind, by) = by.map_or((behind, &[][..]), |by| (&behind[..by], &behind[by + 1..]));
        let amount = match (&words[..at - 1], by) {
            ([], by) => by,
            (amount, []) => amount,
            (amount, by) if bare(amount) == bare(by) => amount,
            _ => return,
        };
        let ministry = match behind {
            [retainer, of, ministry @ ..] if plain(retainer) == "retainer" && ["of", "for"].contains(&&*plain(of)) => {
                ministry.join(" ")
            }
            [ministry @ .., retainer] if plain(retainer) == "retainer" => {
                let owner = ministry.join(" ");
                let bare = ["'s", "\u{2019}s", "'", "\u{2019}"].iter().find_map(|end| owner.strip_suffix(end));
                bare.map_or(owner.clone(), str::to_owned)
            }
            _ => return,
        };
        let (amount, ministry) = (amount.join(" "), without_stops(&ministry).to_owned());
        if amount.is_empty() || ministry.is_empty() {
            return;
        }
        let given = [("ministry", ministry), ("way", (*way).to_owned()), ("amount", without_stops(&amount).to_owned())];
        found.args.extend(given.map(|(name, value)| (name.to_owned(), value)));
        for _ in &words {
            let _ = self.reader.bare();
        }
    }
}

/// An amount without what is counted.
fn bare(amount: &[String]) -> Vec<String> {
    amount.iter().map(|word| plain(word)).filter(|word| !["point", "points", "of"].contains(&&**word)).collect()
}

fn plain(word: &str) -> String {
    folded(without_stops(word))
}
