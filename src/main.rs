//! The program: what `rulekeeper` does when somebody types it. Everything it does is in the library.

fn main() {}
