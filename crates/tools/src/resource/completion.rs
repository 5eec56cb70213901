//! Completion of the arguments of resource templates and prompts.

use cicerone_engine::{Device, Session};

use super::{TabRef, page_of};
use crate::Dialect;

/// The most values of one completion, as the protocol limits them.
const MOST: usize = 100;

/// The values of an argument that contain what was typed so far; those that begin with it come first.
pub async fn complete(session: &Session, argument: &str, typed: &str) -> Vec<String> {
    let all = match argument {
        "context" => session.list_contexts().into_iter().map(|context| context.name).collect(),
        "dialect" => Dialect::ALL.iter().map(|dialect| dialect.name.to_owned()).collect(),
        "device" => Device::ALL.iter().map(|device| device.name.to_owned()).collect(),
        "tab" => tabs(session),
        "ref" | "element" => elements(session).await,
        "url" => urls(session).await,
        _ => Vec::new(),
    };
    // Before they are compared, so that nobody can try out what a secret begins with.
    let all = all.into_iter().map(|value| session.secrets().redact(&value).into_owned());
    let typed = typed.to_lowercase();
    let (mut first, rest): (Vec<String>, Vec<String>) = all
        .filter(|value| value.to_lowercase().contains(&typed))
        .partition(|value| value.to_lowercase().starts_with(&typed));
    first.extend(rest);
    first.truncate(MOST);
    first
}

fn tabs(session: &Session) -> Vec<String> {
    let count = session.context().pages().len();
    std::iter::once("current".to_owned()).chain((0..count).map(|index| index.to_string())).collect()
}

async fn urls(session: &Session) -> Vec<String> {
    let mut urls: Vec<String> = session.context().list().await.into_iter().map(|tab| tab.url).collect();
    urls.retain(|url| url != "about:blank");
    urls.dedup();
    urls
}

/// The refs of the current page, each with its element: `e12 button "Save"`.
async fn elements(session: &Session) -> Vec<String> {
    let Ok(page) = page_of(session, TabRef::Current) else { return Vec::new() };
    if page.dialogs().not_held().is_err() {
        return Vec::new();
    }
    let Ok(snapshot) = page.snapshots().peek(None).await else { return Vec::new() };
    snapshot.text.lines().filter_map(element).collect()
}

/// `- button "Save" [ref=e12] [active]` becomes `e12 button "Save"`.
fn element(line: &str) -> Option<String> {
    let (before, after) = line.split_once(" [ref=")?;
    let (reference, _) = after.split_once(']')?;
    Some(format!("{reference} {}", before.trim_start().trim_start_matches("- ")))
}

#[cfg(test)]
mod tests {
    use super::element;

    #[test]
    fn a_line_of_a_snapshot_names_its_element() {
        assert_eq!(element("  - button \"Save\" [ref=e12] [active]").as_deref(), Some("e12 button \"Save\""));
        assert_eq!(element("  - text: hello"), None);
    }
}
