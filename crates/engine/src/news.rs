//! What happened meanwhile: told once, with the next reply.

use std::{fmt, path::PathBuf};

use cicerone_driver::DialogOpened;
use cicerone_relay::Refusal;

use crate::{dialog, tabs::TabId};

/// Something that happened which the client did not ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NewsItem {
    /// A page opened another one, which is on its way to this URL.
    TabOpened(TabName, String),
    /// A tab was closed by its page, or crashed away.
    TabClosed(TabName),
    /// Something happened in another tab than the one that the reply is about.
    InTab(TabName, Box<NewsItem>),
    /// So much more happened than is kept.
    More(usize),
    /// A page opened more tabs than are good for anybody; so many were closed at once.
    PopupsClosed(usize),
    /// A dialog is open and waits for an answer.
    DialogOpen(DialogOpened),
    /// A dialog was answered without asking.
    DialogAnswered(DialogOpened, bool),
    /// The page asks for files.
    ChooserOpened,
    /// A file was downloaded.
    Downloaded(String, PathBuf),
    /// A download takes its time.
    Downloading(String),
    /// A download was cut off.
    DownloadFailed(String),
    /// A live region said something that cannot be seen any more: its role, and the text.
    Announced(String, String),
    /// New errors on the console: how many, and the first.
    ConsoleErrors(usize, String),
    /// The host policy refused requests of pages.
    HostsRefused(Vec<Refusal>),
    /// The page had crashed and was opened anew.
    Reopened(String),
    /// The browser had ended and was started anew.
    Restarted,
    /// The browser had been closed since nobody used it, and was started anew.
    Rested,
    /// A context was closed since nobody used it.
    ContextClosed(String),
    /// What a page was set to could not be set for the one in its place.
    EmulationLost,
    /// A frame has the time zone of another tab.
    FrameTimeZone,
    /// What the browser has to say of how it was started.
    Remark(String),
}

/// What a tab is called: by its place in the list of tabs when this is told, and by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TabName {
    /// Its place, from 0.
    pub index: usize,
    /// Its number.
    pub id: TabId,
}

impl fmt::Display for TabName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tab {} (tabId {})", self.index, self.id)
    }
}

/// How many refused hosts a reply names.
const NAMED_REFUSALS: usize = 5;

/// News that was not told yet.
pub type News = Vec<NewsItem>;

/// How much is kept.
const MOST: usize = 20;

/// Adds an item; errors of the console and closed popups are counted, not repeated.
pub(crate) fn add(news: &mut News, item: NewsItem) {
    if let NewsItem::PopupsClosed(more) = item
        && let Some(NewsItem::PopupsClosed(count)) =
            news.iter_mut().find(|item| matches!(item, NewsItem::PopupsClosed(_)))
    {
        *count += more;
        return;
    }
    if let NewsItem::ConsoleErrors(more, _) = item
        && let Some(NewsItem::ConsoleErrors(count, _)) =
            news.iter_mut().find(|item| matches!(item, NewsItem::ConsoleErrors(..)))
    {
        *count += more;
        return;
    }
    // A page that does the same thousands of times gets no thousands of lines.
    if news.contains(&item) {
        return;
    }
    if news.len() < MOST || matches!(item, NewsItem::PopupsClosed(_)) {
        news.push(item);
    } else if let Some(NewsItem::More(count)) = news.iter_mut().find(|item| matches!(item, NewsItem::More(_)))
    {
        *count += 1;
    } else {
        news.push(NewsItem::More(1));
    }
}

impl NewsItem {
    /// The tab that was opened.
    pub(crate) fn opened(&self) -> Option<TabId> {
        match self {
            Self::TabOpened(tab, _) => Some(tab.id),
            _ => None,
        }
    }

    /// Whether it can be what an action was meant to bring about.
    pub(crate) fn is_effect(&self) -> bool {
        matches!(
            self,
            Self::TabOpened(..)
                | Self::TabClosed(_)
                | Self::PopupsClosed(_)
                | Self::DialogOpen(_)
                | Self::DialogAnswered(..)
                | Self::ChooserOpened
                | Self::Downloaded(..)
                | Self::Downloading(_)
                | Self::DownloadFailed(_)
        )
    }
}

impl fmt::Display for NewsItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::snapshot::{plain, quoted};
        match self {
            Self::TabOpened(tab, url) => write!(f, "{tab} opened: {}", plain(url, 200)),
            Self::TabClosed(tab) => write!(f, "{tab} closed"),
            Self::InTab(tab, item) => write!(f, "{tab}: {item}"),
            Self::More(count) => write!(f, "{count} more happened that is not told"),
            Self::PopupsClosed(count) => write!(f, "{count} more tabs that the page opened were closed"),
            Self::DialogOpen(dialog) => {
                write!(f, "{} open: {}", dialog::name(dialog), dialog::question(dialog))
            }
            Self::DialogAnswered(dialog, accepted) => write!(
                f,
                "{} {}: {}",
                dialog::name(dialog),
                if *accepted { "accepted" } else { "dismissed" },
                quoted(&dialog.message, 500)
            ),
            Self::ChooserOpened => f.write_str("the page asks for files"),
            Self::Downloaded(name, path) => {
                write!(f, "downloaded {} to {}", quoted(name, 200), path.display())
            }
            Self::Downloading(name) => write!(f, "downloading {}", quoted(name, 200)),
            Self::DownloadFailed(name) => write!(f, "download of {} failed", quoted(name, 200)),
            Self::Announced(role, text) => {
                write!(f, "{} {} came and went", crate::snapshot::plain(role, 30), quoted(text, 200))
            }
            Self::ConsoleErrors(1, first) => write!(f, "console error: {}", quoted(first, 200)),
            Self::ConsoleErrors(count, first) => {
                write!(f, "{count} console errors, the first: {}", quoted(first, 200))
            }
            Self::HostsRefused(refusals) => {
                let named: Vec<String> = refusals
                    .iter()
                    .take(NAMED_REFUSALS)
                    .map(|refusal| plain(&refusal.to_string(), 300))
                    .collect();
                write!(f, "blocked by the host policy: {}", named.join("; "))?;
                match refusals.len().saturating_sub(NAMED_REFUSALS) {
                    0 => Ok(()),
                    more => write!(f, "; and {more} more hosts"),
                }
            }
            Self::Reopened(url) => write!(f, "the page had crashed (it was at {url}) and was opened anew"),
            Self::Restarted => f.write_str("the browser had ended and was started anew"),
            Self::Rested => f.write_str("the browser had been closed after a long rest and was started anew"),
            Self::ContextClosed(name) => {
                write!(f, "context {} was closed: nobody had used it for long", quoted(name, 100))
            }
            Self::EmulationLost => f.write_str("emulation settings were lost with the page: set them again"),
            Self::FrameTimeZone => f.write_str(
                "a frame shares a browser process with a frame of another tab, and has that tab's time zone",
            ),
            Self::Remark(remark) => f.write_str(remark),
        }
    }
}
