//! How much the calls of a thread may still take: operations, and room on the stack.
//!
//! One counter serves the engine, the natives and whatever those call back.

use std::cell::Cell;

use super::limits::{CALLBACK_OPERATIONS, LOOK_MAX_OPERATIONS, STACK_MAX_BYTES};

thread_local! {
    /// Operations that are left to this thread's call, natives included.
    static FUEL: Cell<u64> = const { Cell::new(0) };
    /// The number of the engine's last operation, by its own count.
    static LAST: Cell<u64> = const { Cell::new(0) };
    /// Where the stack of this thread's outermost call begins; nothing while there is none.
    static STACK: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Where the stack is.
fn stack() -> usize {
    let here = 0_u8;
    std::ptr::from_ref(&here).addr()
}

/// Whether calls in calls take as much of the stack as they may.
pub(crate) fn is_deep() -> bool {
    STACK.with(|base| base.get().is_some_and(|base| base.abs_diff(stack()) > STACK_MAX_BYTES))
}

/// Does something whose calls in calls are measured from here, where none is under way. Then the engine's count begins,
/// whatever this thread has counted before.
pub(crate) fn measured<T>(does: impl FnOnce() -> T) -> T {
    let outer = STACK.with(|base| base.replace(base.get().or_else(|| Some(stack()))));
    if outer.is_none() {
        LAST.set(0);
    }
    let _ends = Outer(outer);
    does()
}

/// Where the stack began before a call, put back when that ends, or breaks.
struct Outer(Option<usize>);

impl Drop for Outer {
    fn drop(&mut self) {
        STACK.with(|base| base.set(self.0));
    }
}

/// Takes an operation of the engine, by its own count; `false` where none are left. That count begins anew where a native
/// function calls a script back, and so tells of it.
pub(crate) fn step(count: u64) -> bool {
    let follows = LAST.replace(count) + 1 == count;
    burn(if follows { 1 } else { CALLBACK_OPERATIONS })
}

/// Takes operations for something; `false` where none are left.
pub(crate) fn burn(operations: u64) -> bool {
    FUEL.with(|fuel| {
        let left = fuel.get().saturating_sub(operations);
        fuel.set(left);
        left > 0
    })
}

/// Operations that are left.
pub(crate) fn fuel() -> u64 {
    FUEL.with(Cell::get)
}

/// Fills up what a call may burn; gives what was left before.
pub(crate) fn fill(operations: u64) -> u64 {
    FUEL.with(|fuel| fuel.replace(operations))
}

/// Does something with operations of its own: whoever it is done for takes as many as without it. So it may be kept.
pub(crate) fn aside<T>(operations: u64, does: impl FnOnce() -> T) -> T {
    let before = (fill(operations), LAST.get());
    let done = measured(does);
    fill(before.0);
    LAST.set(before.1);
    done
}

/// Does something with at most so many operations out of what is left, which takes as many wherever it is done: what ran
/// before it is not known to it, nor it to what runs after it.
pub(crate) fn apart<T>(operations: u64, does: impl FnOnce() -> T) -> T {
    let last = LAST.replace(0);
    let done = limited(operations, does);
    LAST.set(last);
    done
}

/// Does something that only looks, with a supply of its own out of what is left.
pub(crate) fn looking<T>(does: impl FnOnce() -> T) -> T {
    limited(LOOK_MAX_OPERATIONS, does)
}

/// Does something with at most so many operations out of what is left.
pub(crate) fn limited<T>(operations: u64, does: impl FnOnce() -> T) -> T {
    let left = fuel();
    let lent = left.min(operations);
    fill(lent);
    let done = does();
    fill(left - (lent - fuel().min(lent)));
    done
}
