//! The contexts of a session, and which one is active.

use crate::{
    Context, ContextError, ContextInfo, ContextOptions, Deadline, Error, Page, Result, Session, TabError,
    TabId, WindowId, session::FIRST,
};

/// All contexts, in order of creation.
pub(crate) struct Contexts {
    pub(crate) open: Vec<Context>,
    /// The active one.
    pub(crate) active: Context,
}

impl Contexts {
    /// Puts a context on the list, once.
    fn list(&mut self, context: &Context) {
        if !self.open.contains(context) {
            self.open.push(context.clone());
        }
    }

    /// Activates a context.
    fn enter(&mut self, context: &Context) {
        self.list(context);
        self.active = context.clone();
    }
}

impl Session {
    /// The active context.
    pub fn context(&self) -> Context {
        self.contexts().active.clone()
    }

    /// Creates a context and activates it.
    pub async fn create_context(&self, name: &str, mut options: ContextOptions) -> Result<Context> {
        options.route = options.route.or_else(|| self.usual_options(name).route);
        let owner = self.owner_of(name);
        let context = Context::new(name, options, &owner);
        if self.context_named(name).is_ok() {
            return Err(Error::Context(ContextError::Exists(name.to_owned())));
        }
        owner.contexts().list(&context);
        self.contexts().list(&context);
        // Others see it only when it works.
        let unfinished = Unfinished { session: self, context: &context };
        context.make().await?;
        std::mem::forget(unfinished);
        self.contexts().active = context.clone();
        Ok(context)
    }

    /// Activates the context of this name; creates it on first use in the browser if there is none.
    pub fn enter_context(&self, name: &str) -> Context {
        let context = self.context_named(name).unwrap_or_else(|_| {
            let owner = self.owner_of(name);
            let fresh = Context::new(name, self.usual_options(name), &owner);
            owner.contexts().list(&fresh);
            fresh
        });
        self.contexts().enter(&context);
        context
    }

    /// The options of a context that is given none. The first one has its own again when it is made anew: its traffic
    /// must not leave its proxy.
    fn usual_options(&self, name: &str) -> ContextOptions {
        if name == FIRST { self.first_options().clone() } else { ContextOptions::default() }
    }

    /// Activates a context.
    pub fn switch_context(&self, name: &str) -> Result<Context> {
        let context = self.context_named(name)?;
        self.contexts().enter(&context);
        Ok(context)
    }

    /// The same for a context handle. One that was closed meanwhile is ignored.
    pub fn activate_context(&self, context: &Context) {
        let mut contexts = self.contexts();
        if contexts.open.contains(context) {
            contexts.active = context.clone();
        }
    }

    /// Closes a context and its pages; returns the active one.
    pub async fn close_context(&self, name: &str) -> Result<Context> {
        let context = self.context_named(name)?;
        if self.contexts().open == [context.clone()] {
            return Err(Error::Context(ContextError::Last));
        }
        self.forget_everywhere(&context);
        let answered = context.answered_by_closing(None);
        context.end().await;
        answered.into_iter().for_each(|item| self.add_news(item));
        Ok(self.context())
    }

    /// Closes all contexts, including shared ones that it used. Its own browser ends.
    pub async fn close_all(&self) {
        let shared = self.all_contexts().into_iter().filter(|context| !context.is_of(&self.downgrade()));
        for context in shared {
            self.forget_everywhere(&context);
            context.end().await;
        }
        self.quit().await;
    }

    /// Waits until no call runs in a context, up to the navigation timeout.
    pub async fn calls_end(&self, contexts: &[Context]) {
        let deadline = Deadline::after(self.options().navigation_timeout);
        for context in contexts {
            // A first call has no page yet.
            let _ = deadline.bound(context.first_page_opened()).await;
        }
        for page in contexts.iter().flat_map(Context::pages) {
            drop(deadline.bound(page.turn()).await);
        }
    }

    /// All contexts that it can switch to.
    pub fn list_contexts(&self) -> Vec<ContextInfo> {
        self.reachable().iter().map(|context| self.info_of(context)).collect()
    }

    /// The list entry of a context.
    pub fn info_of(&self, context: &Context) -> ContextInfo {
        context.info(self.context() == *context)
    }

    /// Its contexts, and those that it could share by name.
    fn reachable(&self) -> Vec<Context> {
        let mut reachable = self.all_contexts();
        if let Some(named) = self.host().named() {
            let others = named.all_contexts().into_iter().filter(|context| !context.is_first());
            let new: Vec<_> = others.filter(|context| !reachable.contains(context)).collect();
            reachable.extend(new);
        }
        reachable
    }

    /// The session that owns a context of this name: shared contexts have a common owner.
    fn owner_of(&self, name: &str) -> Self {
        match self.host().named() {
            Some(named) if name != FIRST => named.clone(),
            _ => self.clone(),
        }
    }

    /// The context of this name.
    pub fn context_named(&self, name: &str) -> Result<Context> {
        let reachable = self.reachable();
        reachable.iter().find(|context| context.name() == name).cloned().ok_or_else(|| {
            Error::Context(ContextError::Unknown {
                name: name.to_owned(),
                known: reachable.iter().map(|context| context.name().to_owned()).collect(),
            })
        })
    }

    /// Removes a context from this session's list and those that share it.
    fn forget_everywhere(&self, gone: &Context) {
        self.forget(gone);
        if let Ok(owner) = gone.session() {
            owner.host().forget_everywhere(gone);
        }
    }

    /// Removes a context from the list. The first one becomes active if this one was.
    pub(crate) fn forget(&self, gone: &Context) {
        let mut contexts = self.contexts();
        contexts.open.retain(|context| context != gone);
        if contexts.active == *gone
            && let Some(next) =
                contexts.open.iter().find(|context| context.name() == FIRST).or(contexts.open.first())
        {
            contexts.active = next.clone();
        }
    }

    /// The tab of this number, in whichever context it is.
    pub fn tab(&self, id: TabId) -> Result<(Context, Page)> {
        let open = self.contexts().open.clone();
        let found = open.iter().find_map(|context| Some((context.clone(), context.tab(id)?)));
        found.ok_or_else(|| {
            Error::Tab(TabError::NoTabId { id, open: open.iter().flat_map(Context::tab_ids).collect() })
        })
    }

    /// The context that a window belongs to.
    pub fn context_of(&self, window: WindowId) -> Result<Context> {
        let all = self.all_contexts();
        let of = |context: &Context| {
            let own = std::iter::once(context.window());
            own.chain(context.pages().iter().map(Page::window)).collect::<Vec<_>>()
        };
        match all.iter().find(|context| of(context).contains(&window)) {
            Some(context) => Ok(context.clone()),
            None => {
                let mut open: Vec<_> = all.iter().flat_map(of).collect();
                open.sort();
                open.dedup();
                Err(Error::Tab(TabError::NoWindow { id: window, open }))
            }
        }
    }

    /// All contexts, in order of creation.
    pub fn all_contexts(&self) -> Vec<Context> {
        self.contexts().open.clone()
    }

    /// Activates a tab and its context.
    pub async fn focus(&self, id: TabId) -> Result<Page> {
        let (context, page) = self.tab(id)?;
        context.select(&page).await?;
        self.contexts().active = context;
        Ok(page)
    }
}

/// A context being created. Removed on failure or cancellation.
struct Unfinished<'a> {
    session: &'a Session,
    context: &'a Context,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.session.forget_everywhere(self.context);
        let context = self.context.clone();
        tokio::spawn(async move { context.end().await });
    }
}
