//! People: persons, their accounts, the codes that link accounts, and being forgotten.
//!
//! A person is a number that journals name. What ties it to somebody, accounts and a name, lies here alone. So it can
//! be taken away while the journals stay as they are. Seats, and what a person did, are no business of this file.

use sha2::{Digest as _, Sha256};

use super::args::args;
use super::db::{Conn, Row, Tx};
use super::error::{Result, StoreError, within};
use super::types::PersonId;
use super::{Store, inbox, moderation, outbox, reminders};
use port::Account;

/// Longest name of a person, in bytes: what Discord and IRC allow, several times over.
pub const NAME_MAX_BYTES: usize = 256;

/// Longest name of a service or of an account there, in bytes.
pub const ACCOUNT_MAX_BYTES: usize = 256;

/// Most accounts of one person: a few for each network that somebody is on.
pub const ACCOUNTS_MAX_COUNT: usize = 16;

/// Wrong codes that an account may try within [`LINK_TRIES_WINDOW_MICROS`]: enough for typing errors, and far too few to
/// guess one.
pub const LINK_MAX_TRIES: u32 = 5;

/// How long wrong codes are held against an account, in microseconds: one hour.
pub const LINK_TRIES_WINDOW_MICROS: i64 = 3_600_000_000;

/// What is kept of an account whose person asked to be forgotten: its SHA-256.
pub type Trace = [u8; 32];

/// Somebody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// Their number.
    pub id: PersonId,
    /// The name they go by; `None` once they have asked to be forgotten.
    pub name: Option<String>,
    /// When they were first seen.
    pub created: i64,
}

/// What came of an attempt to link an account by a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Linked {
    /// The account is this person's now. The code is used up.
    To(PersonId),
    /// The account is another person's, or was until they asked to be forgotten, and the caller did not say to join the
    /// two. The code still counts.
    Taken {
        /// Whose it is.
        from: PersonId,
        /// Who was given the code.
        to: PersonId,
    },
    /// There is no such code, or it has run out.
    Wrong {
        /// How many more may be tried for now.
        tries_left: u32,
    },
    /// Too many wrong codes; this one was not looked at.
    TooMany {
        /// When the next may be tried.
        until: i64,
    },
    /// The person has [`ACCOUNTS_MAX_COUNT`] accounts already.
    Full,
}

fn read(row: &Row) -> Result<Person> {
    Ok(Person { id: PersonId(row.int(0)?), name: row.text_or(1)?, created: row.int(2)? })
}

fn check(account: &Account) -> Result<()> {
    within("The name of a service, in bytes,", account.service.len(), ACCOUNT_MAX_BYTES)?;
    within("The name of an account, in bytes,", account.id.len(), ACCOUNT_MAX_BYTES)
}

impl Store {
    /// The person behind an account.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn person_of(&self, account: &Account) -> Result<Option<Person>> {
        let sql = "SELECT p.id, p.name, p.created, a.whole AND p.whole AS whole FROM accounts a JOIN persons p ON p.id = a.person \
                   WHERE a.service = $1 AND a.id = $2";
        let row = self.db.read().await?.row(sql, args![&account.service, &account.id]).await?;
        row.as_ref().map(read).transpose()
    }

    /// The person whom an account means, be it one who had it and asked to be forgotten. Nobody comes back by it.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn person_meant(&self, account: &Account) -> Result<Option<PersonId>> {
        let sql = "SELECT person, 0 AS way, accounts.whole FROM accounts WHERE service = $1 AND id = $2 \
                   UNION ALL SELECT person, 1 AS way, forgotten_accounts.whole FROM forgotten_accounts WHERE digest = $3 ORDER BY way LIMIT 1";
        let digest = moderation::digest(account);
        let values = args![&account.service, &account.id, &digest[..]];
        let row = self.db.read().await?.row(sql, values).await?;
        row.map(|row| row.int(0).map(PersonId)).transpose()
    }

    /// Whether some account, be it one by which a forgotten person would come back, leads to a person.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn is_reachable(&self, person: PersonId) -> Result<bool> {
        let sql = "SELECT accounts.whole FROM accounts WHERE person = $1 \
                   UNION ALL SELECT forgotten_accounts.whole FROM forgotten_accounts WHERE person = $1 LIMIT 1";
        Ok(self.db.read().await?.row(sql, args![person]).await?.is_some())
    }

    /// The person behind an account; a new one, under this name, when it is seen for the first time. Who comes back after
    /// being forgotten is the person that they were, under this name.
    ///
    /// # Errors
    /// [`StoreError::TooLarge`] for a name or an account that is too long.
    pub async fn person_for(&self, account: &Account, name: &str, now: i64) -> Result<Person> {
        if let Some(person) = self.person_of(account).await? {
            return Ok(person);
        }
        check(account)?;
        within("The name of a person, in bytes,", name.len(), NAME_MAX_BYTES)?;
        let mut tx = self.db.write_beside().await?;
        match person_for(&mut tx, account, name, now).await {
            Ok(None) => {
                // Another process has just seen the same account for the first time.
                tx.undo().await;
                self.person_of(account).await?.ok_or(StoreError::Locked { by: None })
            }
            Ok(Some(person)) => tx.end_with(Ok(person)).await,
            Err(error) => tx.end_with(Err(error)).await,
        }
    }

    /// Somebody from another database: the person who has the first of these accounts that is known here, else a new one.
    /// Accounts that nobody has become theirs, as long as they have fewer than [`ACCOUNTS_MAX_COUNT`]. A new person
    /// without a name or an account is a number and nothing else.
    ///
    /// # Errors
    /// [`StoreError::TooLarge`] for a name or an account that is too long.
    pub async fn adopt_person(
        &self,
        name: Option<&str>,
        accounts: &[Account],
        traces: &[Trace],
        now: i64,
    ) -> Result<PersonId> {
        accounts.iter().try_for_each(check)?;
        within("The name of a person, in bytes,", name.map_or(0, str::len), NAME_MAX_BYTES)?;
        within("The accounts of a forgotten person", traces.len(), ACCOUNTS_MAX_COUNT)?;
        let mut tx = self.db.write().await?;
        let adopted = adopt(&mut tx, name, accounts, traces, now).await;
        tx.end_with(adopted).await
    }

    /// What is kept of the accounts of a person who asked to be forgotten, at most [`ACCOUNTS_MAX_COUNT`]: enough to know
    /// one again that comes back.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn traces(&self, person: PersonId) -> Result<Vec<Trace>> {
        let sql = "SELECT digest, forgotten_accounts.whole FROM forgotten_accounts WHERE person = $1 ORDER BY digest LIMIT $2";
        let most = i64::try_from(ACCOUNTS_MAX_COUNT).unwrap_or(i64::MAX);
        let rows = self.db.read().await?.rows(sql, args![person, most]).await?;
        let trace = |bytes: Vec<u8>| bytes.try_into().map_err(|_| StoreError::corrupt("the trace of an account"));
        rows.iter().map(|row| row.bytes(0).and_then(trace)).collect()
    }

    /// A person by number, also one who was forgotten.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn person(&self, person: PersonId) -> Result<Option<Person>> {
        let sql = "SELECT id, name, created, persons.whole FROM persons WHERE id = $1";
        self.db.read().await?.row(sql, args![person]).await?.as_ref().map(read).transpose()
    }

    /// The accounts of a person, at most [`ACCOUNTS_MAX_COUNT`].
    ///
    /// # Errors
    /// As the database reports.
    pub async fn accounts(&self, person: PersonId) -> Result<Vec<Account>> {
        accounts(&mut *self.db.read().await?, person).await
    }

    /// Keeps a one-time code by which another account can be linked to a person until `expires`. It takes the place of
    /// an earlier one. Only its hash is kept; the caller draws it, of at least 40 random bits.
    ///
    /// # Errors
    /// [`StoreError::NoSuchPerson`].
    pub async fn put_link_code(&self, person: PersonId, code: &str, expires: i64) -> Result<()> {
        let mut tx = self.db.write().await?;
        let kept = put_link_code(&mut tx, person, code, expires).await;
        tx.end_with(kept).await
    }

    /// Links an account to the person who was given a code. Where it is already somebody's, that whole person joins the
    /// other, with every account. They join only when `may_join` says so: they may have seats, which the caller knows.
    ///
    /// # Errors
    /// [`StoreError::TooLarge`] for an account that is too long.
    pub async fn redeem_link_code(&self, account: &Account, code: &str, now: i64, may_join: bool) -> Result<Linked> {
        check(account)?;
        let mut tx = self.db.write().await?;
        let linked = redeem(&mut tx, account, code, now, may_join).await;
        tx.end_with(linked).await
    }

    /// Takes an account away from its person, whose bans stay with it. `false` when it is nobody's, or the only one,
    /// which stays.
    ///
    /// # Errors
    /// As the database reports.
    pub async fn unlink_account(&self, account: &Account) -> Result<bool> {
        let mut tx = self.db.write().await?;
        let gone = unlink(&mut tx, account).await;
        tx.end_with(gone).await
    }

    /// Forgets a person: their name, accounts, codes, offices as moderator, the texts that they typed, and what waits
    /// to be told to them in private. Their number and what they did stay, as facts of the journals. So do their
    /// accounts by hash, so that bans hold and who comes back is nobody new. What was deleted is overwritten, in the
    /// log beside the file as soon as other processes let it.
    ///
    /// # Errors
    /// [`StoreError::NoSuchPerson`] when there is nobody to forget.
    pub async fn forget(&self, person: PersonId, now: i64) -> Result<()> {
        let mut tx = self.db.write().await?;
        let forgotten = forget(&mut tx, person, now).await;
        tx.end_with(forgotten).await?;
        if let Err(error) = self.db.outside().await?.fold_log().await {
            tracing::warn!(%error, "what was forgotten stays in the write-ahead log until it is next folded");
        }
        Ok(())
    }
}

async fn accounts(conn: &mut Conn, person: PersonId) -> Result<Vec<Account>> {
    let sql = "SELECT service, id, accounts.whole FROM accounts WHERE person = $1 ORDER BY since, service, id LIMIT $2";
    let rows = conn.rows(sql, args![person, ACCOUNTS_MAX_COUNT as i64]).await?;
    rows.iter().map(|row| Ok(Account { service: row.text(0)?, id: row.text(1)? })).collect()
}

async fn owner(tx: &mut Tx, account: &Account) -> Result<Option<PersonId>> {
    let sql = "SELECT person, accounts.whole FROM accounts WHERE service = $1 AND id = $2";
    let row = tx.row(sql, args![&account.service, &account.id]).await?;
    row.map(|row| row.int(0).map(PersonId)).transpose()
}

/// Makes a person for an account; nothing where it has one by now.
async fn person_for(tx: &mut Tx, account: &Account, name: &str, now: i64) -> Result<Option<Person>> {
    if owner(tx, account).await?.is_some() {
        return Ok(None);
    }
    let row = match comes_back(tx, account).await? {
        Some(person) => {
            let sql = "UPDATE persons SET name = $2, forgotten = NULL WHERE id = $1 RETURNING id, name, created";
            tx.row(sql, args![person, name]).await?
        }
        None => {
            let sql =
                "INSERT INTO persons (name, created, forgotten) VALUES ($1, $2, NULL) RETURNING id, name, created";
            tx.row(sql, args![name, now]).await?
        }
    };
    let person = read(&row.ok_or_else(|| StoreError::corrupt("a person was not written"))?)?;
    let sql = "INSERT INTO accounts (service, id, person, since) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
    let given = tx.execute(sql, args![&account.service, &account.id, person.id, now]).await? > 0;
    Ok(given.then_some(person))
}

/// The forgotten person whom an account brings back; its hash has done its duty.
async fn comes_back(tx: &mut Tx, account: &Account) -> Result<Option<PersonId>> {
    let sql = "DELETE FROM forgotten_accounts WHERE digest = $1 RETURNING person";
    let row = tx.row(sql, args![&moderation::digest(account)[..]]).await?;
    row.map(|row| row.int(0).map(PersonId)).transpose()
}

async fn adopt(tx: &mut Tx, name: Option<&str>, theirs: &[Account], traces: &[Trace], now: i64) -> Result<PersonId> {
    let mut found = None;
    for account in theirs {
        found = owner(tx, account).await?;
        if found.is_some() {
            break;
        }
    }
    if found.is_none() && !traces.is_empty() {
        found = traced(tx, traces).await?;
    }
    let person = match found {
        Some(person) => person,
        None => {
            let forgotten = (!traces.is_empty() && theirs.is_empty()).then_some(now);
            let sql = "INSERT INTO persons (name, created, forgotten) VALUES ($1, $2, $3) RETURNING id";
            let row = tx.row(sql, args![name.filter(|_| forgotten.is_none()), now, forgotten]).await?;
            PersonId(row.ok_or_else(|| StoreError::corrupt("a person was not written"))?.int(0)?)
        }
    };
    for trace in traces {
        let sql = "INSERT INTO forgotten_accounts (digest, person) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING";
        tx.execute(sql, args![&trace[..], person]).await?;
    }
    let mut count = accounts(tx, person).await?.len();
    for account in theirs {
        if count < ACCOUNTS_MAX_COUNT && owner(tx, account).await?.is_none() {
            give(tx, account, person, now).await?;
            count += 1;
        }
    }
    Ok(person)
}

/// The person here of one of the accounts that left these traces: forgotten here too, or here with the account.
async fn traced(tx: &mut Tx, traces: &[Trace]) -> Result<Option<PersonId>> {
    for trace in traces {
        let sql = "SELECT person, forgotten_accounts.whole FROM forgotten_accounts WHERE digest = $1";
        if let Some(row) = tx.row(sql, args![&trace[..]]).await? {
            return row.int(0).map(PersonId).map(Some);
        }
    }
    for row in tx.rows("SELECT service, id, person, accounts.whole FROM accounts", &[]).await? {
        let account = Account { service: row.text(0)?, id: row.text(1)? };
        if traces.contains(&moderation::digest(&account)) {
            return row.int(2).map(PersonId).map(Some);
        }
    }
    Ok(None)
}

async fn give(tx: &mut Tx, account: &Account, person: PersonId, now: i64) -> Result<()> {
    let sql = "INSERT INTO accounts (service, id, person, since) VALUES ($1, $2, $3, $4) \
               ON CONFLICT (service, id) DO UPDATE SET person = $3, since = $4";
    tx.execute(sql, args![&account.service, &account.id, person, now]).await.map(drop)
}

async fn put_link_code(tx: &mut Tx, person: PersonId, code: &str, expires: i64) -> Result<()> {
    let sql = "SELECT persons.whole FROM persons WHERE id = $1 AND forgotten IS NULL";
    tx.row(sql, args![person]).await?.ok_or(StoreError::NoSuchPerson { person: person.0 })?;
    let sql = "INSERT INTO link_codes (person, digest, expires) VALUES ($1, $2, $3) \
               ON CONFLICT (person) DO UPDATE SET digest = $2, expires = $3";
    tx.execute(sql, args![person, &digest(code)[..], expires]).await.map(drop)
}

async fn redeem(tx: &mut Tx, account: &Account, code: &str, now: i64, may_join: bool) -> Result<Linked> {
    let window = now.saturating_sub(LINK_TRIES_WINDOW_MICROS);
    tx.execute("DELETE FROM link_tries WHERE since <= $1", args![window]).await?;
    let sql = "SELECT tries, since, link_tries.whole FROM link_tries WHERE service = $1 AND id = $2";
    let row = tx.row(sql, args![&account.service, &account.id]).await?;
    let (tries, since) = match row {
        Some(row) => (row.small(0)?, row.int(1)?),
        None => (0, now),
    };
    if tries >= LINK_MAX_TRIES {
        return Ok(Linked::TooMany { until: since.saturating_add(LINK_TRIES_WINDOW_MICROS) });
    }
    let sql = "SELECT person, link_codes.whole FROM link_codes WHERE digest = $1 AND expires > $2";
    let Some(row) = tx.row(sql, args![&digest(code)[..], now]).await? else {
        let sql = "INSERT INTO link_tries (service, id, tries, since) VALUES ($1, $2, 1, $3) \
                   ON CONFLICT (service, id) DO UPDATE SET tries = link_tries.tries + 1";
        tx.execute(sql, args![&account.service, &account.id, now]).await?;
        return Ok(Linked::Wrong { tries_left: LINK_MAX_TRIES - tries - 1 });
    };
    let person = PersonId(row.int(0)?);
    let owner = owner(tx, account).await?;
    match owner {
        Some(owner) if owner == person => {}
        Some(owner) if !may_join => return Ok(Linked::Taken { from: owner, to: person }),
        Some(owner) => {
            if accounts(tx, person).await?.len() + accounts(tx, owner).await?.len() > ACCOUNTS_MAX_COUNT {
                return Ok(Linked::Full);
            }
            join(tx, owner, person).await?;
        }
        None => {
            let sql =
                "SELECT person, forgotten_accounts.whole FROM forgotten_accounts WHERE digest = $1 AND person <> $2";
            let row = tx.row(sql, args![&moderation::digest(account)[..], person]).await?;
            let former = row.map(|row| row.int(0).map(PersonId)).transpose()?;
            if let Some(from) = former.filter(|_| !may_join) {
                return Ok(Linked::Taken { from, to: person });
            }
            if accounts(tx, person).await?.len() >= ACCOUNTS_MAX_COUNT {
                return Ok(Linked::Full);
            }
            comes_back(tx, account).await?;
            if let Some(from) = former {
                for sql in [
                    "UPDATE forgotten_accounts SET person = $2 WHERE person = $1",
                    "UPDATE secrets SET person = $2 WHERE person = $1",
                ] {
                    tx.execute(sql, args![from, person]).await?;
                }
            }
            give(tx, account, person, now).await?;
        }
    }
    tx.execute("DELETE FROM link_codes WHERE person = $1", args![person]).await?;
    tx.execute("DELETE FROM link_tries WHERE service = $1 AND id = $2", args![&account.service, &account.id]).await?;
    Ok(Linked::To(person))
}

/// Gives all that a person is here to another, who turned out to be the same. Bans go with the accounts.
async fn join(tx: &mut Tx, from: PersonId, to: PersonId) -> Result<()> {
    for account in accounts(tx, from).await? {
        moderation::keep_bans(tx, from, &account).await?;
    }
    moderation::hand_offices(tx, from, to).await?;
    for sql in [
        "UPDATE accounts SET person = $2 WHERE person = $1",
        "UPDATE forgotten_accounts SET person = $2 WHERE person = $1",
        "UPDATE said SET person = $2 WHERE person = $1",
        "UPDATE secrets SET person = $2 WHERE person = $1",
    ] {
        tx.execute(sql, args![from, to]).await?;
    }
    tx.execute("DELETE FROM link_codes WHERE person = $1", args![from]).await.map(drop)
}

async fn unlink(tx: &mut Tx, account: &Account) -> Result<bool> {
    let Some(person) = owner(tx, account).await? else { return Ok(false) };
    if accounts(tx, person).await?.len() == 1 {
        return Ok(false);
    }
    moderation::keep_bans(tx, person, account).await?;
    reminders::forget(tx, account).await?;
    let sql = "DELETE FROM accounts WHERE service = $1 AND id = $2";
    Ok(tx.execute(sql, args![&account.service, &account.id]).await? > 0)
}

async fn forget(tx: &mut Tx, person: PersonId, now: i64) -> Result<()> {
    let sql = "UPDATE persons SET name = NULL, forgotten = $2 WHERE id = $1 AND forgotten IS NULL";
    if tx.execute(sql, args![person, now]).await? == 0 {
        return Err(StoreError::NoSuchPerson { person: person.0 });
    }
    for account in accounts(tx, person).await? {
        moderation::keep_bans(tx, person, &account).await?;
        let sql = "INSERT INTO forgotten_accounts (digest, person) VALUES ($1, $2) \
                   ON CONFLICT (digest) DO UPDATE SET person = $2";
        tx.execute(sql, args![&moderation::digest(&account)[..], person]).await?;
        outbox::drop_private(tx, &account).await?;
        inbox::empty(tx, &account).await?;
        reminders::forget(tx, &account).await?;
        let sql = "DELETE FROM link_tries WHERE service = $1 AND id = $2";
        tx.execute(sql, args![&account.service, &account.id]).await?;
    }
    for sql in [
        "DELETE FROM accounts WHERE person = $1",
        "DELETE FROM link_codes WHERE person = $1",
        "DELETE FROM moderators WHERE person = $1",
        "DELETE FROM acts WHERE (room, seq) IN (SELECT room, seq FROM said WHERE person = $1)",
        "DELETE FROM said WHERE person = $1",
    ] {
        tx.execute(sql, args![person]).await?;
    }
    Ok(())
}

fn digest(code: &str) -> [u8; 32] {
    Sha256::digest(code).into()
}
