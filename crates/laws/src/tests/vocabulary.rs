//! What laws declare, look at and ask for.

use serde_json::json;

use crate::toy::Room;
