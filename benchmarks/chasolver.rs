// Time chasolver on a list of labelled positions: CPU seconds of the complete search and of the fast test, as JSON.
//
// Copy this file to `examples/` of https://github.com/miguel-ambrona/chasolver (MIT) and build it there:
// cargo build --release --example chasolver

use chasolver::{is_unwinnable_fast, winnability, Winnability};
use chess::{Board, Color};
use std::{env, fs, str::FromStr};

/// The CPU time of this thread, in seconds (Linux).
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn main() {
    let text = fs::read_to_string(env::args().nth(1).expect("a list of labelled positions")).unwrap();
    let mut rows: Vec<([bool; 2], Board)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let field = |i: usize, usual: &'static str| *fields.get(i).unwrap_or(&usual);
        let fen = format!("{} {} {} {} 0 1", fields[1], field(2, "w"), field(3, "-"), field(4, "-"));
        if let Ok(board) = Board::from_str(&fen) {
            rows.push(([fields[0].starts_with('W'), fields[0].ends_with('B')], board));
        }
    }
    let (mut wrong, mut unknown, mut cannot) = (0, 0, 0);
    let start = cpu_seconds();
    for (side, colour) in [Color::White, Color::Black].into_iter().enumerate() {
        for (labels, board) in &rows {
            match winnability(board, colour) {
                None => unknown += 1,
                Some(answer) => wrong += (matches!(answer, Winnability::Winnable { .. }) != labels[side]) as u32,
            }
        }
    }
    let full = cpu_seconds() - start;
    let start = cpu_seconds();
    for colour in [Color::White, Color::Black] {
        for (_, board) in &rows {
            cannot += is_unwinnable_fast(board, colour) as u32;
        }
    }
    let fast = cpu_seconds() - start;
    println!(
        "{{\"version\": \"{}\", \"questions\": {}, \"wrong\": {wrong}, \"unknown\": {unknown}, \
         \"fast_cannot\": {cannot}, \"full_seconds\": {full}, \"fast_seconds\": {fast}}}",
        env!("CARGO_PKG_VERSION"),
        2 * rows.len()
    );
}
