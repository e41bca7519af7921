//! Requests to Discord's API, sent until there is an answer that counts.
//!
//! Serenity retries nothing that a server or the network broke, and nothing at all when it talks to another base than
//! Discord's own. Its client has no time limit. So every request of this adapter goes through here. It waits out
//! limits, tries again after faults, and says in a few words what an error means.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use reqwest::{Client, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use serenity::{
    all::{ApplicationId, CreateAttachment, Http, HttpBuilder, LightMethod},
    http::{Multipart, MultipartUpload, Request, Route},
};
use tokio::time::sleep;

use super::config::Settings;

/// How long one request may take, with its upload.
const REQUEST_MAX: Duration = Duration::from_secs(20);

/// Longest that a limit of Discord's is waited out; a longer one is handed to whoever keeps the queue.
const LIMIT_WAIT_MAX: Duration = Duration::from_secs(60);

/// Longest pause between two tries.
const RETRY_WAIT_MAX: Duration = Duration::from_secs(15);

/// How often a request is tried that somebody waits for.
pub(super) const ANSWER_MAX_TRIES: u32 = 4;

/// How often an announcement is tried before it goes back to the outbox, which tries it again.
pub(super) const DELIVERY_MAX_TRIES: u32 = 4;

/// Largest answer that is read, in bytes: the list of a server's commands is the longest.
const ANSWER_MAX_BYTES: usize = 4 * 1024 * 1024;

/// A file that goes with a message.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct File {
    /// Its name, which Discord shows.
    pub(super) name: String,
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
}

/// Why a request came to nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The interaction cannot be answered any more: its 15 minutes are over, or its first 3 seconds.
    Expired,
    /// The interaction has its first answer already.
    Answered,
    /// The channel, message or person is gone for good.
    Gone(String),
    /// The bot may not do that there at the moment.
    Closed(String),
    /// The token is not taken.
    Unauthorised,
    /// The channel takes no messages, only posts.
    Posts,
    /// The message has its thread already.
    Threaded,
    /// Discord understood, and refused.
    Refused(String),
    /// Discord or the network is away.
    Away(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Expired => f.write_str("the interaction has run out"),
            Self::Answered => f.write_str("the interaction was answered before"),
            Self::Gone(why) | Self::Closed(why) | Self::Refused(why) | Self::Away(why) => f.write_str(why),
            Self::Posts => f.write_str("the channel takes no messages"),
            Self::Threaded => f.write_str("the message has a thread already"),
            Self::Unauthorised => f.write_str("Discord does not take the token"),
        }
    }
}

/// What Discord says about an error.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Said {
    code: i64,
    message: String,
    retry_after: Option<f64>,
}

/// The way to the API.
pub(super) struct Rest {
    http: Http,
    client: Client,
    retry_first: Duration,
    /// What Discord's clock said last, in milliseconds since 1970; 0 where it said nothing.
    told_at: AtomicI64,
}

impl Rest {
    /// A way to the API as it is set.
    ///
    /// # Errors
    ///
    /// When no client can be made.
    pub(super) fn new(settings: &Settings) -> Result<Self, String> {
        let client = client()?;
        Ok(Self {
            http: http(settings, client.clone()),
            client,
            retry_first: settings.retry_first,
            told_at: AtomicI64::new(0),
        })
    }

    /// Says which application the bot belongs to; the gateway tells.
    pub(super) fn set_application(&self, id: ApplicationId) {
        self.http.set_application_id(id);
    }

    /// The application, once the gateway has told.
    pub(super) fn application(&self) -> Result<ApplicationId, Failure> {
        self.http.application_id().ok_or_else(|| Failure::Away("the gateway has not said hello yet".to_owned()))
    }

    /// What Discord's clock said last, in milliseconds since 1970. The bot's own may be wrong.
    pub(super) fn told_at(&self) -> Option<i64> {
        Some(self.told_at.load(Ordering::Relaxed)).filter(|told| *told > 0)
    }

    /// Sends a request until it is answered, at most so many times.
    pub(super) async fn send(
        &self,
        (method, route): (LightMethod, Route<'_>),
        body: Option<&Value>,
        file: Option<&File>,
        tries: u32,
    ) -> Result<Value, Failure> {
        let json = body.map(Value::to_string);
        let mut wait = self.retry_first;
        let mut last = Failure::Away("it was not tried".to_owned());
        for tried in 1..=tries {
            let mut request = Request::new(route, method);
            request = match (file, &json) {
                (Some(file), payload) => request.multipart(Some(Multipart {
                    upload: MultipartUpload::Attachments(vec![CreateAttachment::bytes(
                        file.bytes.clone(),
                        file.name.clone(),
                    )]),
                    fields: Vec::new(),
                    payload_json: payload.clone(),
                })),
                (None, payload) => request.body(payload.clone().map(String::into_bytes)),
            };
            let pause = match self.once(request).await {
                Ok(value) => return Ok(value),
                Err((failure @ Failure::Away(_), pause)) => {
                    tracing::debug!(tried, %failure, "a request to Discord came to nothing");
                    last = failure;
                    pause
                }
                Err((failure, _)) => return Err(failure),
            };
            if tried == tries || pause.is_some_and(|pause| pause > LIMIT_WAIT_MAX) {
                break;
            }
            sleep(pause.unwrap_or(wait)).await;
            wait = (wait * 2).min(RETRY_WAIT_MAX);
        }
        Err(last)
    }

    /// Sends a request once. With [`Failure::Away`] comes how long Discord asks to wait, if it does.
    async fn once(&self, request: Request<'_>) -> Result<Value, (Failure, Option<Duration>)> {
        let away = |why: String| (Failure::Away(why), None);
        let response = match &self.http.ratelimiter {
            Some(limiter) => limiter.perform(request).await.map_err(|why| away(plain(&why)))?,
            None => {
                let built = request.build(&self.client, self.http.token(), self.http.proxy.as_deref());
                let built = built.map_err(|why| away(plain(&why)))?;
                built.send().await.map_err(|why| away(why.without_url().to_string()))?
            }
        };
        let status = response.status();
        let date = response.headers().get("date").and_then(|value| value.to_str().ok());
        if let Some(told) = date.and_then(|date| jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(date).ok()) {
            self.told_at.store(told.as_millisecond(), Ordering::Relaxed);
        }
        let header = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.parse::<f64>().ok());
        let bytes = bounded(response).await.map_err(away)?;
        if status.is_success() {
            return Ok(serde_json::from_slice(&bytes).unwrap_or(Value::Null));
        }
        let said: Said = serde_json::from_slice(&bytes).unwrap_or_default();
        let why = format!("Discord answered {} ({}: {})", status.as_u16(), said.code, said.message);
        Err(match (status, said.code) {
            (StatusCode::TOO_MANY_REQUESTS, _) => {
                let seconds = said.retry_after.or(header).filter(|seconds| seconds.is_finite()).unwrap_or(1.0);
                (Failure::Away(why), Some(Duration::from_secs_f64(seconds.clamp(0.0, 1e6))))
            }
            // A request that came too slowly or too early is as good as new, like one that met a fault.
            (status, _) if status.is_server_error() || matches!(status.as_u16(), 408 | 425) => {
                (Failure::Away(why), None)
            }
            (_, 40060) => (Failure::Answered, None),
            (_, 10015 | 10062 | 50027) => (Failure::Expired, None),
            (_, 50008) => (Failure::Posts, None),
            (_, 160_004) => (Failure::Threaded, None),
            (_, 10003 | 10004 | 10007 | 10008 | 10011 | 10013 | 50007) => (Failure::Gone(why), None),
            // 40067: posts of that channel need a tag, which its people may stop asking for.
            (_, 40067 | 50001 | 50013 | 50083 | 160_005) => (Failure::Closed(why), None),
            (StatusCode::UNAUTHORIZED, _) => (Failure::Unauthorised, None),
            (StatusCode::FORBIDDEN, _) => (Failure::Closed(why), None),
            _ => (Failure::Refused(why), None),
        })
    }
}

/// A client of the API for the gateway's library, which asks for the gateway's address and answers completions.
pub(super) fn http(settings: &Settings, client: Client) -> Http {
    let builder = HttpBuilder::new(settings.token.expose()).client(client);
    match &settings.api_base {
        // The library passes over another base silently where its own limiter is on.
        Some(base) => builder.proxy(base).ratelimiter_disabled(true).build(),
        None => builder.build(),
    }
}

/// A client with time limits, which trusts what the system trusts and uses its proxy.
pub(super) fn client() -> Result<Client, String> {
    let built = Client::builder().timeout(REQUEST_MAX).connect_timeout(REQUEST_MAX / 2).build();
    built.map_err(|why| format!("no client for Discord can be made: {why}"))
}

/// An error without the address, which may hold the token of an interaction.
fn plain(error: &serenity::Error) -> String {
    match error {
        serenity::Error::Http(serenity::http::HttpError::Request(why)) if why.is_timeout() => "it took too long".into(),
        serenity::Error::Http(serenity::http::HttpError::Request(_)) => "the connection broke".into(),
        _ => "the request could not be sent".into(),
    }
}

async fn bounded(mut response: reqwest::Response) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|why| why.without_url().to_string())? {
        if bytes.len() + chunk.len() > ANSWER_MAX_BYTES {
            return Err(format!("the answer has more than {ANSWER_MAX_BYTES} bytes"));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}
