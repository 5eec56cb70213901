//! Recording a tab as GIF or video.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use cicerone_engine::{
    Overlays, RecordFormat, RecordMode, RecordOptions, RecordStatus, Recorded, Size, TabId,
};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, Milliseconds, choices, object},
    dialect::AGENT,
    ending::check_ending,
    face::must,
    message,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

pub(super) struct Record {
    action: RecordAction,
    mode: RecordMode,
    format: RecordFormat,
    fps: f64,
    max_duration: Duration,
    max_frames: u32,
    width: u32,
    height: u32,
    annotation: Option<String>,
    save_path: Option<PathBuf>,
    overlays: OverlaySwitches,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RecordAction {
    Start,
    Stop,
    CaptureFrame,
    Status,
}

choices! {
    RecordAction {
        "start" => RecordAction::Start,
        "stop" => RecordAction::Stop,
        "capture_frame" => RecordAction::CaptureFrame,
        "status" => RecordAction::Status,
    }
    RecordMode {
        "fixed_fps" => RecordMode::FixedFps,
        "auto_capture" => RecordMode::AutoCapture,
    }
    RecordFormat {
        "gif" => RecordFormat::Gif,
        "webm" => RecordFormat::WebM,
    }
}

#[derive(Default, Clone, Copy)]
struct OverlaySwitches {
    click_indicators: Option<bool>,
    drag_paths: Option<bool>,
    action_labels: Option<bool>,
}

object! {
    OverlaySwitches {
        "click_indicators" => click_indicators: bool = true,
        "drag_paths" => drag_paths: bool = true,
        "action_labels" => action_labels: bool = true,
    }
}

/// Frames a second.
struct Fps(f64);

impl Argument for Fps {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let fps = f64::parse(value).ok().filter(|fps| (0.1..=30.0).contains(fps));
        fps.map(Self).ok_or_else(|| "a number from 0.1 to 30".into())
    }
}

/// A side of the frames.
struct FrameSide(u32);

impl Argument for FrameSide {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let side = u32::parse(value).ok().filter(|side| (16..=4_096).contains(side));
        side.map(Self).ok_or_else(|| "a whole number from 16 to 4096".into())
    }
}

/// How many frames there may be.
struct MaxFrames(u32);

impl Argument for MaxFrames {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let frames = u32::parse(value).ok().filter(|frames| (1..=1_000).contains(frames));
        frames.map(Self).ok_or_else(|| "a whole number from 1 to 1000".into())
    }
}

/// How long it may be.
const LONGEST: Duration = Duration::from_secs(600);

impl Record {
    fn new(action: RecordAction) -> Self {
        Self {
            action,
            mode: RecordMode::AutoCapture,
            format: RecordFormat::Gif,
            fps: 5.0,
            max_duration: Duration::from_secs(30),
            max_frames: 100,
            width: 800,
            height: 600,
            annotation: None,
            save_path: None,
            overlays: OverlaySwitches::default(),
        }
    }

    fn check(&self) -> Result<(), BadArguments> {
        if self.max_duration.is_zero() || self.max_duration > LONGEST {
            return Err(BadArguments::Together("Invalid argument max_duration: it must be 1 to 600000"));
        }
        if self.annotation.is_some() && self.action != RecordAction::CaptureFrame {
            return Err(BadArguments::Together("Invalid argument annotation: it needs action capture_frame"));
        }
        match (self.action, self.save_path.as_deref()) {
            (RecordAction::Start, Some(path)) => {
                check_ending("save_path", Some(path), &[self.format.extension()])
            }
            (RecordAction::Start | RecordAction::Stop, _) | (_, None) => Ok(()),
            _ => Err(BadArguments::Together("Invalid argument save_path: it needs action stop")),
        }
    }

    fn options(&self) -> RecordOptions {
        let switches = self.overlays;
        let on = |switch: Option<bool>| switch.unwrap_or(true);
        RecordOptions {
            mode: self.mode,
            format: self.format,
            fps: self.fps,
            max_duration: self.max_duration,
            max_frames: usize::try_from(self.max_frames).unwrap_or(usize::MAX),
            size: Size { width: self.width, height: self.height },
            overlays: Overlays {
                click_indicators: on(switches.click_indicators),
                drag_paths: on(switches.drag_paths),
                action_labels: on(switches.action_labels),
            },
            save_path: self.save_path.as_deref().map(in_working_directory),
        }
    }
}

/// As people write paths: a bare name is in the working directory.
fn in_working_directory(path: &Path) -> PathBuf {
    Path::new(".").join(path)
}

/// What was done or found.
pub(super) enum RecordResult {
    Started(TabId, RecordStatus),
    Captured(RecordStatus),
    Status(Option<(TabId, RecordStatus)>),
    Stopped(Box<Recorded>),
}

impl Capability for Record {
    type On = OnSession;
    type Output = RecordResult;
    const EFFECT: Effect = Effect::Controls;

    async fn run(self, on: OnSession) -> Result<RecordResult, Failure> {
        let (session, tab) = (&on.call.session, on.call.tab);
        match self.action {
            RecordAction::Start => {
                let page = on.call.page().await?;
                page.dialogs().not_held()?;
                let status = session.start_recording(&page, self.options()).await?;
                Ok(RecordResult::Started(page.id(), status))
            }
            RecordAction::CaptureFrame => {
                Ok(RecordResult::Captured(session.capture_frame(tab, self.annotation).await?))
            }
            RecordAction::Status => Ok(RecordResult::Status(session.recording_status(tab))),
            RecordAction::Stop => {
                if let Some(path) = &self.save_path {
                    check_ending("save_path", Some(path), &[session.recording_format(tab)?.extension()])?;
                }
                let path = self.save_path.as_deref().map(in_working_directory);
                Ok(RecordResult::Stopped(Box::new(session.stop_recording(tab, path).await?)))
            }
        }
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn word(mode: RecordMode) -> &'static str {
    match mode {
        RecordMode::FixedFps => "fixed_fps",
        RecordMode::AutoCapture => "auto_capture",
    }
}

fn of_status(status: &RecordStatus) -> Map<String, Value> {
    let RecordStatus { options, frames, duration, ended, .. } = status;
    let mut told = facts! {
        "recording" => ended.is_none(), "frames" => *frames, "duration" => millis(*duration),
        "mode" => word(options.mode), "format" => options.format.extension(),
        "width" => options.size.width, "height" => options.size.height,
    };
    told.extend(ended.map(|why| ("ended".to_owned(), message::ended(why).into())));
    told
}

impl Output for RecordResult {
    fn facts(&self) -> Map<String, Value> {
        match self {
            Self::Started(tab, status) => {
                let mut told = of_status(status);
                told.insert("tabId".into(), tab.0.into());
                told
            }
            Self::Captured(status) => of_status(status),
            Self::Status(None) => facts! { "recording" => false, "frames" => 0 },
            Self::Status(Some((tab, status))) => {
                let mut told = of_status(status);
                told.insert("tabId".into(), tab.0.into());
                told
            }
            Self::Stopped(recorded) => {
                let Recorded { path, bytes, frames, lost, duration, options, ended } = &**recorded;
                let mut told = facts! {
                    "path" => path.display().to_string(), "bytes" => *bytes, "frames" => *frames,
                    "duration" => millis(*duration), "mode" => word(options.mode),
                    "format" => options.format.extension(),
                    "width" => options.size.width, "height" => options.size.height,
                };
                told.extend(ended.map(|why| ("ended".to_owned(), message::ended(why).into())));
                told.extend((*lost > 0).then(|| ("lost".to_owned(), (*lost).into())));
                told
            }
        }
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "recording" => of("boolean"), "frames" => of("integer"), "duration" => of("integer"), "path" => of("string"),
            "bytes" => of("integer"), "ended" => of("string"), "lost" => of("integer"), "format" => of("string"),
            "mode" => of("string"), "width" => of("integer"), "height" => of("integer"), "tabId" => of("integer"),
        }
    }
}

fn counted(frames: usize) -> String {
    if frames == 1 { "1 frame".into() } else { format!("{frames} frames") }
}

fn sentence(done: &RecordResult) -> String {
    match done {
        RecordResult::Started(tab, RecordStatus { options, .. }) => {
            let when = match options.mode {
                RecordMode::AutoCapture => "a frame after each action".to_owned(),
                RecordMode::FixedFps => format!("{} frames per second", options.fps),
            };
            let limit = options.max_duration.as_secs_f64();
            let Size { width, height } = options.size;
            let format = options.format.extension();
            let most = counted(options.max_frames);
            format!("Recording tab {tab} as {format}, {width}x{height}, {when}; at most {most} and {limit} s")
        }
        RecordResult::Captured(status) => {
            let ended = status
                .ended
                .map(|why| format!("; recording ended: {}", message::ended(why)))
                .unwrap_or_default();
            format!("Captured a frame; {} so far{ended}", counted(status.frames))
        }
        RecordResult::Status(None) => "Not recording".into(),
        RecordResult::Status(Some((tab, RecordStatus { frames, duration, ended, .. }))) => {
            let (frames, seconds) = (counted(*frames), duration.as_secs_f64());
            match ended {
                None => format!("Recording tab {tab}: {frames} in {seconds:.1} s"),
                Some(why) => format!(
                    "Recording of tab {tab} ended, {}: {frames} in {seconds:.1} s; stop saves it",
                    message::ended(*why)
                ),
            }
        }
        RecordResult::Stopped(recorded) => {
            let Recorded { path, bytes, frames, lost, options, ended, .. } = &**recorded;
            let Size { width, height } = options.size;
            let ended =
                ended.map(|why| format!(" (it had ended: {})", message::ended(why))).unwrap_or_default();
            let lost = match lost {
                0 => String::new(),
                lost => format!("; {} lost", counted(*lost)),
            };
            let kilobytes = bytes.div_ceil(1_000);
            format!(
                "Saved {} of {width}x{height}, {kilobytes} kB, to {}{ended}{lost}",
                counted(*frames),
                path.display()
            )
        }
    }
}

pub(super) fn faces() -> [Face<Record>; 1] {
    [AGENT
        .tool("record", "Record the tab as GIF or video; stop saves it")
        .takes(must("action", ""), Record::new)
        .example(r#"{"action": "start", "mode": "fixed_fps", "fps": 5}"#)
        .opt("mode", "auto_capture: on tool actions", |record, mode| record.mode = mode)
        .default("auto_capture")
        .opt("format", "", |record, format| record.format = format)
        .default("gif")
        .opt("fps", "", |record, Fps(fps)| record.fps = fps)
        .default(5)
        .opt("max_duration", "", |record, time: Milliseconds| record.max_duration = time.into())
        .default(30_000)
        .opt("max_frames", "", |record, MaxFrames(frames)| record.max_frames = frames)
        .default(100)
        .opt("width", "", |record, FrameSide(width)| record.width = width)
        .default(800)
        .opt("height", "", |record, FrameSide(height)| record.height = height)
        .default(600)
        .opt("annotation", "", |record, text| record.annotation = Some(text))
        .opt("save_path", "", |record, path| record.save_path = Some(path))
        .opt("overlays", "", |record, overlays| record.overlays = overlays)
        .on_tab("tabId", "")
        .validate(Record::check)
        .says(sentence)]
}
