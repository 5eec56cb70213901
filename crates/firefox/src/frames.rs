//! Which context (a page's main frame, or a frame in it) belongs to which page, and what it shows.

use std::{collections::HashMap, sync::Arc};

use cicerone_driver::{DocumentId, FrameId, LoadStage, PageEvent};

use url::Url;

use crate::page::FirefoxPage;

/// A context.
pub(crate) struct Place {
    pub(crate) page: Arc<FirefoxPage>,
    pub(crate) parent: Option<FrameId>,
    /// The document that it shows, once it got one beside the blank one that it began with.
    shows: Option<Shown>,
    /// The navigation that is under way in it.
    loading: Option<String>,
}

/// A document in a context.
#[derive(Clone)]
struct Shown {
    document: DocumentId,
    /// Where the browser says that it is.
    at: String,
    /// Where it is to everybody else.
    url: String,
    /// Where it was before it moved there.
    left: Option<String>,
    stage: LoadStage,
    /// Whether it is the browser's own page about an error: these never tell that they have loaded.
    error: bool,
}

/// All contexts.
#[derive(Default)]
pub(crate) struct Places {
    places: HashMap<FrameId, Place>,
}

impl Places {
    pub(crate) fn page_of(&self, context: &str) -> Option<Arc<FirefoxPage>> {
        self.places.get(&FrameId::from(context)).map(|place| Arc::clone(&place.page))
    }

    fn pages(&self) -> impl Iterator<Item = &Arc<FirefoxPage>> {
        self.places.values().filter(|place| place.parent.is_none()).map(|place| &place.page)
    }

    /// The pages of a user context.
    pub(crate) fn pages_in(&self, user_context: &str) -> Vec<Arc<FirefoxPage>> {
        self.pages().filter(|page| page.user_context == user_context).cloned().collect()
    }

    /// The pages that somebody hears of.
    pub(crate) fn told(&self) -> Vec<Arc<FirefoxPage>> {
        self.pages().filter(|page| page.is_told()).cloned().collect()
    }

    /// The page of a window that has one alone.
    pub(crate) fn alone_in(&self, client_window: &str) -> Option<&Arc<FirefoxPage>> {
        let mut there = self.pages().filter(|page| page.client_window == client_window);
        there.next().filter(|_| there.next().is_none())
    }

    pub(crate) fn add(&mut self, context: &str, parent: Option<&str>, page: Arc<FirefoxPage>) {
        let place = Place { page, parent: parent.map(FrameId::from), shows: None, loading: None };
        self.places.insert(FrameId::from(context), place);
    }

    /// Forgets a context with all below it; its page.
    pub(crate) fn remove(&mut self, context: &FrameId) -> Option<Arc<FirefoxPage>> {
        for child in self.children(context) {
            self.remove(&child);
        }
        self.places.remove(context).map(|place| place.page)
    }

    pub(crate) fn loading_began(&mut self, context: &FrameId, navigation: &str) {
        if let Some(place) = self.places.get_mut(context) {
            place.loading = Some(navigation.to_owned());
        }
    }

    /// Whether it was this navigation that was under way. It is over then.
    pub(crate) fn loading_ended(&mut self, context: &FrameId, navigation: &str) -> bool {
        let place = self.places.get_mut(context);
        place.is_some_and(|place| place.loading.take_if(|loading| *loading == navigation).is_some())
    }

    /// Whether another navigation than this is under way.
    pub(crate) fn loads_another(&self, context: &FrameId, navigation: &str) -> bool {
        let loading = self.places.get(context).and_then(|place| place.loading.as_deref());
        loading.is_some_and(|loading| loading != navigation)
    }

    /// Whether this navigation is under way.
    pub(crate) fn is_loading(&self, context: &FrameId, navigation: &str) -> bool {
        self.places.get(context).is_some_and(|place| place.loading.as_deref() == Some(navigation))
    }

    /// Whether a context shows what this navigation led to.
    pub(crate) fn has_shown(&self, context: &FrameId, navigation: &str) -> bool {
        let shown = self.places.get(context).and_then(|place| place.shows.as_ref());
        shown.is_some_and(|shown| shown.document.as_str() == navigation)
    }

    /// A document is there. What there is to tell of it, with what is in it already.
    pub(crate) fn shows(&mut self, context: &FrameId, navigation: &str, at: &str) -> Vec<PageEvent> {
        let Some(place) = self.places.get_mut(context) else { return Vec::new() };
        let mut document = DocumentId::from(navigation);
        if place.shows.as_ref().is_some_and(|shown| shown.document == document) {
            // An error that came before anything was loaded goes by the name of what was there before.
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

    /// The browser says that a document moved to another URL; whether that is news.
    pub(crate) fn moved(&mut self, context: &FrameId, url: &str) -> bool {
        match self.places.get_mut(context).and_then(|place| place.shows.as_mut()) {
            Some(shown) if shown.url == url => false,
            Some(shown) => {
                url.clone_into(&mut shown.at);
                shown.left = Some(std::mem::replace(&mut shown.url, url.to_owned()));
                true
            }
            // The blank document that a window begins with.
            None => true,
        }
    }

    /// A document says where it is; whether that is news. What it says may have crossed with what the browser said
    /// since, so it is not where it was just before.
    pub(crate) fn seen_at(&mut self, context: &FrameId, url: &str) -> bool {
        let shown = self.places.get(context).and_then(|place| place.shows.as_ref());
        let known = |shown: &Shown| {
            shown.at == url || shown.left.as_deref() == Some(url) || without_user(&shown.url) == url
        };
        shown.is_some_and(|shown| !shown.error && !known(shown)) && self.moved(context, url)
    }

    /// All contexts.
    pub(crate) fn contexts(&self) -> Vec<FrameId> {
        self.places.keys().cloned().collect()
    }

    /// A context is at this URL, after a time in which nothing was told: what there is to tell of it. The document may
    /// be another one or the same, and has most likely loaded.
    pub(crate) fn found_at(&mut self, context: &FrameId, url: &str) -> Vec<PageEvent> {
        let Some(place) = self.places.get_mut(context) else { return Vec::new() };
        let loading = place.loading.take();
        let known = place.shows.as_ref().is_some_and(|shown| shown.at == url);
        let blank = place.shows.is_none() && url == "about:blank";
        let mut told = Vec::new();
        if !known && !blank {
            let navigation = loading.clone().unwrap_or_else(|| format!("found {url}"));
            told = self.shows(context, &navigation, url);
        }
        if let Some(shown) = self.places.get_mut(context).and_then(|place| place.shows.as_mut())
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

    /// How far the document of a navigation has loaded. Firefox may name the navigation that has begun since; the URL
    /// tells whose news it is.
    pub(crate) fn loaded(
        &mut self,
        context: &FrameId,
        navigation: &str,
        url: &str,
        stage: LoadStage,
    ) -> Option<(DocumentId, LoadStage)> {
        let shown = self.places.get_mut(context)?.shows.as_mut()?;
        if shown.document.as_str() != navigation && shown.at != url {
            return None;
        }
        // Before Firefox 153 an error page is committed by the name of what could not be loaded.
        shown.error |= failed_url(url).is_some();
        shown.stage = if shown.error { LoadStage::Complete } else { shown.stage.max(stage) };
        Some((shown.document.clone(), shown.stage))
    }

    /// What a context shows, and the frames in it: those were perhaps told before it, and count as gone.
    fn tell_of(&self, context: &FrameId, told: &mut Vec<PageEvent>) {
        let Some(Shown { document, url, stage, .. }) =
            self.places.get(context).and_then(|place| place.shows.clone())
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

    /// Whether there are frames in a context.
    pub(crate) fn has_frames(&self, context: &FrameId) -> bool {
        self.places.values().any(|place| place.parent.as_ref() == Some(context))
    }

    fn children(&self, context: &FrameId) -> Vec<FrameId> {
        let of_it = |place: &Place| place.parent.as_ref() == Some(context);
        self.places.iter().filter(|(_, place)| of_it(place)).map(|(id, _)| id.clone()).collect()
    }
}

/// A URL without the name and password of somebody: documents do not tell them.
fn without_user(url: &str) -> String {
    let Ok(mut parsed) = Url::parse(url) else { return url.to_owned() };
    if parsed.username().is_empty() && parsed.password().is_none() {
        return url.to_owned();
    }
    // What has a name can lose it.
    let _ = parsed.set_username("");
    let _ = parsed.set_password(None);
    parsed.into()
}

/// What an error page of the browser is about; nothing where the page is none.
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
