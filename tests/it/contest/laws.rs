//! The story of a law on a network with services, in BlogNomic and in B Nomic.

use crate::{
    contest::{
        stage::{BOT, CHANNEL, Stage, asks, does, hears, is_refused, reads, tell},
        with_services,
    },
    goods::three_nweeks_of_goods_and_tag,
    harness::needs_servers,
    laws::{Game, Table, Who, a_law_is_passed_amended_and_repealed},
    servers::client::Client,
};

/// The people of the story on IRC, and one who only reads.
struct Irc {
    stage: Stage,
    people: [Client; 6],
    reader: Client,
    /// What of the last line that was read is still to be looked at: short announcements of one instant share a line.
    left: String,
}

impl Irc {
    async fn meets() -> Self {
        let names = ["Mod", "Ann", "Bob", "Cat", "Dan", "Eve", "Fay"];
        let (stage, [zed, ann, bob, cat, dan, eve, reader]) = with_services(names).await;
        Self { stage, people: [zed, ann, bob, cat, dan, eve], reader, left: String::new() }
    }

    fn person(&mut self, who: Who) -> &mut Client {
        self.people.iter_mut().find(|client| client.nick == who.name()).expect("everybody is there")
    }

    async fn ends(mut self) {
        self.stage.told().await;
        for client in self.people.iter_mut().chain([&mut self.reader]) {
            client.settle().await;
        }
    }
}

/// A command as it is typed.
fn line(name: &str, given: &[(&str, &str)]) -> String {
    let given = given.iter().map(|(name, value)| match value.contains(' ') {
        true => format!(" {name}:\"{value}\""),
        false => format!(" {name}:{value}"),
    });
    format!("{name}{}", given.collect::<String>())
}

impl Table for Irc {
    async fn does(&mut self, who: Who, name: &str, given: &[(&str, &str)], told: &str) {
        does(self.person(who), &line(name, given), told).await;
    }

    async fn is_refused(&mut self, who: Who, name: &str, given: &[(&str, &str)], why: &str) {
        is_refused(self.person(who), &line(name, given), why).await;
    }

    async fn privately(&mut self, who: Who, name: &str, given: &[(&str, &str)], told: &str) {
        asks(self.person(who), &line(name, given), told).await;
    }

    async fn shows(&mut self, who: Who, display: &str, part: &str) {
        asks(self.person(who), &format!("show {display}"), part).await;
    }

    async fn proposes(&mut self, who: Who, title: &str, text: &str, told: &str) {
        let person = self.person(who);
        person.say(CHANNEL, &format!("!propose \"{title}\"")).await;
        hears(person, "Send the text now to the bot in private").await;
        for line in text.lines().filter(|line| !line.is_empty()).chain(["end text"]) {
            person.say(BOT, line).await;
        }
        reads(person, told).await;
    }

    async fn reads(&mut self, told: &str) {
        let line = match self.left.contains(told) {
            true => std::mem::take(&mut self.left),
            false => reads(&mut self.reader, told).await.text().to_owned(),
        };
        self.left = line.split_once(told).expect("it was read").1.to_owned();
    }

    async fn to(&mut self, instant: &str) {
        self.stage.house.to(instant).await;
    }

    async fn offers(&mut self, command: &str, choice: &str) {
        asks(&mut self.people[0], &format!("help {command}"), choice).await;
    }

    async fn lacks(&mut self, command: &str) {
        is_refused(&mut self.people[0], command, &format!("There is no command “{command}”")).await;
    }
}

fn told_in(game: Game) {
    tell(async |_| {
        let mut irc = Irc::meets().await;
        a_law_is_passed_amended_and_repealed(&mut irc, game).await;
        irc.ends().await;
    });
}

#[test]
fn a_law_of_blognomic_on_inspircd_with_services() {
    needs_servers!(Inspircd, Atheme);
    told_in(Game::BlogNomic);
}

#[test]
fn a_law_of_b_nomic_on_inspircd_with_services() {
    needs_servers!(Inspircd, Atheme);
    told_in(Game::BNomic);
}

#[test]
fn three_nweeks_of_goods_and_tag_on_inspircd_with_services() {
    needs_servers!(Inspircd, Atheme);
    tell(async |_| {
        let mut irc = Irc::meets().await;
        three_nweeks_of_goods_and_tag(&mut irc).await;
        irc.ends().await;
    });
}
