//! The story of a law, from its proposal to its repeal, as it is told on every network and in more than one game.
//!
//! A law that fails adds nothing. One that passes adds a command and a trigger; its figure is amended, then its script, and
//! it is repealed. Where the story is told says how a line is typed and what people see there.

use jiff::civil::{Date, date};

/// Who plays. The first of them opens the room and moderates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    Mod,
    Ann,
    Bob,
    Cat,
    Dan,
    Eve,
}

impl Who {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Mod => "Mod",
            Self::Ann => "Ann",
            Self::Bob => "Bob",
            Self::Cat => "Cat",
            Self::Dan => "Dan",
            Self::Eve => "Eve",
        }
    }
}

/// A channel of a network, with people and the bot in it.
pub(crate) trait Table {
    /// Somebody types a command with these arguments, and everybody reads this in the channel.
    async fn does(&mut self, who: Who, name: &str, given: &[(&str, &str)], told: &str);
    /// Somebody types a command, and is told why it is not done.
    async fn is_refused(&mut self, who: Who, name: &str, given: &[(&str, &str)], why: &str);
    /// Somebody types a command in private, and is told this alone.
    async fn privately(&mut self, who: Who, name: &str, given: &[(&str, &str)], told: &str);
    /// Somebody looks at a display, which has this in it.
    async fn shows(&mut self, who: Who, display: &str, part: &str);
    /// Somebody proposes a text of several lines, and everybody reads this in the channel.
    async fn proposes(&mut self, who: Who, title: &str, text: &str, told: &str);
    /// Everybody reads this in the channel, which nobody asked for.
    async fn reads(&mut self, told: &str);
    /// Time passes until then.
    async fn to(&mut self, instant: &str);
    /// Whoever looks for a command of two words finds it, with this choice.
    async fn offers(&mut self, command: &str, choice: &str);
    /// Whoever looks for a command finds none.
    async fn lacks(&mut self, command: &str);
}

/// A game that the story is played in, with what differs there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Game {
    BlogNomic,
    BNomic,
}

/// A law about something to wear that costs something and is washed at midnight.
fn law(game: Game, what: &str) -> String {
    let (owner, currency, midnight) = match game {
        Game::BlogNomic => ("robot", "power", "start of day"),
        Game::BNomic => ("player", "mackerel", "start of nday"),
    };
    let word = what.to_lowercase();
    format!(
        r#"=> create rule "{what}s":
~~~~
A {what} costs [8](#{word}-price).

```law
let colors = "one of Blue, Black";
kind("{word}");
define("color of {word}: " + colors);
define("owner of {word}: a {owner}");
action("{word} buy", #{{help: "Buy a {what}"}}, ["color: " + colors], |a| {{
    let price = number("{word}-price");
    a.by.{currency} -= price;
    create("{word}", #{{color: a.color, owner: a.by}});
    say(`${{a.by}} buys a ${{a.color}} {what} for ${{price}}`);
}});
forbid("{word} buy", |a| count("{word}", #{{owner: a.by}}) >= 1, "one {what} is enough");
at("{midnight}", || say(`Washed: ${{count("{word}")}} {what}s`));
```
~~~~"#
    )
}

/// A room in which the story is told, and where it has come to.
struct Story<'t, T> {
    table: &'t mut T,
    game: Game,
    /// The day that it is.
    day: Date,
    /// How many proposals were made.
    proposals: u32,
    /// In B Nomic, the nweek.
    nweek: u32,
}

impl<T: Table> Story<'_, T> {
    async fn opens(&mut self) {
        let players = [Who::Ann, Who::Bob, Who::Cat];
        match self.game {
            Game::BlogNomic => {
                let given = [("game", "blognomic"), ("name", "main")];
                self.table.does(Who::Mod, "room open", &given, "BlogNomic is open here.").await;
                self.table.offers("robot apply", "What you are called").await;
                for who in players {
                    let given = [("name", who.name()), ("link", "https://example.org/")];
                    self.table.does(who, "robot apply", &given, "applies to join BlogNomic").await;
                    let told = format!("{} is a Robot, with", who.name());
                    self.table.does(Who::Mod, "admin set-up", &[("robot", who.name())], &told).await;
                }
                // The virus of a Monday might double the Quorum, and the dice are none of this story's.
                let given = [("path", "law/13"), ("value", "suspended"), ("reason", "it is none of this story")];
                self.table.does(Who::Mod, "correct", &given, "Correction by a moderator, outside the rules").await;
            }
            Game::BNomic => {
                let given = [("game", "bnomic"), ("name", "main"), ("founders", "Ann, Bob, Cat")];
                self.table.does(Who::Mod, "room open", &given, "B Nomic is open here, in nweek 135").await;
                self.table.offers("ministry take", "Which one").await;
                for who in players {
                    let told = format!("{} is a Player now, as a founder", who.name());
                    self.table.does(who, "join", &[("name", who.name())], &told).await;
                }
                self.takes_ministries().await;
            }
        }
    }

    /// The Clock can be put On when no ministry is Vacant.
    async fn takes_ministries(&mut self) {
        let others =
            ["Law", "Time", "Society", "Goods", "Play", "Questions", "Laundry", "Fauna", "Judging", "Business"];
        let held = [(Who::Mod, "Ministry"), (Who::Ann, "Change"), (Who::Cat, "Foreign Relations")];
        for (who, ministry) in held.into_iter().chain(others.map(|ministry| (Who::Bob, ministry))) {
            let told = format!("takes the Ministry of {ministry}.");
            self.table.does(who, "ministry take", &[("ministry", ministry)], &told).await;
        }
    }

    /// A day passes; in B Nomic an nday with it, of an nweek that has begun.
    async fn sleeps(&mut self) {
        if self.game == Game::BNomic {
            self.puts_clock_on(Who::Mod).await;
        }
        self.comes(1).await;
    }

    /// By name: others have put it On before, and who did not look at that yet takes it for this one.
    async fn puts_clock_on(&mut self, who: Who) {
        self.table.does(who, "clock on", &[], &format!("{} puts the Clock On", who.name())).await;
    }

    async fn comes(&mut self, days: i64) {
        self.day = self.day.checked_add(jiff::Span::new().days(days)).expect("not the end of time");
        self.table.to(&format!("{}T00:00:00Z", self.day)).await;
    }

    /// A proposal is made, and everybody votes on it.
    async fn decides(&mut self, title: &str, text: &str, passes: bool) {
        self.proposals += 1;
        let number = self.proposals.to_string();
        let told = match self.game {
            Game::BlogNomic => format!("Proposal {number} by Ann."),
            Game::BNomic => format!("Proposal {number}, “{title}” by Ann"),
        };
        self.table.proposes(Who::Ann, title, text, &told).await;
        if self.game == Game::BNomic {
            // An nweek that has slept a day has its Clock On.
            if self.day == self.nweek_begins() {
                self.puts_clock_on(Who::Mod).await;
            }
            let nday_9 = self.nweek_begins().checked_add(jiff::Span::new().days(8)).expect("not the end of time");
            let days = self.day.until(nday_9).expect("days").get_days();
            self.comes(days.into()).await;
            self.table.reads(&format!("Ballot of nweek {}", self.nweek)).await;
        }
        let vote = match (self.game, passes) {
            (Game::BlogNomic, true) => "FOR",
            (Game::BlogNomic, false) => "AGAINST",
            (_, true) => "for",
            (_, false) => "against",
        };
        for who in [Who::Bob, Who::Cat, Who::Mod] {
            let told = format!("{} votes {} on Proposal {number}", who.name(), vote.to_uppercase());
            self.table.does(who, "vote", &[("on", &number), ("vote", vote)], &told).await;
        }
        match self.game {
            Game::BlogNomic if passes => {
                let told = format!("Proposal {number} ({title}) is now Enacted");
                self.table.does(Who::Mod, "admin enact", &[], &told).await;
            }
            Game::BlogNomic => {
                let told = format!("Proposal {number} ({title}) is now Failed");
                self.table.does(Who::Mod, "admin fail", &[], &told).await;
            }
            Game::BNomic => {
                self.puts_clock_on(Who::Ann).await;
                self.comes(4).await;
                self.nweek += 1;
                self.table.reads(&format!("Results of nweek {}", self.nweek - 1)).await;
            }
        }
    }

    /// The day on which the nweek has begun: the Clock stands still at no other time.
    fn nweek_begins(&self) -> Date {
        let days = i64::from(self.nweek - FIRST_NWEEK) * NWEEK_DAYS;
        START.checked_add(jiff::Span::new().days(days)).expect("not the end of time")
    }
}

/// The day on which the room is opened, before noon.
const START: Date = date(2026, 11, 2);
/// The nweek in which B Nomic opens.
const FIRST_NWEEK: u32 = 135;
/// How many ndays an nweek has.
const NWEEK_DAYS: i64 = 12;

/// Tells the story.
pub(crate) async fn a_law_is_passed_amended_and_repealed(table: &mut impl Table, game: Game) {
    let mut story = Story { table, game, day: START, proposals: 0, nweek: FIRST_NWEEK };
    story.opens().await;
    story.table.lacks("glove").await;

    // A vote that fails adds nothing, then or later.
    story.decides("Hats", &law(game, "Hat"), false).await;
    story.decides("Gloves", &law(game, "Glove"), true).await;
    story.table.offers("glove buy", "Black").await;
    story.table.lacks("hat").await;

    // The command, a bar, and what happens at midnight.
    story.table.does(Who::Ann, "glove buy", &[("color", "Blue")], "Ann buys a Blue Glove for 8.").await;
    story.table.is_refused(Who::Ann, "glove buy", &[("color", "Black")], "One Glove is enough. (").await;
    story.sleeps().await;
    story.table.reads("Washed: 1 Gloves.").await;

    // Its figure, then its script.
    story.decides("Cheap", "=> set glove-price to 3", true).await;
    story.table.does(Who::Bob, "glove buy", &[("color", "Black")], "Bob buys a Black Glove for 3.").await;
    let red = "=> amend rule \"Gloves\": replace \"one of Blue, Black\" with \"one of Blue, Black, Red\"";
    story.decides("Red", red, true).await;
    story.table.offers("glove buy", "Red").await;
    story.table.does(Who::Cat, "glove buy", &[("color", "Red")], "Cat buys a Red Glove for 3.").await;
    story.sleeps().await;
    story.table.reads("Washed: 3 Gloves.").await;

    story.decides("No gloves", "=> repeal rule \"Gloves\"", true).await;
    story.table.reads("The law of Gloves ends").await;
    story.table.lacks("glove").await;
}
