//! Attributes that a text gives to all objects of a kind, or takes from them.
//!
//! How a definition is written stands in `define`; values are set like any others.

use super::{
    super::{
        define,
        syntax::unquote,
        wording::{exact_key, folded, slug},
        words::Lawful,
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
        let id: Id = slug(name).into();
        if let Some(key) = exact_key(&Keys::new(G::keys()), name).or_else(|| exact_key(&Keys::new(G::keys()), &id)) {
            let say =
                format!("“{name}” is a figure of the rules already, the {}; nothing else is called so", key.meaning);
            return Err(Refusal::new(say));
        }
        if let Some(def) = d.world.def(&id) {
            return Err(Refusal::new(format!("“{id}” is defined already, for every {}", def.scope))
                .instead(format!("=> undefine {id}")));
        }
        let by = define::Words {
            kind: &|words| G::kind(d, words),
            number: &|words| self.amount(words, None, d).ok(),
            link: &|words, range| self.linked(words, range, d),
        };
        let (range, default) = define::read(spec, &by)?;
        let name = id.clone();
        G::define(d, AttrDef { id, scope: kind, range, default, by: None })?;
        let first = |value: &Value| match value.to_string() {
            text if text.is_empty() => "blank".to_owned(),
            text => text,
        };
        let said = |def: &AttrDef| {
            format!("every {} has {name}: {}, {} at first", def.scope, define::shown(&def.range), first(&def.default))
        };
        Ok(d.world.def(&name).map(said).into_iter().collect())
    }
}

/// Undefines one, where the game does not play by it.
pub(super) fn undefine_attr<G: Lawful>(attr: &str, d: &mut Draft<'_, G>) -> Said {
    let wanted = folded(unquote(attr));
    let Some(def) = d.world.defs().find(|def| folded(&def.id) == wanted).cloned() else {
        return Err(Refusal::new(format!("no attribute is called “{}”", attr.trim())));
    };
    if G::declared(&def.id) {
        return Err(Refusal::new(format!("the game itself plays by “{}”; amend the rule that defines it", def.id)));
    }
    G::undefine(d, def);
    Ok(Vec::new())
}

/// What is to be set names an attribute and nobody who has it: it says so, else what was missing.
pub(super) fn unowned<G: Lawful>(what: &str, missing: Refusal, d: &Draft<'_, G>) -> Refusal {
    let wanted = folded(unquote(what));
    let Some(def) = d.world.defs().find(|def| folded(&def.id) == wanted) else { return missing };
    let has = d.world.objects().find(|obj| d.world.kind(obj).is_some_and(|kind| def.covers(kind)));
    let who = has.map_or_else(|| "WHO".to_owned(), |obj| G::called(d, obj));
    Refusal::new(format!("it does not say whose {} is set, as in “set {} of {who} to …”", def.id, def.id))
}
