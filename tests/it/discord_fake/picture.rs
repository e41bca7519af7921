//! What a hill and a proposal look like on Discord, drawn from what the bot really sent: the pictures in the README.
//!
//! Discord's own program cannot be asked for a picture, so that this page imitates its look: messages, embeds, code,
//! attached pictures, buttons. `RULEKEEPER_SCREENSHOTS=docs/pictures cargo test --test it picture` draws it anew.

use base64::Engine as _;
use serde_json::Value;

use super::{
    CHANNEL, Person, World, ann, args,
    blognomic::{cat, offered, opened, posts, presses},
    bob, moderator,
};
use crate::{fakes::discord::Message, harness::needs_servers, web::browser::Browser};

/// How wide the page is, in pixels.
const WIDTH_PIXELS: u64 = 760;

/// How wide a phone is.
const PHONE_PIXELS: u64 = 400;

const STYLE: &str = "\
    body { margin: 0; background: #313338; color: #dbdee1; font: 15px/1.35 'Noto Sans', 'DejaVu Sans', sans-serif; }\
    main { padding: 14px 16px; }\
    .used { color: #949ba4; font-size: 13px; margin: 0 0 3px 54px; } .used b { color: #c9cdfb; }\
    .message { position: relative; padding: 0 0 16px 54px; }\
    .face { position: absolute; left: 0; top: 2px; width: 40px; height: 40px; border-radius: 50%; background: #5865f2;\
            color: #fff; font-weight: bold; text-align: center; line-height: 40px; }\
    .name { font-weight: 600; color: #f2f3f5; } .tag { background: #5865f2; color: #fff; border-radius: 3px;\
            font-size: 10px; padding: 1px 4px; margin-left: 5px; vertical-align: 2px; }\
    .mention { background: #3c4270; color: #c9cdfb; border-radius: 3px; padding: 0 2px; }\
    code { background: #1e1f22; border-radius: 3px; padding: 1px 3px; font: 13px 'DejaVu Sans Mono', monospace; }\
    .embed { background: #2b2d31; border-left: 4px solid #1e1f22; border-radius: 4px; padding: 9px 14px 12px;\
             margin-top: 4px; width: fit-content; max-width: 560px; }\
    .title { font-weight: 600; color: #f2f3f5; margin-bottom: 6px; }\
    pre { background: #1e1f22; border: 1px solid #232428; border-radius: 4px; padding: 7px 9px; margin: 4px 0;\
          font: 12.5px/1.3 'DejaVu Sans Mono', monospace; white-space: pre-wrap; overflow-wrap: anywhere; }\
    img { max-width: 420px; border-radius: 4px; margin-top: 8px; display: block; }\
    .button { display: inline-block; background: #5865f2; color: #fff; border-radius: 3px; padding: 6px 14px;\
              margin: 8px 8px 0 0; font-size: 13.5px; }";

/// The text with what could be markup written out, and with Discord's own marks as it shows them.
fn shown(text: &str, people: &[&Person]) -> String {
    let mut out = String::new();
    for (index, part) in text.split("```").enumerate() {
        let part = part.replace('&', "&amp;").replace('<', "&lt;");
        if index % 2 == 1 {
            out.push_str(&format!("<pre>{}</pre>", part.trim_matches('\n')));
            continue;
        }
        let mut part = part.trim_matches('\n').replace('\\', "").replace('\n', "<br>");
        for person in people {
            let mention = format!("<span class=mention>@{}</span>", person.name);
            part = part.replace(&format!("&lt;@{}>", person.id), &mention);
        }
        let part = in_time(&part);
        for (index, piece) in part.split('`').enumerate() {
            out.push_str(&if index % 2 == 1 { format!("<code>{piece}</code>") } else { piece.to_owned() });
        }
    }
    out
}

/// A text with its instants as Discord shows them to somebody in UTC.
fn in_time(text: &str) -> String {
    let mut parts = text.split("&lt;t:");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (mark, rest) = part.split_once('>').unwrap_or((part, ""));
        let (seconds, form) = mark.split_once(':').unwrap_or((mark, "f"));
        let at = jiff::Timestamp::from_second(seconds.parse().expect("seconds")).expect("an instant");
        let begins: jiff::Timestamp = "2026-11-02T12:00:00Z".parse().expect("an instant");
        out.push_str(&match form {
            "R" => format!("in {} days", (at.as_second() - begins.as_second()) / 86_400),
            _ => at.to_zoned(jiff::tz::TimeZone::UTC).strftime("%-d %B %Y %H:%M").to_string(),
        });
        out.push_str(rest);
    }
    out
}

/// A message as HTML, under the command that it answers.
fn html(message: &Message, used: Option<(&Person, &str)>, people: &[&Person]) -> String {
    let text = |value: &Value| shown(value.as_str().unwrap_or_default(), people);
    let mut out = String::new();
    if let Some((person, command)) = used {
        out.push_str(&format!("<div class=used><b>{}</b> used <b>/{command}</b></div>", person.name));
    }
    out.push_str("<div class=message><div class=face>R</div><div><span class=name>Rulekeeper</span>");
    out.push_str(&format!("<span class=tag>APP</span></div><div>{}</div>", text(&message.body["content"])));
    for embed in message.body["embeds"].as_array().into_iter().flatten() {
        out.push_str(&format!("<div class=embed><div class=title>{}</div>", text(&embed["title"])));
        out.push_str(&text(&embed["description"]));
        let file = embed["image"]["url"].as_str().and_then(|url| url.strip_prefix("attachment://"));
        if let Some((_, bytes)) = message.files.iter().find(|(name, _)| Some(name.as_str()) == file) {
            let data = base64::engine::general_purpose::STANDARD.encode(bytes);
            out.push_str(&format!("<img src=\"data:image/png;base64,{data}\">"));
        }
        out.push_str("</div>");
    }
    let buttons = message.buttons().into_iter().map(|(label, _)| format!("<span class=button>{label}</span>"));
    out.push_str(&buttons.collect::<String>());
    out + "</div>"
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hill_as_it_looks_on_discord() {
    needs_servers!(Chromium);
    let world = World::new().await;
    world.started(&moderator()).await;
    let (alpha, beta) = (
        include_str!("../../../crates/joust/src/house/joust4.bf"),
        include_str!("../../../crates/joust/src/house/joust2.bf"),
    );
    for (person, name, code) in [(ann(), "Alpha", alpha), (bob(), "Beta", beta)] {
        world.fake.slash(&person, CHANNEL, "join", &args(&[("name", person.name)]));
        let token = world.fake.slash(&person, CHANNEL, "joust submit", &args(&[("name", name), ("code", code)]));
        world.fake.answer(&token).await;
        world.quiet().await;
        world.fake.sees(&moderator(), CHANNEL, &format!("{name} by")).await;
    }
    let (moderator, ann, bob) = (moderator(), ann(), bob());
    let people = [&moderator, &ann, &bob];
    let mut page = format!("<!doctype html><meta charset=utf-8><style>{STYLE}</style><main>");
    for (person, command) in [(&ann, "joust hill"), (&bob, "joust matrix")] {
        let token = world.fake.slash(person, CHANNEL, command, &[]);
        page.push_str(&html(&world.fake.answer(&token).await, Some((person, command)), &people));
    }
    let intend = [("what", "set"), ("subject", "weekly-programs"), ("text", "2")];
    world.fake.slash(&moderator, CHANNEL, "joust intend", &args(&intend));
    let notice = world
        .fake
        .until("a notice with a button", |state| {
            state.shown(CHANNEL, 1).into_iter().find(|message| !message.buttons().is_empty()).cloned()
        })
        .await;
    page.push_str(&html(&notice, None, &people));
    assert!(page.contains("<img ") && page.contains(">Object</span>") && page.contains("Alpha"), "{page}");

    Browser::draw(&page, "discord-hill", WIDTH_PIXELS).await;
    world.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proposal_as_it_lives_on_discord() {
    needs_servers!(Chromium);
    let world = World::new().await;
    opened(&world).await;
    posts(&world, &ann(), "Longer", "More time to vote.\n=> set timeout-hours to 72", "Proposal 1 by Ann").await;
    let message = offered(&world, &bob(), "Proposal 1 by Ann", "FOR").await;
    presses(&world, &bob(), &message, "FOR").await;
    let lives = world
        .fake
        .until("the vote in the message", |state| {
            let shown = state.shown(CHANNEL, cat().id);
            shown.into_iter().find(|it| it.id == message.id && it.says().contains("Votes: 2 FOR")).cloned()
        })
        .await;
    let (moderator, ann, bob, cat) = (moderator(), ann(), bob(), cat());
    let people = [&moderator, &ann, &bob, &cat];
    let asked = world.fake.press(&cat, &lives, "Your vote");
    let told = world.fake.answer(&asked).await;
    let mut page = format!("<!doctype html><meta charset=utf-8><style>{STYLE}</style><main>");
    page.push_str(&html(&lives, None, &people));
    page.push_str("<div class=used>Only you can see this</div>");
    page.push_str(&html(&told, None, &people));
    assert!(page.contains(">AGAINST</span>") && page.contains("you have not voted"), "{page}");
    Browser::draw(&page, "discord-proposal", WIDTH_PIXELS).await;
    Browser::draw(&page, "discord-proposal-phone", PHONE_PIXELS).await;
    world.end().await;
}
