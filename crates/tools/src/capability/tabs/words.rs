//! What replies say of tabs.

use std::fmt::Write;

use cicerone_engine::{
    TabId, TabInfo,
    snapshot::{plain, quoted},
};

use super::{Listed, TabsAction, TabsResult};

/// By their places in the list.
pub(super) fn sentence(done: &TabsResult) -> String {
    let mut text = match (done.action, done.index) {
        (TabsAction::List, _) => String::new(),
        (TabsAction::New, _) => format!("Opened a tab{}.\n", done.came_as()),
        (TabsAction::Select, Some(index)) => format!("Tab {index} is active.\n"),
        (TabsAction::Close, Some(index)) => format!("Closed tab {index}.\n"),
        (TabsAction::Select | TabsAction::Close, None) => String::new(),
    };
    if done.tabs.is_empty() {
        text.push_str("No tabs are open");
    }
    for Listed { tab, .. } in &done.tabs {
        let _ = writeln!(text, "- {}:{}", tab.index, line(tab));
    }
    text.truncate(text.trim_end().len());
    text
}

fn line(tab: &TabInfo) -> String {
    let active = if tab.active { " (active)" } else { "" };
    let crashed = if tab.crashed { " (crashed)" } else { "" };
    format!("{active}{crashed} {} {}", quoted(&tab.title, 100), plain(&tab.url, 300))
}

/// By their ids, for those who name tabs so.
pub(super) fn told_by_id(done: &TabsResult) -> String {
    let tabs = |tabs: &[TabId]| tabs.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match (done.action, &done.tab) {
        (TabsAction::New, Some(tab)) => {
            format!("Opened tab {}:{}{}", tab.tab_id, line(tab), done.came_as())
        }
        (TabsAction::Select, Some(tab)) => format!("Tab {}:{}", tab.tab_id, line(tab)),
        (TabsAction::Close, _) if done.closed.is_empty() => "No tab matches; none was closed".into(),
        (TabsAction::Close, _) => format!("Closed {}; {} left", tabs(&done.closed), done.tabs.len()),
        _ if done.tabs.is_empty() => "No tabs are open".into(),
        _ => {
            let listed = |Listed { tab, incognito }: &Listed| {
                let incognito = if *incognito { " (incognito)" } else { "" };
                format!("- tab {} in window {}:{incognito}{}", tab.tab_id, tab.window_id.0, line(tab))
            };
            done.tabs.iter().map(listed).collect::<Vec<_>>().join("\n")
        }
    }
}
