//! News: unrequested events, reported once, in the next reply.

use std::path::PathBuf;

use cicerone_driver::DialogOpened;
use cicerone_relay::Refusal;

use crate::{DownloadFailure, Ref, tabs::TabId};

mod unreported;

/// An event that the client did not request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewsItem {
    /// A page opened a tab, which navigates to this URL.
    TabOpened(TabName, String),
    /// A tab was closed by its page, or crashed.
    TabClosed(TabName),
    /// News of another tab than the reply's.
    InTab(TabName, Box<NewsItem>),
    /// This many more items were dropped.
    More(usize),
    /// A page opened too many tabs; this many were closed at once.
    PopupsClosed(usize),
    /// A dialog is open and waits for an answer.
    DialogOpen(DialogOpened),
    /// A dialog was answered automatically.
    DialogAnswered(DialogOpened, bool),
    /// A dialog opened before the guard had reported what a click hit.
    HitUnverified,
    /// The page opened a file chooser.
    ChooserOpened,
    /// A file was downloaded.
    Downloaded(String, PathBuf),
    /// A download is still running.
    Downloading(String),
    /// A download went to the person's download directory.
    DownloadKept(String),
    /// A download was not saved.
    DownloadFailed(String, DownloadFailure),
    /// A live region's text that is no longer visible: its role, and the text.
    Announced(String, String),
    /// The element of a ref was replaced, and the ref moved to the one in its place.
    RefFollowed(Ref),
    /// An option was selected in an element that cannot be seen, and what the page shows in its place stayed
    /// as it was.
    ChoiceNotShown(Ref),
    /// New console errors: how many, and the first.
    ConsoleErrors(usize, String),
    /// The host policy refused requests.
    HostsRefused(Vec<Refusal>),
    /// The page had crashed and was reopened.
    Reopened(String),
    /// The browser was restarted with access to its own process, and so many tabs were opened again.
    RestartedForAccess {
        /// How many tabs.
        reopened: usize,
    },
    /// The browser had ended and was restarted.
    Restarted,
    /// The context had lost its network, and was created again.
    NetworkLost,
    /// The browser had been closed as idle, and was restarted.
    Rested,
    /// A context was closed as idle.
    ContextClosed(String),
    /// The overrides of a page could not be applied to its replacement.
    EmulationLost,
    /// A frame has the time zone of another tab.
    FrameTimeZone,
    /// A remark of the browser about its launch.
    Remark(String),
}

/// A tab's names: its index when reported, and its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TabName {
    /// Its index, from 0.
    pub index: usize,
    /// Its number.
    pub id: TabId,
}

/// Unreported news.
pub type News = Vec<NewsItem>;

/// How many items are kept.
const MOST: usize = 20;

/// Adds an item; console errors and closed popups are counted, not repeated.
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
    // The same event thousands of times is one item.
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
    /// The opened tab.
    pub(crate) fn opened(&self) -> Option<TabId> {
        match self {
            Self::TabOpened(tab, _) => Some(tab.id),
            _ => None,
        }
    }

    /// Whether it can be the intended effect of an action.
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
                | Self::DownloadKept(_)
                | Self::DownloadFailed(..)
        )
    }
}
