//! The files of this repository that are made from the program: the reference pages, and the golden listings.

use std::collections::BTreeMap;

use cicerone_mcp::listed;
use cicerone_tools::{Cap, Dialect, Toolbox};
use serde_json::json;

use crate::{Failure, config, print::print, tools::markdown};

/// Prints what should be in which file, as one JSON object.
pub(crate) fn run() -> Result<(), Failure> {
    let mut files = BTreeMap::from([("docs/configuration.md".to_owned(), config::page())]);
    for dialect in Dialect::ALL {
        let all = Toolbox::new(&[dialect], &Cap::ALL);
        let page = markdown::page(&[dialect.name], &listed(&all)?, &all);
        files.insert(format!("docs/tools/{}.md", dialect.name), page);
        let tools = listed(&Toolbox::new(&[dialect], &[]))?;
        let golden = format!("{:#}\n", json!({ "tools": tools }));
        files.insert(format!("tests/golden/{}.tools.json", dialect.name), golden);
    }
    if let Some(default) = Dialect::ALL.first() {
        let tools = listed(&Toolbox::new(&[default], &[Cap::Vision, Cap::Pdf]))?;
        let golden = format!("{:#}\n", json!({ "tools": tools }));
        files.insert(format!("tests/golden/{}.caps.json", default.name), golden);
    }
    Ok(print(serde_json::to_string(&files)?)?)
}
