//! The story of three nweeks of what laws add to B Nomic: goods, a Consultation, a Contract, and Rule Tag from its opening
//! to its repeal. It is told on every network, with six players who hold all ministries.

use crate::laws::{Table, Who};

/// The room with the rules of Rule Tag, its six players, and every ministry held.
async fn opens(table: &mut impl Table) {
    let given = [
        ("game", "bnomic"),
        ("name", "main"),
        ("founders", "Ann, Bob, Cat, Dan, Eve"),
        ("socks", "2"),
        ("with", "rule-tag"),
    ];
    table.does(Who::Mod, "room open", &given, "B Nomic is open here, in nweek 135").await;
    table.reads("rule tag ball is put at 4E").await;
    table.offers("tag move", "a rule").await;
    for who in [Who::Ann, Who::Bob, Who::Cat, Who::Dan, Who::Eve] {
        let told = format!("{} is a Player now, as a founder", who.name());
        table.does(who, "join", &[("name", who.name())], &told).await;
    }
    let others = ["Law", "Time", "Society", "Goods", "Play", "Laundry", "Fauna", "Judging", "Business"];
    let held = [
        (Who::Mod, "Ministry"),
        (Who::Ann, "Change"),
        (Who::Cat, "Foreign Relations"),
        (Who::Dan, "Questions"),
        (Who::Eve, "Rule Tag"),
    ];
    for (who, ministry) in held.into_iter().chain(others.map(|ministry| (Who::Bob, ministry))) {
        let told = format!("takes the Ministry of {ministry}.");
        table.does(who, "ministry take", &[("ministry", ministry)], &told).await;
    }
}

/// From nday 1 to the end of an nweek: everybody reads which actions of Rule Tag were made, and all vote for the one proposal that is Open, where one is.
async fn ends(table: &mut impl Table, [ballot, end]: [&str; 2], proposal: Option<&str>, nweek: u32, actions: &str) {
    table.to(ballot).await;
    table.reads(&format!("Ballot of nweek {nweek}")).await;
    table.reads(&format!("Rule Tag actions: {actions}")).await;
    if let Some(number) = proposal {
        for who in [Who::Bob, Who::Cat, Who::Mod] {
            let told = format!("{} votes FOR on Proposal {number}", who.name());
            table.does(who, "vote", &[("on", number), ("vote", "for")], &told).await;
        }
    }
    table.does(Who::Ann, "clock on", &[], "Ann puts the Clock On. It is nday 9").await;
    table.to(end).await;
    table.reads(&format!("Results of nweek {nweek}")).await;
}

/// Tells the story.
pub(crate) async fn three_nweeks_of_goods_and_tag(table: &mut impl Table) {
    opens(table).await;
    table.does(Who::Mod, "clock on", &[], "Mod puts the Clock On. It is nday 1 of nweek 135").await;

    // Goods, DNA, a question, a Contract.
    table.is_refused(Who::Ann, "sock buy", &[("sock", "Blue")], "A Sock costs m80, and you have m50. (Socks)").await;
    let given = [("to", "Ann"), ("amount", "40")];
    table.does(Who::Bob, "mackerel give", &given, "Bob gives m40 to Ann").await;
    table.does(Who::Ann, "sock buy", &[("sock", "Blue")], "Ann buys a Blue Sock for m80").await;
    table.does(Who::Dan, "mutate", &[("dna", "5A")], "Dan mutates from AA to 5A, for m25").await;
    table
        .does(Who::Cat, "consultation submit", &[("question", "Is the Clock On?")], "is the Priest of Consultation 1")
        .await;
    let given = [("name", "Lease"), ("text", "Whoever wants to pays.")];
    table.does(Who::Ann, "contract create", &given, "Ann creates the Contract Lease").await;
    table.does(Who::Bob, "contract join", &[("contract", "Lease")], "Bob becomes a party to Lease").await;

    // Elements and moves, one of them in private: Water beats Fire, and Earth beats Water.
    for (who, points) in [(Who::Ann, "10"), (Who::Cat, "20")] {
        let path = format!("player/{}.score", who.name().to_lowercase());
        let given = [("path", path.as_str()), ("value", points), ("reason", "that is what e had elsewhere")];
        table.does(Who::Mod, "correct", &given, &format!("{path} was 0 and is {points}")).await;
    }
    table.does(Who::Ann, "element change", &[("to", "Fire")], "Ann changes eir element to Fire").await;
    table.does(Who::Cat, "element change", &[("to", "Water")], "Cat changes eir element to Water").await;
    for who in [Who::Ann, Who::Bob] {
        table.does(who, "tag move", &[("to", "34")], &format!("{} declares a move to 4E34", who.name())).await;
    }
    table.privately(Who::Cat, "secret move", &[("to", "34")], "It is sealed as number 1").await;
    table.reads("Cat does “secret move” under seal").await;
    let moves = "Ann declares a move to 4E34; Bob declares a move to 4E34; Cat declares a move to 4E34";
    ends(table, ["2026-11-10T00:00:00Z", "2026-11-14T00:00:00Z"], None, 135, moves).await;
    table.reads("Ann pays 10 to Cat (Water) (-10); Bob (+15); Cat pays 15 to Bob (Earth) (-5)").await;
    table.reads("Eve gains 10 points as Rule Tag Moderator").await;
    table.shows(Who::Dan, "tag", "4E34").await;

    // The ball is grabbed, and the rule under the players is amended.
    table.does(Who::Mod, "clock on", &[], "Mod puts the Clock On. It is nday 1 of nweek 136").await;
    let given = [("what", "ball"), ("to", "34"), ("reason", "It rolled there")];
    table.does(Who::Eve, "tag place", &given, "The RTL of rule tag ball is 4E34").await;
    table
        .does(
            Who::Bob,
            "tag grab",
            &[("object", "ball"), ("points", "0")],
            "Bob declares a grab of rule tag ball for 0",
        )
        .await;
    table.proposes(Who::Dan, "Shiny", "=> append to rule 34: It is shiny.", "Proposal 1, “Shiny” by Dan").await;
    ends(table, ["2026-11-22T00:00:00Z", "2026-11-26T00:00:00Z"], Some("1"), 136, "Bob declares a grab").await;
    table.reads("rule tag ball 4E34, Bob").await;
    table.shows(Who::Dan, "tag", "Bob").await;

    // Its rules are repealed, and nothing is left of it but the record.
    table.does(Who::Mod, "clock on", &[], "Mod puts the Clock On. It is nday 1 of nweek 137").await;
    let repeal: Vec<String> = (81..=85).map(|rule| format!("=> repeal rule {rule}")).collect();
    table.proposes(Who::Dan, "No tag", &repeal.join("\n"), "Proposal 2, “No tag” by Dan").await;
    ends(table, ["2026-12-04T00:00:00Z", "2026-12-08T00:00:00Z"], Some("2"), 137, "nothing").await;
    table.reads("The law of Rule Tag ends").await;
    table.lacks("tag").await;
    table.shows(Who::Ann, "socks", "Blue").await;
}
