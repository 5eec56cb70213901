use crate::NewsItem;

/// The result of an action with its outcome.
#[derive(Debug, Clone)]
pub struct Acted<T> {
    /// The result.
    pub done: T,
    pub outcome: Outcome,
}

impl<T> Acted<T> {
    /// Converts the result.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Acted<U> {
        Acted { done: change(self.done), outcome: self.outcome }
    }
}

/// The element that has the focus now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Focused {
    /// Its line in snapshots.
    pub line: String,
    /// Its ref as the dialect writes it.
    pub reference: Option<String>,
}

impl std::fmt::Display for Focused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.reference {
            Some(reference) => write!(f, "{} ({reference})", self.line),
            None => f.write_str(&self.line),
        }
    }
}

/// The outcome of an action.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Whether the page has settled.
    pub settled: Settled,
    /// The new URL and title, if they changed.
    pub moved: Option<Place>,
    /// The focused element, if the focus moved.
    pub focus: Option<Focused>,
    /// Changes between the last reply and the action.
    pub since: Option<UnreportedChanges>,
    /// How long the page was watched without a change.
    pub unchanged_for: Option<std::time::Duration>,
    /// What else happened.
    pub news: Vec<NewsItem>,
    /// A snapshot or a diff, as configured.
    pub view: Option<View>,
}

/// Changes that no reply has told yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreportedChanges {
    /// The new URL and title, if the URL changed.
    pub moved: Option<Place>,
    /// A diff, or a snapshot if the document is new.
    pub view: View,
}

impl UnreportedChanges {
    /// Both, the earlier one first.
    pub(crate) fn followed_by(self, later: Self) -> Self {
        Self { moved: later.moved.or(self.moved), view: self.view.followed_by(later.view) }
    }

    /// Whether there is nothing to tell.
    pub(crate) fn is_empty(&self) -> bool {
        self.moved.is_none() && self.view.is_empty()
    }
}

/// Whether a page has settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Settled {
    /// No request in flight.
    #[default]
    Settled,
    /// A new document has loaded.
    Navigated,
    /// This many requests are still in flight.
    Busy(usize),
    /// A dialog blocks the page.
    Held,
    /// The action did not wait.
    Unawaited,
}

/// The URL and title of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub url: String,
    pub title: String,
}

/// How many characters of changes are kept for a later reply.
const KEPT: usize = 6_000;

/// Stands for what is left out.
const LEFT_OUT: &str = "… later changes are not listed; take a snapshot to see all";

/// Stands between a snapshot and the changes after it: both have lines that begin with a dash.
const THEN: &str = "Then (+ new, ~ changed, - gone):\n";

impl View {
    /// Both, the earlier one first. A new page replaces what was told of the old one.
    pub(crate) fn followed_by(self, later: Self) -> Self {
        let Self::Changes(changes) = later else { return later };
        if changes.is_empty() {
            return self;
        }
        let add = |told: String, between: &str| match told {
            told if told.ends_with(LEFT_OUT) => told,
            told if told.len() + changes.len() > KEPT => format!("{told}\n{LEFT_OUT}"),
            told if told.is_empty() => changes.clone(),
            told => format!("{told}\n{between}{changes}"),
        };
        match self {
            Self::Changes(told) => Self::Changes(add(told, "")),
            Self::Page(told) if told.contains(THEN) => Self::Page(add(told, "")),
            Self::Page(told) => Self::Page(add(told, THEN)),
        }
    }

    /// Whether there is nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Changes(changes) if changes.is_empty())
    }
}

/// The part of a page in a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum View {
    /// A diff; empty if nothing changed.
    Changes(String),
    /// A snapshot.
    Page(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_wait_for_a_reply_are_bounded_and_end_with_the_page() {
        let changes = |text: &str| View::Changes(text.into());
        assert_eq!(changes("+ a").followed_by(changes("- b")), changes("+ a\n- b"));
        let page = View::Page("- heading".into());
        assert_eq!(changes("+ a").followed_by(page.clone()), page);
        assert_eq!(page.followed_by(changes("+ c")), View::Page(format!("- heading\n{THEN}+ c")));
        let long = changes(&"x".repeat(KEPT)).followed_by(changes("+ a"));
        let View::Changes(text) = long.clone() else { panic!("{long:?}") };
        assert!(text.ends_with(LEFT_OUT));
        assert_eq!(long.clone().followed_by(changes("+ b")), long);
    }
}
