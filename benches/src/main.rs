//! Measures the server, and beside it the limit.
//!
//! *Ours* is the server as a client starts it, over standard input and output. *Raw* is the same work on a browser of
//! its own with the same flags, over nothing but its debugging pipe or socket: what is left when everything is taken away. A
//! *case* is done by both in turn, so that whatever else the machine does meets both; its row in the table has the
//! medians. `cargo xtask bench` builds and runs it; with `firefox`, `policy` or `late` (effects that come late) it measures
//! only that.

#![expect(clippy::print_stdout, reason = "the table is for a person in a terminal")]

mod bidi;
mod cases;
mod contexts;
mod firefox;
mod late;
mod ours;
mod pages;
mod policy;
mod raw;
mod relay;
mod routes;
mod starts;
mod table;
mod weight;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use cicerone_trial::Site;
use ours::Ours;
use raw::Raw;
use table::{Limit, Table};

/// What ends the benchmark with a message.
type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("benches: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), Failure> {
    let built = built_in()?;
    let program = built.join(format!("cicerone{}", std::env::consts::EXE_SUFFIX));
    let site = Site::serve(pages::find)?;
    let mut table = Table::default();

    if std::env::args().any(|argument| argument == "firefox") {
        firefox::measure(&mut table, &site, &program)?;
        println!("{table}");
        return Ok(());
    }
    if std::env::args().any(|argument| argument == "late") {
        late::measure(&mut table, &site, &mut Ours::start(&program)?)?;
        println!("{table}");
        return Ok(());
    }
    if std::env::args().any(|argument| argument == "policy") {
        host_policy(&mut table, &site, &program)?;
        println!("{table}");
        return Ok(());
    }
    let mut ours = Ours::start(&program)?;
    ours.open(&site.url("/quiet"))?;
    let command_line = ours.browser_command_line()?;
    let mut raw = Raw::start(&command_line)?;
    cases::measure(&mut table, &site, &mut ours, &mut raw)?;
    weight::replies(&mut table, &site, &mut ours)?;
    drop(ours);
    let mut ours = Ours::start_with(&program, &["--dialect", "browser,agent"])?;
    cases::keys(&mut table, &site, &mut ours, &mut raw)?;
    contexts::measure(&mut table, &site, &mut ours, &mut raw)?;
    relay::measure(&mut table, &site, &mut ours)?;
    routes::measure(&mut table, &site, &mut ours, "200 requests, one route", Limit::AtMost(1.15))?;
    drop((ours, raw));

    starts::measure(&mut table, &site, &program, &command_line)?;
    weight::memory(&mut table, &site, &program)?;
    firefox::measure(&mut table, &site, &program)?;
    host_policy(&mut table, &site, &program)?;

    println!("{table}");
    let json = built.join("../bench.json");
    std::fs::write(&json, format!("{:#}\n", table.json()))?;
    println!("{}", json.canonicalize()?.display());
    Ok(())
}

fn host_policy(table: &mut Table, site: &Site, program: &Path) -> Result<(), Failure> {
    ["chromium", "firefox"].into_iter().try_for_each(|engine| policy::measure(table, site, program, engine))
}

/// The folder of this program, where the server's is too.
fn built_in() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()?;
    Ok(program.parent().ok_or("this program is nowhere")?.to_owned())
}

/// The middle one.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
