//! A [`Bar`] shows the progress of an install: as a progress bar on a terminal, as plain lines elsewhere.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{HumanBytes, ProgressBar, ProgressStyle};

use crate::progress::{Progress, Step};

/// Shows the progress of an install; never cancels it.
pub struct Bar(Look);

enum Look {
    Drawn(ProgressBar),
    Lines(Mutex<Lines>),
}

impl Bar {
    /// On stderr: a progress bar on a terminal, plain lines otherwise.
    pub fn on_stderr() -> Self {
        match io::stderr().is_terminal() {
            true => Bar(Look::Drawn(drawn())),
            false => Bar::lines(io::stderr()),
        }
    }

    /// Plain lines: one per step, and one per tenth of a download.
    pub fn lines(out: impl Write + Send + 'static) -> Self {
        Bar(Look::Lines(Mutex::new(Lines { out: Box::new(out), last: String::new() })))
    }
}

impl Progress for Bar {
    fn update(&self, step: Step<'_>) -> ControlFlow<()> {
        match &self.0 {
            Look::Drawn(bar) => draw(bar, step),
            Look::Lines(lines) => lines.lock().unwrap_or_else(PoisonError::into_inner).write(step),
        }
        ControlFlow::Continue(())
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Look::Drawn(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}

fn drawn() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}

fn draw(bar: &ProgressBar, step: Step<'_>) {
    match step {
        Step::Warning(_) => bar.println(step.to_string()),
        Step::Downloading { done, total } => {
            bar.set_style(if total.is_some() { measured() } else { ProgressStyle::default_spinner() });
            bar.set_length(total.unwrap_or(done));
            bar.set_position(done);
            bar.set_message("Downloading");
        }
        _ => {
            bar.set_style(ProgressStyle::default_spinner());
            bar.set_message(step.to_string());
        }
    }
}

fn measured() -> ProgressStyle {
    let template = "{msg} [{bar:30}] {bytes}/{total_bytes} {bytes_per_sec} {eta}";
    // The template is constant; an invalid one would only look plain.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

/// Steps as lines, each once.
struct Lines {
    out: Box<dyn Write + Send>,
    last: String,
}

impl Lines {
    fn write(&mut self, step: Step<'_>) {
        let line = line(step);
        if line != self.last {
            // If stderr is closed, nobody can be told.
            let _ = writeln!(self.out, "{line}");
            self.last = line;
        }
    }
}

fn line(step: Step<'_>) -> String {
    match step {
        Step::Downloading { done, total: Some(total) } if total > 0 => {
            format!("Downloading {}: {} %", HumanBytes(total), done * 10 / total * 10)
        }
        step => step.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::line;
    use crate::progress::Step;

    #[test]
    fn lines_change_with_each_tenth() {
        let at = |done| line(Step::Downloading { done, total: Some(1024) });
        assert_eq!(at(0), "Downloading 1.00 KiB: 0 %");
        assert_eq!(at(400), at(409));
        assert_ne!(at(409), at(410));
        assert_eq!(at(1024), "Downloading 1.00 KiB: 100 %");
    }
}
