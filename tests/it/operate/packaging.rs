//! What is shipped beside the program: units, an image, a dashboard. None of them names what is not there.

use std::{collections::BTreeSet, path::Path};

use port::gallery::Gallery;

use crate::{console::Home, house::House};

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// The variables that the program reads, as the example shows them: `#NAME=value`.
fn settings() -> BTreeSet<String> {
    let lines = read(".env.example");
    let named = lines.lines().filter_map(|line| line.strip_prefix('#')?.split_once('='));
    let is_variable =
        |name: &str| !name.is_empty() && name.chars().all(|char| char.is_ascii_uppercase() || char == '_');
    named.filter(|(name, _)| is_variable(name)).map(|(name, _)| name.to_owned()).collect()
}

/// The files with units.
const UNITS: [&str; 3] =
    ["packaging/rulekeeper.service", "packaging/rulekeeper-worker.service", "packaging/rulekeeper-backup.service"];

/// The values of a key in a unit.
fn values(unit: &str, key: &str) -> Vec<String> {
    let lines = unit.lines().filter_map(|line| line.split_once('='));
    lines.filter(|(name, _)| *name == key).map(|(_, value)| value.to_owned()).collect()
}

/// What lies below a key of a file in YAML, by how far its lines stand in; its own indentation is left out.
fn below(yaml: &str, key: &str) -> String {
    let mut lines = yaml.lines().skip_while(|line| *line != format!("{key}:")).skip(1).peekable();
    let deep = |line: &str| line.len() - line.trim_start().len();
    let depth = lines.peek().map_or(0, |line| deep(line));
    assert!(depth > 0, "{key} is there");
    let inside = lines.take_while(|line| line.trim().is_empty() || deep(line) >= depth);
    inside.map(|line| line.get(depth..).unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

#[test]
fn images_set_nothing_but_settings_that_there_are() {
    let mut set = Vec::new();
    let image = read("packaging/Containerfile");
    let variables = image.lines().filter_map(|line| line.strip_prefix("ENV ")?.split_once('='));
    set.extend(variables.map(|(name, _)| name.to_owned()));
    assert!(!set.is_empty(), "the image says where its pages are");
    for service in ["rulekeeper", "worker"] {
        let service = below(&below(&read("packaging/compose.yaml"), "services"), service);
        let variables = below(&service, "environment");
        let named = variables.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(':'));
        let before = set.len();
        set.extend(named.map(|(name, _)| name.to_owned()));
        assert!(set.len() > before, "{variables}");
    }
    let known = settings();
    for name in set {
        assert!(known.contains(&name), "there is no setting {name}: {known:?}");
    }
}

/// A variable that a unit sets counts before the configuration file, and `RULEKEEPER_DATABASE` before `DATABASE_URL`. So
/// after a move to Postgres the bot would go on with the file, whatever the operator has written down.
#[test]
fn units_leave_all_settings_to_the_operator() {
    for unit in UNITS {
        let text = read(unit);
        assert!(values(&text, "Environment").is_empty(), "{unit}");
        assert_eq!(
            values(&text, "WorkingDirectory"),
            ["/var/lib/rulekeeper"],
            "{unit}: the folder of the file without it"
        );
        let state = values(&text, "StateDirectory").concat();
        assert!(state.split(' ').any(|folder| folder == "rulekeeper"), "{unit} may write there: {state}");
    }
}

/// A pattern without `**` is of the outermost folder alone, and compose.yaml has its passwords in `packaging/.env`.
#[test]
fn an_image_is_made_without_passwords_and_databases() {
    let left_out = read(".dockerignore");
    let patterns: BTreeSet<&str> = left_out.lines().collect();
    for pattern in ["**/.env", "**/*.env", "**/*.db", "**/*.db-*", "**/rulekeeper.toml"] {
        assert!(patterns.contains(pattern), "{pattern}: {left_out}");
    }
}

#[test]
fn units_and_images_start_verbs_that_there_are() {
    let home = Home::new();
    let mut lines: Vec<Vec<String>> = Vec::new();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for unit in UNITS {
        lines.extend(values(&read(unit), "ExecStart").iter().map(|line| words(line)));
    }
    assert_eq!(lines.len(), UNITS.len());
    // The words of a list in JSON, in which both files write what is started.
    let list = |line: &str| -> Vec<String> {
        let list = &line[line.find('[').expect("a list")..];
        serde_json::from_str(list).expect("a list of words")
    };
    let image = read("packaging/Containerfile");
    let of = |key: &str| image.lines().find(|line| line.starts_with(key)).map(list).expect("it is there");
    lines.push([of("ENTRYPOINT"), of("CMD")].concat());
    let asked = |line: &&str| line.contains("rulekeeper") && line.contains("health");
    let health = image.lines().find(|line| line.starts_with("HEALTHCHECK")).filter(asked).map(list);
    lines.push(health.expect("it asks how the program is"));
    let compose = read("packaging/compose.yaml");
    let worker = below(&below(&compose, "services"), "worker");
    let command = worker.lines().find(|line| line.starts_with("command:")).map(list).expect("it plays long work");
    lines.push([of("ENTRYPOINT"), command].concat());
    let bot = below(&below(&compose, "services"), "rulekeeper");
    let health = below(&bot, "healthcheck");
    lines.push(health.lines().find(|line| line.starts_with("test:")).map(list).expect("a test").split_off(1));
    for line in lines {
        assert_eq!(line[0], "/usr/local/bin/rulekeeper", "{line:?}");
        let mut arguments: Vec<&str> = line[1..].iter().map(String::as_str).collect();
        arguments.push("--help");
        let said = home.run(&arguments);
        assert!(said.status.success(), "{line:?}: {}", String::from_utf8_lossy(&said.stderr));
        // A flag of which the help says nothing is none.
        let help = String::from_utf8_lossy(&said.stdout).into_owned();
        for flag in line.iter().filter(|word| word.starts_with("--")) {
            assert!(help.contains(flag.as_str()), "{line:?}: {help}");
        }
    }
}

/// A unit that leaves one of these out lets the program do what it never needs.
#[test]
fn units_give_the_program_no_right_that_it_does_not_need() {
    let wanted = [
        "NoNewPrivileges=yes",
        "CapabilityBoundingSet=",
        "ProtectSystem=strict",
        "ProtectHome=yes",
        "PrivateTmp=yes",
        "PrivateDevices=yes",
        "PrivateUsers=yes",
        "MemoryDenyWriteExecute=yes",
        "RestrictNamespaces=yes",
        "SystemCallFilter=@system-service",
        "UMask=0077",
    ];
    for unit in UNITS {
        let text = read(unit);
        let lines: BTreeSet<&str> = text.lines().collect();
        for line in wanted {
            assert!(lines.contains(line), "{unit} lacks {line}");
        }
        assert!(!lines.contains("User=root") && values(&text, "User").len() == 1, "{unit}");
    }
}

/// The names that a text asks Prometheus for.
fn asked(text: &str) -> BTreeSet<String> {
    let words = text.split(|char: char| !char.is_ascii_alphanumeric() && char != '_');
    words.filter(|word| word.starts_with("rulekeeper_")).map(str::to_owned).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_dashboard_shows_every_count_that_there_is_and_no_other() {
    let house = House::open(":memory:").await;
    let metrics = Gallery::metrics(&house.hub).await;
    // A histogram is asked for by its classes.
    let named = |metric: &port::gallery::Metric| match metric.kind {
        "histogram" => format!("{}_bucket", metric.name),
        _ => metric.name.to_owned(),
    };
    let there: BTreeSet<String> = metrics.iter().map(named).collect();
    let dashboard: serde_json::Value = serde_json::from_str(&read("packaging/dashboard.json")).expect("JSON");
    let mut shown = BTreeSet::new();
    for panel in dashboard["panels"].as_array().expect("panels") {
        let targets = panel["targets"].as_array().expect("what it asks for");
        for target in targets {
            let found = asked(target["expr"].as_str().expect("an expression"));
            assert!(!found.is_empty(), "{} asks for nothing", panel["title"]);
            shown.extend(found);
        }
    }
    assert_eq!(shown, there);
}
