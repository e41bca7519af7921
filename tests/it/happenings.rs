//! What happens by the games' own rules and laws may follow, as the guide of laws lists it.

use std::{fs, path::Path};

/// What happens by each game, with what laws see of it, as the guide lists it.
#[test]
fn the_guide_of_laws_lists_what_happens_by_each_game() {
    fn rows<G: laws::Hosts>(title: &str) -> String {
        let row = |(name, fields): &laws::Event| {
            let fields: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
            format!("| {title} | `{name}` | {} |\n", fields.join(", "))
        };
        G::EVENTS.iter().map(row).collect()
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/playing/laws.md");
    let kept = fs::read_to_string(&path).expect("the guide of laws");
    let (begins, ends) = ("<!-- What happens is made of what the games tell of. -->", "<!-- End of what happens. -->");
    let (before, rest) = kept.split_once(begins).expect("where the list begins");
    let (_, after) = rest.split_once(ends).expect("where it ends");
    let made = [
        "\n| game | event | holds |\n|---|---|---|\n".to_owned(),
        rows::<blognomic::BlogNomic>("BlogNomic"),
        rows::<bnomic::BNomic>("B Nomic"),
        rows::<spacenomic::Spacenomic>("Spacenomic"),
        rows::<joust::Joust>("Joust"),
        rows::<nomic::Nomic>("Nomic of your own"),
    ];
    let made = format!("{before}{begins}\n{}\n{ends}{after}", made.concat());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &made).expect("the guide can be written");
    }
    let kept = fs::read_to_string(&path).expect("the guide of laws");
    assert!(kept == made, "docs/playing/laws.md is not what the games tell of: run the test again with UPDATE_DOCS=1");
}
