//! Pictures beside words: drawn where pictures can be shown, and left out elsewhere. What one says in short stands in the
//! blocks around it.

use serde::{Deserialize, Serialize};

/// A picture, as what it shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Picture {
    /// Small squares.
    Raster(Raster),
    /// Lines over time.
    Chart(Chart),
    /// Amounts side by side.
    Bars(Bars),
    /// What comes round again, like the days of a week.
    Wheel(Wheel),
}

/// A picture in small squares.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Raster {
    /// Top to bottom, a character for each square. They are `.` for nothing, `a` to `h` from little to much, `L`, `R`
    /// and `X` for the first thing, the second, and both.
    pub rows: Vec<String>,
    /// Names of some rows, by place.
    pub row_names: Vec<(usize, String)>,
    /// Names of some columns, by place.
    pub column_names: Vec<(usize, String)>,
    /// What `L` and `R` stand for.
    pub things: (String, String),
}

/// A number of each of several things over time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Chart {
    /// What is counted: `Power`, `rank`.
    pub measure: String,
    /// The moments from left to right, as people call them.
    pub moments: Vec<String>,
    /// Each thing with its number at each moment, where it has one then. The most important comes first: where there are
    /// more lines than can be told apart, the last are left out.
    pub lines: Vec<(String, Vec<Option<i64>>)>,
    /// The least number is the best, and stands at the top: ranks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub least_first: bool,
}

/// Amounts side by side, of which some are needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Bars {
    /// Each amount with its name, from above to below.
    pub bars: Vec<(String, u64)>,
    /// How much the first bar needs, and what that is called: `Quorum`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needed: Option<(u64, String)>,
}

/// A round of moments, one of which is now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Wheel {
    /// What the round is: `nweek 12`.
    pub name: String,
    /// The moments in their order, each with what happens then.
    pub moments: Vec<(String, Vec<String>)>,
    /// Which of them is now, counted from 0.
    pub now: usize,
}

impl Picture {
    /// Goes through every name in it.
    pub(super) fn each_text(&mut self, change: &mut dyn FnMut(&mut String)) {
        match self {
            Self::Raster(raster) => {
                change(&mut raster.things.0);
                change(&mut raster.things.1);
            }
            Self::Chart(chart) => chart.lines.iter_mut().for_each(|(name, _)| change(name)),
            Self::Bars(bars) => bars.bars.iter_mut().for_each(|(name, _)| change(name)),
            Self::Wheel(wheel) => wheel.moments.iter_mut().flat_map(|(_, due)| due).for_each(change),
        }
    }
}
