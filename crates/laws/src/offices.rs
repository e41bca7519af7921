//! Offices that laws give: by which words they go, and who holds them.

use std::collections::BTreeMap;

use kernel::{Game, Id, Path, State, Value, directives::wording::slug};

use super::{
    declared::{Declared, ROOM, SUSPENDED, SUSPENDED_TOO},
    room::Hosts,
    tables::Enacted,
};

/// The attribute of the game in which the holders of an office stand: `vice-chair`.
pub(crate) fn attr(office: &str) -> String {
    slug(office)
}

/// Whether a law gives an office.
pub(crate) fn gives(declared: &Declared, office: &str) -> bool {
    declared.offices.iter().any(|given| given.eq_ignore_ascii_case(office))
}

/// The offices that laws give, each with its holders.
pub fn offices<G: Hosts>(state: &State<G>) -> BTreeMap<String, Vec<Id>> {
    let all = state.rows::<Enacted>().values().flat_map(|law| &law.declared.offices);
    all.map(|office| (office.clone(), holders(state, office))).collect()
}

/// The office that words name: `Judge`, `the judge`, or another word for it.
pub fn office_named<G: Game>(state: &State<G>, words: &str) -> Option<String> {
    let words = words.trim();
    let words = match words.split_at_checked(4) {
        Some((the, rest)) if the.eq_ignore_ascii_case("the ") => rest,
        _ => words,
    };
    state.rows::<Enacted>().values().map(|law| &law.declared).find_map(|declared| {
        let mut also = declared.office_words.iter();
        let own = declared.offices.iter().find(|office| office.eq_ignore_ascii_case(words));
        own.or_else(|| also.find(|(word, _)| word.eq_ignore_ascii_case(words)).map(|(_, office)| office)).cloned()
    })
}

/// Where the holders of an office stand.
pub(crate) fn place(office: &str) -> Path {
    Path::new(ROOM, attr(office))
}

/// Who holds an office of the game or of laws: whoever rests does not, but where an act is for such as well.
pub(crate) fn holders<G: Hosts>(state: &State<G>, office: &str) -> Vec<Id> {
    let (office, all) = office.strip_suffix(SUSPENDED_TOO).map_or((office, false), |office| (office, true));
    let of = |value: Value| if let Value::Ref(one) = value { Some(one) } else { None };
    let mut held = G::holders(state, office);
    if held.is_empty() {
        held = match office_named(state, office).map(|named| state.world.value(&place(&named))).unwrap_or_default() {
            Value::List(all) => all.into_iter().filter_map(of).collect(),
            one => of(one).into_iter().collect(),
        };
    }
    held.retain(|one| all || G::taken_for(state, one).is_none_or(|is| *is != *SUSPENDED));
    held
}

/// Who holds an office, or has held it longest of several.
pub fn holder<G: Hosts>(state: &State<G>, office: &str) -> Option<Id> {
    holders(state, office).into_iter().next()
}
