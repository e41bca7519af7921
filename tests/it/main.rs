//! The one integration-test binary: one link instead of a dozen, which is most of the time that tests take to build.
//!
//! Tests that need a real server say so with [`needs_servers!`](harness); without it they are left out and named.

mod fakes;
mod happenings;
mod harness;
mod heard;
mod house;
mod log;
mod servers;

mod archive;
mod blows;
mod chain;
mod console;
mod contest;
mod counted;
mod crowd_blognomic;
mod crowd_bnomic;
mod crowd_goods;
mod crowd_joust;
mod crowd_nomic;
mod crowd_spacenomic;
mod crowds;
mod damage;
mod discord_fake;
mod faults;
mod goods;
mod guides;
mod irc_fake;
mod irc_real;
mod joust_files;
mod kill;
mod laws;
mod lists;
mod ministries;
mod operate;
mod pty;
mod rehearsals;
mod rulesets;
mod service;
mod simulated;
mod smoke;
mod terminal;
mod tidy;
mod undone;
mod web;

/// Its name puts it last, where its notice is seen.
#[test]
fn zz_left_out() {
    harness::tell_left_out();
}
