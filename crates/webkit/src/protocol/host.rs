//! The host's own commands and events: `crates/webkit-host/src/commands.rs`.

use std::path::PathBuf;

use cicerone_wire::Empty;
use serde::{Deserialize, Serialize};

use super::commands;
pub(crate) use super::host_events::{
    ChooserOpened, DialogOpened, DownloadBegan, DownloadEnded, Moved, PROTOCOL, PageOpened,
    RedirectIntercepted, Started,
};

#[derive(Serialize)]
pub(crate) struct SetScripts<'a> {
    /// The name of a world, and a source.
    pub(crate) scripts: &'a [(&'a str, &'a str)],
}

#[derive(Serialize)]
pub(crate) struct SetContentFilter<'a> {
    /// JSON that WebKit compiles, for pages without a proxy.
    pub(crate) rules: &'a str,
}

#[derive(Serialize)]
pub(crate) struct NewContext<'a> {
    pub(crate) proxy: Option<Proxy<'a>>,
    pub(crate) profile: Option<&'a std::path::Path>,
}

#[derive(Serialize)]
pub(crate) struct Proxy<'a> {
    pub(crate) server: String,
    pub(crate) user: &'a str,
    pub(crate) password: &'a str,
}

#[derive(Serialize)]
pub(crate) struct CloseContext<'a> {
    pub(crate) context: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct ContextMade {
    pub(crate) context: String,
}

#[derive(Serialize)]
pub(crate) struct Open<'a> {
    pub(crate) context: &'a str,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) hidden: bool,
}

#[derive(Deserialize)]
pub(crate) struct Opened {
    pub(crate) page: String,
}

#[derive(Serialize)]
pub(crate) struct GetCookies<'a> {
    pub(crate) context: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct GotCookies {
    pub(crate) cookies: Vec<Cookie>,
}

#[derive(Serialize)]
pub(crate) struct SetCookies<'a> {
    pub(crate) context: &'a str,
    pub(crate) cookies: Vec<Cookie>,
}

#[derive(Serialize)]
pub(crate) struct DeleteCookies<'a> {
    pub(crate) context: &'a str,
    pub(crate) cookies: Vec<Cookie>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cookie {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) domain: String,
    pub(crate) path: String,
    pub(crate) expires: Option<i64>,
    pub(crate) http_only: bool,
    pub(crate) secure: bool,
    pub(crate) same_site: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct SetPermission<'a> {
    pub(crate) context: &'a str,
    pub(crate) origin: &'a str,
    pub(crate) name: &'a str,
    pub(crate) granted: Option<bool>,
}

#[derive(Serialize)]
pub(crate) struct SetGeolocation {
    pub(crate) place: Option<(f64, f64, f64)>,
}

#[derive(Serialize)]
pub(crate) struct SetLanguages<'a> {
    /// Those of the environment without.
    pub(crate) languages: Option<[&'a str; 1]>,
}

#[derive(Serialize)]
pub(crate) struct SetUserAgent<'a> {
    /// The browser's own without.
    pub(crate) value: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct SetTimeZone<'a> {
    /// The machine's own where it is empty.
    pub(crate) name: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct TimeZoneSet {
    pub(crate) outcome: TimeZoneOutcome,
}

#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub(crate) enum TimeZoneOutcome {
    Set,
    /// There is no such zone.
    Unknown,
    /// This WebKit has no way to set one.
    Unsupported,
}

#[derive(Serialize)]
pub(crate) struct InterceptRedirects {
    pub(crate) enabled: bool,
}

#[derive(Serialize)]
pub(crate) struct ContinueRedirect<'a> {
    pub(crate) number: u64,
    pub(crate) stop: bool,
    pub(crate) url: Option<&'a str>,
    pub(crate) headers: &'a [(String, String)],
}

#[derive(Serialize)]
pub(crate) struct Ready {}

#[derive(Deserialize)]
pub(crate) struct BecameReady {
    /// Whether a navigation waited for it.
    pub(crate) navigates: bool,
}

#[derive(Serialize)]
pub(crate) struct Load<'a> {
    pub(crate) url: &'a str,
}

#[derive(Deserialize)]
pub(crate) struct LoadEnded {
    pub(crate) outcome: Outcome,
    #[serde(default)]
    pub(crate) url: Option<String>,
    #[serde(default)]
    pub(crate) error: Option<LoadError>,
}

/// An error of the libraries below WebKit.
#[derive(Deserialize)]
pub(crate) struct LoadError {
    pub(crate) domain: String,
    pub(crate) code: i32,
    pub(crate) message: String,
}

#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Outcome {
    Committed,
    Download,
    Cancelled,
    Failed,
}

#[derive(Serialize)]
pub(crate) struct LoadHtml<'a> {
    pub(crate) html: &'a str,
    pub(crate) base: &'a str,
}

#[derive(Serialize)]
pub(crate) struct Traverse {
    pub(crate) steps: i32,
}

#[derive(Deserialize)]
pub(crate) struct Traversed {
    pub(crate) found: bool,
}

#[derive(Serialize)]
pub(crate) struct Reload {}

#[derive(Serialize)]
pub(crate) struct Stop {}

#[derive(Serialize)]
pub(crate) struct GetTitle {}

#[derive(Deserialize)]
pub(crate) struct Title {
    pub(crate) title: String,
}

#[derive(Serialize)]
pub(crate) struct PerformInput<'a> {
    pub(crate) steps: &'a [Step<'a>],
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(crate) enum Step<'a> {
    Move { x: f64, y: f64 },
    Down { button: u32, count: u32 },
    Up { button: u32 },
    Wheel { x: f64, y: f64 },
    KeyDown { key: &'a str, shifted: bool },
    KeyUp { key: &'a str, shifted: bool },
}

#[derive(Serialize)]
pub(crate) struct Insert<'a> {
    pub(crate) text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Screenshot {
    pub(crate) document: bool,
    pub(crate) clip: Option<Clip>,
    pub(crate) scale: f64,
    pub(crate) format: &'static str,
    pub(crate) quality: u8,
    pub(crate) omit_background: bool,
}

#[derive(Serialize)]
pub(crate) struct Clip {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

#[derive(Deserialize)]
pub(crate) struct Picture {
    pub(crate) data: String,
}

#[derive(Serialize)]
pub(crate) struct Pdf {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) scale: f64,
    pub(crate) backgrounds: bool,
}

#[derive(Deserialize)]
pub(crate) struct Printed {
    pub(crate) path: PathBuf,
}

#[derive(Serialize)]
pub(crate) struct AnswerDialog<'a> {
    pub(crate) accept: bool,
    pub(crate) text: Option<&'a str>,
}

#[derive(Serialize)]
pub(crate) struct ChooseFiles<'a> {
    pub(crate) files: &'a [PathBuf],
}

#[derive(Serialize)]
pub(crate) struct Resize {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

#[derive(Serialize)]
pub(crate) struct SetScale {
    pub(crate) factor: u32,
}

#[derive(Serialize)]
pub(crate) struct Activate {}

#[derive(Serialize)]
pub(crate) struct Interrupt {}

#[derive(Serialize)]
pub(crate) struct Crash {}

#[derive(Serialize)]
pub(crate) struct Close {}

#[derive(Serialize)]
pub(crate) struct Quit {}

commands! {
    SetScripts<'_> => "Host.setScripts", Empty;
    SetContentFilter<'_> => "Host.setContentFilter", Empty;
    NewContext<'_> => "Host.newContext", ContextMade;
    CloseContext<'_> => "Host.closeContext", Empty;
    Open<'_> => "Host.open", Opened;
    GetCookies<'_> => "Host.getCookies", GotCookies;
    SetCookies<'_> => "Host.setCookies", Empty;
    DeleteCookies<'_> => "Host.deleteCookies", Empty;
    SetPermission<'_> => "Host.setPermission", Empty;
    SetGeolocation => "Host.setGeolocation", Empty;
    SetLanguages<'_> => "Host.setLanguages", Empty;
    SetUserAgent<'_> => "Host.setUserAgent", Empty;
    SetTimeZone<'_> => "Host.setTimeZone", TimeZoneSet;
    InterceptRedirects => "Host.interceptRedirects", Empty;
    ContinueRedirect<'_> => "Host.continueRedirect", Empty;
    Ready => "Host.ready", BecameReady;
    Load<'_> => "Host.load", LoadEnded;
    LoadHtml<'_> => "Host.loadHtml", Empty;
    Traverse => "Host.traverse", Traversed;
    Reload => "Host.reload", Empty;
    Stop => "Host.stop", Empty;
    GetTitle => "Host.title", Title;
    PerformInput<'_> => "Host.input", Empty;
    Insert<'_> => "Host.insert", Empty;
    Screenshot => "Host.screenshot", Picture;
    Pdf => "Host.pdf", Printed;
    AnswerDialog<'_> => "Host.answerDialog", Empty;
    ChooseFiles<'_> => "Host.chooseFiles", Empty;
    Resize => "Host.resize", Empty;
    SetScale => "Host.setScale", Empty;
    Activate => "Host.activate", Empty;
    Interrupt => "Host.interrupt", Empty;
    Crash => "Host.crash", Empty;
    Close => "Host.close", Empty;
    Quit => "Host.quit", Empty;
}
