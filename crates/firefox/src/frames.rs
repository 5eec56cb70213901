//! Which context (main frame or child frame) belongs to which page, and its document.

use std::{collections::HashMap, sync::Arc};

use cicerone_driver::{DocumentId, FrameId, LoadStage, PageEvent, PageId};

use url::Url;

use crate::page::FirefoxPage;

/// A context.
pub(crate) struct FrameNode {
    pub(crate) page: Arc<FirefoxPage>,
    pub(crate) parent: Option<FrameId>,
    /// Its document, once it has one other than the initial blank one.
    shows: Option<Shown>,
    /// The navigation in progress.
    loading: Option<String>,
}

/// A document in a context.
#[derive(Clone)]
struct Shown {
    document: DocumentId,
    /// Its URL according to the browser.
    at: String,
    /// Its URL as reported.
    url: String,
    /// Its URL before that.
    left: Option<String>,
    stage: LoadStage,
    /// Whether it is an error page: these never report that they have loaded.
    error: bool,
}

/// All contexts.
#[derive(Default)]
pub(crate) struct FrameTree {
    frames: HashMap<FrameId, FrameNode>,
}

impl FrameTree {
    pub(crate) fn page_of(&self, context: &str) -> Option<Arc<FirefoxPage>> {
        self.frames.get(&FrameId::from(context)).map(|place| Arc::clone(&place.page))
    }

    fn pages(&self) -> impl Iterator<Item = &Arc<FirefoxPage>> {
        self.frames.values().filter(|place| place.parent.is_none()).map(|place| &place.page)
    }

    /// The pages of a user context.
    pub(crate) fn pages_in(&self, user_context: &str) -> Vec<Arc<FirefoxPage>> {
        self.pages().filter(|page| page.user_context == user_context).cloned().collect()
    }

    /// The pages that are reported.
    pub(crate) fn reported_pages(&self) -> Vec<Arc<FirefoxPage>> {
        self.pages().filter(|page| page.is_reported()).cloned().collect()
    }

    /// The page of a window that has only one.
    pub(crate) fn alone_in(&self, client_window: &str) -> Option<&Arc<FirefoxPage>> {
        let mut there = self.pages().filter(|page| page.window.id == client_window);
        there.next().filter(|_| there.next().is_none())
    }

    pub(crate) fn add(&mut self, context: &str, parent: Option<&str>, page: Arc<FirefoxPage>) {
        let place = FrameNode { page, parent: parent.map(FrameId::from), shows: None, loading: None };
        self.frames.insert(FrameId::from(context), place);
    }

    /// Removes a context and its descendants; returns its page.
    pub(crate) fn remove(&mut self, context: &FrameId) -> Option<Arc<FirefoxPage>> {
        for child in self.children(context) {
            self.remove(&child);
        }
        self.frames.remove(context).map(|place| place.page)
    }

    pub(crate) fn loading_began(&mut self, context: &FrameId, navigation: &str) {
        if let Some(place) = self.frames.get_mut(context) {
            place.loading = Some(navigation.to_owned());
        }
    }

    /// Whether this navigation was in progress; it is over then.
    pub(crate) fn loading_ended(&mut self, context: &FrameId, navigation: &str) -> bool {
        let place = self.frames.get_mut(context);
        place.is_some_and(|place| place.loading.take_if(|loading| *loading == navigation).is_some())
    }

    /// The navigations in progress in the frames of a page.
    pub(crate) fn loading_in(&self, page: &PageId) -> Vec<(FrameId, String)> {
        let of_page = self.frames.iter().filter(|(_, place)| place.page.id == *page);
        of_page.filter_map(|(frame, place)| Some((frame.clone(), place.loading.clone()?))).collect()
    }

    /// Whether another navigation is in progress.
    pub(crate) fn loads_another(&self, context: &FrameId, navigation: &str) -> bool {
        let loading = self.frames.get(context).and_then(|place| place.loading.as_deref());
        loading.is_some_and(|loading| loading != navigation)
    }

    /// Whether this navigation is in progress.
    pub(crate) fn is_loading(&self, context: &FrameId, navigation: &str) -> bool {
        self.frames.get(context).is_some_and(|place| place.loading.as_deref() == Some(navigation))
    }

    /// Whether a context shows the document of this navigation.
    pub(crate) fn has_shown(&self, context: &FrameId, navigation: &str) -> bool {
        let shown = self.frames.get(context).and_then(|place| place.shows.as_ref());
        shown.is_some_and(|shown| shown.document.as_str() == navigation)
    }

    /// Sets a context's document. Returns the events to report, including its existing frames.
    pub(crate) fn shows(&mut self, context: &FrameId, navigation: &str, at: &str) -> Vec<PageEvent> {
        let Some(place) = self.frames.get_mut(context) else { return Vec::new() };
        let mut document = DocumentId::from(navigation);
        if place.shows.as_ref().is_some_and(|shown| shown.document == document) {
            // An error before the first load has the name of the previous document.
            document = DocumentId::from(format!("{navigation} {at}").as_str());
        }
        let failed = failed_url(at);
        let error = failed.is_some();
        let url = failed.unwrap_or_else(|| at.to_owned());
        place.shows =
            Some(Shown { document, at: at.to_owned(), url, left: None, stage: LoadStage::Committed, error });
        let mut told = Vec::new();
        self.tell_of(context, &mut told);
        told
    }

    /// Whether a context shows a local file.
    pub(crate) fn is_local(&self, context: &FrameId) -> bool {
        let shown = self.frames.get(context).and_then(|place| place.shows.as_ref());
        shown.is_some_and(|shown| shown.at.starts_with("file:"))
    }

    /// Sets a document's URL as the browser reports it; whether it is new.
    pub(crate) fn moved(&mut self, context: &FrameId, url: &str) -> bool {
        match self.frames.get_mut(context).and_then(|place| place.shows.as_mut()) {
            Some(shown) if shown.url == url => false,
            Some(shown) => {
                url.clone_into(&mut shown.at);
                shown.left = Some(std::mem::replace(&mut shown.url, url.to_owned()));
                true
            }
            // The initial blank document of a window.
            None => true,
        }
    }

    /// Sets a document's URL as the document reports it; whether it is new. Its report may cross with one
    /// of the browser's, so the previous URL does not count.
    pub(crate) fn seen_at(&mut self, context: &FrameId, url: &str) -> bool {
        let shown = self.frames.get(context).and_then(|place| place.shows.as_ref());
        let known = |shown: &Shown| {
            shown.at == url || shown.left.as_deref() == Some(url) || without_user(&shown.url) == url
        };
        shown.is_some_and(|shown| !shown.error && !known(shown)) && self.moved(context, url)
    }

    /// All contexts.
    pub(crate) fn contexts(&self) -> Vec<FrameId> {
        self.frames.keys().cloned().collect()
    }

    /// Sets a context's URL after a time without events; returns the events to report. The document may
    /// be new or the same, and has most likely loaded.
    pub(crate) fn found_at(&mut self, context: &FrameId, url: &str) -> Vec<PageEvent> {
        let Some(place) = self.frames.get_mut(context) else { return Vec::new() };
        let loading = place.loading.take();
        let known = place.shows.as_ref().is_some_and(|shown| shown.at == url);
        let blank = place.shows.is_none() && url == "about:blank";
        let mut told = Vec::new();
        if !known && !blank {
            let navigation = loading.clone().unwrap_or_else(|| format!("found {url}"));
            told = self.shows(context, &navigation, url);
        }
        if let Some(shown) = self.frames.get_mut(context).and_then(|place| place.shows.as_mut())
            && shown.stage < LoadStage::Complete
        {
            shown.stage = LoadStage::Complete;
            let (frame, document) = (context.clone(), shown.document.clone());
            told.push(PageEvent::Loaded { frame, document, stage: LoadStage::Complete });
        }
        if loading.is_some() {
            told.push(PageEvent::LoadingEnded(context.clone()));
        }
        told
    }

    /// Sets how far a navigation's document has loaded. Firefox may name a newer navigation, so the URL
    /// decides which one it is.
    pub(crate) fn loaded(
        &mut self,
        context: &FrameId,
        navigation: &str,
        url: &str,
        stage: LoadStage,
    ) -> Option<(DocumentId, LoadStage)> {
        let shown = self.frames.get_mut(context)?.shows.as_mut()?;
        if shown.document.as_str() != navigation && shown.at != url {
            return None;
        }
        // Before Firefox 153 an error page is committed under the URL that failed.
        shown.error |= failed_url(url).is_some();
        shown.stage = if shown.error { LoadStage::Complete } else { shown.stage.max(stage) };
        Some((shown.document.clone(), shown.stage))
    }

    /// The events for a context's document and its frames, which may have been reported before it and
    /// were dropped with it.
    fn tell_of(&self, context: &FrameId, told: &mut Vec<PageEvent>) {
        let Some(Shown { document, url, stage, .. }) =
            self.frames.get(context).and_then(|place| place.shows.clone())
        else {
            return;
        };
        let frame = context.clone();
        told.push(PageEvent::Navigated {
            frame: frame.clone(),
            document: document.clone(),
            url,
            same_document: false,
        });
        if stage > LoadStage::Committed {
            told.push(PageEvent::Loaded { frame, document, stage });
        }
        for child in self.children(context) {
            told.push(PageEvent::FrameAttached { frame: child.clone(), parent: Some(context.clone()) });
            self.tell_of(&child, told);
        }
    }

    /// Whether a context has child frames.
    pub(crate) fn has_frames(&self, context: &FrameId) -> bool {
        self.frames.values().any(|place| place.parent.as_ref() == Some(context))
    }

    fn children(&self, context: &FrameId) -> Vec<FrameId> {
        let of_it = |place: &FrameNode| place.parent.as_ref() == Some(context);
        self.frames.iter().filter(|(_, place)| of_it(place)).map(|(id, _)| id.clone()).collect()
    }
}

/// A URL without credentials, which documents do not report.
fn without_user(url: &str) -> String {
    let Ok(mut parsed) = Url::parse(url) else { return url.to_owned() };
    if parsed.username().is_empty() && parsed.password().is_none() {
        return url.to_owned();
    }
    let _ = parsed.set_username("");
    let _ = parsed.set_password(None);
    parsed.into()
}

/// The URL and reason of an error page; `None` for other pages.
fn failed_url(url: &str) -> Option<String> {
    let is_error = ["about:neterror?", "about:certerror?", "about:httpsonlyerror?", "about:blocked?"]
        .iter()
        .any(|begin| url.starts_with(begin));
    let url = Url::parse(url).ok().filter(|_| is_error)?;
    url.query_pairs().find(|(name, _)| name == "u").map(|(_, about)| about.into_owned())
}

#[cfg(test)]
mod tests {
    use super::failed_url;

    #[test]
    fn error_pages_are_about_what_could_not_be_loaded() {
        let page = "about:neterror?e=dnsNotFound&u=http%3A//nowhere.invalid/a%3Fb&c=UTF-8&d=%20";
        assert_eq!(failed_url(page).as_deref(), Some("http://nowhere.invalid/a?b"));
        assert_eq!(failed_url("http://example.com/?u=x"), None);
    }
}
