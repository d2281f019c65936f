// SPDX-License-Identifier: MIT
//! Annotates what a program does, in the kernel's ftrace buffer: annot(3) for Rust.
//!
//! ```no_run
//! # fn wait_for_others() {}
//! let _row = annot::span!("row", 5); // a span of work, until the guard is dropped
//! {
//!     let _wait = annot::wait!("barrier"); // a span of waiting
//!     wait_for_others();
//! }
//! annot::mark!("half of it");
//! annot::counter!("rows done", 3);
//! ```
//!
//! The macros take a literal. Each place where one stands remembers the number of its name. The functions of the same
//! names take any text, and look it up each time.
//!
//! Nothing here fails, allocates or panics. An annotation that cannot be written is dropped. While nothing records, an
//! annotation is a load and a branch, or three loads and two branches if the program may write to ftrace.
//!
//! The program is linked with `libannot.so`: `rustc -L DIRECTORY` says where it is, if the linker does not know.

use std::ffi::CStr;
use std::marker::PhantomData;
use std::os::raw::{c_char, c_int, c_uint};
use std::ptr;
use std::sync::atomic::{AtomicI64, AtomicU32, AtomicU64, Ordering};

// The operations of annot/annot.h.
const OP_BEGIN: c_uint = 0;
const OP_WAIT_BEGIN: c_uint = 1;
const OP_END: c_uint = 2;
const OP_MARK: c_uint = 3;
const OP_COUNTER: c_uint = 4;
const OP_HAS_VALUE: c_uint = 0x100;

const UNLESS_RESTING: u32 = 0x10000;

/// The library keeps 255 bytes of a name, and sees by those behind whether it cuts a character in two.
const NAME_MAX_BYTES: usize = 259;

/// A place in a program that annotates, with the number of its name: `struct annot_site`. For the macros.
#[doc(hidden)]
#[repr(C)]
pub struct Site {
    name: AtomicU64,
}

impl Site {
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Site {
        Site { name: AtomicU64::new(0) }
    }
}

/// The fields of `struct annot_control_page` that inline code may read. The kernel or the library writes them.
#[repr(C)]
struct ControlPage {
    version: AtomicU32,
    recording: AtomicU32,
    of_module: [AtomicU32; 14],
    rseq_offset: AtomicI64,
    resting_cs: AtomicU64,
}

#[link(name = "annot")]
extern "C" {
    static annot_control_page: ControlPage;
    fn annot_emit(site: *const Site, op: c_uint, name: *const c_char, value: i64);
    fn annot_recording() -> c_int;
    fn annot_status() -> *const c_char;
    fn annot_flush();
    fn annot_thread_name(name: *const c_char);
}

/// `rseq_cs` of the calling thread, whose `struct rseq` is at `offset` from its thread pointer.
///
/// # Safety
/// The offset is that of `annot_control_page`, while its word is `UNLESS_RESTING`.
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64"))]
#[inline(always)]
unsafe fn rseq_current(offset: i64) -> Option<u64> {
    let current: u64;
    std::arch::asm!("mov {}, qword ptr fs:[{} + 8]", out(reg) current, in(reg) offset,
        options(nostack, readonly, preserves_flags));
    Some(current)
}

/// See above.
#[cfg(all(target_arch = "aarch64", target_pointer_width = "64", target_endian = "little"))]
#[inline(always)]
unsafe fn rseq_current(offset: i64) -> Option<u64> {
    let thread: i64;
    std::arch::asm!("mrs {}, tpidr_el0", out(reg) thread, options(nostack, nomem, preserves_flags));
    Some(ptr::read_volatile((thread + offset + 8) as *const u64))
}

/// See above.
#[cfg(all(target_arch = "riscv64", target_pointer_width = "64"))]
#[inline(always)]
unsafe fn rseq_current(offset: i64) -> Option<u64> {
    let thread: i64;
    std::arch::asm!("mv {}, tp", out(reg) thread, options(nostack, nomem, preserves_flags));
    Some(ptr::read_volatile((thread + offset + 8) as *const u64))
}

#[cfg(not(any(
    all(target_arch = "x86_64", target_pointer_width = "64"),
    all(target_arch = "aarch64", target_pointer_width = "64", target_endian = "little"),
    all(target_arch = "riscv64", target_pointer_width = "64")
)))]
#[inline(always)]
unsafe fn rseq_current(_offset: i64) -> Option<u64> {
    None
}

/// False: an annotation would be dropped. As `annot_is_wanted()` of annot/annot.h.
#[inline(always)]
fn is_wanted() -> bool {
    // The page is mapped for as long as the program runs, and all in it are atomics.
    unsafe {
        let word = annot_control_page.recording.load(Ordering::Relaxed);
        if word != UNLESS_RESTING {
            return word != 0;
        }
        let offset = annot_control_page.rseq_offset.load(Ordering::Relaxed);
        rseq_current(offset) != Some(annot_control_page.resting_cs.load(Ordering::Relaxed))
    }
}

/// Calls `with` with a copy of `name` that ends with a NUL.
fn terminated(name: &str, with: impl FnOnce(*const c_char)) {
    let mut copy = [0_u8; NAME_MAX_BYTES + 1];
    let nr_bytes = name.len().min(NAME_MAX_BYTES);
    copy[..nr_bytes].copy_from_slice(&name.as_bytes()[..nr_bytes]);
    with(copy.as_ptr().cast());
}

#[cold]
fn emit(op: c_uint, name: &str, value: i64) {
    terminated(name, |name| unsafe { annot_emit(ptr::null(), op, name, value) });
}

#[inline(always)]
fn put(op: c_uint, name: &str, value: i64) {
    if is_wanted() {
        emit(op, name, value);
    }
}

/// `name` ends with a NUL: else this does nothing.
#[inline(always)]
fn put_at(site: &'static Site, op: c_uint, name: &'static str, value: i64) {
    if is_wanted() && name.ends_with('\0') {
        unsafe { annot_emit(site, op, name.as_ptr().cast(), value) };
    }
}

/// The place and the name of a macro, and what it is worth.
#[doc(hidden)]
pub struct At(pub &'static Site, pub &'static str, pub Option<i64>);

impl At {
    #[inline(always)]
    fn put(self, op: c_uint) {
        match self.2 {
            Some(value) => put_at(self.0, op | OP_HAS_VALUE, self.1, value),
            None => put_at(self.0, op, self.1, 0),
        }
    }

    #[inline(always)]
    pub fn span(self) -> Span {
        self.put(OP_BEGIN);
        Span(PhantomData)
    }

    #[inline(always)]
    pub fn wait(self) -> Span {
        self.put(OP_WAIT_BEGIN);
        Span(PhantomData)
    }

    #[inline(always)]
    pub fn mark(self) {
        self.put(OP_MARK);
    }

    #[inline(always)]
    pub fn counter(self) {
        self.put(OP_COUNTER);
    }
}

/// A span that ends when this is dropped, also by a panic that unwinds.
///
/// Spans belong to a thread and nest: it cannot be sent to another thread. Drop guards in the reverse order of their
/// making, as the compiler does at the end of a block. In async code, let no guard live across an `.await`.
#[must_use = "the span ends when this is dropped: let _span = ..."]
pub struct Span(PhantomData<*const ()>);

impl Drop for Span {
    #[inline(always)]
    fn drop(&mut self) {
        if is_wanted() {
            unsafe { annot_emit(ptr::null(), OP_END, ptr::null(), 0) };
        }
    }
}

/// A span of work.
#[inline]
pub fn span(name: &str) -> Span {
    put(OP_BEGIN, name, 0);
    Span(PhantomData)
}

/// A span of work, with a number that is shown with it: a row, a trip count, bytes.
#[inline]
pub fn span_value(name: &str, value: i64) -> Span {
    put(OP_BEGIN | OP_HAS_VALUE, name, value);
    Span(PhantomData)
}

/// A span of waiting for other threads: a barrier, a lock, an empty queue.
#[inline]
pub fn wait(name: &str) -> Span {
    put(OP_WAIT_BEGIN, name, 0);
    Span(PhantomData)
}

/// A span of waiting, with a number.
#[inline]
pub fn wait_value(name: &str, value: i64) -> Span {
    put(OP_WAIT_BEGIN | OP_HAS_VALUE, name, value);
    Span(PhantomData)
}

/// An instant in the calling thread.
#[inline]
pub fn mark(name: &str) {
    put(OP_MARK, name, 0);
}

/// An instant, with a number.
#[inline]
pub fn mark_value(name: &str, value: i64) {
    put(OP_MARK | OP_HAS_VALUE, name, value);
}

/// Sets a counter from now on: a queue's length, bytes in use.
#[inline]
pub fn counter(name: &str, value: i64) {
    put(OP_COUNTER | OP_HAS_VALUE, name, value);
}

/// Names memory, until `object_end()` with the same address: `annot report --by object` tells which samples fell into it.
/// Nothing is read there.
pub fn object<T: ?Sized>(name: &str, memory: *const T, bytes: usize) {
    const NOTE: &[u8] = b"@object ";
    let address = memory.cast::<u8>() as usize;
    if address == 0 || bytes == 0 || !enabled() {
        return;
    }
    let mut note = [0_u8; NAME_MAX_BYTES + 1];
    let nr_bytes = name.len().min(NAME_MAX_BYTES - NOTE.len());
    note[..NOTE.len()].copy_from_slice(NOTE);
    note[NOTE.len()..NOTE.len() + nr_bytes].copy_from_slice(&name.as_bytes()[..nr_bytes]);
    put(OP_MARK | OP_HAS_VALUE, "@object_bytes", bytes as i64);
    unsafe { annot_emit(ptr::null(), OP_MARK | OP_HAS_VALUE, note.as_ptr().cast(), address as i64) };
}

/// Ends the object that begins there. Call it before the memory is freed.
pub fn object_end<T: ?Sized>(memory: *const T) {
    put(OP_MARK | OP_HAS_VALUE, "@object_end", memory.cast::<u8>() as usize as i64);
}

/// Names the calling thread, in every tool that shows threads: the first 15 bytes of `name`.
pub fn thread_name(name: &str) {
    terminated(name, |name| unsafe { annot_thread_name(name) });
}

/// Whether annotations are being recorded now. Ask, to skip work that only an annotation needs.
#[inline]
pub fn enabled() -> bool {
    is_wanted() && unsafe { annot_recording() != 0 }
}

/// One line that says where annotations go, and why.
pub fn status() -> &'static str {
    unsafe { CStr::from_ptr(annot_status()) }.to_str().unwrap_or("?")
}

/// Writes what the threads have annotated so far into the trace.
pub fn flush() {
    unsafe { annot_flush() }
}

/// The place of a macro: a literal, and a value or none.
#[doc(hidden)]
#[macro_export]
macro_rules! at {
    ($name:literal, $value:expr) => {{
        static SITE: $crate::Site = $crate::Site::new();
        $crate::At(&SITE, concat!($name, "\0"), $value)
    }};
}

/// `span!("row")` or `span!("row", 5)`: as [`span()`], for a literal. The value is an `i64`.
#[macro_export]
macro_rules! span {
    ($name:literal) => {
        $crate::at!($name, None).span()
    };
    ($name:literal, $value:expr) => {
        $crate::at!($name, Some($value)).span()
    };
}

/// `wait!("barrier")` or `wait!("barrier", 5)`: as [`wait()`], for a literal.
#[macro_export]
macro_rules! wait {
    ($name:literal) => {
        $crate::at!($name, None).wait()
    };
    ($name:literal, $value:expr) => {
        $crate::at!($name, Some($value)).wait()
    };
}

/// `mark!("start")` or `mark!("start", 5)`: as [`mark()`], for a literal.
#[macro_export]
macro_rules! mark {
    ($name:literal) => {
        $crate::at!($name, None).mark()
    };
    ($name:literal, $value:expr) => {
        $crate::at!($name, Some($value)).mark()
    };
}

/// `counter!("queue", 5)`: as [`counter()`], for a literal.
#[macro_export]
macro_rules! counter {
    ($name:literal, $value:expr) => {
        $crate::at!($name, Some($value)).counter()
    };
}
