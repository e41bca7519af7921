//! The service holds the rooms, takes lines in and sends announcements out.

pub mod port;
