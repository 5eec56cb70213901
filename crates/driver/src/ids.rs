//! Ids that a browser assigns. They are opaque: above the driver only equality matters.

use std::{fmt, sync::Arc};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The browser's spelling.
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
    /// A frame of a page; stable across navigations.
    FrameId
    /// One document of a frame.
    DocumentId
    /// A request for a resource.
    RequestId
    /// A browser context.
    ContextId
    /// A node that the driver keeps a reference to, for commands that take a node.
    NodeHandle
}

impl NodeHandle {
    /// A node by its name in a scope (a session, a context). Scopes contain no space.
    pub fn new(scope: &str, node: &str) -> Self {
        Self(format!("{scope} {node}").into())
    }

    /// The scope that its name is valid in; may be empty.
    pub fn scope(&self) -> &str {
        self.0.split_once(' ').map_or("", |(scope, _)| scope)
    }

    /// Its name in the scope.
    pub fn node(&self) -> &str {
        self.0.split_once(' ').map_or(&self.0, |(_, node)| node)
    }
}
