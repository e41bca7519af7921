//! What a rehearsal tells, and that it swallows nothing.

use super::*;

/// A room that Goethe opened on Monday 2 November 2026, 10:00: two lines.
const OPENED: &str = "at 2026-11-02 10:00\nroom joust main by Goethe in #hill\n";

/// A program that strikes the enemy's flag on an array of 151 cells, in shorthand.
const STRIKE: &str = "{>*150}{-*128}";

fn rehearse(lines: &str) -> Report {
    let script = Script::parse("test", &format!("{OPENED}{lines}"), None).unwrap_or_else(|why| panic!("{why}"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(play(&script, &Options::default()))
}

/// A rehearsal whose last line is not met, for this reason.
#[track_caller]
fn unmet(lines: &str, expected: &str, instead: &str) {
    let report = rehearse(lines);
    let [unmet] = &report.unmet[..] else { panic!("{}\n{lines}", report.complaints()) };
    assert!(unmet.expected.contains(expected), "{}", unmet.text());
    assert!(unmet.instead.contains(instead), "{}", unmet.text());
    assert!(unmet.line > 2 || lines.is_empty(), "{}", unmet.text());
}

#[track_caller]
fn met(lines: &str) -> Report {
    let report = rehearse(lines);
    assert!(report.is_met(), "{}", report.complaints());
    report
}

#[test]
fn what_is_as_expected_passes() {
    let report = met(&format!(
        "Ann: joust submit Alpha {STRIKE}
          << Alpha is received
         Bob: join
          < You are a member
         #hill> Bob is a member
         #hill>- Ann
         @Bob>-
         Bob: join
          <! member already
         dice length from 135: 151 x20
         Goethe: joust start
         #hill> The contest has begun
         #hill> Challenge {{?n}}: Alpha ... Deemed to occur at 2026-11-02 10:00
         expect 2 entries
         show hill
          | The Hill
          | rank program by touches ...
          | 1 Alpha Ann ...
          | ...
          | After challenge {{n}}, by Alpha.
         expect points of Bob = 0
         expect player/bob.points is not 7
         expect figure hill-size = 10
         entry -1
          < challenge/1
          < Announced: Challenge 1
         show hill as of 2
          < The contest has not begun"
    ));
    assert_eq!(report.expectations, 16);
}

#[test]
fn every_kind_of_expectation_that_is_not_met_is_told() {
    unmet("Bob: join\n< You are the king", "a reply with “You are the king”", "You are a member");
    unmet("Bob: join\n<< You are a member", "for the speaker alone", "You are a member");
    unmet("Bob: join\n<! no", "a refusal with “no”", "You are a member");
    unmet("Bob: join\n<-", "no reply", "You are a member");
    unmet("Bob: join\n<- member", "no reply with “member”", "You are a member");
    unmet("Bob: join\n| You are", "the line “You are” here", "You are a member");
    unmet("show members\n| Members\n| ...\n| The end", "the line “The end” here", "Nobody is a member");
    unmet("show members\n| Members", "no further line", "Nobody is a member");
    unmet("Bob: join\n#hill> Ann is", "to #hill with “Ann is”", "Bob is a member");
    unmet("Bob: join\n#talk> Bob is", "to #talk", "nothing is announced there");
    unmet("Bob: join\n@Bob> Bob is", "to @Bob", "nothing is announced there");
    unmet("Bob: join\n#hill>- Bob", "no announcement to #hill with “Bob”", "#hill hears: Bob is a member");
    unmet("Bob: join\n#hill>-", "no announcement to #hill", "Bob is a member");
    unmet("Bob: join\nnothing announced", "no announcement", "Bob is a member");
    unmet("Bob: join\nexpect points of Bob = 7", "player/bob.points is 7", "it is 0");
    unmet("Bob: join\nexpect points of Bob is not 0", "is not 0", "it is 0");
    unmet("expect points of Ann = 7", "something that can be done", "nobody is called Ann");
    unmet("expect figure hill-size = 9", "hill-size is 9", "it is 10");
    unmet("Bob: join\nexpect no entries", "0 entries", "1 were made");
}

#[test]
fn an_expectation_is_about_the_last_act_alone() {
    unmet("Bob: join\nshow members\n#hill> Bob is a member", "with “Bob is a member”", "nothing is announced");
    unmet("Bob: join\nAnn: join\n#hill> Bob is a member", "with “Bob is a member”", "Ann is a member");
    // In order: what comes later in the text must come later in what is said.
    unmet("Bob: join\n< Monday\n< a member from", "a reply with “a member from”", "You are a member");
}

#[test]
fn a_refusal_that_nobody_expects_is_told() {
    let report = rehearse("Bob: join\nBob: join\nBob: leave\n< You are no member");
    let [told] = &report.unmet[..] else { panic!("{}", report.complaints()) };
    assert_eq!((told.line, told.expected.as_str()), (4, "no refusal"));
    assert!(told.instead.contains("You are a member already"));
    // Another refusal than the expected one is told once.
    unmet("Bob: join\nBob: join\n<! you are dead", "a refusal with “you are dead”", "You are a member already");
    // Two refusals need two expectations.
    unmet("Bob: join; join; join\n<! member already", "no refusal", "member already");
    met("Bob: join; join; join\n<! member already\n<! member already");
}

#[test]
fn a_rehearsal_that_expects_nothing_fails() {
    let report = rehearse("Bob: join");
    assert!(report.complaints().contains("the rehearsal would pass whatever happens"), "{}", report.complaints());
    assert_eq!(report.expectations, 0);
}

#[test]
fn what_cannot_be_done_is_told() {
    unmet("at 2026-11-01\nnothing announced", "something that can be done", "it is 2026-11-02T10:00:00Z already");
    unmet("use other\nnothing announced", "something that can be done", "there is no room other");
    unmet("entry -9\nnothing announced", "something that can be done", "the last entry is 1");
    unmet("public it\nnothing announced", "something that can be done", "“it” is no secret");
    let script = Script::parse("test", "Ann: join\n<-", None).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let report = runtime.block_on(play(&script, &Options::default()));
    assert!(report.complaints().contains("no room is open"), "{}", report.complaints());
}

#[test]
fn strict_rehearsals_expect_every_announcement() {
    unmet("strict\nBob: join\n< You are a member", "no other announcement", "#hill hears: Bob is a member");
    met("strict\nBob: join\n#hill> Bob is a member\nlenient\nAnn: join\n< You are");
}

#[test]
fn dice_that_do_not_show_what_was_fixed_are_told() {
    let begin = format!("Ann: joust submit Alpha {STRIKE}\nGoethe: joust start\n#hill> Challenge 1");
    unmet(&format!("dice length from 135: 168 x20\n{begin}").replace("168 x20", "168"), "to show 33", "33 at most");
    unmet(&format!("dice length: 16 x21\n{begin}"), "every number fixed in advance to be drawn", "1 are left in main");
    met(&format!("dice length: 16 x19 0\n{begin}\n#hill> Lengths: 151 ... 151 135"));
    met(&format!("dice length always: 16\ndice length: 0\n{begin}\n#hill> Lengths: 135 151 151"));
}

#[test]
fn secrets_are_watched_everywhere() {
    let submit = "secret hushhush of Ann\nAnn: joust submit Alpha hushhush>+\n<< Alpha is received";
    met(&format!("{submit}\nAnn: joust program Alpha\n<< hushhush\nBob: joust program Alpha\n<- hushhush"));
    met(&format!("{submit}\npublic hushhush\nAnn: joust reveal Alpha\n#hill> hushhush"));
    unmet(&format!("{submit}\nAnn: joust reveal Alpha\n#hill> hushhush"), "that nobody sees “hushhush”", "#hill hears");
    let own = format!("{}\nAnn: joust program Alpha\n<< hush", submit.replace(" of Ann", ""));
    unmet(&own, "that nobody sees “hushhush”", "Ann is told");
}

#[test]
fn a_message_delivered_twice_acts_once() {
    met("Goethe: joust adjudicate So be it.\n#hill> So be it\nagain\n<-\nnothing announced\nexpect no entries");
}

#[test]
fn held_work_waits_and_a_restart_goes_on_with_it() {
    let begin = format!("dice length: 16 x20\nhold work\nAnn: joust submit Alpha {STRIKE}\nGoethe: joust start\n");
    let waits = format!("{begin}#hill>- Challenge 1\nadvance 2 hours\nnothing announced\n");
    met(&format!("{waits}release work\n#hill> Challenge 1 ... Deemed to occur at 2026-11-02 10:00 UTC"));
    met(&format!("{waits}restart\n#hill> Challenge 1 ... Deemed to occur at 2026-11-02 10:00 UTC"));
    met(&format!("{waits}down until Mon 10:00\n#hill> Challenge 1\n#hill> Points for the week"));
}

#[test]
fn time_stops_at_every_instant_that_something_is_due() {
    let report = met("Goethe: joust start\nadvance 3 weeks\n#hill> Points for the week from 2026-11-09 00:00
        #hill> Points for the week from 2026-11-16 00:00\n#hill> Points for the week from 2026-11-23 00:00\n#hill>- Meanwhile");
    let mondays = ["2026-11-09T00:00:00Z", "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z"];
    for monday in mondays {
        assert!(report.events.contains(&Event::Time { at: monday.to_owned() }), "{monday}");
    }
}

#[test]
fn the_same_rehearsal_comes_out_the_same() {
    let lines =
        format!("Ann: joust submit Alpha {STRIKE}\nGoethe: joust start\n#hill> Lengths: {{?first}}\nadvance 9 days");
    assert_eq!(met(&lines), met(&lines));
}

#[test]
fn long_texts_and_files_are_heard_whole() {
    met("Ann: joust submit Alpha >>>
         : {+*3}
         : [-]
          << Alpha is received
         Ann: joust submit Beta
         file beta.bf: >+
          << Beta is received
         Ann (private): joust submit Gamma
          << Send the text now
         Ann (private): >
          <-
         Ann (private): end text
          << Gamma is received
         Ann (#hill): joust submit Delta >
          <! Others can read this channel
         Ann (unproven): join
          <! network does not say who you are
         \"Big Bob\": join
         #hill> Big Bob is a member");
}

#[test]
fn lines_that_say_nothing_are_told_all_at_once() {
    let wrong = "dance\nat noon\nexpect much\n<!\ndice length 3\n| a\nroom joust main\nAnn (here): hi\nfile x: y\n: y";
    let Err(BadScript::Lines(lines)) = Script::parse("bad", wrong, None) else { panic!("it is read") };
    let at = |line: usize, why: &str| {
        assert!(lines.iter().any(|told| told.starts_with(&format!("bad:{line}: ")) && told.contains(why)), "{lines:?}");
    };
    at(1, "“dance” begins nothing");
    at(2, "“noon” is no moment");
    at(3, "expect points of Ann = 7");
    at(4, "the expected text is missing");
    at(5, "dice length from 135: 151 x20");
    at(6, "stands below");
    at(7, "room joust main by Goethe in #hill");
    at(8, "“here” is no place");
    at(9, "stands below what somebody says");
    at(10, "stands below what somebody says");
    assert_eq!(lines.len(), 10);
}

#[test]
fn heads_remarks_and_includes_are_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scene.txt"), format!("{OPENED}# a remark\nclauses: J45")).unwrap();
    let text = "# J14: three a week\nclauses: J14, J83\nprobes: hill-size = 9; rule points\ninclude scene.txt
        show members  # who is there\n | Members ...  # open\n | ...\n";
    let script = Script::parse("test", text, Some(folder.path())).unwrap();
    assert_eq!(script.title, "J14: three a week");
    assert_eq!(script.clauses.iter().collect::<Vec<_>>(), ["J14", "J45", "J83"]);
    assert_eq!(script.probed()["hill-size"].to.as_deref(), Some("9"));
    assert_eq!(script.probed()["points"].to, None);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let report = runtime.block_on(play(&script, &Options::default()));
    assert!(report.is_met(), "{}", report.complaints());
    std::fs::write(folder.path().join("scene.txt"), "include scene.txt").unwrap();
    let endless = Script::parse("test", "include scene.txt", Some(folder.path())).unwrap_err();
    assert!(endless.to_string().contains("deep"), "{endless}");
    assert!(Script::parse("test", "include none.txt", Some(folder.path())).is_err());
    assert!(Script::parse("test", "include scene.txt", None).is_err());
}

#[test]
fn reports_are_told_as_text_and_as_json() {
    let report = rehearse("Bob: join\n< You are a king\nhold work\n");
    let text = report.text();
    assert!(text.contains("Bob (#hill): join\n  < You are a member"), "{text}");
    assert!(
        text.contains("!! test:4: expected a reply with “You are a king”\n    but the reply is: You are"),
        "{text}"
    );
    assert!(text.ends_with("1 unmet, of 1 expectations\n"), "{text}");
    let json = report.json();
    let objects: Vec<serde_json::Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.first().unwrap()["event"], "begin");
    assert_eq!(objects.last().unwrap()["unmet"], 1);
    assert!(objects.iter().any(|event| event["event"] == "said" && event["by"] == "Bob" && event["line"] == 3));
    assert!(objects.iter().any(|event| event["event"] == "unmet" && event["line"] == 4 && event["file"] == "test"));
}

#[test]
fn a_program_of_the_public_hills_is_heard_as_it_is_written_on_several_lines_too() {
    let lines = "Ann (private): joust test (>
      : {b*9}c)*4
      file a.bf: (+)*2
      : ({d*9}
      Bob (private): joust test {+*3}";
    let script = Script::parse("test", lines, None).unwrap_or_else(|why| panic!("{why}"));
    let texts: Vec<&str> = script
        .items
        .iter()
        .map(|(_, item)| match item {
            script::Item::Act(script::Act::Say(speech)) => speech.text.as_str(),
            _ => panic!("only speeches"),
        })
        .collect();
    assert_eq!(texts, ["joust test (>\n{b*9}c)*4\n({d*9}", "joust test +++"]);
}
