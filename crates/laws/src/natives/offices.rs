//! Offices of players: a rule gives one, and laws appoint to it. Who holds it is a value of the game like others.

use rhai::{Array, Dynamic, Engine, ImmutableString, Map};

use kernel::Id;

use super::{
    super::{
        declared::ROOM,
        fault::{Given, faulty},
        offices,
        run::{On, on},
        values::{Obj, as_object},
    },
    declare::{attribute, declare, known, yes},
    dockets::listed,
    effects::{of_rules, set},
    look::{charge, get, looks},
};

/// Gives an office.
fn office(name: &str, options: &Map) -> Given<()> {
    known(options, &["several", "also"])?;
    let also = listed(options, "also")?.unwrap_or_default();
    let range = if yes(options, "several")? { "list of players" } else { "a player" };
    let words = format!("{} of game: {range}", offices::attr(name));
    let nothing = if range.starts_with("list") { Map::new() } else { Map::from([("nothing".into(), "nobody".into())]) };
    declare(|declaring| {
        declaring.declared.attrs.push(attribute(&words, &nothing)?);
        declaring.declared.offices.push(name.to_owned());
        declaring.declared.office_words.extend(also.into_iter().map(|word| (word, name.to_owned())));
        Ok(())
    })
}

/// What stands for the holders of an office.
///
/// # Errors
///
/// Where no rule gives it, or the game itself says who holds it.
fn held(lent: &mut On<'_>, office: &str) -> Given<(String, Dynamic)> {
    charge(1)?;
    let (attr, room) = (offices::attr(office), Id::from(ROOM));
    let is_given = lent.run.registry.laws.iter().any(|law| offices::gives(&law.declared, office));
    if !is_given {
        return Err(faulty(format!("no law gives the office “{office}”: “office(\"{office}\")” does")));
    }
    let is = get(lent, &room, &attr)?;
    Ok((attr, is))
}

/// Whether a value is somebody.
fn is(held: &Dynamic, who: &Obj) -> bool {
    as_object(held).is_some_and(|held| held == who.0)
}

/// Gives somebody an office: one that several have keeps the others.
fn appoint(lent: &mut On<'_>, office: &str, who: &Obj) -> Given<()> {
    of_rules(lent)?;
    let (attr, held) = held(lent, office)?;
    let to = match held.try_cast::<Array>() {
        Some(mut all) => {
            if !all.iter().any(|one| is(one, who)) {
                all.push(Dynamic::from(who.clone()));
            }
            Dynamic::from_array(all)
        }
        None => Dynamic::from(who.clone()),
    };
    set(lent, &ROOM.into(), &attr, &to)
}

/// Takes an office from whoever has it, or from somebody if e has it.
fn vacate(lent: &mut On<'_>, office: &str, who: Option<&Obj>) -> Given<()> {
    of_rules(lent)?;
    let (attr, held) = held(lent, office)?;
    let is_meant = |one: &Dynamic| who.is_none_or(|who| is(one, who));
    let to = match held.clone().try_cast::<Array>() {
        Some(all) => Dynamic::from_array(all.into_iter().filter(|one| !is_meant(one)).collect()),
        None if is_meant(&held) => Dynamic::UNIT,
        None => held,
    };
    set(lent, &ROOM.into(), &attr, &to)
}

/// All who hold an office.
fn holders(lent: &mut On<'_>, office: &str) -> Given<Array> {
    looks(lent)?;
    let all = super::look::holders(lent, office);
    charge(all.len() + 1)?;
    Ok(all.into_iter().map(|one| Dynamic::from(Obj(one))).collect())
}

pub(super) fn register(engine: &mut Engine) {
    engine.register_fn("office", |name: ImmutableString| office(&name, &Map::new()));
    engine.register_fn("office", |name: ImmutableString, options: Map| office(&name, &options));
    engine.register_fn("appoint", |name: ImmutableString, who: Obj| on(|lent| appoint(lent, &name, &who)));
    engine.register_fn("vacate", |name: ImmutableString| on(|lent| vacate(lent, &name, None)));
    engine.register_fn("vacate", |name: ImmutableString, who: Obj| on(|lent| vacate(lent, &name, Some(&who))));
    engine.register_fn("holders", |name: ImmutableString| on(|lent| holders(lent, &name)));
}
