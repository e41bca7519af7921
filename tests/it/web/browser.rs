//! The pages in a real browser: that they fit a phone, turn dark, and break none of their own rules.
//!
//! Chromium is spoken to through pipes, in its own protocol, without a driver in between. Where `RULEKEEPER_SCREENSHOTS`
//! names a folder, pictures of the pages are left there for people to look at.

use std::{path::Path, process::Stdio, sync::Arc, time::Duration};

use adapter_web::{Web, WebConfig};
use base64::Engine as _;
use serde_json::{Value as Json, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader},
    process::{Child, ChildStdin, ChildStdout, Command},
    time::timeout,
};

use super::Site;
use crate::harness::{Server, needs_servers};

/// Longest that the browser may take for one answer; a loaded machine starts it slowly.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);

/// The variable that names a folder for pictures.
pub(crate) const SCREENSHOTS: &str = "RULEKEEPER_SCREENSHOTS";

/// What is measured on every page: how far it reaches beyond the window, and how large it is.
const MEASURE: &str = "JSON.stringify([document.documentElement.scrollWidth - innerWidth, \
                       Math.ceil(document.body.getBoundingClientRect().bottom), getComputedStyle(document.body).backgroundColor, \
                       document.styleSheets.length])";

/// What a film has come to at its end: whether the slider got there, and whether both programs have a place marked.
const FILMED: &str = "(() => { const slider = document.querySelector('.controls input'); const end = slider.max; \
                      slider.value = Math.floor(end / 2); slider.dispatchEvent(new Event('input')); \
                      const marked = document.querySelectorAll('.codes mark').length === 2; slider.value = end; \
                      slider.dispatchEvent(new Event('input')); return `${slider.value === end} ${marked}`; })()";

/// A browser with one page open.
pub(crate) struct Browser {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    /// What it complained of: rules of the page broken, files not found.
    pub(super) complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    /// Starts it with an empty page.
    pub(crate) async fn start() -> Self {
        let chromium = Server::Chromium.executable().expect("needs_servers! has looked");
        let profile = tempfile::tempdir().expect("a folder for a profile");
        // The browser reads commands from its third file and answers on its fourth.
        let mut child = Command::new("sh")
            .arg("-c")
            .arg("exec \"$0\" \"$@\" 3<&0 4>&1 >/dev/null 2>&1")
            .arg(chromium)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("chromium starts");
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let output = BufReader::new(output);
        let (session, complaints) = (None, Vec::new());
        let mut browser = Self { child, input, output, session, last: 0, complaints, _profile: profile };
        let target = browser.ask("Target.createTarget", json!({"url": "about:blank"})).await;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = browser.ask("Target.attachToTarget", attach).await;
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page.enable", "Log.enable", "Runtime.enable"] {
            browser.ask(domain, json!({})).await;
        }
        browser
    }

    async fn ask(&mut self, method: &str, params: Json) -> Json {
        self.last += 1;
        let mut message = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone().into();
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.input.write_all(&bytes).await.expect("chromium listens");
        loop {
            let message = self.next(method).await;
            if message["id"] == self.last {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].clone();
            }
            self.note(&message);
        }
    }

    async fn next(&mut self, waiting: &str) -> Json {
        let mut bytes = Vec::new();
        let read = timeout(ANSWER_TIMEOUT, self.output.read_until(0, &mut bytes)).await;
        assert!(read.is_ok_and(|read| read.is_ok_and(|count| count > 0)), "chromium does not answer {waiting}");
        bytes.pop();
        serde_json::from_slice(&bytes).expect("chromium speaks JSON")
    }

    fn note(&mut self, message: &Json) {
        if message["method"] == "Log.entryAdded" {
            self.complaints.push(message["params"]["entry"]["text"].to_string());
        }
    }

    /// Opens a page and waits until all of it is there.
    pub(crate) async fn open(&mut self, url: &str) {
        self.ask("Page.navigate", json!({"url": url})).await;
        loop {
            let message = self.next(url).await;
            self.note(&message);
            if message["method"] == "Page.loadEventFired" {
                return;
            }
        }
    }

    /// Waits until the page has gone on by itself to an address that ends so, and that page is there.
    pub(crate) async fn goes_on(&mut self, end: &str) {
        let mut is_there = false;
        loop {
            let message = self.next(end).await;
            self.note(&message);
            let address = message["params"]["frame"]["url"].as_str().unwrap_or_default();
            is_there |= message["method"] == "Page.frameNavigated" && address.ends_with(end);
            if is_there && message["method"] == "Page.loadEventFired" {
                return;
            }
        }
    }

    /// How far the page reaches beyond the window, its height in pixels, the colour behind it.
    pub(crate) async fn measure(&mut self) -> (i64, u64, String) {
        let answer = self.ask("Runtime.evaluate", json!({"expression": MEASURE})).await;
        let text = answer["result"]["value"].as_str().unwrap_or_else(|| panic!("{answer}"));
        let (beyond, height, colour, sheets): (i64, u64, String, u64) =
            serde_json::from_str(text).unwrap_or_else(|why| panic!("{text}: {why}"));
        assert_eq!(sheets, 1, "the style is loaded");
        (beyond, height, colour)
    }

    /// What an expression in the page comes to.
    async fn said(&mut self, expression: &str) -> String {
        let answer = self.ask("Runtime.evaluate", json!({"expression": expression})).await;
        answer["result"]["value"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }

    /// Sets how wide the window is, and whether it is night.
    pub(crate) async fn look(&mut self, width: u64, dark: bool) {
        let phone = width < 500;
        let metrics =
            json!({"width": width, "height": 900, "deviceScaleFactor": if phone { 2 } else { 1 }, "mobile": phone});
        self.ask("Emulation.setDeviceMetricsOverride", metrics).await;
        let scheme = if dark { "dark" } else { "light" };
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
        self.ask("Emulation.setEmulatedMedia", media).await;
    }

    /// Leaves a picture of the page in a folder.
    pub(crate) async fn picture(&mut self, folder: &Path, name: &str, width: u64, height: u64) {
        let clip = json!({"x": 0, "y": 0, "width": width, "height": height.min(2400), "scale": 1});
        let params = json!({"format": "png", "captureBeyondViewport": true, "clip": clip});
        let shot = self.ask("Page.captureScreenshot", params).await;
        let data = shot["data"].as_str().expect("a picture");
        let bytes = base64::engine::general_purpose::STANDARD.decode(data).expect("base64");
        let file = folder.join(format!("{name}.png"));
        std::fs::write(file, packed(&bytes)).expect("the folder for pictures can be written to");
    }

    /// Looks at a page that a test has made, which has to fit, and leaves its picture where such are wanted.
    pub(crate) async fn draw(page: &str, name: &str, width: u64) {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("page.html");
        std::fs::write(&file, page).expect("the page is written");
        let mut browser = Self::start().await;
        browser.look(width, false).await;
        browser.open(&format!("file://{}", file.display())).await;
        let (beyond, height, _) = browser.measure().await;
        assert!(beyond <= 0, "the page is too wide by {beyond} pixels");
        if let Some(folder) = std::env::var_os(SCREENSHOTS) {
            browser.picture(folder.as_ref(), name, width, height).await;
        }
        browser.close().await;
    }

    /// Ends it.
    pub(crate) async fn close(mut self) {
        // It ends when nobody speaks to it any more.
        drop(self.input);
        if timeout(ANSWER_TIMEOUT, self.child.wait()).await.is_err() {
            self.child.kill().await.expect("chromium can be ended");
        }
    }
}

/// The same picture in fewer bytes: the browser packs in haste.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a picture");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a picture that fits into memory")];
    let info = reader.next_frame(&mut pixels).expect("all of it");
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, info.width, info.height);
    encoder.set_color(info.color_type);
    encoder.set_depth(info.bit_depth);
    encoder.set_compression(png::Compression::High);
    // Of text on flat ground the plain bytes pack best.
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().expect("memory takes it");
    writer.write_image_data(&pixels[..info.buffer_size()]).expect("memory takes it");
    writer.finish().expect("memory takes it");
    out
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_fit_a_phone_turn_dark_and_keep_their_own_rules() {
    needs_servers!(Chromium);
    let mut site = Site::amended().await;
    site.say("Ann", "joust reveal Alpha").await;
    let config = WebConfig { listen: "127.0.0.1:0".parse().ok(), ..WebConfig::default() };
    let web = Web::bind(config).await;
    let address = web.address().expect("the port that was taken");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let served = tokio::spawn(web.run(Arc::new(site.hub.clone()), async {
        let _ = stopped.await;
    }));

    let folder = std::env::var_os(SCREENSHOTS);
    let mut browser = Browser::start().await;
    let mut grounds = std::collections::BTreeSet::new();
    for (name, path) in [
        ("rooms", "/"),
        ("hill", "/room/main"),
        ("program", "/room/main/show/program/joust0"),
        ("rules", "/room/main/rules"),
        ("rulebook", "/room/main/rulebook"),
        ("rule", "/room/main/rule/submission"),
        ("changes", "/room/main/rule/submission/history"),
        ("journal", "/room/main/journal"),
        ("entry", "/room/main/entry/5"),
        ("people", "/room/main/people"),
        ("watch", "/room/main/show/watch/Alpha/Alpha/151"),
        ("step", "/room/main/show/watch/Alpha/Alpha/151/100"),
        ("film", "/room/main/show/film/Alpha/Alpha/151"),
        ("sides", "/room/main/changes?from=3"),
        ("search", "/room/main/search?q=hand+in"),
        ("about", "/room/main/about"),
        ("missing", "/room/main/show/nothing"),
    ] {
        let all = [("wide", 1280, false), ("phone-dark", 390, true), ("phone", 390, false), ("dark", 1280, true)];
        // Whether a page fits does not hang on its colours: only pictures need each look.
        let looks = if folder.is_some() { all.len() } else { 2 };
        for (look, width, dark) in all.into_iter().take(looks) {
            browser.look(width, dark).await;
            browser.open(&format!("http://{address}{path}")).await;
            let (beyond, height, ground) = browser.measure().await;
            assert!(beyond <= 0, "{path} reaches {beyond} pixels beyond a window of {width}");
            grounds.insert((dark, ground));
            if let Some(folder) = &folder {
                browser.picture(Path::new(folder), &format!("{name}-{look}"), width, height).await;
            }
        }
    }
    // A film goes on by itself, and no script is needed for it.
    browser.open(&format!("http://{address}/room/main/show/watch/Alpha/Alpha/151?play=1")).await;
    browser.goes_on("/151/0?play=1").await;
    // The site's own script plays one in its page, and follows the code of both to the end.
    browser.open(&format!("http://{address}/room/main/show/film/Alpha/joust3/151")).await;
    let played = browser.said(FILMED).await;
    assert_eq!(played, "true true", "the slider goes to the end, and a place is marked in both programs");
    // A page of a room shows what happens while somebody looks.
    browser.open(&format!("http://{address}/room/main")).await;
    site.say("Goethe", "joust intend set weekly-programs 3").await;
    let mut seen = String::new();
    for _ in 0..100 {
        seen = browser.said("String(document.body.textContent.includes('becomes 3'))").await;
        if seen == "true" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(seen, "true", "what happened is on the page by itself");
    assert_eq!(grounds.len(), 2, "one ground by day and another by night: {grounds:?}");
    let complaints: Vec<_> = browser.complaints.iter().filter(|text| !text.contains("404")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    browser.close().await;
    stop.send(()).expect("the web runs until it is told to stop");
    served.await.expect("the web ends when it is told to");
}
