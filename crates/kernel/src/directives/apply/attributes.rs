//! Attributes that a text gives to all objects of a kind, or takes from them.
//!
//! How a definition is written stands in `define`; values are set like any others.

use super::{
    super::{
        define,
        syntax::{split_last, unquote},
        wording::{bare, exact_key, folded, slug},
        words::{Lawful, undefined, undefining},
    },
    work::{Said, Work},
};
use crate::Draft;
use crate::Id;
use crate::Refusal;
use crate::Value;
use crate::rulebook::Keys;
use crate::world::AttrDef;

impl Work<'_> {
    /// Defines an attribute.
    pub(super) fn define_attr<G: Lawful>(&self, attr: &str, kind: &str, spec: &str, d: &mut Draft<'_, G>) -> Said {
        let (name, kind_words) = (unquote(attr).trim(), unquote(kind));
        let Some(kind) = G::kind(d, kind_words) else {
            let kinds = G::kinds(d).join(", ");
            return Err(Refusal::new(format!("there is no kind of object called “{kind_words}”; there are {kinds}")));
        };
        let (id, keys): (Id, _) = (slug(name).into(), Keys::of(G::mechanics().keys(d), [&d.rules]));
        if let Some(key) = exact_key(&keys, name).or_else(|| exact_key(&keys, &id)) {
            let say =
                format!("“{name}” is a figure of the rules already, the {}; nothing else is called so", key.meaning);
            return Err(Refusal::new(say));
        }
        undefined(d, &id, &kind)?;
        let by = define::Words {
            kind: &|words| G::kind(d, words),
            number: &|words| self.amount(words, None, d).ok(),
            link: &|words, range| self.linked(words, range, d),
        };
        let (range, default) = define::read(spec, &by)?;
        let (name, of) = (id.clone(), kind.clone());
        G::define(d, AttrDef { id, scope: kind, range, default, by: None })?;
        let first = |value: &Value| match value.to_string() {
            text if text.is_empty() => "blank".to_owned(),
            text => text,
        };
        let said = |def: &AttrDef| {
            format!("every {} has {name}: {}, {} at first", def.scope, define::shown(&def.range), first(&def.default))
        };
        Ok(d.world.def(&name, &of).map(said).into_iter().collect())
    }
}

/// Undefines one, where the game does not play by it: `charm`, and `charm of robot` where another kind has one, too.
pub(super) fn undefine_attr<G: Lawful>(attr: &str, d: &mut Draft<'_, G>) -> Said {
    let mut found = called(attr, d);
    if found.is_empty()
        && let Some((attr, kind)) = split_last(attr, &["of", "for"])
        && let Some(kind) = G::kind(d, bare(unquote(kind)))
    {
        found = called(attr, d);
        found.retain(|def| def.names(&kind));
    }
    let def = match &found[..] {
        [] => return Err(Refusal::new(format!("no attribute is called “{}”", attr.trim()))),
        [only] => AttrDef::clone(only),
        [first, ..] => {
            let forms: Vec<String> = found.iter().map(|def| format!("“{}”", undefining(d, def))).collect();
            let say = format!("several kinds have a “{}” of their own; write {}", first.id, forms.join(" or "));
            return Err(Refusal::new(say).instead(format!("=> {}", undefining(d, first))));
        }
    };
    if G::declared(&def.id) {
        return Err(Refusal::new(format!("the game itself plays by “{}”; amend the rule that defines it", def.id)));
    }
    G::undefine(d, def);
    Ok(Vec::new())
}

/// What is to be set names an attribute and nobody who has it: it says so, else what was missing.
pub(super) fn unowned<G: Lawful>(what: &str, missing: Refusal, d: &Draft<'_, G>) -> Refusal {
    let found = called(what, d);
    let Some(first) = found.first() else { return missing };
    let who = |def: &AttrDef| d.world.having(def).next().map_or_else(|| "WHO".to_owned(), |obj| G::called(d, obj));
    let forms: Vec<String> = found.iter().map(|def| format!("“set {} of {} to …”", def.id, who(def))).collect();
    Refusal::new(format!("it does not say whose {} is set, as in {}", first.id, forms.join(" or ")))
}

/// The attributes that are called so, one for each kind that has its own.
fn called<'d, G: Lawful>(words: &str, d: &'d Draft<'_, G>) -> Vec<&'d AttrDef> {
    let wanted = folded(unquote(words));
    d.world.defs().filter(|def| folded(&def.id) == wanted).collect()
}
