//! A document's figures, drawn: grids as heat maps, graphs as maps, numbers over time, amounts, rounds, and pictures in
//! dots.
//!
//! There is one drawing of each. [`mod@layout`] says where everything lies, [`svg()`] writes it down, for pages as it is,
//! and for chat it is painted from the same lines ([`painted()`]).

mod bars;
mod chart;
mod graph;
mod grid;
mod layout;
mod painted;
mod raster;
mod svg;
mod wheel;

pub use graph::beside;
pub use painted::{Ground, Painted, painted};
pub use svg::{svg, visible};

#[cfg(test)]
mod tests;
