//! The rules as they read, with their marked places: each figure and each hinge, with its key, since when it reads so, and by what.

use super::{
    commands::{asked::Moment, show},
    deed::NotDone,
    gallery::card,
    hub::{Handle, Hub},
};
use kernel::{
    display::{Block, Document},
    rulebook::{Keys, Revision, Rule, Span, Text, views},
};
use port::gallery::{Mark, Rulebook};

impl Hub {
    /// The rules of a room as of a moment, each with its marked places; one alone where its display is named.
    pub(super) async fn rules_at(
        &self,
        handle: &Handle,
        as_of: Option<Moment>,
        rule: Option<&str>,
    ) -> Result<Rulebook, NotDone> {
        let seq = match as_of {
            Some(moment) => show::entry_at(self, handle, moment).await?,
            None => handle.view().seq(),
        };
        let view = self.as_of(handle, seq).await.map_err(NotDone::Broke)?;
        let (latest, keys) = (handle.view(), view.keys());
        let redaction = match as_of {
            Some(_) if seq < latest.seq() => latest.frame().redaction(seq),
            _ => latest.frame().redaction_now(),
        };
        let wanted = |of: &&Rule| rule.is_none_or(|display| display.strip_prefix("rule/") == Some(&**of.id()));
        let of_rule = |rule: &Rule| {
            let document = views::rule(rule, view.rules(), &keys, view.numbering());
            let marks = of(&document, rule, &keys).into_iter().map(|mark| Mark {
                words: redaction.text(&mark.words),
                why: redaction.text(&mark.why),
                ..mark
            });
            let mut document = view.notes(rule.id()).into_iter().fold(document, Document::para);
            let marks = marks.collect();
            redaction.document(&mut document);
            (document, marks)
        };
        let rules = view.rules().rules().into_iter().filter(wanted).map(of_rule).collect();
        Ok(Rulebook { room: card(handle), seq: view.seq(), rules })
    }
}

fn of(document: &Document, rule: &Rule, keys: &Keys) -> Vec<Mark> {
    let visible = rule.text().visible();
    // Where each paragraph that is shown stands in the text.
    let mut from = 0;
    let mut paragraphs: Vec<(usize, &str)> = Vec::new();
    for text in texts(document) {
        let Some(at) = visible[from..].find(text) else { continue };
        paragraphs.push((from + at, text));
        from += at + text.len();
    }
    let mark = |span: &Span| {
        let (begin, text) =
            *paragraphs.iter().find(|(at, text)| *at <= span.at.start && span.at.end <= at + text.len())?;
        let words = rule.text().shown(span);
        let before = paragraphs.iter().take_while(|(at, _)| *at < begin).map(|(_, text)| text);
        let inside = span.at.start - begin;
        let nth = before.map(|text| places(text, words)).sum::<usize>() + places_until(text, words, inside);
        let since = since(rule, span)?;
        Some(Mark {
            words: words.to_owned(),
            nth,
            key: span.name().to_owned(),
            meaning: match keys.get(&span.key) {
                Some(key) => key.meaning.to_owned(),
                None if span.mark().gives() => "not played by".to_owned(),
                None => "what a term means".to_owned(),
            },
            since: since.seq,
            at: since.at,
            why: since.why.clone(),
        })
    };
    let spans = rule.text().spans().iter().filter(|span| span.counts && !span.at.is_empty());
    spans.filter_map(mark).collect()
}

fn texts(document: &Document) -> impl Iterator<Item = &str> {
    document.blocks.iter().filter_map(|block| match block {
        Block::Para(text) => Some(&**text),
        _ => None,
    })
}

/// How often some words stand in a text.
fn places(text: &str, words: &str) -> usize {
    places_until(text, words, text.len())
}

/// The same before a place in it.
fn places_until(text: &str, words: &str, end: usize) -> usize {
    text.char_indices().filter(|(at, _)| *at < end && text[*at..].starts_with(words)).count()
}

/// The first of the latest revisions in which a place reads as it does now.
fn since<'r>(rule: &'r Rule, span: &Span) -> Option<&'r Revision> {
    let shown = rule.text().shown(span);
    let reads_so = |revision: &&Revision| {
        let text = Text::shared(&revision.source);
        text.spans().iter().any(|other| other.key == span.key && text.shown(other) == shown)
    };
    rule.revisions().iter().rev().take_while(reads_so).last()
}
