//! What a person or a tool reads from the program, to the letter.

use std::fs;
use std::ops::Deref;
use std::path::Path;

use serde_json::{Value, json};

use super::files::{FILE_MAX_BYTES, shown};
use super::*;
use crate::{Method, Rules, Scoring};

/// A directory with files in it.
struct Dir(tempfile::TempDir);

impl Dir {
    fn with(files: &[(&str, &str)]) -> Dir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(dir.path().join(name), text).unwrap();
        }
        Dir(dir)
    }

    fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }
}

impl Deref for Dir {
    type Target = Path;

    fn deref(&self) -> &Path {
        self.0.path()
    }
}

/// What the command prints, or an error as its sentence.
fn run(arguments: &[&str]) -> Result<String, String> {
    let typed = Arguments::try_parse_from([&["bfjoust"], arguments].concat()).map_err(|error| error.to_string())?;
    let mut out = Vec::new();
    typed.run(None, &mut out).map_err(|error| error.to_string())?;
    Ok(String::from_utf8(out).unwrap())
}

fn attack() -> String {
    format!("{}[-]", ">".repeat(134))
}

fn pair_of_files() -> Dir {
    Dir::with(&[("attack.bf", &attack()), ("sleep.er.bf", "sleeps"), ("fall.txt", "..<")])
}

#[test]
fn match_json_is_the_public_interface_to_the_letter() {
    let dir = pair_of_files();
    let (left, right) = (dir.file("attack.bf"), dir.file("sleep.er.bf"));
    let printed = run(&["match", &left, &right, "--lengths", "150,135", "--json"]).unwrap();
    assert_eq!(
        printed,
        concat!(
            r#"{"left":"attack","right":"sleep.er","charges":["#,
            r#"{"length":150,"winner":null,"reason":"cap","cycles":384000},"#,
            r#"{"length":135,"winner":"left","reason":"flag","cycles":390}]}"#,
            "\n"
        )
    );
    let printed = run(&["match", &left, &dir.file("fall.txt"), "--lengths=135", "--json"]).unwrap();
    let answer: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(answer["charges"], json!([{"length": 135, "winner": "left", "reason": "edge", "cycles": 3}]));
    let printed = run(&["match", &dir.file("fall.txt"), &dir.file("fall.txt"), "--lengths=9", "--json"]).unwrap();
    let answer: Value = serde_json::from_str(&printed).unwrap();
    let lost_by = json!({"left": "edge", "right": "edge"});
    assert_eq!(
        answer["charges"],
        json!([{"length": 9, "winner": null, "reason": "both", "cycles": 3, "lost_by": lost_by}])
    );
}

#[test]
fn j55_without_lengths_all_of_the_rules_are_played_in_order() {
    let dir = pair_of_files();
    let printed = run(&["match", &dir.file("sleep.er.bf"), &dir.file("fall.txt"), "--json"]).unwrap();
    let answer: Value = serde_json::from_str(&printed).unwrap();
    let lengths: Vec<u64> =
        answer["charges"].as_array().unwrap().iter().map(|charge| charge["length"].as_u64().unwrap()).collect();
    assert_eq!(lengths, (135..=167).collect::<Vec<u64>>());
}

#[test]
fn lengths_keep_their_order_and_repeats() {
    let dir = pair_of_files();
    let (left, right) = (dir.file("attack.bf"), dir.file("sleep.er.bf"));
    let printed = run(&["match", &left, &right, "--lengths", "167,135,167", "--json"]).unwrap();
    let answer: Value = serde_json::from_str(&printed).unwrap();
    let winners: Vec<&Value> = answer["charges"].as_array().unwrap().iter().map(|c| &c["winner"]).collect();
    assert_eq!(winners, [&Value::Null, &json!("left"), &Value::Null]);
}

#[test]
fn match_for_people() {
    let dir = Dir::with(&[("attack.bf", &attack()), ("twice.bf", "(+)*2")]);
    let (left, right) = (dir.file("attack.bf"), dir.file("twice.bf"));
    let printed = run(&["match", &left, &right, "--lengths", "135,136"]).unwrap();
    assert_eq!(
        printed,
        "left   attack\n\
         right  twice\n\
         \n\
         \u{20} lengths  winner  reason           cycles\n\
         \u{20}     135  left    flag                392\n\
         \u{20}     136  -       cap              384000\n\
         \n\
         touches: left 1, right 0; charges without a winner: 1\n\
         twice: Repetition signs are comments under these rules, so (+)*5 is one +; write the commands out (line \
         1, column 4).\n"
    );
    let dir = Dir::with(&[("fall.bf", "..<"), ("sleep.bf", "")]);
    let printed = run(&["match", &dir.file("fall.bf"), &dir.file("sleep.bf")]).unwrap();
    assert_eq!(printed.matches("edge").count(), 1, "33 equal charges are one row: {printed}");
    assert!(printed.contains("135\u{2013}167  right   edge                  3\n"), "{printed}");
}

#[test]
fn charges_that_both_lost_are_told_apart_by_what_each_lost_by() {
    // At 135 cells both run off the array, at 136 both come to the other's flag.
    let dir =
        Dir::with(&[("fall.bf", &format!("{}>[-]", ">".repeat(134))), ("drop.bf", &format!("{}<", ".".repeat(134)))]);
    let (fall, drop) = (dir.file("fall.bf"), dir.file("drop.bf"));
    let printed = run(&["match", &fall, &fall, "--lengths", "135,136"]).unwrap();
    assert!(
        printed.contains(
            "\u{20} lengths  winner  reason              cycles\n\
             \u{20}     135  -       both edge              135\n\
             \u{20}     136  -       both flag              391\n"
        ),
        "{printed}"
    );
    let answer = run(&["match", &fall, &fall, "--lengths", "136", "--json"]).unwrap();
    assert!(answer.contains(r#""reason":"both","cycles":391,"lost_by":{"left":"flag","right":"flag"}}"#), "{answer}");
    assert!(run(&["match", &fall, &drop, "--lengths", "135"]).unwrap().contains("both edge"));
}

#[test]
fn under_egojoust_a_match_and_a_hill_are_played_in_both_polarities() {
    // The ward never leaves its flag, so that it loses at 10 cells whichever way round its signs are.
    let dir = Dir::with(&[("rush.bf", "(>)*9(+)*128[]"), ("ward.bf", "(+)*9.(-)*9[.]"), ("idle.bf", "[.]")]);
    let (rush, ward) = (dir.file("rush.bf"), dir.file("ward.bf"));
    let printed = run(&["match", &rush, &ward, "--rules", "egojoust", "--lengths", "10,11", "--json"]).unwrap();
    let answer: Value = serde_json::from_str(&printed).unwrap();
    let charges = answer["charges"].as_array().unwrap();
    let played: Vec<(&Value, &Value)> =
        charges.iter().map(|charge| (&charge["length"], &charge["exchanged"])).collect();
    let (ten, eleven, yes) = (json!(10), json!(11), json!(true));
    assert_eq!(played, [(&ten, &Value::Null), (&ten, &yes), (&eleven, &Value::Null), (&eleven, &yes)]);
    assert_eq!(charges[0]["winner"], "left", "{printed}");

    let printed = run(&["match", &rush, &ward, "--rules", "egojoust", "--lengths", "10,11"]).unwrap();
    let (written, exchanged) = printed.split_once("with + and - of the right program exchanged\n").unwrap();
    assert!(written.contains("10  left    flag") && exchanged.contains("10  left    flag"), "{printed}");
    let dir = dir.to_str().unwrap();
    let printed = run(&["hill", dir, "--rules", "egojoust", "--lengths", "10"]).unwrap();
    assert!(printed.contains("charges for each pair: 2\n"), "{printed}");
    assert!(!printed.contains("signs are comments"), "{printed}");
    assert!(run(&["match", &rush, &ward, "--rules", "other"]).unwrap_err().contains("agora, egojoust"));
}

#[test]
fn hill_json_ranks_and_gives_the_matrix() {
    let dir = Dir::with(&[("a.bf", "<"), ("b.bf", "..<"), ("c.txt", &attack()), ("d", ""), ("notes.md", "a-b")]);
    fs::write(dir.join(".hidden.bf"), "[").unwrap();
    fs::create_dir(dir.join("more.bf")).unwrap();
    let printed = run(&["hill", dir.to_str().unwrap(), "--lengths", "135,136", "--json"]).unwrap();
    assert_eq!(
        printed,
        concat!(
            r#"{"lengths":[135,136],"ranking":[{"rank":1,"name":"c","touches":5},{"rank":2,"name":"d","touches":4},"#,
            r#"{"rank":3,"name":"b","touches":2},{"rank":4,"name":"a","touches":0}],"#,
            r#""matrix":[[null,1,2,2],[0,null,2,2],[0,0,null,2],[0,0,0,null]],"charges":2,"left_out":["notes.md"]}"#,
            "\n"
        )
    );
}

#[test]
fn j24_of_equal_touches_the_file_that_sorts_first_ranks_higher() {
    let dir = Dir::with(&[("b.bf", ""), ("a.bf", ""), ("c.bf", "")]);
    let printed = run(&["hill", dir.to_str().unwrap(), "--lengths", "135", "--json"]).unwrap();
    let answer: Value = serde_json::from_str(&printed).unwrap();
    let names: Vec<&str> =
        answer["ranking"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "b", "c"]);
}

#[test]
fn hill_tells_files_of_one_stem_apart() {
    let dir = Dir::with(&[("a.bf", ""), ("a.txt", "<"), ("b.bf", "")]);
    let printed = run(&["hill", dir.to_str().unwrap(), "--lengths", "135"]).unwrap();
    let table = concat!(
        "rank  name   touches  against\n",
        "                      1 2 3\n",
        "   1  a.bf         1  - 0 1\n",
        "   2  b            1  0 - 1\n",
        "   3  a.txt        0  0 0 -\n",
        "\n",
        "charges for each pair: 1\n",
        "a.bf: The program has no command: it stays on its flag and idles for the whole charge.\n",
        "b: The program has no command: it stays on its flag and idles for the whole charge.\n",
    );
    assert_eq!(printed, table);
}

#[test]
fn hill_of_the_house_plays_all_33_lengths() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/joust/src/house");
    let answer: Value = serde_json::from_str(&run(&["hill", dir, "--json"]).unwrap()).unwrap();
    assert_eq!(answer["lengths"].as_array().unwrap().len(), 33);
    assert_eq!(answer["ranking"].as_array().unwrap().len(), 10);
    for (row, place) in answer["matrix"].as_array().unwrap().iter().zip(answer["ranking"].as_array().unwrap()) {
        let sum: i64 = row.as_array().unwrap().iter().filter_map(Value::as_i64).sum();
        assert_eq!(json!(sum), place["touches"]);
    }
}

#[test]
fn j11_a_file_that_is_no_program_is_told_with_line_and_column_and_ends_in_2() {
    let dir = Dir::with(&[("good.bf", ""), ("bad.bf", "+\n ]")]);
    let (good, bad) = (dir.file("good.bf"), dir.file("bad.bf"));
    let text = format!("{bad} is no program. The ] at line 2, column 2 has no [ before it.");
    assert_eq!(run(&["match", &good, &bad, "--json"]), Err(text.clone()));
    assert_eq!(run(&["match", &bad, &good]), Err(text.clone()));
}

#[test]
fn what_is_no_program_is_left_out_of_a_hill_and_told() {
    let dir = Dir::with(&[("a.bf", "]"), ("b.bf", "+"), ("c.bf", "["), ("d.bf", "."), ("notes.md", "")]);
    let text = run(&["hill", dir.to_str().unwrap(), "--lengths", "140"]).unwrap();
    let ranked: Vec<&str> = text.lines().skip(2).take_while(|line| !line.is_empty()).collect();
    assert!(ranked.len() == 2 && ranked.iter().all(|line| line.contains(" b ") || line.contains(" d ")), "{text}");
    assert!(
        text.contains(&format!("left out: {} is no program. The ] at line 1, column 1", dir.file("a.bf"))),
        "{text}"
    );
    assert!(text.contains("left out: notes.md, which does not end"), "{text}");
    let answer: Value = serde_json::from_str(&run(&["hill", dir.to_str().unwrap(), "--json"]).unwrap()).unwrap();
    assert_eq!(
        (answer["left_out"].clone(), answer["ranking"].as_array().unwrap().len()),
        (json!(["a.bf", "c.bf", "notes.md"]), 2)
    );
    let ranked = run(&["rank", dir.to_str().unwrap()]).unwrap();
    assert!(ranked.contains("c.bf is no program"), "{ranked}");
}

#[test]
fn a_hill_without_a_program_tells_all_files_at_once() {
    let dir = Dir::with(&[("a.bf", "]"), ("c.bf", "[")]);
    let error = run(&["hill", dir.to_str().unwrap()]).unwrap_err();
    assert!(error.contains("a.bf is no program") && error.contains("c.bf is no program"), "{error}");
    assert_eq!(error.lines().count(), 2, "{error}");
    let many: Vec<(String, &str)> = (0..25).map(|number| (format!("{number:02}.bf"), "]")).collect();
    let dir = Dir::with(&many.iter().map(|(name, source)| (name.as_str(), *source)).collect::<Vec<_>>());
    let error = run(&["hill", dir.to_str().unwrap()]).unwrap_err();
    assert!(error.ends_with("5 files more cannot be played either."), "{error}");
}

#[test]
fn files_that_cannot_be_read_end_in_2() {
    let dir = Dir::with(&[("good.bf", ""), ("notes.md", "")]);
    let (good, missing) = (dir.file("good.bf"), dir.file("missing.bf"));
    for arguments in [&["match", &good, &missing][..], &["match", dir.to_str().unwrap(), &good], &["hill", &missing]] {
        let error = run(arguments).unwrap_err();
        assert!(error.contains(" cannot be read: "), "{error}");
    }
    fs::remove_file(&good).unwrap();
    let error = run(&["hill", dir.to_str().unwrap()]).unwrap_err();
    assert!(error.contains("holds no program"), "{error}");
}

#[test]
fn j54_a_file_over_the_products_bound_is_refused_and_one_at_it_is_played() {
    let text = "+-".repeat(FILE_MAX_BYTES / 2);
    let dir = Dir::with(&[("most.bf", &text), ("more.bf", &(text.clone() + " "))]);
    let (most, more) = (dir.file("most.bf"), dir.file("more.bf"));
    assert!(run(&["match", &most, &most, "--lengths", "135"]).is_ok());
    let error = run(&["match", &most, &more, "--lengths", "135"]).unwrap_err();
    assert_eq!(error, format!("{more} is longer than the 1048576 bytes a program may have."));
}

#[test]
fn comments_may_be_in_any_encoding() {
    let dir = Dir::with(&[("sleeper.bf", "")]);
    fs::write(dir.join("latin.bf"), b"caf\xe9 . <").unwrap();
    let (left, right) = (dir.file("latin.bf"), dir.file("sleeper.bf"));
    let answer: Value =
        serde_json::from_str(&run(&["match", &left, &right, "--lengths", "135", "--json"]).unwrap()).unwrap();
    assert_eq!(answer["charges"][0]["cycles"], json!(2));
}

#[test]
fn lengths_out_of_bounds_are_refused_with_what_to_type() {
    let dir = pair_of_files();
    let (left, right) = (dir.file("attack.bf"), dir.file("fall.txt"));
    for lengths in ["1", "65537", "x", "135,,136", "135;136", "-5", ""] {
        let error = run(&["match", &left, &right, &format!("--lengths={lengths}")]).unwrap_err();
        assert!(error.contains("a length is a number from 2 to 65536, as in 135,151,167"), "{error}");
    }
}

#[test]
fn a_name_cannot_order_the_terminal_about() {
    assert_eq!(shown("a\u{1b}[2Jb\n"), "a\u{fffd}[2Jb\u{fffd}");
}

#[test]
fn a_reader_that_closes_early_is_no_error_and_a_full_disk_is() {
    struct Refuses(io::ErrorKind);
    impl Write for Refuses {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let dir = pair_of_files();
    for json in [&["--json"][..], &[]] {
        let (left, right) = (dir.file("fall.txt"), dir.file("attack.bf"));
        let arguments = [&["bfjoust", "match", &left, &right][..], json].concat();
        let typed = || Arguments::try_parse_from(&arguments).unwrap();
        assert!(typed().run(None, &mut Refuses(io::ErrorKind::BrokenPipe)).is_ok());
        let failure = typed().run(None, &mut Refuses(io::ErrorKind::StorageFull)).unwrap_err();
        assert!(matches!(failure, Failure::Output(_)));
    }
}

#[test]
fn a_folder_is_ranked_under_the_rules_that_are_asked_for() {
    let dir = Dir::with(&[
        ("rush.bf", "(>)*9([-]>)*21"),
        ("wait.bf", "."),
        ("trip.bf", "(+)*9[.]<"),
        ("notes.md", "about them"),
    ]);
    let typed = ["rank", dir.to_str().unwrap(), "--rules", "egojoust", "--scoring", "markov,points", "--json"];
    assert_eq!(
        run(&typed[..4]).unwrap(),
        "rank  name     touches     won    lost    tied\n\
         \u{20}  1  rush       84.00      84       0       0\n\
         \u{20}  2  trip        0.00       0      42      42\n\
         \u{20}  3  wait        0.00       0      42      42\n\
         \n\
         charges for each pair: 42\n\
         left out: notes.md, which does not end in what a program's file ends in\n"
    );
    let json: Value = serde_json::from_str(&run(&typed).unwrap()).unwrap();
    assert_eq!((&json["charges"], &json["left_out"]), (&json!(42), &json!(["notes.md"])));
    let best = &json["ranking"][0];
    assert_eq!((&best["name"], &best["rank"], &best["margins"]), (&json!("rush"), &json!(1), &json!([0, 42, 42])));
    assert_eq!((&best["score"], &best["scores"]["points"]), (&best["scores"]["markov"], &json!(2.0)));
    // Under seed 000 the signs of a repetition are comments, and nobody gets anywhere.
    let agora: Value = serde_json::from_str(&run(&["rank", dir.to_str().unwrap(), "--json"]).unwrap()).unwrap();
    assert_eq!(agora["charges"], 33);
    // A file beside a folder is ranked with it.
    let more = Dir::with(&[("more.bf", "<")]);
    let both = run(&["rank", dir.to_str().unwrap(), &more.file("more.bf"), "--rules", "egojoust"]).unwrap();
    assert!(both.contains("  more "), "{both}");
}

#[test]
fn rules_that_are_handed_in_are_played_by_where_no_others_are_asked_for() {
    let dir = pair_of_files();
    let (left, right) = (dir.file("attack.bf"), dir.file("fall.txt"));
    let given = |more: &[&str]| {
        let arguments = [&["bfjoust", "match", &left, &right, "--json"], more].concat();
        let mut out = Vec::new();
        let rules = Rules { length: 20, spread: 1, ..Rules::egojoust() };
        Arguments::try_parse_from(arguments).unwrap().run(Some(rules.into()), &mut out).unwrap();
        let answer: Value = serde_json::from_slice(&out).unwrap();
        let lengths: Vec<u64> =
            answer["charges"].as_array().unwrap().iter().map(|charge| charge["length"].as_u64().unwrap()).collect();
        lengths
    };
    assert_eq!(given(&[]), [19, 19, 20, 20, 21, 21]);
    assert_eq!(given(&["--spread", "0"]), [20, 20]);
    assert_eq!(given(&["--rules", "agora", "--spread", "0"]), [151]);
}

#[test]
fn what_is_handed_in_scores_and_ranks_too() {
    // On 10 cells the attack wins its charge with the sleeper, and the faller loses both of its own.
    let dir = Dir::with(&[("attack.bf", ">>>>>>>>>[-]"), ("sleep.bf", ""), ("fall.bf", "..<")]);
    let given = |method: fn(Scoring) -> Method, arguments: &[&str]| {
        let arguments = [&["bfjoust"], arguments, &[dir.to_str().unwrap(), "--json"]].concat();
        let scoring = Scoring { win: 5, tie: 0, loss: -2 };
        let rules = Rules { length: 10, spread: 0, ..Rules::agora() };
        let mut out = Vec::new();
        let tournament = Tournament { rules, scoring, method: method(scoring) };
        Arguments::try_parse_from(arguments).unwrap().run(Some(tournament), &mut out).unwrap();
        serde_json::from_slice::<Value>(&out).unwrap()
    };
    let scores = |answer: &Value| -> Vec<f64> {
        answer["ranking"].as_array().unwrap().iter().map(|place| place["score"].as_f64().unwrap()).collect()
    };
    let hill = given(|_| Method::Markov, &["hill"]);
    assert_eq!(hill["ranking"][0]["touches"], 10, "{hill}");
    assert_eq!(hill["ranking"][2]["touches"], -4, "{hill}");
    assert_eq!(scores(&given(Method::Touches, &["rank"])), [10.0, 3.0, -4.0]);
    assert_eq!(scores(&given(Method::Touches, &["rank", "--win", "6", "--loss=0"])), [12.0, 6.0, 0.0]);
    assert_eq!(scores(&given(|_| Method::Points, &["rank"])), [2.0, 0.0, -2.0]);
    // What is asked for goes before what is handed in, and a set of rules before all of it.
    assert_eq!(scores(&given(|_| Method::Points, &["rank", "--scoring", "touches"])), [10.0, 3.0, -4.0]);
    assert_eq!(scores(&given(|_| Method::Points, &["rank", "--rules", "agora", "--lengths", "10"])), [2.0, 1.0, 0.0]);
}

#[test]
fn help_and_errors_are_whole_sentences() {
    let help = run(&["rank", "--help"]).unwrap_err();
    for said in ["like a dot", "as a dot does", "- comment: It is", "- both: Twice"] {
        assert_eq!(help.contains(said), said != "like a dot", "{help}");
    }
    assert!(run(&["--help"]).unwrap_err().ends_with("Where a file is asked for, - is standard input.\n"));
}

#[test]
fn pictures_lie_in_a_folder_that_is_made_and_a_ranking_is_not_lost_for_one() {
    let dir = Dir::with(&[("rush.bf", "(>)*9([-]>)*21"), ("wait.bf", ".")]);
    let (hill, pictures) = (dir.to_str().unwrap(), dir.file("new/pictures"));
    run(&["rank", hill, "--lengths", "150", "--plots", &pictures]).unwrap();
    let margins = fs::read_to_string(dir.join("new/pictures/margins.svg")).unwrap();
    // Two ranks beside the names, two above the columns, and what colours mean.
    assert_eq!((margins.matches(">2</text>").count(), margins.matches(" 2</text>").count()), (1, 1), "{margins}");
    assert!(margins.contains("blue: the row beat the column"), "{margins}");
    fs::create_dir_all(dir.join("full/margins.svg")).unwrap();
    let mut out = Vec::new();
    let typed = ["bfjoust", "rank", hill, "--lengths", "150", "--plots", &dir.file("full")];
    let failure = Arguments::try_parse_from(typed).unwrap().run(None, &mut out).unwrap_err();
    assert!(failure.to_string().contains("margins.svg cannot be written: "), "{failure}");
    assert!(String::from_utf8(out).unwrap().contains("charges for each pair: 1\n"));
    let file = dir.file("rush.bf");
    let error = run(&["rank", hill, "--plots", &file]).unwrap_err();
    assert!(error.contains("rush.bf cannot be written: "), "{error}");
}

#[test]
fn a_film_outside_of_a_terminal_is_the_picture_of_a_moment() {
    let dir = Dir::with(&[("rush.bf", "(>)*9(-)*128"), ("wait.bf", ".")]);
    let (rush, wait) = (dir.file("rush.bf"), dir.file("wait.bf"));
    let picture = run(&["watch", &rush, &wait, "10", "--rules", "egojoust", "--at", "12"]).unwrap();
    assert!(
        picture.contains("\ncycle 12 of 138\nleft  on 9, plays -: 0 0 0 0 [125]\nright on 9, ended: "),
        "{picture}"
    );
    // Thirteen pictures are seven lines of ten cells.
    assert_eq!(picture.matches('\u{2580}').count(), 70, "{picture}");
    let end = run(&["watch", &rush, &wait, "10", "--rules", "egojoust", "--at", "999999"]).unwrap();
    assert!(end.contains("\ncycle 138 of 138: left wins by flag in cycle 138\nleft "), "{end}");
    // Twenty lines of the film and three of words, at the end too: with one of keys that is a terminal.
    assert_eq!(end.lines().count(), 23, "{end}");
    // Without a length it is the middle one.
    for verb in ["watch", "stats", "trace"] {
        let told = run(&[verb, &rush, &wait, "--length", "11", "--spread", "1"]).unwrap();
        let middle = run(&[verb, &rush, &wait, "11"]).unwrap();
        assert_eq!(told, middle);
    }
    assert!(run(&["watch", &rush, &wait, "1"]).unwrap_err().contains("a length is a number"));
}
