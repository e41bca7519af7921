//! The program `bfjoust`, as somebody in a terminal or a breeder's script sees it.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A folder of programs, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for tests");
        for (name, text) in [("rush", "(>)*9([-]>)*21"), ("nothing", "."), ("shudder", "(+-)*100000")] {
            std::fs::write(folder.join(name).with_extension("bf"), text).expect("a file for tests");
        }
        Folder(folder)
    }

    /// What the program says in this folder to some arguments and standard input, and whether it was content.
    fn run(&self, arguments: &str, input: &str) -> (bool, String) {
        self.run_in("", arguments, input)
    }

    /// The same with something as `NO_COLOR`.
    fn run_in(&self, no_color: &str, arguments: &str, input: &str) -> (bool, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bfjoust"))
            .args(arguments.split_whitespace())
            .env("NO_COLOR", no_color)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        let text = if output.status.success() { output.stdout } else { output.stderr };
        (output.status.success(), String::from_utf8(text).expect("a text"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn rank_shows_several_scorings_the_matrix_and_pictures() {
    let folder = Folder::new("rank");
    let (done, told) = folder
        .run("--rules egojoust rank --scoring points,markov --matrix --plots . rush.bf nothing.bf shudder.bf", "");
    assert!(done, "{told}");
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "rank  name         points      markov     won    lost    tied");
    assert!(lines[1].starts_with("   1  rush  "), "{told}");
    for picture in ["margins", "cycles"] {
        let file = folder.0.join(picture);
        let svg = std::fs::read_to_string(file.with_extension("svg")).expect("a picture");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
        let shown = resvg::tiny_skia::Pixmap::load_png(file.with_extension("png")).expect("the same as pixels");
        let side = |name: &str| -> Option<u32> { svg.split_once(name)?.1.split('"').nth(1)?.parse().ok() };
        assert_eq!((Some(shown.width() / 2), Some(shown.height() / 2)), (side(" width="), side(" height=")));
        let is_blue = |pixel: &resvg::tiny_skia::PremultipliedColorU8| pixel.blue() > pixel.red();
        assert!(shown.pixels().iter().any(is_blue), "a win, or a bar");
        let letters = shown.pixels().iter().filter(|pixel| (pixel.red(), pixel.blue()) == (0, 0)).count();
        assert!(letters > 50, "names are written, not left out");
    }
    let (done, told) = folder.run("--rules egojoust rank --json rush.bf nothing.bf", "");
    assert!(done && told.contains("\"margins\":[0,42]"), "{told}");
}

#[test]
fn any_figure_of_the_rules_can_be_changed_and_a_program_can_come_from_standard_input() {
    let folder = Folder::new("figures");
    let figures = "--length 12 --spread 1 --limit 5000 --flag 3 --flag-cycles 1 --polarities one --repeat-max 50";
    let (done, told) = folder.run(&format!("{figures} match - nothing.bf"), "(>)*10[-](>[-])*99");
    assert!(done, "{told}");
    assert!(told.contains("    11–13  left    flag              16–20\n"), "{told}");
    let (done, told) = folder.run("--length 1 match rush.bf nothing.bf", "");
    assert_eq!((done, told.trim()), (false, "The shortest tape must have at least 2 cells, one for each flag."));
}

#[test]
fn a_trace_can_be_a_film() {
    let folder = Folder::new("film");
    let (done, told) = folder.run("--rules egojoust trace --film rush.bf nothing.bf 12 --lines 3", "");
    assert!(done, "{told}");
    let frames: Vec<_> = bfjoust::read_film(told.lines()).collect::<Result<_, _>>().expect("a film");
    assert_eq!(frames.len(), 3);
    assert_eq!(frames[2].pointers, [2, 11]);
}

#[test]
fn a_film_without_colour_has_none() {
    let folder = Folder::new("no_color");
    let watch = "--rules egojoust watch rush.bf nothing.bf 12 --at 3";
    let (done, told) = folder.run_in("1", watch, "");
    assert!(done, "{told}");
    assert!(!told.contains('\u{1b}'), "{told}");
    // Two cycles a line: flags are set in both, and a pointer stands where it is in the later one.
    assert_eq!(told.lines().take(2).collect::<Vec<_>>(), ["\u{2588}>         <", "\u{2588}  >       <"]);
    assert!(folder.run_in("", watch, "").1.contains("\u{1b}[38;2;"));
}

#[test]
fn a_breeder_gets_an_answer_for_each_line_in_order() {
    let folder = Folder::new("evolve");
    let mut questions = String::new();
    for number in 0..500 {
        let length = 1 + number % 9;
        questions += &format!("{{\"id\": {number}, \"program\": \"(>)*{length}([-]>)*30\"}}\n");
    }
    questions += "{\"id\": \"bad\", \"program\": \"[\"}\nnonsense\n\n{\"id\": 7}\n[1]\n";
    let (done, told) = folder.run("--rules egojoust evolve-batch nothing.bf shudder.bf", &questions);
    assert!(done, "{told}");
    let answers: Vec<&str> = told.lines().collect();
    assert_eq!(answers.len(), 505);
    for (number, answer) in answers[..500].iter().enumerate() {
        assert!(answer.starts_with(&format!("{{\"id\":{number},\"score\":")), "{answer}");
        assert!(answer.contains("\"against\":[{\"name\":\"nothing\",\"margin\":"), "{answer}");
    }
    assert_eq!(answers[500], "{\"id\":\"bad\",\"error\":\"The [ at line 1, column 1 is never closed by a ].\"}");
    assert!(answers[501].starts_with("{\"error\":\"This is no question: "), "{}", answers[501]);
    assert!(answers[502].contains("This is no question: the line is empty. Write {"), "{}", answers[502]);
    let no_text = "\"error\":\"This is no question: it has no text called program. Write ";
    assert!(answers[503].starts_with(&format!("{{\"id\":7,{no_text}")), "{}", answers[503]);
    assert!(answers[504].starts_with(&format!("{{{no_text}")), "{}", answers[504]);
    let (done, told) = folder.run("--rules egojoust evolve-batch --brief nothing.bf", "{\"program\": \".\"}");
    assert_eq!((done, told.as_str()), (true, "{\"score\":0.0,\"won\":0,\"lost\":0,\"tied\":42}\n"));
}
