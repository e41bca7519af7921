//! Scripts and what they bring about, in a room of BlogNomic: out of the vocabulary, or whatever bytes are a text.

#![no_main]

use laws::testing::Room;
use serde_json::json;

#[path = "../../tests/support/scripts.rs"]
mod scripts;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let law = match data.split_first() {
        Some((0, text)) => String::from_utf8_lossy(text).replace("```", ""),
        _ => scripts::law(data),
    };
    let mut room: Room<blognomic::BlogNomic> = Room::open("zed", "2026-11-03T08:00:00Z", Default::default());
    room.enact("Fuzz", &law);
    for _ in 0..3 {
        // A refusal is as good as a deed: what counts is that there is an end.
        let _answer = room.act("zed", &json!({"law": {"act": "test", "args": {}}}));
    }
    room.to("2026-11-05T08:00:00Z");
});
