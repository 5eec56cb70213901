//! Summarises a performance trace: Web Vitals, long tasks, largest requests. Reads event by event, because a
//! trace is too large to hold as JSON.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    io::Read,
};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Value, value::RawValue};

/// Longer main-thread tasks delay input, in microseconds.
const LONG_TASK: f64 = 50_000.0;
/// Tasks and requests listed.
const NAMED: usize = 10;

/// The summary of a trace. Times are in milliseconds since the last navigation, or since the trace began.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TraceSummary {
    /// Events in the trace.
    pub events: usize,
    /// The URL of the last navigation.
    pub url: Option<String>,
    /// First Contentful Paint.
    pub fcp: Option<f64>,
    /// Largest Contentful Paint.
    pub lcp: Option<f64>,
    /// The LCP element's node name.
    pub lcp_element: Option<String>,
    /// Cumulative Layout Shift.
    pub cls: f64,
    /// Interaction to Next Paint, if there was input.
    pub inp: Option<f64>,
    /// The type of that event.
    pub inp_event: Option<String>,
    /// The time of `DOMContentLoaded`.
    pub dom_content_loaded: Option<f64>,
    /// The time of `load`.
    pub load: Option<f64>,
    /// The longest main-thread tasks: start and duration.
    pub long_tasks: Vec<(f64, f64)>,
    /// Long tasks in total.
    pub long_task_count: usize,
    /// Total Blocking Time.
    pub blocking_time: f64,
    /// The largest requests: URL, bytes, duration.
    pub largest_requests: Vec<(String, u64, Option<f64>)>,
    /// Requests in total.
    pub request_count: usize,
}

/// Summarises the trace of a page.
pub(super) fn summarise(json: impl Read, main_frame: &str) -> serde_json::Result<TraceSummary> {
    let mut reader = Reader::new(main_frame);
    let mut deserializer = serde_json::Deserializer::from_reader(std::io::BufReader::new(json));
    Trace(&mut reader).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(reader.summary())
}

/// An event. Times are in microseconds.
#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    name: String,
    #[serde(default)]
    ph: String,
    #[serde(default)]
    ts: f64,
    #[serde(default)]
    dur: f64,
    #[serde(default)]
    pid: i64,
    #[serde(default)]
    tid: i64,
    args: Option<Box<RawValue>>,
}

#[derive(Default)]
struct Reader {
    main_frame: String,
    events: usize,
    first: Option<f64>,
    /// The time and URL of the last navigation.
    navigation: Option<(f64, String)>,
    /// The processes of the page.
    processes: HashSet<i64>,
    main_threads: HashSet<(i64, i64)>,
    fcp: Option<f64>,
    lcp: Option<(f64, String)>,
    dom_content_loaded: Option<f64>,
    load: Option<f64>,
    shifts: Vec<(f64, f64)>,
    /// The longest event of each interaction.
    interactions: HashMap<i64, (f64, String)>,
    tasks: Vec<(i64, i64, f64, f64)>,
    requests: HashMap<String, Request>,
}

struct Request {
    pid: i64,
    of_page: bool,
    url: String,
    sent: f64,
    finished: Option<(f64, u64)>,
}

impl Reader {
    fn new(main_frame: &str) -> Self {
        Self { main_frame: main_frame.to_owned(), ..Self::default() }
    }

    fn add(&mut self, event: &Event) {
        self.events += 1;
        if event.ts > 0.0 && self.first.is_none_or(|first| event.ts < first) {
            self.first = Some(event.ts);
        }
        match event.name.as_str() {
            "RunTask" | "ThreadControllerImpl::RunTask" if event.dur >= LONG_TASK => {
                self.tasks.push((event.pid, event.tid, event.ts, event.dur));
            }
            "thread_name"
            | "navigationStart"
            | "firstContentfulPaint"
            | "largestContentfulPaint::Candidate"
            | "LayoutShift"
            | "MarkDOMContent"
            | "MarkLoad"
            | "ResourceSendRequest"
            | "ResourceFinish"
            | "EventTiming" => {
                let args = event.args.as_ref().and_then(|args| serde_json::from_str(args.get()).ok());
                self.add_with(event, &args.unwrap_or_default());
            }
            _ => {}
        }
    }

    fn add_with(&mut self, event: &Event, args: &Value) {
        let data = &args["data"];
        let frame = args["frame"].as_str().or(data["frame"].as_str());
        let of_page = frame == Some(&self.main_frame);
        if of_page {
            self.processes.insert(event.pid);
        }
        match event.name.as_str() {
            "thread_name" if args["name"] == "CrRendererMain" => {
                self.main_threads.insert((event.pid, event.tid));
            }
            "ResourceSendRequest" => {
                let url = data["url"].as_str().unwrap_or_default().to_owned();
                let request = Request { pid: event.pid, of_page, url, sent: event.ts, finished: None };
                self.requests.insert(request_id(data), request);
            }
            "ResourceFinish" => {
                let size = data["encodedDataLength"].as_u64().unwrap_or_default();
                if let Some(request) = self.requests.get_mut(&request_id(data)) {
                    request.finished = Some((event.ts, size));
                }
            }
            _ if !of_page => {}
            "navigationStart" => self.navigated(event.ts, data),
            "firstContentfulPaint" => self.fcp = Some(event.ts),
            "largestContentfulPaint::Candidate" => {
                self.lcp = Some((event.ts, data["nodeName"].as_str().unwrap_or_default().to_owned()));
            }
            "MarkDOMContent" => self.dom_content_loaded = Some(event.ts),
            "MarkLoad" => self.load = Some(event.ts),
            "LayoutShift" if data["had_recent_input"] != true => {
                let score = data["weighted_score_delta"].as_f64().or(data["score"].as_f64());
                self.shifts.push((event.ts, score.unwrap_or_default()));
            }
            "EventTiming" if event.ph == "b" => self.interacted(data),
            _ => {}
        }
    }

    /// Metrics start anew with the document.
    fn navigated(&mut self, at: f64, data: &Value) {
        let url = data["documentLoaderURL"].as_str().unwrap_or_default();
        if url.is_empty() || url == "about:blank" {
            return;
        }
        self.navigation = Some((at, url.to_owned()));
        (self.fcp, self.lcp, self.dom_content_loaded, self.load) = (None, None, None, None);
        self.shifts.clear();
        self.interactions.clear();
    }

    fn interacted(&mut self, data: &Value) {
        let interaction = data["interactionId"].as_i64().unwrap_or_default();
        let duration = data["duration"].as_f64().unwrap_or_default();
        if interaction <= 0 {
            return;
        }
        let longest = self.interactions.entry(interaction).or_default();
        if duration >= longest.0 {
            *longest = (duration, data["type"].as_str().unwrap_or_default().to_owned());
        }
    }

    fn summary(self) -> TraceSummary {
        let since = self.navigation.as_ref().map(|(at, _)| *at).or(self.first).unwrap_or_default();
        let after = |at: Option<f64>| at.map(|at| (at - since) / 1_000.0).filter(|time| *time >= 0.0);
        let mut tasks: Vec<(f64, f64)> = self
            .tasks
            .iter()
            .filter(|(pid, tid, ..)| {
                self.processes.contains(pid) && self.main_threads.contains(&(*pid, *tid))
            })
            .map(|(_, _, at, duration)| ((at - since) / 1_000.0, duration / 1_000.0))
            .collect();
        tasks.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut requests: Vec<(String, u64, Option<f64>)> = self
            .requests
            .into_values()
            .filter(|request| request.of_page || self.processes.contains(&request.pid))
            .map(|request| {
                let Request { url, sent, finished, .. } = request;
                (url, finished.map_or(0, |end| end.1), finished.map(|(at, _)| (at - sent) / 1_000.0))
            })
            .collect();
        requests.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let inp = slow_interaction(self.interactions.into_values().collect());
        TraceSummary {
            events: self.events,
            url: self.navigation.map(|(_, url)| url),
            fcp: after(self.fcp),
            lcp: after(self.lcp.as_ref().map(|(at, _)| *at)),
            lcp_element: self.lcp.map(|(_, element)| element).filter(|element| !element.is_empty()),
            cls: cumulative_shift(&self.shifts),
            inp: inp.as_ref().map(|(duration, _)| *duration),
            inp_event: inp.map(|(_, event)| event),
            dom_content_loaded: after(self.dom_content_loaded),
            load: after(self.load),
            long_task_count: tasks.len(),
            blocking_time: tasks.iter().fold(0.0, |sum, (_, duration)| sum + duration - LONG_TASK / 1_000.0),
            long_tasks: tasks.into_iter().take(NAMED).collect(),
            request_count: requests.len(),
            largest_requests: requests.into_iter().take(NAMED).collect(),
        }
    }
}

fn request_id(data: &Value) -> String {
    data["requestId"].as_str().unwrap_or_default().to_owned()
}

/// The slowest interaction, skipping one outlier per 50 interactions.
fn slow_interaction(mut interactions: Vec<(f64, String)>) -> Option<(f64, String)> {
    interactions.sort_by(|a, b| b.0.total_cmp(&a.0));
    let at = interactions.len() / 50;
    interactions.into_iter().nth(at)
}

/// The largest session window: shifts less than 1 s apart, at most 5 s in total.
fn cumulative_shift(shifts: &[(f64, f64)]) -> f64 {
    let mut shifts = shifts.to_vec();
    shifts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut most, mut sum) = (0.0_f64, 0.0);
    let (mut begin, mut last) = (f64::MIN, f64::MIN);
    for (at, score) in shifts {
        if at - last > 1_000_000.0 || at - begin > 5_000_000.0 {
            (sum, begin) = (0.0, at);
        }
        last = at;
        sum += score;
        most = most.max(sum);
    }
    (most * 10_000.0).round() / 10_000.0
}

/// `{"traceEvents": […], …}`.
struct Trace<'a>(&'a mut Reader);

impl<'de> DeserializeSeed<'de> for Trace<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Trace<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a trace")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        while let Some(key) = map.next_key::<String>()? {
            if key == "traceEvents" {
                map.next_value_seed(Events(self.0))?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

struct Events<'a>(&'a mut Reader);

impl<'de> DeserializeSeed<'de> for Events<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Events<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of events")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut events: S) -> Result<(), S::Error> {
        while let Some(event) = events.next_element::<Event>()? {
            self.0.add(&event);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_trace_is_read_event_by_event() {
        let main = |name: &str, ts: u32, data: Value| json!({ "name": name, "ph": "I", "ts": ts, "pid": 1, "tid": 2, "args": { "frame": "F", "data": data } });
        let trace = json!({ "traceEvents": [
            { "name": "thread_name", "ph": "M", "pid": 1, "tid": 2, "args": { "name": "CrRendererMain" } },
            main("navigationStart", 1_000_000, json!({ "documentLoaderURL": "http://x/" })),
            main("firstContentfulPaint", 1_100_000, json!({})),
            main("largestContentfulPaint::Candidate", 1_250_000, json!({ "nodeName": "IMG" })),
            { "name": "RunTask", "ph": "X", "ts": 1_300_000, "dur": 120_000, "pid": 1, "tid": 2 },
            { "name": "RunTask", "ph": "X", "ts": 1_300_000, "dur": 900_000, "pid": 7, "tid": 2 },
            main("LayoutShift", 1_400_000, json!({ "score": 0.1, "weighted_score_delta": 0.1 })),
            main("LayoutShift", 1_500_000, json!({ "score": 0.05 })),
            main("LayoutShift", 4_000_000, json!({ "score": 0.02 })),
            main("LayoutShift", 4_100_000, json!({ "score": 0.9, "had_recent_input": true })),
            { "name": "EventTiming", "ph": "b", "ts": 5_000_000, "pid": 1, "tid": 2,
              "args": { "data": { "frame": "F", "interactionId": 4, "duration": 88, "type": "pointerup" } } },
            main("ResourceSendRequest", 1_010_000, json!({ "requestId": "r", "url": "http://x/big" })),
            main("ResourceFinish", 1_060_000, json!({ "requestId": "r", "encodedDataLength": 5_000 })),
        ], "metadata": { "any": [1] } });
        let read = summarise(trace.to_string().as_bytes(), "F").unwrap();
        assert_eq!((read.fcp, read.lcp, read.cls), (Some(100.0), Some(250.0), 0.15));
        assert_eq!((read.inp, read.inp_event.as_deref()), (Some(88.0), Some("pointerup")));
        assert_eq!((read.long_tasks.as_slice(), read.blocking_time), ([(300.0, 120.0)].as_slice(), 70.0));
        assert_eq!(read.largest_requests, [("http://x/big".to_owned(), 5_000, Some(50.0))]);
        assert_eq!(read.url.as_deref(), Some("http://x/"));
        assert!(summarise("{\"traceEvents\": [".as_bytes(), "F").is_err());
    }
}
