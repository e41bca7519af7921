//! Values in the places of directives.
//!
//! Directives are read first, with `{places}` in them. Values come into what was read, so that no value of a player's is
//! ever read as a directive, an expression or a name of a group.

use std::collections::BTreeMap;

use kernel::{
    Id, Num, Refusal, Value,
    directives::{Act, Body, Directive},
};

/// What comes into a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// An object, with what players call it.
    Object(Id, String),
    /// A number.
    Number(Num),
    /// Yes or no.
    Bool(bool),
    /// A text.
    Text(String),
}

/// With what directives are done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places {
    /// Values by the names of their places.
    pub(crate) all: BTreeMap<String, Place>,
    /// Why it is done, where a law says more than that its rule does it.
    pub(crate) because: Option<String>,
}

/// What makes more than words of a text of a rule: a block, a live figure or a term. No value brings them in, since players
/// say what the values are, and nobody voted on that.
const BINDS: [&str; 2] = ["```", "](#"];

/// How some words of a directive are read once they are filled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum As {
    /// Not at all: a text of a rule.
    Text,
    /// The same in one line: a title.
    Line,
    /// As an expression.
    Expression,
    /// As a name of something.
    Name,
}

impl Places {
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Puts the values into what was read.
    ///
    /// # Errors
    ///
    /// Where a text stands in the place of a name.
    pub(crate) fn fill(&self, body: &mut Body) -> Result<(), Refusal> {
        if self.is_empty() {
            Ok(())
        } else {
            body.directives.iter_mut().try_for_each(|directive| self.directive(directive))
        }
    }

    fn directive(&self, directive: &mut Directive) -> Result<(), Refusal> {
        directive.words = self.filled(&directive.words, As::Text)?;
        match &mut directive.act {
            Ok(act) => self.act(act),
            Err(_) => Ok(()),
        }
    }

    fn act(&self, act: &mut Act) -> Result<(), Refusal> {
        let text = |words: &mut String| self.put(words, As::Text);
        let line = |words: &mut String| self.put(words, As::Line);
        let value = |words: &mut String| self.put(words, As::Expression);
        let name = |words: &mut String| self.put(words, As::Name);
        match act {
            Act::CreateRule { title, number: _, text: is } => {
                line(title)?;
                text(is)
            }
            Act::Amend { rule, old, new } => {
                name(rule)?;
                text(old)?;
                text(new)
            }
            Act::Rewrite { rule, text: is } | Act::Append { rule, text: is } => {
                name(rule)?;
                text(is)
            }
            Act::Retitle { rule, title } => {
                name(rule)?;
                line(title)
            }
            Act::Renumber { rule, number } => {
                name(rule)?;
                name(number)
            }
            Act::Repeal { rule } => name(rule),
            Act::Set { what, to } => {
                name(what)?;
                value(to)
            }
            Act::Define { attr, kind, spec } => {
                name(attr)?;
                name(kind)?;
                value(spec)
            }
            Act::Undefine { attr } => name(attr),
            Act::Move { up: _, what, by } => {
                name(what)?;
                value(by)
            }
            Act::Award { what, who } | Act::Hand { give: _, what, who } => {
                value(what)?;
                name(who)
            }
            Act::Transfer { what, from, to } => {
                value(what)?;
                name(from)?;
                name(to)
            }
            Act::Create { what } | Act::Destroy { what } => name(what),
            Act::Appoint { who, office } => {
                name(who)?;
                office.as_mut().map_or(Ok(()), name)
            }
            Act::Require { that } => value(that),
            Act::If { that, then } => {
                value(that)?;
                then.iter_mut().try_for_each(|directive| self.directive(directive))
            }
            Act::Own { words, text: is } => {
                name(words)?;
                is.as_mut().map_or(Ok(()), text)
            }
        }
    }

    fn put(&self, words: &mut String, how: As) -> Result<(), Refusal> {
        *words = self.filled(words, how)?;
        Ok(())
    }

    /// Some words with the values in their places; braces around anything else stay.
    fn filled(&self, words: &str, how: As) -> Result<String, Refusal> {
        let (mut out, mut rest) = (String::new(), words);
        while let Some(at) = rest.find('{') {
            out.push_str(&rest[..at]);
            rest = &rest[at..];
            let place = rest.find('}').and_then(|end| Some((end, self.all.get(rest[1..end].trim())?)));
            match place {
                Some((end, place)) => {
                    out.push_str(&written(place, how)?);
                    rest = &rest[end + 1..];
                }
                None => {
                    out.push('{');
                    rest = &rest[1..];
                }
            }
        }
        out.push_str(rest);
        Ok(out)
    }
}

/// A value as it is written in some words.
fn written(place: &Place, how: As) -> Result<String, Refusal> {
    Ok(match (place, how) {
        (Place::Object(_, called), As::Text | As::Line) => called.clone(),
        (Place::Object(obj, _), As::Expression | As::Name) => obj.to_string(),
        (Place::Number(number), _) => number.to_string(),
        (Place::Bool(is), _) => if *is { "yes" } else { "no" }.to_owned(),
        (Place::Text(text), As::Line) if text.contains('\n') => {
            return Err(Refusal::new("a title stands in one line"));
        }
        (Place::Text(text), As::Text | As::Line) if BINDS.iter().any(|sign| text.contains(sign)) => {
            return Err(Refusal::new(
                "what is put into a rule by a law is words: no block (```) and no figure ([8](#key)) comes with it",
            ));
        }
        (Place::Text(text), As::Text | As::Line) => text.clone(),
        (Place::Text(text), As::Expression) if !text.contains(['"', '“', '”', '\\', '\n']) => format!("\"{text}\""),
        (Place::Text(text), As::Expression) => {
            return Err(Refusal::new(format!("“{text}” has quotation marks or lines, and stands in no expression")));
        }
        (Place::Text(text), As::Name) => {
            return Err(Refusal::new(format!("“{text}” is a text, and stands in the place of a name: give an object")));
        }
    })
}

/// What comes into a place, of a value.
///
/// # Errors
///
/// Where it is nothing that can be written in a directive.
pub(crate) fn place(value: &Value, called: impl FnOnce(&Id) -> String) -> Result<Place, Refusal> {
    Ok(match value {
        Value::Ref(obj) => Place::Object(obj.clone(), called(obj)),
        Value::Num(number) => Place::Number(number.clone()),
        Value::Bool(is) => Place::Bool(*is),
        Value::Text(text) => Place::Text(text.clone()),
        Value::Null | Value::Time(_) | Value::List(_) => {
            return Err(Refusal::new("a place takes an object, a number, a text, yes or no"));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::directives::syntax::parse;

    fn filled(text: &str, place: (&str, Place)) -> Result<Act, Refusal> {
        let mut body = parse(text, &|_| false)?;
        Places { all: [(place.0.to_owned(), place.1)].into(), because: None }.fill(&mut body)?;
        body.directives.remove(0).act
    }

    #[test]
    fn a_text_is_never_read_again() {
        let evil = "x\" => repeal rule 1";
        let act = filled("=> retitle rule 7 to {title}", ("title", Place::Text(evil.to_owned()))).unwrap();
        assert_eq!(act, Act::Retitle { rule: "7".to_owned(), title: evil.to_owned() });
        for words in ["It is so.\n```law\n", "It is [9](#quorum)."] {
            let text = Place::Text(words.to_owned());
            let why = filled("=> create rule \"Gift\": {text}", ("text", text)).unwrap_err();
            assert!(why.say.contains("no block (```) and no figure"), "{why:?}");
        }
        assert!(filled("=> retitle rule 7 to {title}", ("title", Place::Text("x\n".to_owned()))).is_err());
        let name = Place::Text("every player".to_owned());
        let why = filled("=> destroy {who}", ("who", name)).unwrap_err();
        assert!(why.say.contains("stands in the place of a name"), "{why:?}");
        let value = Place::Text("\" + 1".to_owned());
        assert!(filled("=> set motto of Ann to {what}", ("what", value)).is_err());
    }

    #[test]
    fn objects_are_written_by_their_id_where_something_is_named() {
        let act = filled("=> destroy {it}", ("it", Place::Object("sock/3".into(), "Red".to_owned()))).unwrap();
        assert_eq!(act, Act::Destroy { what: "sock/3".to_owned() });
        let act = filled("=> raise hp of Ann by {n} where {x}", ("n", Place::Number(3.into()))).unwrap();
        let Act::Move { by, .. } = act else { panic!("{act:?}") };
        assert_eq!(by, "3 where {x}");
    }
}
