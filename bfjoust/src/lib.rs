//! bfjoust
