//! The engine against the plain machine, on whatever bytes the fuzzer comes up with.

#![no_main]

#[path = "../../tests/support/bytes.rs"]
mod bytes;

libfuzzer_sys::fuzz_target!(|data: &[u8]| bytes::compare(data));
