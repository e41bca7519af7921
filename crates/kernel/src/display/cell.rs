//! The smallest piece of a document: a text, with the value of the world that it shows and what it leads to.
//!
//! A cell knows neither the document nor the picture that it stands in.

use serde::{Deserialize, Serialize};

use crate::{Id, Num, Path};

/// A piece of text that knows where it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Cell {
    /// What is shown.
    pub text: String,
    /// The value of the world that it shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Path>,
    /// What a parameter completed from this display receives; a cell without it completes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completes: Option<String>,
    /// The display that tells more about it (`program/alpha`), or a room (`@main`): a link where there are links.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shows: Option<String>,
}

impl Cell {
    /// Text that shows no value of the world.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Text with which a parameter is completed as it stands.
    pub fn named(text: impl Into<String>) -> Self {
        let text = text.into();
        Self::new(text.clone()).completing(text)
    }

    /// The number of something that a display shows: `proposal/12`.
    pub fn numbered(display: &str, number: u64) -> Self {
        Self::named(number.to_string()).showing(format!("{display}/{number}"))
    }

    /// Goes through every text that a reader sees, or that comes back from one.
    pub(super) fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        change(&mut self.text);
        self.completes.iter_mut().for_each(&mut *change);
        self.shows.iter_mut().for_each(&mut *change);
        if let Some(source) = &mut self.source {
            let mut path = source.to_string();
            change(&mut path);
            if let Ok(path) = path.parse() {
                *source = path;
            }
        }
    }

    /// Says which value is shown.
    #[must_use]
    pub fn from_path(mut self, path: Path) -> Self {
        self.source = Some(path);
        self
    }

    /// Lets a parameter be completed with this cell.
    #[must_use]
    pub fn completing(mut self, value: impl Into<String>) -> Self {
        self.completes = Some(value.into());
        self
    }

    /// Names the display that tells more about it.
    #[must_use]
    pub fn showing(mut self, display: impl Into<String>) -> Self {
        self.shows = Some(display.into());
        self
    }
}

/// What a cell is made of where it is text alone.
macro_rules! texts {
    ($($of:ty),*) => {$(
        impl From<$of> for Cell {
            fn from(of: $of) -> Self {
                Self::new(of.to_string())
            }
        }
    )*};
}
texts!(&str, String, &String, u32, u64, usize, i64, Id, &Id, Num, &Num);
