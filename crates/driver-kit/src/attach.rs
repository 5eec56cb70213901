/// Which context of an attached browser is the session's first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FirstContext {
    /// An isolated one of our own. Pages of all other contexts are left alone.
    #[default]
    Own,
    /// The browser's default one, with the pages that are in it. They keep their size.
    Default,
}

/// What becomes of downloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Downloads {
    /// The browser can write to this machine's file system.
    #[default]
    Local,
    /// The browser runs on another machine: its files stay there.
    Remote,
    /// They go where the person's downloads go, and only they know where that is.
    Theirs,
}
