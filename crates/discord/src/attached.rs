//! Files that people attach, which stay at Discord until they are wanted.

use super::rest;
use kernel::Refusal;
use port::{ATTACHMENT_MAX_BYTES, Attachment};

/// A file that is still at Discord.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fetch {
    /// Its name.
    pub(super) name: String,
    /// Where it is.
    pub(super) url: String,
    /// How large Discord says it is, in bytes.
    pub(super) bytes: usize,
}

/// Gets a file, of which Discord says the size: it is not believed.
pub(super) async fn fetch(file: &Fetch) -> Result<Attachment, Refusal> {
    let large = || Refusal::new(format!("the file “{}” has more than {ATTACHMENT_MAX_BYTES} bytes", file.name));
    if file.bytes > ATTACHMENT_MAX_BYTES {
        return Err(large());
    }
    let lost = |why: String| {
        tracing::warn!(why, "a file could not be fetched");
        Refusal::new(format!("the file “{}” could not be fetched from Discord; send it again", file.name))
    };
    let client = rest::client().map_err(lost)?;
    let mut response = client.get(&file.url).send().await.map_err(|why| lost(why.without_url().to_string()))?;
    if !response.status().is_success() {
        return Err(lost(format!("the answer was {}", response.status())));
    }
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|why| lost(why.without_url().to_string()))? {
        if bytes.len() + chunk.len() > ATTACHMENT_MAX_BYTES {
            return Err(large());
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Attachment { name: file.name.clone(), bytes })
}
