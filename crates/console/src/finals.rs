//! Asks before a text is sent that nobody can take back.
//!
//! The catalogue says which commands are final.

use sha2::{Digest as _, Sha256};

use catalogue::{self, Catalogue, Command, Typed};
use port::Attachment;

/// What somebody is asked.
pub(super) const QUESTION: &str = "Send it? (y/n)";

/// A sentence for each final text that a message sends.
pub(super) fn finals(text: &str, files: &[Attachment]) -> Vec<String> {
    let typed = catalogue::parse(Catalogue::all(), text, files.len());
    let typed = typed.iter().flatten().filter(|typed| typed.command.is_final);
    typed.filter_map(|typed| sent(typed, files)).collect()
}

/// The command whose text is still to come, if it is final.
pub(super) fn awaiting(text: &str) -> Option<String> {
    let typed = catalogue::parse(Catalogue::all(), text, 0);
    let last = typed.last().and_then(|typed| typed.as_ref().ok())?;
    (last.command.is_final && last.awaits_text().is_some()).then(|| last.command.name.clone())
}

/// What is to be known of a text before it is sent for good. It is told as it will be kept, without blanks around it
/// and with one kind of line break. So the answer shows the same hash.
pub(super) fn told(command: &str, text: &str) -> String {
    let text = text.trim().replace("\r\n", "\n").replace('\r', "\n");
    let (length, hash) = (text.len(), hex::encode(Sha256::digest(&text)));
    let bytes = if length == 1 { "byte" } else { "bytes" };
    format!("“{command}” sends a text of {length} {bytes} for good. Its SHA-256: {hash}")
}

fn sent(typed: &Typed, files: &[Attachment]) -> Option<String> {
    let name = &typed.command.name;
    if let Some(link) = typed.link() {
        return Some(format!("“{name}” sends the text at {} for good.", link.url));
    }
    if let Some(file) = files.first().filter(|_| typed.takes_file().is_some()) {
        return Some(told(name, &String::from_utf8_lossy(&file.bytes)));
    }
    long(&typed.command).find_map(|param| typed.args.get(param)).map(|text| told(name, text))
}

/// The parameters that a text stands in.
fn long(command: &Command) -> impl Iterator<Item = &String> {
    command.params.iter().filter(|param| param.rest).map(|param| &param.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_final_text_is_told_with_its_length_and_hash() {
        // printf '>+' | sha256sum
        let hash = "a9bdebfc38b3f4c16582493a9772ef6df181fc6ae1cea7da13edab2407f9703d";
        let told = finals("joust submit Alpha >+", &[]);
        assert_eq!(told.len(), 1);
        assert!(told[0].contains("2 bytes") && told[0].ends_with(hash), "{told:?}");
        let file = Attachment { name: "alpha.bf".to_owned(), bytes: vec![b'+'; 4513] };
        assert!(finals("joust submit Alpha", &[file])[0].contains("4513 bytes"));
        assert!(finals("joust submit Alpha https://example.org/a.bf", &[])[0].contains("https://example.org/a.bf"));
        for other in ["joust test >+", "joust submit Alpha", "hill", "joust terminate"] {
            assert!(finals(other, &[]).is_empty(), "{other}");
        }
        assert_eq!(awaiting("joust submit Alpha").as_deref(), Some("joust submit"));
        assert_eq!(awaiting("joust test"), None);
    }
}
