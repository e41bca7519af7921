//! Moderators, bans, and accounts that the bot does not listen to.
//!
//! This keeps lists; what they permit and forbid is decided by the service. A ban is on a person, and goes with each
//! account that leaves them. To be forgotten, unlinked or linked to somebody else does not shake it off.

use sha2::{Digest as _, Sha256};

use super::Store;
use super::args::args;
use super::db::Tx;
use super::error::{Result, StoreError, within};
use super::types::{PersonId, RoomId};
use port::Account;

/// Longest reason of a ban, in bytes.
pub const BAN_REASON_MAX_BYTES: usize = 1024;

/// Most moderators, bans or ignored accounts that are listed at a time.
pub const LISTED_MAX_COUNT: i64 = 1000;

/// How the database writes "every room", which no room's number is.
const EVERYWHERE: i64 = 0;

/// Where a moderator moderates, or a ban holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    /// In every room.
    Everywhere,
    /// In one room.
    Room(RoomId),
}

impl Scope {
    fn number(self) -> i64 {
        match self {
            Self::Everywhere => EVERYWHERE,
            Self::Room(room) => room.0,
        }
    }

    fn of(number: i64) -> Self {
        if number == EVERYWHERE { Self::Everywhere } else { Self::Room(RoomId(number)) }
    }
}

/// Somebody who moderates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moderator {
    /// Where.
    pub scope: Scope,
    /// Who.
    pub person: PersonId,
    /// Who made them one; `None` for the operator.
    pub made_by: Option<PersonId>,
    /// Since when.
    pub since: i64,
}

/// A ban.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ban {
    /// Where it holds.
    pub scope: Scope,
    /// On whom.
    pub person: PersonId,
    /// Why.
    pub reason: String,
    /// Who said so; `None` for the operator.
    pub made_by: Option<PersonId>,
    /// Since when.
    pub since: i64,
    /// Until when; `None` for ever.
    pub ends: Option<i64>,
}

/// An account that is not listened to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ignored {
    /// The account.
    pub account: Account,
    /// Who said so; `None` for the operator.
    pub made_by: Option<PersonId>,
    /// Since when.
    pub since: i64,
}

/// What a line of an account's is heard by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Whose account it is, if there is a person already.
    pub person: Option<PersonId>,
    /// Whether they moderate every room.
    pub moderates_all: bool,
    /// Whether the account is not listened to.
    pub ignored: bool,
}

impl Store {
    /// Makes somebody a moderator. `false` when they were one there.
    ///
    /// # Errors
    /// [`StoreError::NoSuchPerson`].
    pub async fn add_moderator(
        &self,
        scope: Scope,
        person: PersonId,
        made_by: Option<PersonId>,
        now: i64,
    ) -> Result<bool> {
        let mut tx = self.db.write().await?;
        let added = add_moderator(&mut tx, scope, person, made_by, now).await;
        tx.end_with(added).await
    }

    /// Ends somebody's being a moderator in exactly this scope. `false` when they were none.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn remove_moderator(&self, scope: Scope, person: PersonId) -> Result<bool> {
        let mut tx = self.db.write().await?;
        let sql = "DELETE FROM moderators WHERE room = $1 AND person = $2";
        let gone = tx.execute(sql, args![scope.number(), person]).await.map(|rows| rows > 0);
        tx.end_with(gone).await
    }

    /// Whether somebody moderates in this scope, be it as a moderator of every room.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn is_moderator(&self, scope: Scope, person: PersonId) -> Result<bool> {
        let sql = "SELECT moderators.whole FROM moderators WHERE room IN ($1, $2) AND person = $3 LIMIT 1";
        let row = self.db.read().await?.row(sql, args![EVERYWHERE, scope.number(), person]).await?;
        Ok(row.is_some())
    }

    /// Every moderator, the longest-serving first, at most [`LISTED_MAX_COUNT`].
    ///
    /// # Errors
    /// As the database reports.
    pub async fn moderators(&self) -> Result<Vec<Moderator>> {
        let sql = "SELECT room, person, made_by, since, moderators.whole FROM moderators ORDER BY since, room, person LIMIT $1";
        let rows = self.db.read().await?.rows(sql, args![LISTED_MAX_COUNT]).await?;
        rows.iter()
            .map(|row| {
                Ok(Moderator {
                    scope: Scope::of(row.int(0)?),
                    person: PersonId(row.int(1)?),
                    made_by: row.int_or(2)?.map(PersonId),
                    since: row.int(3)?,
                })
            })
            .collect()
    }

    /// Bans somebody, or changes the ban that they have in this scope.
    ///
    /// # Errors
    /// [`StoreError::NoSuchPerson`], [`StoreError::TooLarge`] for the reason.
    pub async fn ban(&self, ban: &Ban) -> Result<()> {
        within("The reason of a ban, in bytes,", ban.reason.len(), BAN_REASON_MAX_BYTES)?;
        let mut tx = self.db.write().await?;
        let banned = put_ban(&mut tx, ban).await;
        tx.end_with(banned).await
    }

    /// Lifts the ban that somebody has in exactly this scope. `false` when there was none.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn unban(&self, scope: Scope, person: PersonId) -> Result<bool> {
        let mut tx = self.db.write().await?;
        let lifted = unban(&mut tx, scope, person).await;
        tx.end_with(lifted).await
    }

    /// The ban that holds at `now` for an account in a scope. It may be on its person, on one who was forgotten and had
    /// this account, or in every room.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn ban_of(&self, scope: Scope, account: &Account, now: i64) -> Result<Option<Ban>> {
        let sql = "SELECT room, person, reason, made_by, since, ends, bans.whole FROM bans \
                   WHERE room IN ($1, $2) AND (ends IS NULL OR ends > $3) \
                   AND (person = (SELECT person FROM accounts WHERE service = $4 AND id = $5) \
                        OR id IN (SELECT ban FROM ban_accounts WHERE digest = $6)) \
                   ORDER BY COALESCE(ends, $7) DESC, id LIMIT 1";
        let digest = digest(account);
        let values = args![EVERYWHERE, scope.number(), now, &account.service, &account.id, &digest[..], i64::MAX];
        self.db.read().await?.row(sql, values).await?.as_ref().map(read_ban).transpose()
    }

    /// Every ban, also those that have ended, the latest first, at most [`LISTED_MAX_COUNT`].
    ///
    /// # Errors
    /// As the database reports.
    pub async fn bans(&self) -> Result<Vec<Ban>> {
        let sql = "SELECT room, person, reason, made_by, since, ends, bans.whole FROM bans ORDER BY id DESC LIMIT $1";
        self.db.read().await?.rows(sql, args![LISTED_MAX_COUNT]).await?.iter().map(read_ban).collect()
    }

    /// Stops or resumes listening to an account. `false` when it was so already.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn ignore(&self, account: &Account, ignored: bool, made_by: Option<PersonId>, now: i64) -> Result<bool> {
        let mut tx = self.db.write().await?;
        let changed = if ignored {
            let sql =
                "INSERT INTO ignores (service, id, made_by, since) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
            tx.execute(sql, args![&account.service, &account.id, made_by, now]).await
        } else {
            let sql = "DELETE FROM ignores WHERE service = $1 AND id = $2";
            tx.execute(sql, args![&account.service, &account.id]).await
        };
        tx.end_with(changed.map(|rows| rows > 0)).await
    }

    /// Accounts that are not listened to, the latest first, at most [`LISTED_MAX_COUNT`].
    ///
    /// # Errors
    /// As the database reports.
    pub async fn ignored(&self) -> Result<Vec<Ignored>> {
        let sql =
            "SELECT service, id, made_by, since, ignores.whole FROM ignores ORDER BY since DESC, service, id LIMIT $1";
        let rows = self.db.read().await?.rows(sql, args![LISTED_MAX_COUNT]).await?;
        rows.iter()
            .map(|row| {
                Ok(Ignored {
                    account: Account { service: row.text(0)?, id: row.text(1)? },
                    made_by: row.int_or(2)?.map(PersonId),
                    since: row.int(3)?,
                })
            })
            .collect()
    }

    /// What every line of an account's is heard by: whose it is, whether they moderate every room, whether they are not
    /// listened to.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn standing(&self, account: &Account) -> Result<Standing> {
        // In one question, because it is asked for every line.
        let sql = "SELECT (SELECT person FROM accounts WHERE service = $1 AND id = $2), \
                   (SELECT COUNT(*) FROM accounts a JOIN moderators m ON m.person = a.person \
                    WHERE a.service = $1 AND a.id = $2 AND m.room = $3), \
                   (SELECT COUNT(*) FROM ignores WHERE service = $1 AND id = $2), \
                   (SELECT a.whole FROM accounts a WHERE a.service = $1 AND a.id = $2) IS NOT FALSE AS whole";
        let row = self.db.read().await?.row(sql, args![&account.service, &account.id, EVERYWHERE]).await?;
        let Some(row) = row else { return Ok(Standing::default()) };
        Ok(Standing { person: row.int_or(0)?.map(PersonId), moderates_all: row.int(1)? > 0, ignored: row.int(2)? > 0 })
    }
}

fn read_ban(row: &super::db::Row) -> Result<Ban> {
    Ok(Ban {
        scope: Scope::of(row.int(0)?),
        person: PersonId(row.int(1)?),
        reason: row.text(2)?,
        made_by: row.int_or(3)?.map(PersonId),
        since: row.int(4)?,
        ends: row.int_or(5)?,
    })
}

async fn known(tx: &mut Tx, person: PersonId) -> Result<()> {
    let row = tx.row("SELECT persons.whole FROM persons WHERE id = $1", args![person]).await?;
    row.map(drop).ok_or(StoreError::NoSuchPerson { person: person.0 })
}

async fn add_moderator(
    tx: &mut Tx,
    scope: Scope,
    person: PersonId,
    made_by: Option<PersonId>,
    now: i64,
) -> Result<bool> {
    known(tx, person).await?;
    let sql = "INSERT INTO moderators (room, person, made_by, since) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    Ok(tx.execute(sql, args![scope.number(), person, made_by, now]).await? > 0)
}

async fn put_ban(tx: &mut Tx, ban: &Ban) -> Result<()> {
    known(tx, ban.person).await?;
    let values = args![ban.scope.number(), ban.person, &ban.reason, ban.made_by, ban.since, ban.ends];
    // Not in one statement, which would use up a number without a row (`check`).
    let sql = "UPDATE bans SET reason = $3, made_by = $4, since = $5, ends = $6 WHERE room = $1 AND person = $2";
    if tx.execute(sql, values).await? > 0 {
        return Ok(());
    }
    let sql = "INSERT INTO bans (room, person, reason, made_by, since, ends) VALUES ($1, $2, $3, $4, $5, $6)";
    tx.execute(sql, values).await.map(drop)
}

async fn unban(tx: &mut Tx, scope: Scope, person: PersonId) -> Result<bool> {
    let sql = "DELETE FROM ban_accounts WHERE ban IN (SELECT id FROM bans WHERE room = $1 AND person = $2)";
    tx.execute(sql, args![scope.number(), person]).await?;
    let sql = "DELETE FROM bans WHERE room = $1 AND person = $2";
    Ok(tx.execute(sql, args![scope.number(), person]).await? > 0)
}

/// Ties the bans of a person to an account that is about to leave them.
pub(super) async fn keep_bans(tx: &mut Tx, person: PersonId, account: &Account) -> Result<()> {
    let sql = "INSERT INTO ban_accounts (digest, ban) SELECT $1, id FROM bans WHERE person = $2 ON CONFLICT DO NOTHING";
    tx.execute(sql, args![&digest(account)[..], person]).await.map(drop)
}

/// Gives the offices of a person to another, who turned out to be the same.
pub(super) async fn hand_offices(tx: &mut Tx, from: PersonId, to: PersonId) -> Result<()> {
    let sql = "INSERT INTO moderators (room, person, made_by, since) \
               SELECT room, $2, made_by, since FROM moderators WHERE person = $1 ON CONFLICT DO NOTHING";
    tx.execute(sql, args![from, to]).await?;
    tx.execute("DELETE FROM moderators WHERE person = $1", args![from]).await.map(drop)
}

/// What stands for an account that is forgotten. The length keeps two accounts from reading alike.
pub(super) fn digest(account: &Account) -> [u8; 32] {
    let length = account.service.len() as u64;
    Sha256::new()
        .chain_update(length.to_be_bytes())
        .chain_update(&account.service)
        .chain_update(&account.id)
        .finalize()
        .into()
}
