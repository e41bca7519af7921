//! Answering an interaction: in time, to the right people, and still when its time is over.
//!
//! Discord waits three seconds for the first byte, and fixes with it who will see the answer. So an answer that takes
//! longer is promised with the visibility that the catalogue foretells. One that turns out otherwise takes the promise
//! away and is sent anew, because a follow-up would keep the promise's visibility. After fifteen minutes nothing can be
//! answered any more: then a public answer goes to the channel, and a private one to the person. The same where Discord
//! fails at taking an answer. An answer that reaches nobody even so is kept for the inbox of the person who acted.

use std::future::Future;

use serde_json::{Value, json};
use serenity::{
    all::{InteractionId, LightMethod},
    http::Route,
};
use tokio::time::timeout;

use super::{
    deliver, escape,
    guilds::At,
    message::{EPHEMERAL, Message},
    render::Parts,
    rest::{ANSWER_MAX_TRIES, Failure, File},
    service::{SERVICE, forum},
    shared::Shared,
    windows::{self, Filled},
};
use catalogue::hint;
use kernel::{
    Refusal,
    display::{Block, Document},
};
use port::{Account, Called, Place, Reply, ReplyKind, Speaker};

/// Most messages that answer one interaction; what is left is counted.
const ANSWER_MAX_MESSAGES: usize = 8;

/// Longest line that is repeated above its answer, in characters; a longer one is a part of the answer.
const HEAD_MAX_CHARS: usize = 300;

/// The kinds of first answers.
mod first {
    pub(super) const MESSAGE: u8 = 4;
    pub(super) const PROMISE: u8 = 5;
    pub(super) const NOTHING: u8 = 6;
    pub(super) const UPDATE: u8 = 7;
    pub(super) const WINDOW: u8 = 9;
}

/// An interaction: who, where, and how it can be answered.
pub(super) struct Call {
    pub(super) id: InteractionId,
    /// Whoever has it can answer: never logged.
    pub(super) token: String,
    pub(super) user: u64,
    /// The name that the person shows.
    pub(super) nick: String,
    pub(super) channel: u64,
    /// The channel that counts as its place: of a thread the one that it belongs to.
    pub(super) forum: u64,
    /// The server; none in a conversation with the bot.
    pub(super) guild: Option<u64>,
    /// Whether the person keeps order in that server.
    pub(super) keeps_order: bool,
}

/// How an interaction is to be answered.
#[derive(Default)]
pub(super) struct How {
    /// Whether only the person who acted should see the answer, by the catalogue.
    pub(super) private: bool,
    /// What was done, as it is shown to others; without secrets.
    pub(super) said: String,
    /// Whether the text was pressed, not typed.
    pub(super) pressed: bool,
    /// The command that shows the same document again, for the buttons that turn its pages.
    pub(super) again: Option<Called>,
    /// What was typed into a window for it.
    pub(super) filled: Option<Filled>,
}

/// Whether there has been a first answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Fresh,
    Promised { ephemeral: bool },
    Answered,
    Expired,
}

/// One message of an answer.
struct Outgoing {
    ephemeral: bool,
    parts: Parts,
    /// What it says, to be kept for the person should it reach them in no way.
    says: Document,
}

/// What became of a message of an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sent {
    /// It was taken.
    Taken,
    /// It was not, and is kept or lost.
    Not,
}

impl Call {
    /// Where it came from.
    pub(super) fn at(&self) -> At {
        At { guild: self.guild, forum: self.forum }
    }

    /// What a line is known by that this says.
    pub(super) fn origin(&self) -> String {
        format!("{}:{}", SERVICE, self.id)
    }

    /// Who speaks.
    pub(super) fn speaker(&self, shared: &Shared) -> Speaker {
        let mut moderates = Vec::new();
        if let Some(guild) = self.guild.filter(|_| self.keeps_order) {
            moderates = shared.guilds.forums(guild);
            for channel in [self.forum, self.channel] {
                if !moderates.contains(&forum(channel)) {
                    moderates.push(forum(channel));
                }
            }
        }
        let account = Account { service: SERVICE.to_owned(), id: self.user.to_string() };
        Speaker { account: Some(account), sign_in: None, nick: self.nick.clone(), operator: false, moderates }
    }

    /// Where something is said whose answer everybody there reads, or only the speaker.
    pub(super) fn place(&self, private: bool) -> Place {
        match (self.guild, private) {
            (None, _) => Place::Private,
            (Some(_), true) => Place::Aside(forum(self.forum)),
            (Some(_), false) => Place::Forum(forum(self.forum)),
        }
    }

    /// Where lines are heard one after the other.
    pub(super) fn turn(&self) -> String {
        match self.guild {
            Some(_) => self.forum.to_string(),
            None => format!("@{}", self.user),
        }
    }

    /// Answers with what comes of a line, promising it if it takes long. Says whether the answer shows something that
    /// goes on, so that it can be kept up to date.
    pub(super) async fn answer(&self, shared: &Shared, how: How, hearing: impl Future<Output = Vec<Reply>>) -> bool {
        let answering = shared.live.begin(self.user);
        let mut hearing = std::pin::pin!(hearing);
        let patience = shared.settings.patience;
        // A patience of nothing promises always: a timeout would let what is ready pass.
        let heard = if patience.is_zero() { None } else { timeout(patience, &mut hearing).await.ok() };
        let (stage, replies) = match heard {
            Some(replies) => (Stage::Fresh, replies),
            None => {
                // In a conversation with the bot there is nobody else.
                let ephemeral = how.private && self.guild.is_some();
                let flags = if ephemeral { EPHEMERAL } else { 0 };
                let promise = json!({ "type": first::PROMISE, "data": { "flags": flags } });
                let stage = match self.callback(shared, &promise, None).await {
                    // Discord may have taken it and failed at saying so.
                    Ok(()) | Err(Failure::Away(_)) => Stage::Promised { ephemeral },
                    Err(_) => Stage::Expired,
                };
                (stage, hearing.await)
            }
        };
        let mut replies = replies;
        let kept = how.filled.as_ref().and_then(|filled| filled.give_back(shared, self.user, &mut replies));
        let goes_on = replies.len() == 1 && replies[0].kind == ReplyKind::Shown && replies[0].document.under_way;
        let messages = self.messages(shared, &how, replies, kept);
        let (stage, sent) = self.send(shared, stage, messages).await;
        if stage == Stage::Answered {
            answering.taken(&self.token, self.guild.is_some());
        }
        drop(answering);
        if sent == Sent::Taken {
            shared.desk.handed_over(&self.origin()).await;
        }
        goes_on
    }

    /// Puts other contents in the place of the answer; says whether that was taken.
    pub(super) async fn revise(&self, shared: &Shared, parts: &Parts) -> bool {
        let Ok(route) = self.original(shared) else { return false };
        let revised = self.put(shared, (LightMethod::Patch, route), &parts.message, parts.file.as_ref()).await;
        if let Err(failure) = &revised {
            tracing::debug!(%failure, "an answer is not kept up to date any more");
        }
        revised.is_ok()
    }

    /// Answers with one sentence for the person who acted.
    pub(super) async fn whisper(&self, shared: &Shared, document: &Document) {
        let parts = shared.render(document, self.guild).parts(0, "", None);
        self.send(shared, Stage::Fresh, vec![Outgoing { ephemeral: true, parts, says: document.clone() }]).await;
    }

    /// Opens a window; nothing else can be the answer then.
    pub(super) async fn window(&self, shared: &Shared, window: Value) {
        let body = json!({ "type": first::WINDOW, "data": window });
        if let Err(failure) = self.callback(shared, &body, None).await {
            tracing::warn!(%failure, "a window was not opened");
        }
    }

    /// Puts other contents in the place of the message under which a button was pressed.
    pub(super) async fn update(&self, shared: &Shared, parts: Parts) {
        let body = json!({ "type": first::UPDATE, "data": parts.message });
        if let Err(failure) = self.callback(shared, &body, parts.file.as_ref()).await {
            tracing::warn!(%failure, "a page was not turned");
        }
    }

    /// Says that what was pressed is of an earlier version of the bot.
    pub(super) async fn outdated(&self, shared: &Shared) {
        let why = "that button is of an earlier version of the bot; ask again for what it stands under";
        self.whisper(shared, &hint::refused(&Refusal::new(why))).await;
    }

    /// Takes note of a press that leads nowhere.
    pub(super) async fn acknowledge(&self, shared: &Shared) {
        if let Err(failure) = self.callback(shared, &json!({ "type": first::NOTHING }), None).await {
            tracing::debug!(%failure, "a press was not acknowledged");
        }
    }

    /// The messages of some answers; the window that is `kept` can be opened again from the one that brings its text back.
    fn messages(&self, shared: &Shared, how: &How, replies: Vec<Reply>, kept: Option<u64>) -> Vec<Outgoing> {
        let replies = if replies.is_empty() {
            let document = Document::say("Nothing was done: this was heard before.");
            vec![Reply { kind: ReplyKind::Refused, private: true, document, file: None }]
        } else {
            merged(replies)
        };
        let left = replies.len().saturating_sub(ANSWER_MAX_MESSAGES);
        let mut named = false;
        let mut out: Vec<Outgoing> = Vec::new();
        for mut reply in replies.into_iter().take(ANSWER_MAX_MESSAGES) {
            // What the channel hears of anyhow needs no second message there.
            let alone = reply.private
                || how.private
                || reply.kind == ReplyKind::Announced
                || (how.pressed && reply.kind == ReplyKind::Shown);
            let ephemeral = self.guild.is_some() && alone;
            let mut head = String::new();
            if !alone && !named && (reply.kind == ReplyKind::Done || how.pressed) {
                named = true;
                head = self.head(how, &mut reply.document);
            }
            let again = how.again.as_ref().filter(|_| reply.kind == ReplyKind::Shown);
            let mut parts = shared.render(&reply.document, self.guild).parts(0, &head, again).with(reply.file.clone());
            let says = match &how.filled {
                Some(filled) if windows::is_given_back(reply.file.as_ref()) => {
                    parts = parts.opening(kept);
                    filled.told(reply.document)
                }
                _ => reply.without_file(),
            };
            out.push(Outgoing { ephemeral, parts, says });
        }
        if left > 0
            && let Some(last) = out.last_mut()
        {
            last.parts.message.content.push_str(&format!("\n({left} more answers are left out.)"));
        }
        out
    }

    /// Who did what, for the other readers of the channel.
    fn head(&self, how: &How, document: &mut Document) -> String {
        let verb = if how.pressed { " pressed" } else { "" };
        if how.said.chars().count() <= HEAD_MAX_CHARS && !how.said.contains('\n') {
            return format!("<@{}>{verb}: {}", self.user, escape::inline(&how.said));
        }
        // What came of it stands first: a text may fill a page.
        document.blocks.push(Block::Code { lang: String::new(), text: how.said.clone() });
        format!("<@{}>{verb}:", self.user)
    }

    async fn send(&self, shared: &Shared, mut stage: Stage, mut messages: Vec<Outgoing>) -> (Stage, Sent) {
        if let Stage::Promised { ephemeral } = stage {
            // The promise keeps its visibility: a message of the same takes its place, and is told first.
            match messages.iter().position(|message| message.ephemeral == ephemeral) {
                Some(place) => messages[..=place].rotate_right(1),
                None => {
                    let route = self.original(shared);
                    let removed = match route {
                        Ok(route) => shared.rest.send((LightMethod::Delete, route), None, None, ANSWER_MAX_TRIES).await,
                        Err(failure) => Err(failure),
                    };
                    // A promise that stands would show what follows to those that it was made to.
                    stage = match removed {
                        Ok(_) | Err(Failure::Gone(_)) => Stage::Answered,
                        Err(_) => Stage::Expired,
                    };
                }
            }
        }
        let mut all = Sent::Taken;
        for Outgoing { ephemeral, parts, says } in messages {
            let Parts { message, file, more } = parts;
            let mut sent;
            (stage, sent) = self.send_one(shared, stage, ephemeral, message, file).await;
            if let Some((message, file)) = more.filter(|_| sent == Sent::Taken) {
                (stage, sent) = self.send_one(shared, stage, ephemeral, message, Some(file)).await;
            }
            if sent == Sent::Not {
                let account = Account { service: SERVICE.to_owned(), id: self.user.to_string() };
                shared.desk.keep_for(account, says).await;
                all = Sent::Not;
            }
        }
        (stage, all)
    }

    async fn send_one(
        &self,
        shared: &Shared,
        mut stage: Stage,
        ephemeral: bool,
        message: Message,
        file: Option<File>,
    ) -> (Stage, Sent) {
        let mut said = self.say(shared, stage, ephemeral, &message, file.as_ref()).await;
        if let (Stage::Fresh, Err(Failure::Away(why))) = (stage, &said) {
            // Discord may have taken it and failed at saying so: then more can be said, and else it is as good as over.
            tracing::warn!(why, "a first answer got no answer itself");
            stage = Stage::Answered;
            said = self.say(shared, stage, ephemeral, &message, file.as_ref()).await;
        }
        let failure = match said {
            Ok(()) => return (Stage::Answered, Sent::Taken),
            Err(failure) => failure,
        };
        if matches!(failure, Failure::Expired) {
            stage = Stage::Expired;
        }
        if !matches!(failure, Failure::Expired | Failure::Away(_)) {
            tracing::warn!(%failure, "an answer was not given");
            return (stage, Sent::Not);
        }
        (stage, self.otherwise(shared, ephemeral, message, file).await)
    }

    /// Says something at a stage of the interaction.
    async fn say(
        &self,
        shared: &Shared,
        stage: Stage,
        ephemeral: bool,
        message: &Message,
        file: Option<&File>,
    ) -> Result<(), Failure> {
        match stage {
            Stage::Fresh => {
                let body = json!({ "type": first::MESSAGE, "data": message.clone().ephemeral(ephemeral) });
                self.callback(shared, &body, file).await
            }
            Stage::Promised { .. } => {
                self.put(shared, (LightMethod::Patch, self.original(shared)?), message, file).await
            }
            Stage::Answered => {
                let application_id = shared.rest.application()?;
                let route = Route::WebhookFollowupMessages { application_id, token: &self.token };
                let message = message.clone().ephemeral(ephemeral);
                self.put(shared, (LightMethod::Post, route), &message, file).await
            }
            Stage::Expired => Err(Failure::Expired),
        }
    }

    /// Says elsewhere what the interaction cannot say any more.
    async fn otherwise(&self, shared: &Shared, ephemeral: bool, mut message: Message, file: Option<File>) -> Sent {
        let sent = if ephemeral || self.guild.is_none() {
            deliver::to_person(shared, self.user, &message, file.as_ref()).await
        } else {
            let mention = format!("<@{}>", self.user);
            if !message.content.contains(&mention) {
                message.content = format!("{mention} {}", message.content);
            }
            deliver::to_channel(shared, self.channel, &message, file.as_ref()).await.map(|_| ())
        };
        match sent {
            Ok(()) => Sent::Taken,
            Err(failure) => {
                tracing::warn!(%failure, "an answer could not be given in time nor otherwise, and is kept for whoever asked");
                Sent::Not
            }
        }
    }

    fn original(&self, shared: &Shared) -> Result<Route<'_>, Failure> {
        let application_id = shared.rest.application()?;
        Ok(Route::WebhookOriginalInteractionResponse { application_id, token: &self.token })
    }

    async fn put(
        &self,
        shared: &Shared,
        to: (LightMethod, Route<'_>),
        message: &Message,
        file: Option<&File>,
    ) -> Result<(), Failure> {
        shared.rest.send(to, Some(&json!(message)), file, ANSWER_MAX_TRIES).await.map(|_| ())
    }

    /// The first answer. One that Discord has already is as good: the answer to the first try was lost.
    async fn callback(&self, shared: &Shared, body: &Value, file: Option<&File>) -> Result<(), Failure> {
        let route = Route::InteractionResponse { interaction_id: self.id, token: &self.token };
        match shared.rest.send((LightMethod::Post, route), Some(body), file, ANSWER_MAX_TRIES).await {
            Ok(_) | Err(Failure::Answered) => Ok(()),
            Err(failure) => Err(failure),
        }
    }
}

/// Puts answers without a heading together that the same people may see.
fn merged(replies: Vec<Reply>) -> Vec<Reply> {
    let mut out: Vec<Reply> = Vec::new();
    for reply in replies {
        match out.last_mut() {
            Some(last)
                if last.file.is_none()
                    && reply.file.is_none()
                    && last.private == reply.private
                    && last.kind == reply.kind
                    && last.document.title.is_empty()
                    && reply.document.title.is_empty() =>
            {
                last.document.blocks.extend(reply.document.blocks);
                last.document.offers.extend(reply.document.offers);
            }
            _ => out.push(reply),
        }
    }
    out
}
