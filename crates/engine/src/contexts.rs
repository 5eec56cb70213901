//! The contexts of a session: which there are, and which one calls go to.

use crate::{
    Context, ContextInfo, ContextOptions, Deadline, Error, Page, Result, Session, TabId, WindowId,
    session::FIRST,
};

/// All contexts, in the order in which they were made.
pub(crate) struct Contexts {
    pub(crate) open: Vec<Context>,
    /// The one that calls go to.
    pub(crate) active: Context,
}

impl Session {
    /// The context that calls go to.
    pub fn context(&self) -> Context {
        self.contexts().active.clone()
    }

    /// Makes a context, which becomes active.
    pub async fn create_context(&self, name: &str, options: ContextOptions) -> Result<Context> {
        let context = Context::new(name, options, self);
        {
            let mut contexts = self.contexts();
            if contexts.open.iter().any(|context| context.name() == name) {
                return Err(Error::ContextExists(name.to_owned()));
            }
            contexts.open.push(context.clone());
        }
        // It is there for others only when it works.
        let unfinished = Unfinished { session: self, context: &context };
        context.make().await?;
        std::mem::forget(unfinished);
        self.contexts().active = context.clone();
        Ok(context)
    }

    /// The context of this name, which becomes active; a new one, made in the browser when first needed, where there
    /// is none.
    pub fn enter_context(&self, name: &str) -> Context {
        let mut contexts = self.contexts();
        let known = contexts.open.iter().find(|context| context.name() == name).cloned();
        let context = known.unwrap_or_else(|| {
            let fresh = Context::new(name, ContextOptions::default(), self);
            contexts.open.push(fresh.clone());
            fresh
        });
        contexts.active = context.clone();
        context
    }

    /// Makes a context the one that calls go to.
    pub fn switch_context(&self, name: &str) -> Result<Context> {
        let context = self.context_named(name)?;
        self.contexts().active = context.clone();
        Ok(context)
    }

    /// The same, of a context at hand. One that was closed meanwhile is left alone.
    pub fn activate_context(&self, context: &Context) {
        let mut contexts = self.contexts();
        if contexts.open.contains(context) {
            contexts.active = context.clone();
        }
    }

    /// Closes a context with all its pages; the one that calls go to now.
    pub async fn close_context(&self, name: &str) -> Result<Context> {
        let context = self.context_named(name)?;
        if self.contexts().open.len() == 1 {
            return Err(Error::LastContext);
        }
        self.forget(&context);
        context.end().await;
        Ok(self.context())
    }

    /// Waits until no call runs on a page of a context, for as long as a navigation may take.
    pub async fn calls_end(&self, contexts: &[Context]) {
        let deadline = Deadline::after(self.options().navigation_timeout);
        for page in contexts.iter().flat_map(Context::pages) {
            drop(deadline.bound(page.turn()).await);
        }
    }

    /// All contexts.
    pub fn list_contexts(&self) -> Vec<ContextInfo> {
        let open = self.contexts().open.clone();
        open.iter().map(Context::info).collect()
    }

    /// The context of this name.
    pub fn context_named(&self, name: &str) -> Result<Context> {
        let contexts = self.contexts();
        contexts.open.iter().find(|context| context.name() == name).cloned().ok_or_else(|| Error::NoContext {
            name: name.to_owned(),
            known: contexts.open.iter().map(|context| context.name().to_owned()).collect(),
        })
    }

    /// Takes a context off the list. The first one is active then, if this one was.
    fn forget(&self, gone: &Context) {
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
        found.ok_or_else(|| Error::NoTabId { id, open: open.iter().flat_map(Context::tab_ids).collect() })
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
                Err(Error::NoWindow { id: window, open })
            }
        }
    }

    /// All contexts, in the order in which they were made.
    pub fn all_contexts(&self) -> Vec<Context> {
        self.contexts().open.clone()
    }

    /// Makes a tab the one that calls go to, and its context with it.
    pub async fn focus(&self, id: TabId) -> Result<Page> {
        let (context, page) = self.tab(id)?;
        context.select(&page).await?;
        self.contexts().active = context;
        Ok(page)
    }
}

/// A context that is being made. When that fails or is given up, nothing of it stays.
struct Unfinished<'a> {
    session: &'a Session,
    context: &'a Context,
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.session.forget(self.context);
        let context = self.context.clone();
        tokio::spawn(async move { context.end().await });
    }
}
