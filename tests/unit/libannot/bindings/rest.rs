// SPDX-License-Identifier: GPL-2.0
//! Usage: rest WANTED
//!
//! Annotates a thousand times, with what counting.c has in the place of the library: how often is that called?
extern "C" {
    fn counting_rest(word: u32, resting_cs: u64) -> i64;
}

fn calls(word: u32, resting_cs: u64) -> i64 {
    let before = unsafe { counting_rest(word, resting_cs) };
    for i in 0..250 {
        let _span = annot::span!("span", i);
        annot::mark("mark");
        annot::counter!("counter", i);
    }
    unsafe { counting_rest(0, 0) - before }
}

fn main() {
    // rseq_cs of a thread that is in no sequence is 0.
    println!("off {}", calls(0, 0));
    println!("rests {}", calls(0x10000, 0));
    println!("rests no longer {}", calls(0x10000, 64));
    println!("on {}", calls(1, 0));
}
