//! The console of a page: of the document that is there now, and beyond it.

use std::collections::VecDeque;

use cicerone_driver::ConsoleMessage;

use crate::{
    Error, Page, Result,
    state::{KEPT, push},
};

/// Console lines since the page loaded, the newest thousand of them.
#[derive(Debug, Clone, Default)]
pub struct ConsoleLog {
    /// The lines, oldest first.
    pub lines: VecDeque<ConsoleMessage>,
    /// How many older ones there were.
    pub dropped: usize,
}

impl ConsoleLog {
    pub(crate) fn add(&mut self, message: ConsoleMessage) {
        if self.lines.len() == KEPT {
            self.dropped += 1;
        }
        push(&mut self.lines, message);
    }
}

impl Page {
    /// Console lines since a buffer was begun; since the page loaded, where none was.
    pub fn buffered_console(&self) -> ConsoleLog {
        let state = self.state();
        state.console_buffer.as_ref().unwrap_or(&state.console).clone()
    }

    /// From now on lines are kept through all documents; whether they were already.
    pub fn begin_console(&self) -> bool {
        let mut state = self.state();
        let begun = state.console_buffer.is_some();
        state.console_buffer.get_or_insert_default();
        begun
    }

    /// Ends that; the lines that were kept.
    pub fn end_console(&self) -> Result<ConsoleLog> {
        self.state().console_buffer.take().ok_or(Error::NoConsoleBuffer)
    }

    /// Forgets all lines.
    pub fn clear_console(&self) {
        let mut state = self.state();
        state.console = ConsoleLog::default();
        if let Some(buffer) = &mut state.console_buffer {
            *buffer = ConsoleLog::default();
        }
    }
}
