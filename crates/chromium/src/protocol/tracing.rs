//! <https://chromedevtools.github.io/devtools-protocol/tot/Tracing/>

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Start {
    pub(crate) transfer_mode: &'static str,
    pub(crate) stream_format: &'static str,
    pub(crate) stream_compression: &'static str,
    pub(crate) trace_config: TraceConfig,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TraceConfig {
    pub(crate) record_mode: &'static str,
    pub(crate) excluded_categories: &'static [&'static str],
    pub(crate) included_categories: &'static [&'static str],
}

#[derive(Serialize)]
pub(crate) struct End {}

#[derive(Deserialize)]
pub(crate) struct TracingComplete {
    pub(crate) stream: Option<String>,
}

commands! {
    Start => "Tracing.start", Empty;
    End => "Tracing.end", Empty;
}
