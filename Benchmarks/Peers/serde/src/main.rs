//! Reads the length of a document, the document, then numbers of repetitions; answers each with nanoseconds of processor time.
//!
//! The argument is the kind of document: `forecast` or `tweets`.

mod forecast;
mod tweets;

use serde::{de::DeserializeOwned, Serialize};
use std::io::{BufRead, Read, Write};

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, time: *mut Timespec) -> i32;
}

/// The processor time of this process (CLOCK_PROCESS_CPUTIME_ID).
fn processor_time() -> i64 {
    let mut time = Timespec { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(2, &mut time) };
    time.seconds * 1_000_000_000 + time.nanoseconds
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("forecast") => work::<forecast::Forecast>(),
        Some("tweets") => work::<tweets::Search>(),
        _ => panic!("forecast or tweets"),
    }
}

fn work<Model: Serialize + DeserializeOwned>() {
    let mut input = std::io::stdin().lock();
    let mut line = String::new();
    input.read_line(&mut line).expect("a length");
    let mut document = vec![0; line.trim().parse().expect("a length")];
    input.read_exact(&mut document).expect("a document");
    for line in input.lines() {
        let count: u64 = line.expect("a line").parse().expect("a number");
        let start = processor_time();
        for _ in 0..count {
            let model: Model = serde_json::from_slice(&document).expect("the model's document");
            std::hint::black_box(serde_json::to_vec(&model).expect("a document"));
        }
        println!("{}", processor_time() - start);
        std::io::stdout().flush().expect("a reader");
    }
}
