// SPDX-License-Identifier: MIT
//! All that Rust has of libannot, in a small program. To build and record it:
//!
//! ```sh
//! cargo build --offline --example example
//! annot record -- target/debug/examples/example
//! ```
use std::panic;
use std::sync::{Arc, Barrier};
use std::thread;

const NR_WORKERS: i64 = 2;
const NR_ROWS: i64 = 3;

fn work(done: &Barrier, number: i64) {
    annot::thread_name(&format!("worker{}", number));
    for i in 0..NR_ROWS {
        let _row = annot::span!("row", 10 * number + i);
        annot::counter!("rows done", i + 1);
    }
    let _wait = annot::wait!("barrier");
    done.wait();
}

/// A span ends with its block, also when that is left by a panic.
fn risk() {
    let _outer = annot::span("outer");
    let _risky = annot::span_value("risky", -1);
    panic::resume_unwind(Box::new("out of luck"));
}

fn main() {
    annot::thread_name("example");
    annot::mark!("start");
    {
        let _setup = annot::span!("setup", 7);
        let _read = annot::span!("read");
    }
    let done = Arc::new(Barrier::new(NR_WORKERS as usize));
    let workers: Vec<_> = (0..NR_WORKERS)
        .map(|number| {
            let done = Arc::clone(&done);
            thread::spawn(move || work(&done, number))
        })
        .collect();
    {
        let _wait = annot::wait_value("join", NR_WORKERS);
        for worker in workers {
            worker.join().unwrap();
        }
    }
    if panic::catch_unwind(risk).is_err() {
        annot::mark!("caught", 1);
    }
    annot::counter("left", 0);
    assert!(!annot::status().is_empty());
    annot::flush();
    println!("{}", if annot::enabled() { "recorded" } else { "not recorded" });
}
