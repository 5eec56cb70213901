//! Console messages of a page: of the current document, and buffered across documents.

use std::collections::VecDeque;

use cicerone_driver::ConsoleMessage;

use crate::{
    Error, NewsItem, Result,
    page::parts::Console,
    state::{KEPT, push},
};

/// Console messages since the page loaded, at most 1000.
#[derive(Debug, Clone, Default)]
pub struct ConsoleLog {
    /// The messages, oldest first.
    pub lines: VecDeque<ConsoleMessage>,
    /// Older messages that were dropped.
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

impl Console<'_> {
    /// Console lines since it loaded.
    pub fn log(self) -> ConsoleLog {
        self.page.state().console.clone()
    }

    /// The client reads all messages, so their errors are no news.
    pub fn errors_are_read(self) {
        self.page.state().news.retain(|item| !matches!(item, NewsItem::ConsoleErrors(..)));
    }

    /// Messages since the buffer was started, or else since the page loaded.
    pub fn buffered_console(self) -> ConsoleLog {
        let state = self.page.state();
        state.console_buffer.as_ref().unwrap_or(&state.console).clone()
    }

    /// Starts a buffer that survives navigations. Returns whether there was one already.
    pub fn begin_console(self) -> bool {
        let mut state = self.page.state();
        let begun = state.console_buffer.is_some();
        state.console_buffer.get_or_insert_default();
        begun
    }

    /// Ends the buffer and returns its messages.
    pub fn end_console(self) -> Result<ConsoleLog> {
        self.page.state().console_buffer.take().ok_or(Error::NoConsoleBuffer)
    }

    /// Drops all messages.
    pub fn clear_console(self) {
        let mut state = self.page.state();
        state.console = ConsoleLog::default();
        if let Some(buffer) = &mut state.console_buffer {
            *buffer = ConsoleLog::default();
        }
    }
}
