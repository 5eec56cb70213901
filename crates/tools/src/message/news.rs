use cicerone_engine::{
    NewsItem, Refusal, TabName,
    snapshot::{plain, quoted},
};

use super::{
    Refs,
    dialog::{dialog_name, dialog_question},
    download::why_not_saved,
};

/// How many refused hosts a reply names.
const NAMED_REFUSALS: usize = 5;

/// What a reply says of news, with refs as a dialect writes them.
pub(crate) fn news(item: &NewsItem, refs: Refs) -> String {
    match item {
        NewsItem::TabOpened(tab, url) => format!("{} opened: {}", tab_name(tab), plain(url, 200)),
        NewsItem::TabClosed(tab) => format!("{} closed", tab_name(tab)),
        NewsItem::InTab(tab, item) => format!("{}: {}", tab_name(tab), news(item, refs)),
        NewsItem::More(count) => format!("{count} more events are not listed"),
        NewsItem::PopupsClosed(count) => format!("{count} more tabs that the page opened were closed"),
        NewsItem::DialogOpen(dialog) => format!("{} open: {}", dialog_name(dialog), dialog_question(dialog)),
        NewsItem::DialogAnswered(dialog, accepted) => {
            let how = if *accepted { "accepted" } else { "dismissed" };
            format!("{} {how}: {}", dialog_name(dialog), quoted(&dialog.message, 500))
        }
        NewsItem::HitUnverified => "what was hit could not be verified: a dialog opened first".into(),
        NewsItem::ChooserOpened => "the page asks for files".into(),
        NewsItem::Downloaded(name, path) => format!("downloaded {} to {}", quoted(name, 200), path.display()),
        NewsItem::Downloading(name) => format!("downloading {}", quoted(name, 200)),
        NewsItem::DownloadKept(name) => {
            let name = quoted(name, 200);
            format!("{name} is being downloaded to the person's own downloads, out of reach from here")
        }
        NewsItem::DownloadFailed(name, failure) => {
            format!("download of {} failed: {}", quoted(name, 200), why_not_saved(failure))
        }
        NewsItem::Announced(role, text) => {
            format!("{} {} appeared and disappeared", plain(role, 30), quoted(text, 200))
        }
        NewsItem::RefFollowed(reference) => {
            format!("{}: the element was replaced; its ref follows the new one", refs.name(reference))
        }
        NewsItem::ChoiceNotShown(reference) => format!(
            "{} is invisible, and what the page shows in its place still has the old choice: click that, then its option",
            refs.name(reference)
        ),
        NewsItem::ConsoleErrors(1, first) => format!("console error: {}", quoted(first, 200)),
        NewsItem::ConsoleErrors(count, first) => {
            format!("{count} console errors, the first: {}", quoted(first, 200))
        }
        NewsItem::HostsRefused(refusals) => refused(refusals),
        NewsItem::Reopened(url) => format!("the page had crashed (its URL was {url}) and was reopened"),
        NewsItem::RestartedForAccess { reopened } => {
            let tabs = match reopened {
                0 => "No tab was open".to_owned(),
                1 => "Its tab was reopened at its URL".to_owned(),
                count => format!("Its {count} tabs were reopened at their URLs"),
            };
            format!(
                "the browser was restarted with system access, which this needs. {tabs}; cookies, storage and history were \
                 kept; typed text, scroll positions, sessionStorage and the tabs' back history were lost"
            )
        }
        NewsItem::Restarted => "the browser had ended and was restarted".into(),
        NewsItem::NetworkLost => {
            "the browser's network process had ended, and this context was created again without its pages, cookies and storage"
                .into()
        }
        NewsItem::Rested => "the browser had been closed because it was idle, and was restarted".into(),
        NewsItem::ContextClosed(name) => {
            format!("context {} was closed because it was idle", quoted(name, 100))
        }
        NewsItem::EmulationLost => "emulation settings were lost with the page: set them again".into(),
        NewsItem::FrameTimeZone => {
            "a frame shares a browser process with a frame of another tab, and has that tab's time zone"
                .into()
        }
        NewsItem::Remark(remark) => remark.clone(),
    }
}

fn tab_name(tab: &TabName) -> String {
    format!("tab {} (tabId {})", tab.index, tab.id)
}

fn refused(refusals: &[Refusal]) -> String {
    let named: Vec<String> =
        refusals.iter().take(NAMED_REFUSALS).map(|refusal| plain(&refusal.to_string(), 300)).collect();
    let more = match refusals.len().saturating_sub(NAMED_REFUSALS) {
        0 => String::new(),
        more => format!("; and {more} more hosts"),
    };
    format!("blocked by the host policy: {}{more}", named.join("; "))
}
