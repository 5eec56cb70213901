//! The names that tools of the `agent` dialect had once, with the arguments that they took then.
//!
//! An old call is turned into a new one by *moving* arguments to their new names. What is not named here is passed on as
//! it is: new arguments work under an old name too, and what no longer exists is refused, never ignored. Left out is
//! only what changes nothing.

use cicerone_engine::KeyChord;
use serde_json::{Map, Value, json};

use crate::{BadArguments, toolbox::Renamed};

type Arguments = Map<String, Value>;
type Now = Result<(&'static str, Arguments), BadArguments>;

/// Old names, and what a call by them is today.
pub(crate) const OLD_NAMES: &[(&str, Renamed)] = &[
    ("get_windows_and_tabs", |arguments| Ok(("tab_list", arguments))),
    ("chrome_navigate", navigate),
    ("chrome_close_tabs", |arguments| Ok(("tab_close", moved(arguments, &[("tabIds", "tabId")])))),
    ("chrome_switch_tab", |arguments| Ok(("tab_switch", without(arguments, &["windowId"])))),
    ("chrome_read_page", read_page),
    ("chrome_get_interactive_elements", interactive_elements),
    ("chrome_get_web_content", web_content),
    ("chrome_screenshot", screenshot),
    ("chrome_gif_recorder", gif_recorder),
    ("chrome_computer", computer),
    ("chrome_click_element", click_element),
    ("chrome_fill_or_select", fill_or_select),
    ("chrome_keyboard", keyboard),
    ("chrome_javascript", javascript),
    ("chrome_console", console),
    ("chrome_network_request", network_request),
    ("chrome_network_capture", network_capture),
    ("chrome_network_capture_start", |arguments| network_capture(with_action("start", arguments))),
    ("chrome_network_capture_stop", |arguments| network_capture(with_action("stop", arguments))),
    ("chrome_network_debugger_start", |arguments| {
        let mut arguments = with_action("start", arguments);
        arguments.entry("needResponseBody").or_insert(true.into());
        network_capture(arguments)
    }),
    ("chrome_network_debugger_stop", |arguments| network_capture(with_action("stop", arguments))),
    ("performance_start_trace", start_trace),
    ("performance_stop_trace", stop_trace),
    ("performance_analyze_insight", |arguments| {
        // There is one summary, and it is there at once.
        let arguments = without(arguments, &["insightName", "insightSetId", "timeoutMs"]);
        Ok(("capture", traced(with_action("status", arguments))))
    }),
    ("chrome_history", |arguments| {
        let names = [
            ("text", "query"),
            ("startTime", "start_time"),
            ("endTime", "end_time"),
            ("maxResults", "max_results"),
            ("excludeCurrentTabs", "exclude_current_tabs"),
        ];
        Ok(("history", moved(arguments, &names)))
    }),
    ("chrome_bookmark_search", |arguments| bookmarks("search", arguments)),
    ("chrome_bookmark_add", |arguments| bookmarks("add", arguments)),
    ("chrome_bookmark_delete", |arguments| bookmarks("delete", arguments)),
    ("chrome_upload_file", upload),
    ("chrome_handle_dialog", |arguments| Ok(("dialog", moved(arguments, &[("promptText", "prompt_text")])))),
    ("chrome_handle_download", download),
    ("chrome_request_element_selection", picker),
];

/// The same arguments, some under other names.
fn moved(mut arguments: Arguments, names: &[(&str, &str)]) -> Arguments {
    for (old, new) in names {
        if let Some(value) = arguments.remove(*old) {
            arguments.entry((*new).to_owned()).or_insert(value);
        }
    }
    arguments
}

/// The same arguments, but for some that mean nothing any more.
fn without(mut arguments: Arguments, names: &[&str]) -> Arguments {
    arguments.retain(|name, _| !names.contains(&name.as_str()));
    arguments
}

/// With the element under its new name: `ref` and `refId` as `ref_5` are `@e5`, `selectorType: "xpath"` is a prefix.
fn targeted(arguments: Arguments) -> Arguments {
    let mut arguments = moved(arguments, &[("ref", "selector"), ("refId", "selector")]);
    let xpath = arguments.remove("selectorType").is_some_and(|kind| kind == "xpath");
    if let Some(Value::String(selector)) = arguments.get_mut("selector")
        && !renumbered(selector)
        && xpath
        && !selector.starts_with("xpath=")
    {
        *selector = format!("xpath={selector}");
    }
    if let Some(Value::String(start)) = arguments.get_mut("startRef") {
        renumbered(start);
    }
    arguments
}

/// Makes `ref_5` an `@e5`; whether it was one.
fn renumbered(selector: &mut String) -> bool {
    let number = selector.strip_prefix("ref_").and_then(|rest| rest.parse::<u32>().ok());
    if let Some(number) = number {
        *selector = format!("@e{number}");
    }
    number.is_some()
}

/// Fields of every kind: texts, options, and boxes, whose value is a truth.
fn fill_or_select(arguments: Arguments) -> Now {
    let mut arguments = targeted(arguments);
    match arguments.get("value") {
        Some(Value::Bool(on)) => {
            let tool = if *on { "check" } else { "uncheck" };
            Ok((tool, without(arguments, &["value"])))
        }
        Some(Value::Number(number)) => {
            let value = number.to_string();
            arguments.insert("value".into(), value.into());
            Ok(("fill", arguments))
        }
        _ => Ok(("fill", arguments)),
    }
}

/// Several keys were pressed by one call then.
fn one_chord(name: &'static str) -> BadArguments {
    let expected = "one key or chord per call, such as Backspace or Control+A".into();
    BadArguments::Wrong { name, expected }
}

/// Whether a text is the names of several keys.
fn names_keys(text: &str) -> bool {
    let is_named = |part: &str| part.chars().count() > 1 && part.parse::<KeyChord>().is_ok();
    let mut parts = text.split([' ', ',']).filter(|part| !part.is_empty()).peekable();
    parts.peek().is_some() && parts.all(is_named)
}

/// A key or a combination is pressed; a text is typed.
fn keyboard(arguments: Arguments) -> Now {
    let arguments = moved(targeted(arguments), &[("keys", "key")]);
    match arguments.get("key").and_then(Value::as_str) {
        Some(keys) if keys.parse::<KeyChord>().is_err() && names_keys(keys) => Err(one_chord("keys")),
        Some(keys) if keys.chars().count() > 1 && keys.parse::<KeyChord>().is_err() => {
            Ok(("type", moved(arguments, &[("key", "text")])))
        }
        None if arguments.contains_key("text") => Ok(("type", arguments)),
        _ => Ok(("press", arguments)),
    }
}

/// With modifiers as a list: `{ctrlKey: true}` is `["Control"]`.
fn with_modifiers(mut arguments: Arguments) -> Arguments {
    if let Some(Value::Object(held)) = arguments.get("modifiers") {
        let keys = [("ctrlKey", "Control"), ("altKey", "Alt"), ("shiftKey", "Shift"), ("metaKey", "Meta")];
        let held: Vec<&str> = keys
            .iter()
            .filter(|(old, _)| held.get(*old) == Some(&json!(true)))
            .map(|(_, new)| *new)
            .collect();
        arguments.insert("modifiers".into(), json!(held));
    }
    arguments
}

fn navigate(arguments: Arguments) -> Now {
    let mut arguments = moved(arguments, &[("newWindow", "new_window"), ("newTab", "new_tab")]);
    let mut size = Map::new();
    for side in ["width", "height"] {
        size.extend(arguments.remove(side).map(|value| (side.to_owned(), value)));
    }
    if !size.is_empty() {
        arguments.entry("window_size").or_insert(size.into());
    }
    if arguments.remove("refresh") == Some(json!(true)) {
        arguments.remove("url");
        arguments.insert("action".into(), "reload".into());
    }
    if let Some(Value::String(step)) = arguments.get("url")
        && matches!(step.as_str(), "back" | "forward")
    {
        let step = step.clone();
        arguments.remove("url");
        arguments.insert("action".into(), step.into());
    }
    Ok(("navigate", arguments))
}

fn read_page(arguments: Arguments) -> Now {
    let mut arguments = without(moved(targeted(arguments), &[("filter", "mode")]), &["windowId"]);
    // All that was not interactive was all there is.
    if arguments.get("mode").is_some_and(|mode| mode != "interactive" && mode != "focused") {
        arguments.insert("mode".into(), "full".into());
    }
    Ok(("snapshot", arguments))
}

fn interactive_elements(arguments: Arguments) -> Now {
    let arguments = moved(targeted(arguments), &[("includeCoordinates", "include_bounds")]);
    let mut arguments = without(arguments, &["windowId"]);
    arguments.insert("mode".into(), "interactive".into());
    Ok(("snapshot", arguments))
}

/// The page's text, or its HTML.
fn web_content(arguments: Arguments) -> Now {
    let mut arguments = without(arguments, &["textContent"]);
    let html = arguments.remove("htmlContent") == Some(json!(true));
    let selector = arguments.remove("selector").filter(Value::is_string).unwrap_or_else(|| "body".into());
    let property = if html { "outerHTML" } else { "innerText" };
    let expression = format!("document.querySelector({selector})?.{property} ?? null");
    arguments.insert("expression".into(), expression.into());
    Ok(("evaluate", arguments))
}

fn click_element(arguments: Arguments) -> Now {
    let mut arguments = with_modifiers(targeted(arguments));
    let waits = arguments.remove("waitForNavigation");
    if waits == Some(json!(false)) {
        arguments.insert("no_wait_after".into(), true.into());
    }
    match arguments.remove("double") {
        Some(Value::Bool(true)) => Ok(("dblclick", without(arguments, &["button", "no_wait_after"]))),
        _ => Ok(("click", arguments)),
    }
}

/// A picture in the reply, or a PNG file by its name.
fn screenshot(arguments: Arguments) -> Now {
    let mut arguments = moved(targeted(arguments), &[("fullPage", "full_page")]);
    let mut size = Map::new();
    for side in ["width", "height"] {
        size.extend(arguments.remove(side).map(|value| (side.to_owned(), value)));
    }
    if size.len() == 2 {
        size.extend(["x", "y"].map(|side| (side.to_owned(), json!(0))));
        arguments.entry("clip").or_insert(size.into());
    } else {
        // One side alone says nothing of what is shown; it is refused by its name.
        arguments.append(&mut size);
    }
    let saves = arguments.remove("savePng") == Some(json!(true));
    let shows = arguments.remove("storeBase64") == Some(json!(true));
    let name = arguments.remove("name").filter(|name| !name.is_null());
    if let (Some(name), false) = (&name, saves) {
        // It names the file; without one it is refused.
        arguments.insert("name".into(), name.clone());
    }
    if saves && !shows {
        let name = name.as_ref().and_then(Value::as_str).unwrap_or("screenshot");
        let name = name.strip_suffix(".png").unwrap_or(name);
        arguments.entry("save_path").or_insert(format!("{name}.png").into());
    }
    Ok(("screenshot", without(arguments, &["windowId", "background"])))
}

/// Recordings were started in the mode that their action named.
fn gif_recorder(arguments: Arguments) -> Now {
    let names = [
        ("durationMs", "max_duration"),
        ("maxFrames", "max_frames"),
        ("captureAnnotation", "annotation"),
        ("enhancedRendering", "overlays"),
        ("filename", "save_path"),
    ];
    let mut arguments =
        without(moved(arguments, &names), &["maxColors", "captureDelayMs", "frameDelayMs", "download"]);
    match arguments.get("action").and_then(Value::as_str) {
        Some("auto_start") => {
            arguments.insert("action".into(), "start".into());
            arguments.insert("mode".into(), "auto_capture".into());
        }
        Some("start") => {
            arguments.entry("mode").or_insert("fixed_fps".into());
        }
        Some("capture") => {
            arguments.insert("action".into(), "capture_frame".into());
        }
        _ => {}
    }
    if let Some(Value::Bool(on)) = arguments.get("overlays") {
        let all = json!({ "click_indicators": on, "drag_paths": on, "action_labels": on });
        arguments.insert("overlays".into(), all);
    }
    if let Some(Value::String(path)) = arguments.get_mut("save_path")
        && !path.contains('.')
    {
        path.push_str(".gif");
    }
    Ok(("record", arguments))
}

/// One tool once, told what to do by its action.
fn computer(arguments: Arguments) -> Now {
    let mut arguments = with_modifiers(targeted(arguments));
    let action = arguments.remove("action").ok_or(BadArguments::Missing("action"))?;
    let arguments = moved(arguments, &[("scrollDirection", "direction")]);
    let click = |button: &str, count: u32, mut arguments: Arguments| {
        arguments.insert("button".into(), button.into());
        arguments.insert("click_count".into(), count.into());
        Ok(("click", arguments))
    };
    match action.as_str().unwrap_or_default() {
        "left_click" => click("left", 1, arguments),
        "right_click" => click("right", 1, arguments),
        "triple_click" => click("left", 3, arguments),
        "double_click" => Ok(("dblclick", arguments)),
        "hover" => Ok(("hover", arguments)),
        "type" => Ok(("type", arguments)),
        "key" => match arguments.get("text").and_then(Value::as_str) {
            Some(keys) if keys.split_whitespace().nth(1).is_some() => Err(one_chord("text")),
            _ => Ok(("press", moved(arguments, &[("text", "key")]))),
        },
        "fill" => fill_or_select(arguments),
        "scroll" => Ok(("scroll", with_pixels(arguments))),
        "scroll_to" => {
            let mut arguments = arguments;
            arguments.insert("into_view".into(), true.into());
            Ok(("scroll", arguments))
        }
        "left_click_drag" => {
            let names = [
                ("startCoordinates", "source_coordinates"),
                ("coordinates", "target_coordinates"),
                ("startRef", "source"),
                ("selector", "target"),
            ];
            Ok(("drag", moved(arguments, &names)))
        }
        "screenshot" => screenshot(without(arguments, &["coordinates"])),
        "wait" => Ok(("wait", awaited(arguments))),
        _ => Err(BadArguments::Wrong {
            name: "action",
            expected: "left_click, right_click, double_click, triple_click, hover, type, key, fill, scroll, scroll_to, \
                       left_click_drag, screenshot or wait"
                .into(),
        }),
    }
}

/// Distances were ticks of a wheel.
fn with_pixels(mut arguments: Arguments) -> Arguments {
    if let Some(ticks) = arguments.get("scrollAmount").and_then(Value::as_f64) {
        arguments.insert("scrollAmount".into(), json!(ticks * 100.0));
    }
    moved(arguments, &[("scrollAmount", "amount")])
}

/// A text that is to come or go, or a time in seconds.
fn awaited(mut arguments: Arguments) -> Arguments {
    let kind = match arguments.get("text").is_some_and(|text| !text.is_null()) {
        true if arguments.remove("appear") == Some(json!(false)) => "text_hidden",
        true => "text",
        false => {
            let given = arguments.remove("duration").filter(|duration| !duration.is_null());
            let seconds = given.unwrap_or_else(|| json!(1));
            let duration = seconds.as_f64().map_or(seconds, |seconds| json!(seconds * 1_000.0));
            arguments.insert("duration".into(), duration);
            "timeout"
        }
    };
    arguments.insert("for".into(), kind.into());
    arguments
}

fn javascript(arguments: Arguments) -> Now {
    let names = [("code", "expression"), ("timeoutMs", "timeout"), ("maxOutputBytes", "max_output_size")];
    Ok(("evaluate", moved(arguments, &names)))
}

fn console(arguments: Arguments) -> Now {
    let names = [
        ("includeExceptions", "include_exceptions"),
        ("maxMessages", "max_messages"),
        ("limit", "max_messages"),
        ("clearAfterRead", "clear_after_read"),
    ];
    let mut arguments = without(moved(arguments, &names), &["background", "windowId"]);
    if arguments.remove("onlyErrors") == Some(json!(true)) {
        arguments.insert("level".into(), json!(["error"]));
    }
    if arguments.remove("clear") == Some(json!(true)) {
        arguments.insert("action".into(), "clear".into());
    }
    Ok(("console", arguments))
}

fn network_request(arguments: Arguments) -> Now {
    let names =
        [("formData", "form_data"), ("followRedirects", "follow_redirects"), ("timeoutMs", "timeout")];
    let mut arguments = without(moved(arguments, &names), &["windowId"]);
    if let Some(Value::String(method)) = arguments.get_mut("method") {
        method.make_ascii_uppercase();
    }
    // A body of data was written as JSON.
    if arguments.get("body").is_some_and(|body| body.is_object() || body.is_array()) {
        arguments = moved(arguments, &[("body", "json")]);
    }
    if let Some(form) = arguments.get("form_data").and_then(described_form) {
        arguments.insert("form_data".into(), form);
    }
    Ok(("request", arguments))
}

/// `{fields, files}` as one object of fields.
fn described_form(form: &Value) -> Option<Value> {
    let form = form.as_object().filter(|form| form.keys().all(|key| key == "fields" || key == "files"))?;
    let mut fields = form.get("fields").and_then(Value::as_object).cloned().unwrap_or_default();
    for file in form.get("files").and_then(Value::as_array)? {
        let file = file.as_object()?.clone();
        let names = [("filePath", "path"), ("base64Data", "base64"), ("contentType", "mimeType")];
        let mut file = moved(file, &names);
        let name = file.remove("name")?.as_str()?.to_owned();
        fields.insert(name, moved(file, &[("filename", "name")]).into());
    }
    Some(fields.into())
}

/// With the action that was part of the name.
fn with_action(action: &str, mut arguments: Arguments) -> Arguments {
    arguments.insert("action".into(), action.into());
    arguments
}

/// What was captured unless static resources were asked for, too.
const NOT_STATIC: [&str; 5] = ["document", "xhr", "fetch", "websocket", "other"];

fn network_capture(arguments: Arguments) -> Now {
    let names = [
        ("needResponseBody", "include_bodies"),
        ("maxCaptureTime", "max_capture_time"),
        ("inactivityTimeout", "inactivity_timeout"),
    ];
    let mut arguments = without(moved(arguments, &names), &["background", "windowId"]);
    let all = arguments.remove("includeStatic") == Some(json!(true));
    if arguments.get("action") == Some(&json!("start")) && !all {
        arguments.entry("filter").or_insert(json!({ "resource_types": NOT_STATIC }));
    }
    Ok(("capture", arguments))
}

fn traced(mut arguments: Arguments) -> Arguments {
    arguments.insert("mode".into(), "trace".into());
    arguments
}

fn start_trace(arguments: Arguments) -> Now {
    let mut arguments = traced(with_action("start", arguments));
    let duration = arguments.remove("durationMs");
    if arguments.remove("autoStop") == Some(json!(true)) {
        arguments.entry("max_capture_time").or_insert(duration.unwrap_or_else(|| 5_000.into()));
    }
    Ok(("capture", arguments))
}

/// It was saved unless told otherwise, under a name that began as asked for.
fn stop_trace(arguments: Arguments) -> Now {
    let mut arguments = traced(with_action("stop", moved(arguments, &[("filePath", "save_path")])));
    let prefix = arguments.remove("filenamePrefix");
    let saves = arguments.remove("saveToDownloads");
    if saves == Some(json!(true)) || (saves.is_none() && prefix.is_some()) {
        let prefix = prefix.as_ref().and_then(Value::as_str).unwrap_or("performance_trace");
        arguments.entry("save_path").or_insert(format!("{prefix}.json").into());
    }
    Ok(("capture", arguments))
}

fn bookmarks(action: &str, arguments: Arguments) -> Now {
    let names = [
        ("folderPath", "folder"),
        ("maxResults", "max_results"),
        ("parentId", "parent_folder"),
        ("createFolder", "create_folder"),
        ("bookmarkId", "bookmark_id"),
    ];
    Ok(("bookmarks", with_action(action, moved(arguments, &names))))
}

fn upload(arguments: Arguments) -> Now {
    let mut arguments = without(targeted(arguments), &["multiple"]);
    let file =
        match (arguments.remove("filePath"), arguments.remove("fileUrl"), arguments.remove("base64Data")) {
            (Some(path), ..) => Some(("path", path)),
            (None, Some(url), _) => Some(("url", url)),
            (None, None, data) => data.map(|data| ("base64", data)),
        };
    let name = arguments.remove("fileName");
    if let Some((kind, value)) = file {
        let mut file = Map::from_iter([(kind.to_owned(), value)]);
        file.extend(name.map(|name| ("name".to_owned(), name)));
        arguments.entry("files").or_insert(json!([file]));
    }
    Ok(("upload", arguments))
}

fn download(arguments: Arguments) -> Now {
    let arguments = moved(arguments, &[("timeoutMs", "timeout")]);
    let mut arguments = without(arguments, &["waitForComplete"]);
    arguments.insert("for".into(), "download".into());
    Ok(("wait", arguments))
}

fn picker(arguments: Arguments) -> Now {
    let mut arguments = without(moved(arguments, &[("timeoutMs", "timeout")]), &["windowId"]);
    // What the person is asked for is not shown to them, so one request is as good as none; several are not.
    if arguments.get("requests").and_then(Value::as_array).is_some_and(|requests| requests.len() <= 1) {
        arguments.remove("requests");
    }
    arguments.insert("by".into(), "picker".into());
    arguments.entry("value").or_insert("".into());
    Ok(("query", arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now(old: &str, arguments: Value) -> (&'static str, Value) {
        let (_, renamed) = OLD_NAMES.iter().find(|(name, _)| *name == old).unwrap();
        let (name, arguments) = renamed(arguments.as_object().cloned().unwrap()).unwrap();
        (name, arguments.into())
    }

    #[test]
    fn the_examples_of_the_migration_guide() {
        assert_eq!(
            now(
                "chrome_navigate",
                json!({ "url": "https://x.test", "newWindow": true, "width": 1280, "height": 720 })
            ),
            (
                "navigate",
                json!({ "url": "https://x.test", "new_window": true, "window_size": { "width": 1280, "height": 720 } })
            ),
        );
        assert_eq!(
            now(
                "chrome_computer",
                json!({ "action": "left_click", "ref": "ref_5", "modifiers": { "ctrlKey": true } })
            ),
            (
                "click",
                json!({ "selector": "@e5", "modifiers": ["Control"], "button": "left", "click_count": 1 })
            ),
        );
        assert_eq!(
            now("chrome_read_page", json!({ "filter": "interactive", "depth": 3, "refId": "ref_12" })),
            ("snapshot", json!({ "mode": "interactive", "depth": 3, "selector": "@e12" })),
        );
    }

    #[test]
    fn requests_are_as_they_were() {
        let file =
            json!({ "name": "f", "filePath": "a.txt", "filename": "b.txt", "contentType": "text/csv" });
        assert_eq!(
            now(
                "chrome_network_request",
                json!({
                    "url": "https://x.test", "method": "post", "timeout": 5,
                    "formData": { "fields": { "a": 1 }, "files": [file] },
                })
            ),
            (
                "request",
                json!({
                    "url": "https://x.test", "method": "POST", "timeout": 5,
                    "form_data": { "a": 1, "f": { "path": "a.txt", "name": "b.txt", "mimeType": "text/csv" } },
                })
            ),
        );
        let plain = json!({ "url": "/a", "formData": { "a": "b" } });
        assert_eq!(
            now("chrome_network_request", plain),
            ("request", json!({ "url": "/a", "form_data": { "a": "b" } }))
        );
    }

    #[test]
    fn pictures_and_recordings_by_their_old_names() {
        assert_eq!(
            now("chrome_screenshot", json!({ "fullPage": true, "savePng": true, "name": "home" })),
            ("screenshot", json!({ "full_page": true, "save_path": "home.png" })),
        );
        assert_eq!(
            now("chrome_screenshot", json!({ "storeBase64": true, "width": 80, "height": 60 })),
            ("screenshot", json!({ "clip": { "x": 0, "y": 0, "width": 80, "height": 60 } })),
        );
        assert_eq!(now("chrome_computer", json!({ "action": "screenshot" })), ("screenshot", json!({})));
        assert_eq!(
            now("chrome_screenshot", json!({ "name": "home" })),
            ("screenshot", json!({ "name": "home" }))
        );
        assert_eq!(
            now("chrome_gif_recorder", json!({ "action": "start", "fps": 5, "durationMs": 5000 })),
            ("record", json!({ "action": "start", "mode": "fixed_fps", "fps": 5, "max_duration": 5000 })),
        );
        assert_eq!(
            now("chrome_gif_recorder", json!({ "action": "auto_start", "enhancedRendering": false })),
            (
                "record",
                json!({ "action": "start", "mode": "auto_capture", "overlays":
                    { "click_indicators": false, "drag_paths": false, "action_labels": false } })
            ),
        );
        assert_eq!(
            now("chrome_gif_recorder", json!({ "action": "capture", "captureAnnotation": "x" })),
            ("record", json!({ "action": "capture_frame", "annotation": "x" })),
        );
        assert_eq!(
            now("chrome_gif_recorder", json!({ "action": "stop", "filename": "bug" })),
            ("record", json!({ "action": "stop", "save_path": "bug.gif" })),
        );
    }

    #[test]
    fn one_old_name_may_be_several_tools() {
        let field = |value: Value| json!({ "ref": "ref_1", "value": value });
        assert_eq!(
            now("chrome_fill_or_select", field(json!(5))),
            ("fill", json!({ "selector": "@e1", "value": "5" }))
        );
        assert_eq!(now("chrome_fill_or_select", field(json!(true))), ("check", json!({ "selector": "@e1" })));
        assert_eq!(
            now("chrome_fill_or_select", field(json!(false))),
            ("uncheck", json!({ "selector": "@e1" }))
        );
        assert_eq!(
            now("chrome_computer", json!({ "action": "fill", "ref": "ref_1", "value": true })),
            ("check", json!({ "selector": "@e1" })),
        );
        for keys in ["Enter", "a", "Ctrl+A"] {
            assert_eq!(now("chrome_keyboard", json!({ "keys": keys })), ("press", json!({ "key": keys })));
        }
        assert_eq!(
            now("chrome_keyboard", json!({ "keys": "hello there" })),
            ("type", json!({ "text": "hello there" }))
        );
        assert_eq!(
            now(
                "chrome_computer",
                json!({ "action": "left_click_drag", "startRef": "ref_1", "ref": "ref_2" })
            ),
            ("drag", json!({ "source": "@e1", "target": "@e2" })),
        );
    }

    #[test]
    fn waiting_and_scrolling_are_in_the_units_of_then() {
        let computer = |arguments: Value| now("chrome_computer", arguments);
        for (arguments, expected) in [
            (json!({}), json!({ "for": "timeout", "duration": 1000.0 })),
            (
                json!({ "duration": 0.5, "tabId": 2 }),
                json!({ "for": "timeout", "duration": 500.0, "tabId": 2 }),
            ),
            (
                json!({ "text": "Done", "timeout": 50 }),
                json!({ "for": "text", "text": "Done", "timeout": 50 }),
            ),
            (json!({ "text": "Done", "appear": true }), json!({ "for": "text", "text": "Done" })),
            (json!({ "text": "Busy", "appear": false }), json!({ "for": "text_hidden", "text": "Busy" })),
        ] {
            let mut arguments = arguments;
            arguments["action"] = "wait".into();
            assert_eq!(computer(arguments), ("wait", expected));
        }
        assert_eq!(
            computer(json!({ "action": "scroll", "scrollDirection": "up", "scrollAmount": 3 })),
            ("scroll", json!({ "direction": "up", "amount": 300.0 })),
        );
        let at = json!({ "x": 1, "y": 2 });
        assert_eq!(
            computer(json!({ "action": "scroll", "scrollDirection": "up", "coordinates": at })),
            ("scroll", json!({ "direction": "up", "coordinates": at })),
            "it is refused by its name"
        );
    }
}
