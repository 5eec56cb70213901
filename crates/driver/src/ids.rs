//! Names that a browser gives to things. Opaque: only their equality means something above the driver.

use std::{fmt, sync::Arc};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The browser's own spelling.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(id: &str) -> Self {
                Self(id.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

ids! {
    /// A page (a tab).
    PageId
    /// A frame of a page; the same through its navigations.
    FrameId
    /// One document that a frame showed.
    DocumentId
    /// A request for a resource.
    RequestId
    /// A context: one set of cookies and storage.
    ContextId
    /// A node that the driver holds on to, for commands that take a node.
    NodeHandle
}
