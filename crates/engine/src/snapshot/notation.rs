use crate::Ref;

/// How snapshots write refs, and how they name the snapshot that shows what was cut. Its tool and arguments are the
/// client's, so the caller has the words.
#[derive(Debug, Clone, Copy)]
pub struct Notation {
    /// Stands before each ref.
    pub ref_sign: &'static str,
    /// Names the snapshot of the rest.
    pub rest: fn(Rest) -> String,
}

/// What was cut from a snapshot: within an element, after an element, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    /// The element.
    pub within: Option<Ref>,
    /// The last sibling that is shown.
    pub after: Option<Ref>,
}

impl Default for Notation {
    fn default() -> Self {
        Self { ref_sign: "", rest: in_words }
    }
}

fn in_words(Rest { within, after }: Rest) -> String {
    let within = within.map(|within| format!(" of {within}")).unwrap_or_default();
    let after = after.map(|after| format!(" after {after}")).unwrap_or_default();
    format!("snapshot{within}{after}")
}
