//! `cargo xtask clients`: real clients against the server. The public conformance suite, the SDKs for Python and
//! TypeScript, and the Inspector, over stdio and HTTP. Their packages are installed below `target/`.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use crate::{
    Failure, needs, root,
    steps::{Steps, cargo, run},
};

/// The packages, each in the version that was last tried.
const NPM: [&str; 6] = [
    "node@22.23.3",
    "conformance-1@npm:@modelcontextprotocol/conformance@0.1.16",
    "conformance-2@npm:@modelcontextprotocol/conformance@0.2.0-alpha.12",
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/client@2.4.0",
    "@modelcontextprotocol/inspector@2.12.0",
];
const PYTHON: &str = "mcp==2.3.0";

/// What the suite is asked for. Scenarios of extensions are not among what it requires.
const SUITES: [(&str, &[&str]); 3] = [
    ("conformance-1", &["--suite", "all"]),
    ("conformance-2", &["--requirements", "2025-11-25"]),
    ("conformance-2", &["--requirements", "2026-07-28"]),
];

const SCRIPTS: [&str; 3] = ["typescript_sdk.mjs", "typescript_client.mjs", "steps.mjs"];

/// Where everything is installed.
struct Place(PathBuf);

impl Place {
    fn program(&self, name: &str) -> PathBuf {
        self.0.join("node_modules/.bin").join(name)
    }

    fn python(&self) -> PathBuf {
        self.0.join("python/bin/python")
    }

    fn install_from_npm(&self) -> Result<(), Failure> {
        std::fs::create_dir_all(&self.0)?;
        self.once("npm", &NPM.join("\n"), || {
            std::fs::write(self.0.join("package.json"), "{\"private\": true}")?;
            let quiet = ["install", "--silent", "--no-audit", "--no-fund"];
            run(Command::new("npm").args(quiet).args(NPM).current_dir(&self.0))
        })
    }

    /// Why the client in Python is left out, if it is.
    fn install_from_pip(&self) -> Result<Option<&'static str>, Failure> {
        if let Err(error) = self.once("venv", "", || {
            run(Command::new("python3").args(["-m", "venv", "--clear", "python"]).current_dir(&self.0))
        }) {
            println!("{error}");
            return Ok(Some("python3 makes no virtual environment (on Debian: install python3-venv)"));
        }
        let installed = self.once("pip", PYTHON, || {
            run(Command::new(self.python()).args(["-m", "pip", "install", "--quiet", PYTHON]))
        });
        match installed {
            Ok(()) => Ok(None),
            Err(error) if needs::has_pip_registry(&self.python()) => Err(error),
            Err(error) => {
                println!("{error}");
                Ok(Some("pip reaches no registry"))
            }
        }
    }

    /// Does something unless it was done for the same packages before.
    fn once(
        &self,
        what: &str,
        packages: &str,
        work: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let done = self.0.join(format!("done-{what}"));
        if std::fs::read_to_string(&done).is_ok_and(|installed| installed == packages) {
            return Ok(());
        }
        work()?;
        Ok(std::fs::write(done, packages)?)
    }

    /// Node in the version that all packages take, with the packages beside it.
    fn node(&self, script: impl AsRef<Path>) -> Command {
        let mut command = Command::new(self.program("node"));
        command.arg(script.as_ref()).current_dir(&self.0);
        command
    }
}

/// `cargo xtask clients`.
pub(crate) fn run_alone() -> Result<(), Failure> {
    Steps::all(|steps| {
        steps.program("the server", &mut cargo(&["build", "--package", "cicerone"]))?;
        add_to(steps)
    })
}

/// The steps, for a server that is built. They are left out only where npm reaches no registry, the client in Python also where
/// Python has no virtual environments or pip reaches no registry. Any other failure to install packages would hide that nothing
/// was tested.
pub(crate) fn add_to(steps: &mut Steps) -> Result<(), Failure> {
    let place = Place(root().join("target/clients"));
    if let Err(error) = place.install_from_npm() {
        if needs::has_npm_registry() {
            return Err(format!("the packages of the clients: {error}").into());
        }
        println!("{error}");
        steps.leave_out("conformance suite and clients", "npm reaches no registry");
        return Ok(());
    }
    let lacks_python = place.install_from_pip().map_err(|error| format!("the client in Python: {error}"))?;
    if let Some(why) = lacks_python {
        steps.leave_out("client in Python", why);
    }
    let with_python = lacks_python.is_none();
    steps.step("conformance suite", || conformance(&place))?;
    steps.step("clients over stdio", || {
        clients(&place, with_python, "stdio", &program().display().to_string())
    })?;
    steps.step("clients over HTTP", || {
        let server = Server::start(&[])?;
        clients(&place, with_python, "http", &server.url)
    })
}

fn conformance(place: &Place) -> Result<(), Failure> {
    let server = Server::start(&["--conformance"])?;
    for (package, flags) in SUITES {
        let suite = place.0.join("node_modules").join(package).join("dist/index.js");
        run(place.node(suite).args(["server", "--url", &server.url]).args(flags).stdout(Stdio::null()))
            .map_err(|error| format!("{package} {}: {error}", flags.join(" ")))?;
        println!("{package} {}: passed", flags.join(" "));
    }
    Ok(())
}

fn clients(place: &Place, with_python: bool, kind: &str, server: &str) -> Result<(), Failure> {
    let scripts = root().join("tests/clients");
    for script in SCRIPTS {
        // Beside the packages, where Node looks for them.
        std::fs::copy(scripts.join(script), place.0.join(script))?;
    }
    for script in &SCRIPTS[..2] {
        run(place.node(script).args([kind, server]))?;
    }
    if with_python {
        run(Command::new(place.python()).arg(scripts.join("python_sdk.py")).args([kind, server]))?;
    }
    let mut inspector = place.node(place.program("mcp-inspector"));
    inspector.args(["--cli", server]).args(if kind == "http" { &["--transport", "http"][..] } else { &[] });
    inspector.args(["--method", "tools/call", "--tool-name", "browser_navigate"]);
    let called = inspector.args(["--tool-arg", "url=data:text/html,<h1>Hello</h1>"]).output()?;
    let told = String::from_utf8_lossy(&called.stdout);
    let is_there = told.contains("heading \\\"Hello\\\"");
    if is_there { Ok(()) } else { Err(format!("the Inspector answered: {told}").into()) }
}

fn program() -> PathBuf {
    root().join("target/debug/cicerone")
}

/// A server over HTTP, as long as this lives.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(flags: &[&str]) -> Result<Self, Failure> {
        let mut command = Command::new(program());
        command.args(["serve", "--http", "127.0.0.1:0"]).args(flags).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let said = child.stderr.take().ok_or("no standard error")?;
        let mut lines = BufReader::new(said).lines().map_while(Result::ok);
        let url = lines.by_ref().find_map(|line| Some(line.split_once("listening on ")?.1.to_owned()));
        // A server whose standard error is full would wait.
        std::thread::spawn(move || lines.for_each(drop));
        let server = Self { child, url: url.unwrap_or_default() };
        if server.url.is_empty() { Err("the server did not start".into()) } else { Ok(server) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It was a test's; its browser ends with it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
