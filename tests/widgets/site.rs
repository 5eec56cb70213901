//! The widgets' pages: installed from npm by the lock file, bundled, and served on loopback. Both are cached in the target
//! directory, by a hash of what they are made from.

use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use sha2::{Digest, Sha256};

use crate::support::{Answer, Server, Site, Tab, open_site};

/// Why the suite cannot run here.
type Missing = String;

/// The directory with the bundled pages.
fn pages() -> Result<&'static Path, &'static Missing> {
    static PAGES: OnceLock<Result<PathBuf, Missing>> = OnceLock::new();
    PAGES.get_or_init(built).as_ref().map(PathBuf::as_path)
}

/// A server at the page of a widget; nothing where npm cannot install it.
pub fn open(name: &str) -> Option<Tab> {
    open_with(name, &[])
}

/// The same, with flags for the server.
pub fn open_with(name: &str, flags: &[&str]) -> Option<Tab> {
    match site(name) {
        Ok(site) => Some(open_site(flags, site)),
        Err(missing) => skip(missing),
    }
}

/// The same, without a page open: for dialects that have another tool to open one.
pub fn serve(name: &str, flags: &[&str]) -> Option<Tab> {
    match site(name) {
        Ok(site) => Some(Tab { server: Server::start(flags), site }),
        Err(missing) => skip(missing),
    }
}

fn skip(missing: &Missing) -> Option<Tab> {
    assert!(std::env::var_os("WIDGETS_REQUIRED").is_none(), "{missing}");
    eprintln!("SKIPPED: {missing}");
    None
}

fn site(name: &str) -> Result<Site, &'static Missing> {
    let pages = pages()?;
    let site = Site::with(&[]);
    let read = |file: &str| fs::read(pages.join(file)).unwrap_or_default();
    site.answer("/", Answer::Body("text/html", read(&format!("{name}.html"))));
    for (end, kind) in [("js", "text/javascript"), ("css", "text/css")] {
        site.answer(&format!("/{name}.{end}"), Answer::Body(kind, read(&format!("{name}.{end}"))));
    }
    site.answer("/monaco-worker.js", Answer::Body("text/javascript", read("monaco-worker.js")));
    Ok(site)
}

fn built() -> Result<PathBuf, Missing> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/widgets");
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("widgets");
    let lock = sources.join("package-lock.json");
    let modules = cache.join(format!("modules-{}", hash(std::slice::from_ref(&lock))));
    if !modules.join("installed").exists() {
        fs::create_dir_all(&modules).unwrap();
        fs::copy(sources.join("package.json"), modules.join("package.json")).unwrap();
        fs::copy(&lock, modules.join("package-lock.json")).unwrap();
        let install = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-timeout=60000"];
        run(Command::new("npm").args(install).current_dir(&modules), "npm cannot install the widgets")?;
        fs::write(modules.join("installed"), "").unwrap();
    }
    let mut files: Vec<PathBuf> =
        fs::read_dir(sources.join("pages")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.extend([lock, sources.join("build.mjs")]);
    let pages = cache.join(format!("pages-{}", hash(&files)));
    if !pages.exists() {
        let half = cache.join(format!("half-{}", std::process::id()));
        let mut build = Command::new("node");
        build.arg(sources.join("build.mjs")).args([&modules.join("node_modules"), &half]);
        run(&mut build, "the widgets' pages cannot be bundled").unwrap_or_else(|failure| panic!("{failure}"));
        fs::rename(&half, &pages).unwrap();
    }
    Ok(pages)
}

fn run(command: &mut Command, failure: &str) -> Result<(), Missing> {
    let done = command.output().map_err(|error| format!("{failure}: {error}"))?;
    match done.status.success() {
        true => Ok(()),
        false => Err(format!("{failure}: {}", String::from_utf8_lossy(&done.stderr).trim())),
    }
}

fn hash(files: &[PathBuf]) -> String {
    let mut hash = Sha256::new();
    for file in files {
        hash.update(file.file_name().unwrap().as_encoded_bytes());
        hash.update(fs::read(file).unwrap());
    }
    let mut text = String::new();
    for byte in &hash.finalize()[..8] {
        let _ = write!(text, "{byte:02x}");
    }
    text
}
