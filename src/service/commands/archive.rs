//! Copies: `/export`, `/import`, `/backup`.
//!
//! A network carries only what everybody may know: an archive with secrets is for the operator, who has the command
//! line. A reply carries the file, and the adapter knows where it goes.

use std::{
    io::{self, BufRead, Cursor, Write},
    path::Path,
    sync::Arc,
};

use crate::service::archive::{self, ArchiveError, FILE_STAMP, Kind};
use crate::service::deed::NotDone;
use crate::service::fault::Fault;
use crate::service::hearing::{Answer, Hearing};
use crate::service::hub::{Handle, Hub, OPEN_MAX_ROOMS};
use kernel::{
    Refusal,
    display::{Document, counted},
};
use port::{Attachment, REPLY_FILE_MAX_BYTES};
use store::StoreError;

/// Most backups that may lie beside the database: moderators make them, and the operator's disk holds them.
const BACKUPS_MAX_COUNT: usize = 50;

/// Gives the public history of a room.
pub(in crate::service) async fn export(hearing: &Hearing<'_>, handle: &Arc<Handle>) -> Result<Answer, NotDone> {
    let store = hearing.hub.store();
    let row = store.room(handle.id).await?;
    let row = row.ok_or_else(|| NotDone::Broke(Fault::new("a room that is held is in the store")))?;
    let command = format!("rulekeeper export {}", handle.name);
    let mut bytes = Bounded(Vec::new());
    let written = match archive::export(store, &row, Kind::Public, &mut bytes).await {
        Err(ArchiveError::Io(error)) if error.kind() == io::ErrorKind::FileTooLarge => {
            let why = format!(
                "the history of {} has grown beyond the {REPLY_FILE_MAX_BYTES} bytes that a message carries; the \
                 operator writes it with: {command}",
                handle.name
            );
            return Err(Refusal::new(why).into());
        }
        written => written.map_err(not_done)?,
    };
    let name = format!("{}-{}.jsonl", file_word(&handle.name), written.entries);
    let text = format!(
        "The public history of {}: {}, digest {}, hash of the last entry {}. Whoever has this room can write the same \
         file with “{command}”.",
        handle.name,
        counted(written.entries, "entry"),
        written.sha256,
        written.head
    ) + written.keeps();
    let file = Attachment { name, bytes: bytes.0 };
    Ok(Answer { private: true, file: Some(file), ..Answer::done(Document::say(text)) })
}

/// Opens a room from an exported file.
pub(in crate::service) async fn import(hearing: &Hearing<'_>, name: &str, text: &str) -> Result<Answer, NotDone> {
    let hub = hearing.hub;
    if hub.rooms().len() >= OPEN_MAX_ROOMS {
        return Err(Refusal::new(format!("this bot holds {OPEN_MAX_ROOMS} rooms, and no more")).into());
    }
    let bytes: Arc<[u8]> = text.as_bytes().into();
    let open = move || Ok(Box::new(Cursor::new(bytes.clone())) as Box<dyn BufRead + Send>);
    let reader = open.clone();
    // Folding takes a while, and what a stranger wrote may break it.
    let checked = tokio::task::spawn_blocking(move || archive::check(&reader)).await;
    let checked = checked
        .unwrap_or_else(|_| Err(ArchiveError::Unusable("The archive cannot be folded.".to_owned())))
        .map_err(not_done)?;
    if checked.kind() == Kind::Whole {
        let why = "this archive holds secrets, which have no place in a message; the operator imports it with: \
                   rulekeeper import FILE";
        return Err(Refusal::new(why).into());
    }
    let person = hearing.person().await?;
    let by = Hub::doer(person, &hearing.own_name());
    let imported =
        archive::import(hub.store(), &hub.inner.entropy, hub.clock().now(), (name, by), &checked, &open).await;
    let imported = imported.map_err(not_done)?;
    let handle = hub.take_in(imported.id).await.map_err(NotDone::Broke)?;
    let text = format!(
        "@{} holds the {} entries of that archive. Its secrets are not in it, so the room is closed: everything can be \
         looked at, and nothing goes on.",
        handle.name, imported.entries
    );
    Ok(Answer::done(Document::say(text)))
}

/// Writes a copy of the database beside it.
pub(in crate::service) async fn backup(hearing: &Hearing<'_>) -> Result<Answer, NotDone> {
    let store = hearing.hub.store();
    let Some(path) = store.path() else {
        return Err(Refusal::new("this database lies in memory: it ends with the program, and has no copies").into());
    };
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let there = backups(folder, &stem).map_err(|why| NotDone::Broke(Fault::new(why.to_string())))?;
    if there >= BACKUPS_MAX_COUNT {
        let why = format!("{there} backups lie beside the database; its operator has to move some away first");
        return Err(Refusal::new(why).into());
    }
    let name = format!("{stem}-{}.backup.db", hearing.hub.clock().now().strftime(FILE_STAMP));
    match store.backup(&folder.join(&name)).await {
        Ok(()) => {}
        Err(StoreError::Exists { .. }) => {
            return Err(Refusal::new("a backup was made in this very second").instead("backup").into());
        }
        Err(error) => return Err(error.into()),
    }
    let text = format!(
        "{name} lies beside the database and is a copy of all of it, secrets too: keep it as you keep the database. \
         “rulekeeper restore” brings it back."
    );
    Ok(Answer::done(Document::say(text)))
}

/// How many backups lie in a folder.
fn backups(folder: &Path, stem: &str) -> io::Result<usize> {
    let mut count = 0;
    for file in std::fs::read_dir(folder)? {
        let name = file?.file_name();
        let name = name.to_string_lossy();
        count += usize::from(name.starts_with(stem) && name.ends_with(".backup.db"));
    }
    Ok(count)
}

/// A name as a file may have it anywhere.
fn file_word(name: &str) -> String {
    name.chars()
        .map(|char| if char.is_ascii_alphanumeric() || char == '-' || char == '_' { char } else { '_' })
        .collect()
}

fn not_done(error: ArchiveError) -> NotDone {
    match error {
        ArchiveError::Unusable(why) => Refusal::new(why).into(),
        ArchiveError::Store(error) => error.into(),
        ArchiveError::Io(error) => NotDone::Broke(Fault::new(error.to_string())),
    }
}

/// Bytes in memory, at most [`REPLY_FILE_MAX_BYTES`].
struct Bounded(Vec<u8>);

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > REPLY_FILE_MAX_BYTES {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
