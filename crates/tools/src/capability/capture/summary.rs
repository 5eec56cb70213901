//! What is said of a capture, in words and as facts.

use std::{fmt::Write, time::Duration};

use cicerone_engine::{
    CaptureEnd, CaptureMode, CaptureStatus, Caught, LARGEST_BODY, MOST_REQUESTS, NetworkSummary,
    RequestSummary, TraceSummary, snapshot::plain,
};
use serde_json::{Map, Value, json};

use super::{CaptureResult, bodies};
use crate::{
    Message, Output,
    output::{facts, of},
};

/// How many characters of a URL are shown: in words, and as a fact.
const URL_IN_WORDS: usize = 200;
const URL_IN_FACTS: usize = 2_000;
/// How many characters of requests there are in words, at most.
const WORDS: usize = 20_000;

impl Output for CaptureResult {
    fn facts(&self) -> Map<String, Value> {
        match self {
            Self::Started { tab, mode, max_time, .. } => facts! {
                "state" => "running", "mode" => word(*mode), "tabId" => tab.0,
                "max_capture_time" => milliseconds(*max_time),
            },
            Self::Status(None) => facts! { "state" => "none" },
            Self::Status(Some(status)) => of_status(status),
            Self::Stopped { captured, path } => {
                let mut told = match &captured.caught {
                    Caught::Network(network) => of_network(network),
                    Caught::Trace(trace) => of_trace(trace),
                };
                told.extend(facts! {
                    "state" => "stopped", "tabId" => captured.tab.0, "ended_by" => end_word(captured.end),
                    "duration" => milliseconds(captured.elapsed),
                });
                if let Some(path) = path {
                    told.insert("path".into(), path.display().to_string().into());
                }
                told
            }
        }
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "state" => of("string"), "mode" => of("string"), "tabId" => of("integer"), "duration" => of("number"),
            "max_capture_time" => of("number"), "ended_by" => of("string"), "count" => of("integer"),
            "total" => of("integer"), "truncated" => of("boolean"), "requests" => of("array"),
            "summary" => of("object"), "path" => of("string"),
        }
    }
}

fn of_status(status: &CaptureStatus) -> Map<String, Value> {
    let mut told = facts! {
        "state" => state(status),
        "mode" => word(status.mode), "tabId" => status.tab.0, "duration" => milliseconds(status.elapsed),
    };
    if status.mode == CaptureMode::Network {
        told.insert("count".into(), status.count.into());
    }
    if let Some(end) = status.end {
        told.insert("ended_by".into(), end_word(end).into());
    }
    if let Some(trace) = &status.trace {
        told.extend(of_trace(trace));
    }
    told
}

fn state(status: &CaptureStatus) -> &'static str {
    match (status.end, &status.lost) {
        (_, Some(_)) => "lost",
        (Some(_), None) => "stopped",
        (None, None) => "running",
    }
}

fn of_network(network: &NetworkSummary) -> Map<String, Value> {
    let list = |requests: &[RequestSummary]| requests.iter().map(of_request).collect::<Vec<Value>>();
    let summary = facts! {
        "failed" => network.failed, "pending" => network.pending, "transferred_bytes" => network.transferred,
        "by_type" => json!(network.by_type), "by_status" => json!(network.by_status),
        "failures" => list(&network.failures), "slowest" => list(&network.slowest),
        "largest" => list(&network.largest),
    };
    facts! {
        "mode" => "network", "count" => network.requests.len(), "total" => network.total,
        "truncated" => network.requests.len() < network.total, "requests" => list(&network.requests),
        "summary" => summary,
    }
}

fn of_request(request: &RequestSummary) -> Value {
    let mut told = facts! {
        "method" => request.method.clone(), "url" => cut(&request.url, URL_IN_FACTS),
        "type" => request.resource_type,
    };
    let mut also =
        |name: &str, value: Option<Value>| told.extend(value.map(|value| (name.to_owned(), value)));
    also("status", request.status.map(Value::from));
    also("size", request.size.map(Value::from));
    also("time", request.time.map(|time| tenths(time).into()));
    also("error", request.failure.clone().map(Value::from));
    also("from_cache", request.from_cache.then_some(true.into()));
    also("redirected_to", request.redirected_to.as_ref().map(|url| cut(url, URL_IN_FACTS).into()));
    also("messages", Some(request.messages).filter(|count| *count > 0).map(Value::from));
    told.extend(bodies::facts(request));
    Value::Object(told)
}

fn of_trace(trace: &TraceSummary) -> Map<String, Value> {
    let tasks: Vec<Value> = trace
        .long_tasks
        .iter()
        .map(|(at, duration)| json!({ "start": tenths(*at), "duration": tenths(*duration) }))
        .collect();
    let requests: Vec<Value> = trace
        .largest_requests
        .iter()
        .map(|(url, size, time)| {
            json!({ "url": cut(url, URL_IN_FACTS), "size": size, "time": time.map(tenths) })
        })
        .collect();
    let summary = facts! {
        "url" => trace.url.clone(), "events" => trace.events, "fcp" => trace.fcp.map(tenths),
        "lcp" => trace.lcp.map(tenths), "lcp_element" => trace.lcp_element.clone(), "cls" => trace.cls,
        "inp" => trace.inp.map(tenths), "inp_event" => trace.inp_event.clone(),
        "dom_content_loaded" => trace.dom_content_loaded.map(tenths), "load" => trace.load.map(tenths),
        "long_task_count" => trace.long_task_count, "long_tasks" => tasks,
        "blocking_time" => tenths(trace.blocking_time), "request_count" => trace.request_count,
        "largest_requests" => requests,
    };
    facts! { "mode" => "trace", "summary" => summary }
}

/// What was done, for people.
pub(super) fn words(done: &CaptureResult) -> String {
    match done {
        CaptureResult::Started { tab, mode, max_time, replaced } => {
            let what = match mode {
                CaptureMode::Network => "Capturing network traffic",
                CaptureMode::Trace => "Recording a performance trace",
            };
            let replaced =
                if *replaced { "\nNote: the earlier capture of this tab was discarded unread" } else { "" };
            format!("{what} of tab {tab}; it stops automatically after {}{replaced}", seconds(*max_time))
        }
        CaptureResult::Status(None) => "No capture was started".into(),
        CaptureResult::Status(Some(status)) => status_words(status),
        CaptureResult::Stopped { captured, path } => {
            let mut text = format!(
                "Capture of tab {} {} after {}: ",
                captured.tab,
                ended(captured.end),
                seconds(captured.elapsed)
            );
            match &captured.caught {
                Caught::Network(network) => drop(network_words(&mut text, network)),
                Caught::Trace(trace) => trace_words(&mut text, trace),
            }
            if let Some(path) = path {
                let _ = write!(text, "\nSaved to {}", path.display());
            }
            text
        }
    }
}

fn status_words(status: &CaptureStatus) -> String {
    let what = match status.mode {
        CaptureMode::Network if status.count == 1 => "1 request".to_owned(),
        CaptureMode::Network => format!("{} requests", status.count),
        CaptureMode::Trace => "a performance trace".to_owned(),
    };
    let elapsed = seconds(status.elapsed);
    match (status.end, &status.trace) {
        (_, Some(trace)) => {
            let mut text = format!("The last trace, of tab {}: ", status.tab);
            trace_words(&mut text, trace);
            text
        }
        (None, _) => format!("Capture of tab {} is running for {elapsed}: {what}", status.tab),
        (Some(end), _) => {
            let kept = match &status.lost {
                Some(lost) => Message::of(&lost.clone().into()).text,
                None => format!("{what}; stop returns it"),
            };
            format!("Capture of tab {} {} after {elapsed}: {kept}", status.tab, ended(end))
        }
    }
}

/// Whether a reply does not have all of a capture.
pub(super) fn is_cut(network: &NetworkSummary) -> bool {
    let bodies = network.requests.iter().flat_map(|request| [&request.post_data, &request.body]);
    network.requests.len() < network.total
        || bodies.flatten().any(bodies::is_cut)
        || network_words(&mut String::new(), network)
}

/// Returns whether requests are left out.
fn network_words(text: &mut String, network: &NetworkSummary) -> bool {
    let count =
        if network.total == 1 { "1 request".to_owned() } else { format!("{} requests", network.total) };
    let _ = write!(text, "{count}, {} received", bytes(network.transferred));
    if network.failed > 0 {
        let _ = write!(text, ", {} failed", network.failed);
    }
    if network.pending > 0 {
        let _ = write!(text, ", {} pending", network.pending);
    }
    if network.total == 0 {
        return false;
    }
    let counts = |counts: Vec<String>| counts.join(", ");
    let types = network.by_type.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let statuses = network.by_status.iter().map(|(status, count)| format!("{status} {count}")).collect();
    let _ = write!(text, "\nTypes: {}\nStatus: {}", counts(types), counts(statuses));
    for (title, requests) in
        [("Failures", &network.failures), ("Slowest", &network.slowest), ("Largest", &network.largest)]
    {
        // Of a few requests the list says as much.
        if !requests.is_empty() && (title == "Failures" || network.requests.len() > 5) {
            let lines: Vec<String> = requests.iter().map(line).collect();
            let _ = write!(text, "\n{title}:\n  {}", lines.join("\n  "));
        }
    }
    text.push_str("\nRequests:");
    let begin = text.len();
    let mut shown = 0;
    for request in &network.requests {
        if text.len() - begin > WORDS {
            break;
        }
        shown += 1;
        let _ = write!(text, "\n  {}", line(request));
        bodies::words(text, request);
    }
    if shown < network.total {
        let rest = match network.dropped {
            0 => "the file has all of them".to_owned(),
            _ => format!("the file has the first {MOST_REQUESTS}; more are not kept"),
        };
        let _ = write!(text, "\n  … truncated, {} requests in total; {rest}", network.total);
    }
    if network.bodies_too_large > 0 {
        let (count, most) = (network.bodies_too_large, LARGEST_BODY >> 20);
        let _ = write!(
            text,
            "\nNote: {count} bodies were not captured: a body may have {most} MB, all together 50 MB"
        );
    }
    shown < network.total
}

/// `GET 200 document 1.2 KB 45 ms http://…`.
fn line(request: &RequestSummary) -> String {
    let mut line = request.method.clone();
    match (&request.failure, request.status) {
        (Some(failure), _) => {
            let _ = write!(line, " failed ({})", plain(failure, 100));
        }
        (None, Some(status)) => {
            let _ = write!(line, " {status}");
        }
        (None, None) => line.push_str(" pending"),
    }
    let _ = write!(line, " {}", request.resource_type);
    match request.size {
        _ if request.from_cache => line.push_str(" (cache)"),
        Some(size) => {
            let _ = write!(line, " {}", bytes(size));
        }
        None => {}
    }
    if let Some(time) = request.time {
        let _ = write!(line, " {} ms", time.round());
    }
    let _ = write!(line, " {}", plain(&request.url, URL_IN_WORDS));
    if let Some(to) = &request.redirected_to {
        let _ = write!(line, " -> {}", plain(to, URL_IN_WORDS));
    }
    if request.messages > 0 {
        let _ = write!(line, " ({} messages)", request.messages);
    }
    line
}

fn trace_words(text: &mut String, trace: &TraceSummary) {
    let _ = write!(text, "{} trace events", trace.events);
    match &trace.url {
        Some(url) => {
            let _ = write!(text, " of {}", plain(url, URL_IN_WORDS));
        }
        None => text.push_str("; no page was loaded, so there is no LCP"),
    }
    let time =
        |time: Option<f64>| time.map_or_else(|| "none".to_owned(), |time| format!("{} ms", time.round()));
    let of_element =
        trace.lcp_element.as_ref().map(|it| format!(" ({})", plain(it, 100))).unwrap_or_default();
    let of_event = trace.inp_event.as_ref().map(|it| format!(" ({})", plain(it, 40))).unwrap_or_default();
    let _ = write!(text, "\nLCP: {}{of_element}\nCLS: {}", time(trace.lcp), trace.cls);
    let inp =
        trace.inp.map_or_else(|| "none, there was no input".to_owned(), |inp| format!("{} ms", inp.round()));
    let _ = write!(text, "\nINP: {inp}{of_event}\nFCP: {}", time(trace.fcp));
    let _ =
        write!(text, "\nDOMContentLoaded: {}, load: {}", time(trace.dom_content_loaded), time(trace.load));
    let _ = write!(text, "\nLong tasks: {}", trace.long_task_count);
    if trace.long_task_count > 0 {
        let tasks: Vec<String> = trace
            .long_tasks
            .iter()
            .map(|(at, long)| format!("{} ms at {} ms", long.round(), at.round()))
            .collect();
        let _ = write!(text, " ({}); they blocked for {} ms", tasks.join(", "), trace.blocking_time.round());
    }
    let _ = write!(text, "\nRequests: {}", trace.request_count);
    for (url, size, took) in trace.largest_requests.iter().take(5) {
        let _ = write!(text, "\n  {} {} {}", bytes(*size), time(*took), plain(url, URL_IN_WORDS));
    }
}

fn word(mode: CaptureMode) -> &'static str {
    match mode {
        CaptureMode::Network => "network",
        CaptureMode::Trace => "trace",
    }
}

fn end_word(end: CaptureEnd) -> &'static str {
    match end {
        CaptureEnd::Stopped => "stop",
        CaptureEnd::TimedOut(_) => "max_capture_time",
        CaptureEnd::Idle(_) => "inactivity_timeout",
        CaptureEnd::TabClosed => "tab_closed",
        CaptureEnd::Crashed => "crash",
        CaptureEnd::BrowserEnded => "browser_ended",
    }
}

fn ended(end: CaptureEnd) -> &'static str {
    match end {
        CaptureEnd::Stopped => "stopped",
        CaptureEnd::TimedOut(_) => "stopped by itself",
        CaptureEnd::Idle(_) => "stopped by itself, as nothing was requested,",
        CaptureEnd::TabClosed => "ended when the tab was closed,",
        CaptureEnd::Crashed => "ended when the page crashed,",
        CaptureEnd::BrowserEnded => "ended with the browser",
    }
}

fn milliseconds(time: Duration) -> Value {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).into()
}

fn seconds(time: Duration) -> String {
    format!("{} s", (time.as_secs_f64() * 10.0).round() / 10.0)
}

fn tenths(time: f64) -> f64 {
    (time * 10.0).round() / 10.0
}

fn bytes(size: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let in_units = |unit: u64| (size as f64 / unit as f64 * 10.0).round() / 10.0;
    match size {
        0..1_000 => format!("{size} B"),
        1_000..1_000_000 => format!("{} KB", in_units(1_000)),
        _ => format!("{} MB", in_units(1_000_000)),
    }
}

/// Without control characters being touched, as data is.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
