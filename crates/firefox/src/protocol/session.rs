//! <https://w3c.github.io/webdriver-bidi/#module-session>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
pub(crate) struct New {
    pub(crate) capabilities: CapabilitiesRequest,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CapabilitiesRequest {
    pub(crate) always_match: CapabilityRequest,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CapabilityRequest {
    pub(crate) unhandled_prompt_behavior: UserPromptHandler,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UserPromptHandler {
    pub(crate) default: &'static str,
    pub(crate) before_unload: &'static str,
}

#[derive(Deserialize)]
pub(crate) struct NewResult {
    pub(crate) capabilities: Capabilities,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Capabilities {
    pub(crate) browser_name: String,
    pub(crate) browser_version: String,
    pub(crate) user_agent: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct End {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Subscribe<'a> {
    pub(crate) events: &'static [&'static str],
    /// All without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) user_contexts: Option<[&'a str; 1]>,
}

#[derive(Deserialize)]
pub(crate) struct Subscription {
    /// Older versions have no names for them.
    pub(crate) subscription: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct Unsubscribe<'a> {
    pub(crate) subscriptions: [&'a str; 1],
}

commands! {
    New => "session.new", NewResult;
    End => "session.end", Empty;
    Subscribe<'_> => "session.subscribe", Subscription;
    Unsubscribe<'_> => "session.unsubscribe", Empty;
}
