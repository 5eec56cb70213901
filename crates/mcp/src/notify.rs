//! Notifications that a server sends on its own: progress of a call, and log lines.

#![expect(deprecated, reason = "the protocols that clients speak today have logging")]

use std::time::Duration;

use cicerone_tools::Progress;
use rmcp::{
    Peer, RoleServer,
    model::{LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken},
};
use tracing::Level;

use crate::ClientLog;

/// The interval at which a long call reports that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(1);

/// Sends progress notifications: one per step of the call, and a heartbeat. Never returns; drop it to stop.
pub(crate) async fn report(token: Option<ProgressToken>, peer: Peer<RoleServer>, progress: Progress) {
    let Some(token) = token else { return std::future::pending().await };
    let mut steps = progress.watch();
    let began = tokio::time::Instant::now();
    let mut beat = tokio::time::interval(HEARTBEAT);
    beat.tick().await;
    let mut furthest = 0.0_f64;
    loop {
        tokio::select! {
            _ = beat.tick() => {}
            changed = steps.changed() => if changed.is_err() { return std::future::pending().await },
        }
        let step = steps.borrow().clone();
        // The protocol requires increasing values.
        let elapsed = began.elapsed().as_secs_f64();
        furthest = if step.total.is_some() { step.done.max(furthest) } else { elapsed.max(furthest + 0.001) };
        let mut params = ProgressNotificationParam::new(token.clone(), furthest);
        params.total = step.total;
        params.message = (!step.message.is_empty()).then_some(step.message);
        if peer.notify_progress(params).await.is_err() {
            return std::future::pending().await;
        }
    }
}

/// Sends log lines to the client until it stops reading them.
pub(crate) async fn forward(mut log: ClientLog, peer: Peer<RoleServer>) {
    while let Some(line) = log.lines.recv().await {
        let level = match line.level {
            Level::ERROR => LoggingLevel::Error,
            Level::WARN => LoggingLevel::Warning,
            Level::INFO => LoggingLevel::Info,
            _ => LoggingLevel::Debug,
        };
        let mut params = LoggingMessageNotificationParam::new(level, line.text.into());
        params.logger = Some(line.target.into());
        if peer.notify_logging_message(params).await.is_err() {
            return;
        }
    }
}
