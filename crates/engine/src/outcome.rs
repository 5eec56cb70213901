use crate::NewsItem;

/// Something that was done, and what came of it.
#[derive(Debug, Clone)]
pub struct Acted<T> {
    /// What was done.
    pub done: T,
    /// What came of it.
    pub outcome: Outcome,
}

impl<T> Acted<T> {
    /// The same outcome, of something else that was done.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Acted<U> {
        Acted { done: change(self.done), outcome: self.outcome }
    }
}

/// What came of an action.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Whether the page has come to rest.
    pub settled: Settled,
    /// Where the page is now, when it is elsewhere than before.
    pub moved: Option<Place>,
    /// What changed between the last reply and the action.
    pub since: Option<View>,
    /// How long the page was watched without a change.
    pub unchanged_for: Option<std::time::Duration>,
    /// What happened meanwhile.
    pub news: Vec<NewsItem>,
    /// What the page shows: all of it or what changed, as asked for.
    pub view: Option<View>,
}

/// Whether a page has come to rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Settled {
    /// Nothing is under way.
    #[default]
    Settled,
    /// Another document came, and is loaded.
    Navigated,
    /// So many requests are still under way.
    Busy(usize),
    /// A dialog holds the page.
    Held,
    /// Nobody waited to see.
    Unawaited,
}

/// Where a page is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Its URL.
    pub url: String,
    /// Its title.
    pub title: String,
}

impl View {
    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Changes(changes) if changes.is_empty())
    }
}

/// What a reply shows of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum View {
    /// What changed; empty when nothing did.
    Changes(String),
    /// What there is.
    Page(String),
}
