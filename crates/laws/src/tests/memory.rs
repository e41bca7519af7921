//! How much memory something holds at once, by what its thread takes and gives back: other tests do not count.

// An allocator cannot be put in front of the system's otherwise.
#![allow(unsafe_code)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

thread_local! {
    /// What this thread has taken and not given back, in bytes.
    static HELD: Cell<isize> = const { Cell::new(0) };
    /// The most of that.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

struct Counted;

#[global_allocator]
static COUNTED: Counted = Counted;

fn count(bytes: isize) {
    let held = HELD.get() + bytes;
    HELD.set(held);
    PEAK.set(PEAK.get().max(held));
}

unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        unsafe { System.dealloc(at, layout) }
    }
}

/// Does something; gives beside it the most bytes that it held at once.
pub(super) fn peak<T>(does: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD.get();
    PEAK.set(before);
    let done = does();
    (done, PEAK.get().abs_diff(before))
}
