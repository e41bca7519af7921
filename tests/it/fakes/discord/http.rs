//! As much of HTTP/1.1 as a client of an API speaks. That is requests one after the other on a connection, bodies of a
//! known length, and forms with files. Written by hand because a fake must be able to take a request and never answer
//! it.

use std::io;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// Longest request, in bytes: a file of a message and some.
const REQUEST_MAX_BYTES: usize = 16 * 1024 * 1024;

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    /// The JSON, of a form the part that holds it.
    pub(crate) json: Option<serde_json::Value>,
    /// The files of a form: field, name, bytes.
    pub(crate) files: Vec<(String, String, Vec<u8>)>,
    /// All of it as it came, for whoever searches it.
    pub(crate) raw: Vec<u8>,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    pub(crate) headers: Vec<(&'static str, String)>,
}

impl Answer {
    pub(crate) fn json(status: u16, value: &serde_json::Value) -> Self {
        Self { status, body: value.to_string().into_bytes(), headers: Vec::new() }
    }

    pub(crate) fn empty() -> Self {
        Self { status: 204, body: Vec::new(), headers: Vec::new() }
    }

    pub(crate) fn error(status: u16, code: i64, message: &str) -> Self {
        Self::json(status, &serde_json::json!({ "code": code, "message": message }))
    }
}

/// Reads requests and writes what `answer` makes of them; `None` ends the connection without a word.
pub(crate) async fn serve(mut stream: TcpStream, mut answer: impl FnMut(Request) -> Option<Answer>) -> io::Result<()> {
    // An answer goes out in two pieces, which nobody shall wait for.
    stream.set_nodelay(true)?;
    let mut held = Vec::new();
    while let Some(request) = read(&mut stream, &mut held).await? {
        let Some(Answer { status, body, headers }) = answer(request) else { return Ok(()) };
        let mut head = format!("HTTP/1.1 {status} OK\r\ncontent-type: application/json\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if status != 204 {
            head.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(&body).await?;
    }
    Ok(())
}

async fn read(stream: &mut TcpStream, held: &mut Vec<u8>) -> io::Result<Option<Request>> {
    let end = loop {
        if let Some(end) = find(held, b"\r\n\r\n") {
            break end + 4;
        }
        if more(stream, held).await? == 0 {
            return Ok(None);
        }
    };
    let head = String::from_utf8_lossy(&held[..end]).into_owned();
    let header = |name: &str| {
        head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    };
    let length: usize = header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    assert!(header("transfer-encoding").is_none(), "the fake reads bodies of known length only");
    assert!(length <= REQUEST_MAX_BYTES, "a body of {length} bytes");
    while held.len() < end + length {
        if more(stream, held).await? == 0 {
            return Ok(None);
        }
    }
    let raw: Vec<u8> = held.drain(..end + length).collect();
    let body = &raw[end..];
    let mut words = head.split(' ');
    let mut request = Request {
        method: words.next().unwrap_or_default().to_owned(),
        path: words.next().unwrap_or_default().to_owned(),
        authorization: header("authorization"),
        json: None,
        files: Vec::new(),
        raw: raw.clone(),
    };
    match header("content-type").as_deref().and_then(|kind| kind.split_once("boundary=")) {
        Some((_, boundary)) => form(body, boundary, &mut request),
        None if length > 0 => request.json = serde_json::from_slice(body).ok(),
        None => {}
    }
    Ok(Some(request))
}

fn form(body: &[u8], boundary: &str, request: &mut Request) {
    let mark = format!("--{boundary}");
    let mut rest = body;
    while let Some(start) = find(rest, mark.as_bytes()) {
        rest = &rest[start + mark.len()..];
        let Some(end) = find(rest, mark.as_bytes()) else { break };
        let part = &rest[..end];
        let Some(gap) = find(part, b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&part[..gap]);
        let bytes = part[gap + 4..].strip_suffix(b"\r\n").unwrap_or(&part[gap + 4..]);
        let named = |key: &str| {
            let (_, rest) = head.split_once(&format!("{key}=\""))?;
            rest.split_once('"').map(|(name, _)| name.to_owned())
        };
        match named(" name") {
            Some(name) if name == "payload_json" => request.json = serde_json::from_slice(bytes).ok(),
            Some(name) => request.files.push((name, named("filename").unwrap_or_default(), bytes.to_vec())),
            None => {}
        }
    }
}

async fn more(stream: &mut TcpStream, held: &mut Vec<u8>) -> io::Result<usize> {
    let mut buffer = [0; 16 * 1024];
    let count = stream.read(&mut buffer).await?;
    held.extend_from_slice(&buffer[..count]);
    Ok(count)
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|window| window == wanted)
}
