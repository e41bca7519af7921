//! What the ministries of B Nomic show (4E50): the same displays on every front end, each with what was done in the room.
//!
//! IRC and Discord look at them in the stories that are told there, the pages in `web`; here is the list, and the console.

use crate::console::Home;

/// Each display that a ministry keeps, and by which words everybody knows it.
pub(crate) const DISPLAYS: [(&str, &str); 44] = [
    ("clock", "The Clock of B Nomic"),
    ("calendar", "The calendar of B Nomic"),
    ("schedule", "What is yet to come in B Nomic"),
    ("intents", "Announced intentions of B Nomic"),
    ("society", "Players of B Nomic"),
    ("requests", "Requests to become a Player of B Nomic"),
    ("ministries", "Ministries of B Nomic"),
    ("duties", "What ministries of B Nomic owe"),
    ("emergency", "Mental states and emergencies of B Nomic"),
    ("attributes", "Attributes of B Nomic"),
    ("registry", "The registry of B Nomic"),
    ("quantities", "Official quantities of B Nomic"),
    ("proposals", "Proposals of B Nomic"),
    ("ballot", "Ballot of nweek"),
    ("tweaks", "Tweaks"),
    ("foreign-relations", "Foreign Relations of B Nomic"),
    ("questions", "Questions of B Nomic"),
    ("goods", "Goods of B Nomic"),
    ("play", "Play of B Nomic"),
    ("business", "Business of B Nomic"),
    ("fauna", "Fauna of B Nomic"),
    ("judging", "Judging of B Nomic"),
    ("laundry", "Laundry of B Nomic"),
    ("victory", "Victory Conditions and trophies of B Nomic"),
    ("powers", "Powers of rules of B Nomic"),
    ("consultations", "Consultations"),
    ("devices", "Devices"),
    ("blueprints", "Blueprints"),
    ("auctions", "Auctions"),
    ("motnw", "Message Of The nweek"),
    ("flags", "The flags, and the threats that they stand for"),
    ("crimes", "Crimes and Offenses"),
    ("field", "The Field"),
    ("matches", "Field Matches"),
    ("priority-list", "The Priority List"),
    ("dna", "DNA and Twins"),
    ("graves", "The Dead and the Undead"),
    ("mojo", "Mojo Collections"),
    ("undead", "Undead and Infected"),
    ("tricks", "Tricks of The Beast"),
    ("quorums", "Quorums"),
    ("health", "Hit Points and Health"),
    ("corporations", "Corporations"),
    ("socks", "The Sock Market"),
];

/// What people do in a room so that each of its displays has something to show: who says what, after it was opened.
pub(crate) const PLAYED: [(&str, &str); 16] = [
    ("Ann", "join Ann"),
    ("Bob", "join Bob"),
    ("Eve", "join Eve"),
    ("Ann", "ministry take Ministry"),
    ("Ann", "ministry take Society"),
    ("Bob", "ministry take Change"),
    ("Bob", "ministry take Law"),
    ("Bob", "ministry take Time"),
    ("Ann", "ministry take Foreign Relations"),
    ("Ann", "propose \"Longer\" => set last-nday to 13"),
    ("Bob", "tweak Everybody is merry."),
    ("Bob", "intend tweak 1"),
    ("Ann", "ambassador record Agora friendly"),
    ("Bob", "at nday 8: clock on"),
    ("Bob", "challenge society Bob has 5 points, not 0"),
    ("Ann", "panic"),
];

/// What each display shows of that.
pub(crate) const SHOWN: [(&str, &[&str]); 16] = [
    ("clock", &["135", "Breakday", "Off"]),
    ("schedule", &["clock on", "duty 1 of the Ministry of Society is late"]),
    ("intents", &["tweak 1"]),
    ("society", &["Ann", "m50", "the Ministry of Change"]),
    ("requests", &["Eve"]),
    ("ministries", &["Ministry of Foreign Relations", "Ambassador", "Bob", "50"]),
    ("duties", &["Bob has 5 points, not 0", "4 rdays"]),
    ("emergency", &["Pink Ponies", "Paranoid", "Calm"]),
    ("quantities", &["A Bunch", "24"]),
    ("proposals", &["Longer", "Pending"]),
    ("tweaks", &["Everybody is merry."]),
    ("foreign-relations", &["Agora", "friendly"]),
    ("goods", &["There is no device.", "There is no blueprint."]),
    ("fauna", &["The Operantly Conditioned Beast", "There is no trick."]),
    ("attributes", &["mackerel", "4E34"]),
    ("powers", &["4E45", "1/2"]),
];

#[test]
fn every_ministry_of_b_nomic_shows_its_displays_in_the_console() {
    let home = Home::new();
    let mut lines = "room open bnomic main founders:\"Ann, Bob\"\n".to_owned();
    for (who, said) in PLAYED {
        lines.push_str(&format!("as {who}\n{said}\n"));
    }
    lines.push_str("as Dot\n");
    for (display, _) in DISPLAYS {
        lines.push_str(&format!("show {display}\n"));
    }
    let heard = home.say(&lines);
    let shown = |display: &str| {
        let typed = format!("Dot> show {display}");
        let from = heard.iter().position(|line| *line == typed).unwrap_or_else(|| panic!("{typed}: {heard:#?}"));
        let until = heard[from + 1..].iter().take_while(|line| !line.starts_with("Dot> "));
        until.cloned().collect::<Vec<_>>().join("\n")
    };
    for (display, title) in DISPLAYS {
        assert!(shown(display).contains(title), "{display}: {}", shown(display));
    }
    for (display, parts) in SHOWN {
        for part in parts {
            assert!(shown(display).contains(part), "{part:?} in {display}: {}", shown(display));
        }
    }
}
