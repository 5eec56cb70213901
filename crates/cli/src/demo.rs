//! A demonstration: a small site, and this same program as its guide.
//!
//! The *site* is built in and served on loopback. The *server* is this executable, started as a client starts it. The
//! *tour* is a list of calls; each is shown with its arguments, its reply and its time.

mod clients;
mod show;
mod site;

use std::{
    ffi::{OsStr, OsString},
    io::IsTerminal,
    path::Path,
    process::{Command, Stdio},
};

use cicerone_install::{Bar, InstallOptions, install};
use cicerone_testkit::{Client, Site};
use serde_json::{Value, json};

use crate::{
    Failure,
    config::{DEMO, Flags, SCREENSHOT_DIR},
    serve::search,
};
use show::Stage;

/// `cicerone demo`.
pub(crate) fn run(flags: &Flags) -> Result<(), Failure> {
    let stage =
        Stage { colourful: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() };
    let browser = install(flags.browser, &InstallOptions::new(search(flags)), &Bar::on_stderr())
        .map_err(|error| format!("{error}\nHint: {}", error.hint()))?;
    stage.say(&format!("The browser: {browser}"));

    let site = Site::serve(site::find)?;
    stage.say(&format!("The site: {}", site.url("/")));
    let pictures = match flags.screenshot_dir.as_path() {
        // Not in the working directory, unless requested.
        usual if usual == Path::new(SCREENSHOT_DIR) => {
            tempfile::Builder::new().prefix("cicerone-demo-").tempdir()?.keep()
        }
        chosen => std::path::absolute(chosen)?,
    };
    let program = std::env::current_exe()?;
    let client = Client::start(&mut server(&program, &pictures, flags))?;
    tour(&mut Guide { client, stage: &stage }, &site)?;

    stage.title("Done");
    stage.say(&format!("The screenshot is in {}", pictures.display()));
    stage.title("Set up your client");
    for client in clients::all(&program) {
        stage.block(client.name, client.what_to_do, &client.configuration);
    }
    Ok(())
}

/// This program, started as a client's configuration would.
fn server(program: &Path, pictures: &Path, flags: &Flags) -> Command {
    let mut command = Command::new(program);
    command.arg("--screenshot-dir").arg(pictures).stderr(Stdio::inherit());
    // Whatever the configuration says of these, the tour is made for one interface, and what is logged would be in its way.
    command.args(["--dialect", "browser", "--image-responses", "file", "--log", "error"]);
    if let Some(file) = &flags.configured_by {
        command.arg("--config").arg(file);
    }
    let name = |flag: &OsStr| flag.to_str()?.strip_prefix("--")?.split('=').next().map(str::to_owned);
    let taken = |flag: &&OsString| {
        name(flag).is_some_and(|name| name != "screenshot-dir" && DEMO.contains(&name.as_str()))
    };
    command.args(flags.resolved.iter().filter(taken));
    command
}

/// What is shown, in order.
fn tour(guide: &mut Guide<'_>, site: &Site) -> Result<(), Failure> {
    guide.call("Open a page", "browser_navigate", &json!({ "url": site.url("/") }))?;
    let home = guide.call("Read it", "browser_snapshot", &json!({}))?;
    let link = json!({ "element": "Book a tour", "ref": named(&home, "link \"Book a tour\"")? });
    guide.call("Follow a link", "browser_click", &link)?;
    let form = guide.call("Read the form", "browser_snapshot", &json!({}))?;
    let field = |shown: &str, value: &str| -> Result<Value, NotShown> {
        Ok(json!({ "ref": named(&form, shown)?, "value": value }))
    };
    let fields = json!({ "fields": [
        field("textbox \"Your name\"", "Ada Lovelace")?,
        field("\"Day\"", "2030-05-01")?,
        field("combobox \"Tour\"", "The forum at dusk")?,
        field("checkbox \"I need a chair\"", "true")?,
    ] });
    guide.call("Fill it", "browser_fill_form", &fields)?;
    let book = json!({ "element": "Book", "ref": named(&form, "button \"Book\"")? });
    let booked = guide.call("Send it; the reply says what changed", "browser_click", &book)?;
    if !booked.contains("Ada Lovelace") {
        return Err(NotShown("the confirmation".into()).into());
    }
    guide.call("Take a picture", "browser_take_screenshot", &json!({ "filename": "booked.png" }))?;
    Ok(())
}

/// Makes the calls, and shows them.
struct Guide<'a> {
    client: Client,
    stage: &'a Stage,
}

impl Guide<'_> {
    fn call(&mut self, why: &str, tool: &str, arguments: &Value) -> Result<String, Failure> {
        self.stage.title(why);
        self.stage.call(tool, arguments);
        let reply = self.client.call(tool, arguments)?;
        self.stage.reply(&reply);
        if reply.failed { Err(format!("{tool} failed").into()) } else { Ok(reply.text) }
    }
}

/// The ref of an element, read from the snapshot's text as an agent would.
fn named<'a>(snapshot: &'a str, shown: &str) -> Result<&'a str, NotShown> {
    let line = snapshot.lines().find(|line| line.contains(shown));
    let after = line.and_then(|line| line.split_once("[ref=")).map(|(_, after)| after);
    after.and_then(|after| after.split(']').next()).ok_or_else(|| NotShown(shown.to_owned()))
}

/// The page does not show what it should.
#[derive(Debug, thiserror::Error)]
#[error("the page does not show {0}")]
struct NotShown(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_are_read_from_the_text() {
        let snapshot = "- form\n  - textbox \"Name\" [required] [ref=e4]: Ada\n  - button \"Go\" [ref=f2e5]";
        assert_eq!(named(snapshot, "textbox \"Name\"").unwrap(), "e4");
        assert_eq!(named(snapshot, "button \"Go\"").unwrap(), "f2e5");
        assert!(named(snapshot, "link").is_err());
    }
}
