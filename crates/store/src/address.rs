//! The address of a database, which may hold a password: nothing shows it.
//!
//! People put the address of another database where that of ours belongs, password and all, and a program that refuses
//! it must not repeat it. So a setting is a value of this type from the beginning, and its `Display` and `Debug` leave
//! out all that could be secret.

use std::{fmt, path::Path};

/// What a database in memory is called.
const IN_MEMORY: &str = ":memory:";

/// How SQLite's own URIs begin, whose queries may hold a key.
const FILE_URI: &str = "file:";

/// What stands before a password among words of the kind key=value.
const PASSWORD: &str = "password=";

/// The address of a database as somebody set it.
#[derive(Clone, PartialEq, Eq, serde::Deserialize)]
#[serde(transparent)]
pub struct Address(String);

impl From<String> for Address {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl Address {
    /// Wraps an address.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The address itself, for whoever opens it.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The file that it names, unless the database is in memory or no file of ours.
    pub fn file(&self) -> Option<&Path> {
        let name = self.name();
        (name != IN_MEMORY && !is_foreign(name)).then(|| Path::new(name))
    }

    /// Whether it is the address of a database in Postgres.
    #[must_use]
    pub fn is_of_server(&self) -> bool {
        ["postgres://", "postgresql://"].iter().any(|scheme| self.0.starts_with(scheme))
    }

    /// A path as it is shown: whoever gives the address of a database for one must not read the password again.
    #[must_use]
    pub fn shown(path: &Path) -> String {
        let text = path.display().to_string();
        if Self::instead_of(path) { Self(text).to_string() } else { text }
    }

    /// Whether what was given as a path is the address of a database elsewhere, and nothing that is there.
    #[must_use]
    pub fn instead_of(path: &Path) -> bool {
        is_foreign(&path.display().to_string()) && !path.exists()
    }

    /// The path, without what may stand before it.
    pub(super) fn name(&self) -> &str {
        self.0.strip_prefix("sqlite://").or_else(|| self.0.strip_prefix("sqlite:")).unwrap_or(&self.0)
    }

    /// Whether it is the address of a database elsewhere, or was meant to be one.
    pub(super) fn is_foreign(&self) -> bool {
        is_foreign(self.name())
    }
}

/// With `://`, or with what reads as user and password before a host, it is no path. Nor is a URI of SQLite's own,
/// words of the kind `host=h password=p`, or what has a query. A path with `=` in its first folder is written after
/// `./`.
fn is_foreign(name: &str) -> bool {
    let words = name.to_lowercase().replace(char::is_whitespace, "");
    let is_key = |key: &str| !key.is_empty() && key.chars().all(|char| char.is_alphanumeric() || "_-".contains(char));
    name.contains("://")
        || name.split_once('@').is_some_and(|(before, _)| before.contains(':'))
        || words.starts_with(FILE_URI)
        || words.contains(PASSWORD)
        || words.split_once('=').is_some_and(|(key, _)| is_key(key))
        || words.split_once('?').is_some_and(|(_, query)| query.contains('='))
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_foreign() {
            return f.write_str(self.name());
        }
        match url::Url::parse(&self.0) {
            Ok(url) if url.host_str().is_some_and(|host| !host.contains('=')) => {
                write!(f, "{}://{}", url.scheme(), url.host_str().unwrap_or_default())?;
                url.port().map_or(Ok(()), |port| write!(f, ":{port}"))?;
                // One that holds either of these may be a slip in the part before the host.
                f.write_str(if url.path().contains(['@', ':', '=']) { "/" } else { url.path() })
            }
            // What cannot be taken apart may be a password anywhere.
            _ => f.write_str("(an address that is not shown)"),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Address({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_user_and_password() {
        for (text, shown) in [
            ("a.db", "a.db"),
            ("sqlite:a.db", "a.db"),
            ("sqlite:///var/lib/a@b.db", "/var/lib/a@b.db"),
            (":memory:", ":memory:"),
            ("postgres://u:geheim@h:5432/db?password=geheim", "postgres://h:5432/db"),
            ("postgres://geheim@h/db#geheim", "postgres://h/db"),
            ("postgres://h/u:geheim@db", "postgres://h/"),
            ("postgres:u:geheim@h/db", "(an address that is not shown)"),
            ("postgres//u:geheim@h/db", "(an address that is not shown)"),
            ("sqlite:postgres://u:geheim@h/db", "(an address that is not shown)"),
            ("postgres://u:ge heim@h:x/db", "(an address that is not shown)"),
            ("postgres://h/db;password=geheim", "postgres://h/"),
            ("postgres://password=geheim", "(an address that is not shown)"),
            ("host=h password=geheim user=u", "(an address that is not shown)"),
            ("host = h Password = geheim", "(an address that is not shown)"),
            ("Data Source=h;Pwd=geheim", "(an address that is not shown)"),
            ("/var/lib/h;password=geheim", "(an address that is not shown)"),
            ("file:x?key=geheim", "(an address that is not shown)"),
            ("sqlite:file:x?key=geheim", "(an address that is not shown)"),
            ("x.db?key=geheim", "(an address that is not shown)"),
            ("./a=b.db", "./a=b.db"),
            ("what?.db", "what?.db"),
        ] {
            let address = Address::new(text);
            assert_eq!(address.to_string(), shown);
            assert!(!format!("{address:?}").contains("geheim"), "{address:?}");
            assert_eq!(address.file().is_some(), text.ends_with(".db"), "{text}");
        }
    }
}
