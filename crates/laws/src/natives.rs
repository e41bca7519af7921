//! The functions that every law has: what it declares, looks at, and asks for.
//!
//! One file a chapter of the vocabulary. Nothing here keeps anything: the room is lent for the time of a call.

mod chance;
mod days;
mod declare;
mod dockets;
mod effects;
mod groups;
mod look;
mod numbers;
mod numerals;
mod offices;
mod pages;
pub(crate) mod papers;
mod route;
mod terms;

use rhai::{
    Engine,
    packages::{
        ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage, BasicStringPackage, LogicPackage,
        MoreStringPackage, Package,
    },
};

/// Gives an engine all of them. Of the engine's own the core is left out: it sleeps, and reads JSON of any size.
pub(crate) fn register(engine: &mut Engine) {
    LogicPackage::new().register_into_engine(engine);
    ArithmeticPackage::new().register_into_engine(engine);
    BasicArrayPackage::new().register_into_engine(engine);
    BasicMapPackage::new().register_into_engine(engine);
    BasicStringPackage::new().register_into_engine(engine);
    BasicIteratorPackage::new().register_into_engine(engine);
    MoreStringPackage::new().register_into_engine(engine);
    numbers::register(engine);
    look::register(engine);
    declare::register(engine);
    dockets::register(engine);
    effects::register(engine);
    groups::register(engine);
    offices::register(engine);
    chance::register(engine);
    days::register(engine);
    numerals::register(engine);
    pages::register(engine);
    route::register(engine);
    terms::register(engine);
}

/// What a display came to, as a document.
pub(crate) fn page(is: rhai::Dynamic, lent: &super::run::On<'_>) -> kernel::display::Document {
    pages::document(is, lent)
}
