//! The browser itself, over its debugging pipe and with nothing in between.

use std::{
    fs::File,
    io::Write,
    os::fd::OwnedFd,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use cicerone_testkit::Messages;
use command_fds::{CommandFdExt, FdMapping};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::Failure;

/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A browser with one page.
pub(crate) struct Raw {
    browser: Child,
    to_browser: Option<File>,
    from_browser: Messages,
    sent: u64,
    /// The page's session.
    page: Option<String>,
    /// Events that came since they were last looked at.
    events: Vec<String>,
    _profile: TempDir,
}

impl Raw {
    /// Starts a browser as the server started its own, with another profile, and opens a page.
    pub(crate) fn start(command_line: &[String]) -> Result<Self, Failure> {
        let [program, arguments @ ..] = command_line else { return Err("no command line".into()) };
        let profile = tempfile::tempdir()?;
        let mut command = Command::new(program);
        command.args(arguments.iter().filter(|argument| !argument.starts_with("--user-data-dir=")));
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let (theirs_in, ours_out) = std::io::pipe()?;
        let (ours_in, theirs_out) = std::io::pipe()?;
        command.fd_mappings(vec![
            FdMapping { parent_fd: theirs_in.into(), child_fd: 3 },
            FdMapping { parent_fd: theirs_out.into(), child_fd: 4 },
        ])?;
        let mut raw = Self {
            browser: command.spawn()?,
            to_browser: Some(File::from(OwnedFd::from(ours_out))),
            from_browser: Messages::read(ours_in, 0),
            sent: 0,
            page: None,
            events: Vec::new(),
            _profile: profile,
        };
        raw.open_page(&json!({ "url": "about:blank" }))?;
        raw.ask("Page.enable", &json!({}))?;
        raw.ask("Runtime.enable", &json!({}))?;
        raw.ask("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }))?;
        Ok(raw)
    }

    /// Makes a context with a page that has run a script.
    pub(crate) fn context(&mut self) -> Result<Value, Failure> {
        let page = self.page.take();
        let made = self.ask("Target.createBrowserContext", &json!({}))?["browserContextId"].take();
        self.open_page(&json!({ "url": "about:blank", "browserContextId": made }))?;
        self.evaluate("1 + 1")?;
        self.page = page;
        Ok(made)
    }

    /// Ends a context.
    pub(crate) fn dispose(&mut self, context: &Value) -> Result<(), Failure> {
        let page = self.page.take();
        self.ask("Target.disposeBrowserContext", &json!({ "browserContextId": context }))?;
        self.page = page;
        Ok(())
    }

    fn open_page(&mut self, wanted: &Value) -> Result<(), Failure> {
        let target = self.ask("Target.createTarget", wanted)?;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = self.ask("Target.attachToTarget", &attach)?;
        self.page = attached["sessionId"].as_str().map(str::to_owned);
        Ok(())
    }

    /// Sends a command and waits for its answer.
    pub(crate) fn ask(&mut self, method: &str, parameters: &Value) -> Result<Value, Failure> {
        let id = self.send(method, parameters)?;
        self.answer(id)
    }

    /// Opens a page, until it has loaded.
    pub(crate) fn open(&mut self, url: &str) -> Result<(), Failure> {
        self.events.clear();
        self.ask("Page.navigate", &json!({ "url": url }))?;
        self.event("Page.loadEventFired")
    }

    /// The value of an expression, or of its promise.
    pub(crate) fn evaluate(&mut self, expression: &str) -> Result<Value, Failure> {
        let parameters = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.ask("Runtime.evaluate", &parameters)?;
        match answer.get("exceptionDetails") {
            Some(thrown) => Err(thrown.to_string().into()),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Where the first element of this name is.
    pub(crate) fn centre(&mut self, tag: &str) -> Result<(Value, Value), Failure> {
        let expression = format!(
            "(() => {{ const box = document.querySelector('{tag}').getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let centre = self.evaluate(&expression)?;
        Ok((centre[0].clone(), centre[1].clone()))
    }

    /// The three events of a click, sent without waiting in between.
    pub(crate) fn click(&mut self, (x, y): &(Value, Value)) -> Result<(), Failure> {
        self.events.clear();
        let mut last = 0;
        for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({ "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1 });
            last = self.send("Input.dispatchMouseEvent", &event)?;
        }
        self.answer(last).map(drop)
    }

    /// The two events of each key of a text of small letters, sent without waiting in between.
    pub(crate) fn type_keys(&mut self, text: &str) -> Result<(), Failure> {
        let mut last = 0;
        for key in text.chars() {
            let code = format!("Key{}", key.to_ascii_uppercase());
            let number = u32::from(key.to_ascii_uppercase());
            let mut event = json!({ "type": "keyDown", "key": key, "code": code, "text": key,
                "windowsVirtualKeyCode": number, "modifiers": 0 });
            self.send("Input.dispatchKeyEvent", &event)?;
            event["type"] = "keyUp".into();
            if let Some(event) = event.as_object_mut() {
                event.remove("text");
            }
            last = self.send("Input.dispatchKeyEvent", &event)?;
        }
        self.answer(last).map(drop)
    }

    /// Two frames of animation.
    pub(crate) fn two_frames(&mut self) -> Result<(), Failure> {
        self.evaluate(TWO_FRAMES).map(drop)
    }

    /// Waits for an event that may have come already.
    pub(crate) fn event(&mut self, method: &str) -> Result<(), Failure> {
        let until = Instant::now() + TIMEOUT;
        while !self.events.iter().any(|event| event == method) {
            self.next(until)?;
        }
        Ok(())
    }

    fn send(&mut self, method: &str, parameters: &Value) -> Result<u64, Failure> {
        self.sent += 1;
        let mut command = json!({ "id": self.sent, "method": method, "params": parameters });
        if let Some(page) = &self.page {
            command["sessionId"] = page.as_str().into();
        }
        let message = format!("{command}\0");
        self.to_browser.as_mut().ok_or("the pipe is closed")?.write_all(message.as_bytes())?;
        Ok(self.sent)
    }

    fn answer(&mut self, id: u64) -> Result<Value, Failure> {
        let until = Instant::now() + TIMEOUT;
        loop {
            let mut message = self.next(until)?;
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(error.to_string().into()),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    fn next(&mut self, until: Instant) -> Result<Value, Failure> {
        let message = self.from_browser.next(until).ok_or("the browser does not answer")?;
        let message: Value = serde_json::from_slice(&message)?;
        self.events.extend(message["method"].as_str().map(str::to_owned));
        Ok(message)
    }
}

/// A promise that two frames of animation keep.
pub(crate) const TWO_FRAMES: &str =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))";

impl Drop for Raw {
    fn drop(&mut self) {
        // The browser ends when its pipe does. Its profile goes after it, so that nothing is written there any more.
        drop(self.to_browser.take());
        let until = Instant::now() + Duration::from_secs(5);
        while matches!(self.browser.try_wait(), Ok(None)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.browser.kill();
        let _ = self.browser.wait();
    }
}
