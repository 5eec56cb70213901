//! What the person at the client must consent to.

use cicerone_tools::question::Consent;
use clap::{Args, ValueEnum};

use super::Flags;

#[derive(Args)]
pub(crate) struct ConsentFlags {
    /// What the person must consent to: downloads, uploads, permissions; comma list, or all
    #[arg(long, global = true, value_name = "WHAT", value_delimiter = ',', hide_short_help = true)]
    confirm: Vec<Confirmed>,
}

/// What the person must consent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Confirmed {
    /// Before a file is saved that a page gives us
    Downloads,
    /// Before a page gets a file
    Uploads,
    /// Before a page is allowed something
    Permissions,
    /// All of these
    All,
}

impl Flags {
    /// What the person must consent to.
    pub(crate) fn confirm(&self) -> Vec<Consent> {
        let consents = |confirmed: &Confirmed| match confirmed {
            Confirmed::Downloads => vec![Consent::Downloads],
            Confirmed::Uploads => vec![Consent::Uploads],
            Confirmed::Permissions => vec![Consent::Permissions],
            Confirmed::All => vec![Consent::Downloads, Consent::Uploads, Consent::Permissions],
        };
        self.consent.confirm.iter().flat_map(consents).collect()
    }
}
