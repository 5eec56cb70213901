//! Network capture. Its events are sent anyway, but are read only during a capture. Workers have their own
//! Network domain, enabled for as long.
//!
//! A redirect chain is a sequence of requests with one id. The actual headers come in separate events, before
//! or after the others; [`Chains`] assigns them to the requests of the chain.

use std::{
    collections::{HashMap, VecDeque},
    time::{SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;
use base64::Engine as _;
use cicerone_driver::{
    FrameId, Headers, NetworkCapture, NetworkEnd, NetworkEvent, NetworkRequest, NetworkResponse, PageEvent,
    RequestId, RequestKey, Result, Timing, WebSocketMessage, lock,
};
use cicerone_wire::{Event, WireError};

use crate::{
    page::{ChromiumPage, failed},
    protocol::network::{
        Disable, Enable,
        detail::{self, Response},
    },
    targets::Shared,
};

#[async_trait]
impl NetworkCapture for ChromiumPage {
    async fn start(&self) -> Result<()> {
        self.lifecycle.alive()?;
        // First for workers that start from now on.
        *lock(&self.capture) = Some(Chains::default());
        let workers = lock(&self.workers).clone();
        let answers: Vec<_> = workers.iter().map(|worker| worker.send(&Enable {})).collect();
        for answer in answers {
            match answer.await {
                // A worker that ended has nothing to report.
                Ok(_) | Err(WireError::Lost { .. } | WireError::Refused { .. }) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }

    async fn stop(&self) -> Result<()> {
        *lock(&self.capture) = None;
        for worker in &*lock(&self.workers) {
            worker.tell(&Disable {});
        }
        Ok(())
    }
}

/// Reports an event of a page or its worker while a capture runs.
pub(crate) fn observe(shared: &Shared, page: &ChromiumPage, event: Event<'_>) {
    if !event.method.starts_with("Network.") {
        return;
    }
    let mut reported = Vec::new();
    if let Some(chains) = &mut *lock(&page.capture) {
        // A malformed event is dropped.
        let _ = chains.read(event, &mut reported);
    }
    for event in reported {
        shared.tell(page, PageEvent::Network(event));
    }
}

/// The redirect chains of a page, by id.
#[derive(Default)]
pub(crate) struct Chains(HashMap<String, Chain>);

/// A redirect chain.
#[derive(Default)]
struct Chain {
    /// The number of its requests.
    requests: u32,
    /// Requests whose actual headers were announced but have not come, in order.
    awaits_sent: VecDeque<u32>,
    awaits_received: VecDeque<u32>,
    /// Actual headers that belong to no known request yet, in order.
    sent: VecDeque<Headers>,
    received: VecDeque<(u16, Headers)>,
    /// Offset from the browser's monotonic clock to seconds since 1970.
    epoch: f64,
    /// Bytes received of the decoded body.
    body_size: u64,
    from_cache: bool,
    ended: bool,
    /// The URL of a WebSocket.
    socket: String,
}

type Out = Vec<NetworkEvent>;

impl Chains {
    fn read(&mut self, event: Event<'_>, out: &mut Out) -> Option<()> {
        let id = self.read_one(event, out)?;
        if self.0.get(&id).is_some_and(Chain::is_over) {
            self.0.remove(&id);
        }
        Some(())
    }

    /// Reads an event; returns the chain that it belongs to.
    fn read_one(&mut self, event: Event<'_>, out: &mut Out) -> Option<String> {
        match event.method {
            "Network.requestWillBeSent" => self.request(event.parse()?, out),
            "Network.requestWillBeSentExtraInfo" => {
                let detail::RequestExtraInfo { request_id: id, headers } = event.parse()?;
                let chain = self.0.entry(id.clone()).or_default();
                chain.sent.push_back(listed(headers));
                chain.match_headers(&id, out);
                Some(id)
            }
            "Network.requestServedFromCache" => {
                let detail::OfRequest { request_id } = event.parse()?;
                self.0.get_mut(&request_id)?.from_cache = true;
                None
            }
            "Network.responseReceived" => {
                let detail::ResponseReceived { request_id: id, timestamp, response, has_extra_info } =
                    event.parse()?;
                self.0.get_mut(&id)?.response(&id, response, timestamp, has_extra_info, out);
                None
            }
            "Network.responseReceivedExtraInfo" => {
                let detail::ResponseExtraInfo { request_id: id, headers, status_code } = event.parse()?;
                let chain = self.0.entry(id.clone()).or_default();
                chain.received.push_back((status_code, listed(headers)));
                chain.match_headers(&id, out);
                Some(id)
            }
            "Network.dataReceived" => {
                let detail::DataReceived { request_id, data_length } = event.parse()?;
                self.0.get_mut(&request_id)?.body_size += data_length;
                None
            }
            "Network.loadingFinished" => {
                let detail::LoadingFinished { request_id: id, timestamp, encoded_data_length } =
                    event.parse()?;
                let chain = self.0.get_mut(&id)?;
                let body_size = Some(chain.body_size);
                chain.finish(&id, timestamp, bytes(encoded_data_length), body_size, out);
                Some(id)
            }
            "Network.loadingFailed" => {
                let detail::LoadingFailed { request_id: id, timestamp, error_text, blocked_reason } =
                    event.parse()?;
                let error = match blocked_reason {
                    Some(reason) => format!("{error_text} ({reason})"),
                    None => error_text,
                };
                self.0.get_mut(&id)?.fail(&id, timestamp, error, out);
                Some(id)
            }
            method if method.starts_with("Network.webSocket") => self.web_socket(event, out),
            _ => None,
        }
    }

    fn request(&mut self, sent: detail::RequestWillBeSent, out: &mut Out) -> Option<String> {
        if sent.request.url.starts_with("data:") {
            return None;
        }
        let id = sent.request_id;
        let chain = self.0.entry(id.clone()).or_default();
        chain.epoch = sent.wall_time - sent.timestamp;
        if let (Some(redirect), true) = (sent.redirect_response, chain.requests > 0) {
            let transferred = bytes(redirect.encoded_data_length);
            chain.response(&id, redirect, sent.timestamp, sent.redirect_has_extra_info, out);
            chain.finish(&id, sent.timestamp, transferred, None, out);
            chain.ended = false;
        }
        chain.requests += 1;
        chain.from_cache = false;
        chain.body_size = 0;
        let request = NetworkRequest {
            frame: sent.frame_id.as_deref().map(FrameId::from),
            navigation: sent.kind == "Document" && id == sent.loader_id,
            url: sent.request.url + &sent.request.url_fragment,
            method: sent.request.method,
            resource_type: sent.kind.to_ascii_lowercase(),
            headers: listed(sent.request.headers),
            has_body: sent.request.has_post_data,
            body: posted(&sent.request.post_data_entries),
            started: sent.wall_time,
        };
        out.push(NetworkEvent::Request(chain.last(&id), Box::new(request)));
        None
    }

    fn web_socket(&mut self, event: Event<'_>, out: &mut Out) -> Option<String> {
        match event.method {
            "Network.webSocketCreated" => {
                let detail::WebSocketCreated { request_id: id, url } = event.parse()?;
                let chain = self.0.entry(id.clone()).or_default();
                (chain.requests, chain.socket) = (1, url);
                out.push(chain.web_socket(&id, now()));
            }
            "Network.webSocketWillSendHandshakeRequest" => {
                let sent: detail::WebSocketWillSendHandshakeRequest = event.parse()?;
                let chain = self.0.get_mut(&sent.request_id)?;
                chain.epoch = sent.wall_time - sent.timestamp;
                // Again: now its time is known.
                out.push(chain.web_socket(&sent.request_id, sent.wall_time));
            }
            "Network.webSocketHandshakeResponseReceived" => {
                let detail::WebSocketHandshakeResponseReceived { request_id: id, timestamp, mut response } =
                    event.parse()?;
                let chain = self.0.get_mut(&id)?;
                let sent = std::mem::take(&mut response.request_headers);
                out.push(NetworkEvent::RequestHeaders(chain.last(&id), listed(sent)));
                chain.response(&id, response, timestamp, false, out);
            }
            "Network.webSocketFrameSent" | "Network.webSocketFrameReceived" => {
                let sent = event.method.ends_with("Sent");
                let detail::WebSocketFrame { request_id: id, timestamp, response } = event.parse()?;
                let chain = self.0.get(&id)?;
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "four bits")]
                let opcode = response.opcode as u8;
                let (time, data) = (chain.epoch + timestamp, response.payload_data);
                let message = WebSocketMessage { sent, time, opcode, data };
                out.push(NetworkEvent::WebSocketMessage(chain.last(&id), message));
            }
            "Network.webSocketFrameError" => {
                let detail::WebSocketFrameError { request_id: id, timestamp, error_message } =
                    event.parse()?;
                self.0.get_mut(&id)?.fail(&id, timestamp, error_message, out);
                return Some(id);
            }
            "Network.webSocketClosed" => {
                let detail::WebSocketClosed { request_id: id, timestamp } = event.parse()?;
                self.0.get_mut(&id)?.finish(&id, timestamp, None, None, out);
                return Some(id);
            }
            _ => {}
        }
        None
    }
}

impl Chain {
    /// Its last request.
    fn last(&self, id: &str) -> RequestKey {
        key(id, self.requests.saturating_sub(1))
    }

    fn web_socket(&self, id: &str, started: f64) -> NetworkEvent {
        let request = NetworkRequest {
            url: self.socket.clone(),
            method: "GET".into(),
            resource_type: "websocket".into(),
            started,
            ..NetworkRequest::default()
        };
        NetworkEvent::Request(self.last(id), Box::new(request))
    }

    fn response(
        &mut self,
        id: &str,
        response: Response,
        timestamp: f64,
        has_extra_info: bool,
        out: &mut Out,
    ) {
        if self.requests == 0 {
            return;
        }
        let key = self.last(id);
        if has_extra_info {
            self.awaits_sent.push_back(key.redirects);
            self.awaits_received.push_back(key.redirects);
        }
        let from_cache = self.from_cache || response.from_disk_cache;
        let timing = response.timing.as_ref().filter(|_| !from_cache);
        let head_end = timing
            .map_or(timestamp, |timing| timing.request_time + timing.receive_headers_end.max(0.0) / 1_000.0);
        let response = NetworkResponse {
            status: response.status,
            protocol: response.protocol,
            remote_address: Some(response.remote_ip_address.trim_matches(['[', ']']).to_owned())
                .filter(|address| !address.is_empty()),
            connection: Some(response.connection_id).filter(|id| *id > 0.0).map(|id| id.to_string()),
            from_cache,
            from_service_worker: response.from_service_worker,
            headers_size: None,
            timing: timing.map(phases),
            time: self.epoch + head_end,
            status_text: response.status_text,
            mime_type: response.mime_type,
            headers: listed(response.headers),
        };
        out.push(NetworkEvent::Response(key, Box::new(response)));
        self.match_headers(id, out);
    }

    fn finish(
        &mut self,
        id: &str,
        timestamp: f64,
        transferred: Option<u64>,
        body_size: Option<u64>,
        out: &mut Out,
    ) {
        if self.requests > 0 && !self.ended {
            let end = NetworkEnd { time: self.epoch + timestamp, transferred, body_size };
            out.push(NetworkEvent::Finished(self.last(id), end));
        }
        self.ended = true;
    }

    fn fail(&mut self, id: &str, timestamp: f64, error: String, out: &mut Out) {
        if self.requests > 0 && !self.ended {
            // Without a response nothing announced them.
            if let (Some(sent), true) = (self.sent.pop_back(), self.awaits_sent.is_empty()) {
                out.push(NetworkEvent::RequestHeaders(self.last(id), sent));
            }
            let time = self.epoch + timestamp;
            out.push(NetworkEvent::Failed { key: self.last(id), time, error });
        }
        self.ended = true;
    }

    /// Actual headers come in the order of their requests.
    fn match_headers(&mut self, id: &str, out: &mut Out) {
        while let (Some(at), Some(_)) = (self.awaits_sent.front(), self.sent.front()) {
            let key = key(id, *at);
            self.awaits_sent.pop_front();
            out.extend(self.sent.pop_front().map(|headers| NetworkEvent::RequestHeaders(key, headers)));
        }
        while let (Some(at), Some(_)) = (self.awaits_received.front(), self.received.front()) {
            let key = key(id, *at);
            self.awaits_received.pop_front();
            let received = self.received.pop_front();
            out.extend(received.map(|(status, headers)| NetworkEvent::ResponseHeaders(key, status, headers)));
        }
    }

    fn is_over(&self) -> bool {
        self.ended && self.awaits_sent.is_empty() && self.awaits_received.is_empty()
    }
}

fn key(id: &str, redirects: u32) -> RequestKey {
    RequestKey { id: RequestId::from(id), redirects }
}

fn listed(headers: detail::Headers) -> Headers {
    let lines = |(name, value): (String, String)| {
        value.split('\n').map(|line| (name.clone(), line.to_owned())).collect::<Vec<_>>()
    };
    headers.into_iter().flat_map(lines).collect()
}

/// The request body, if it is complete.
fn posted(entries: &[detail::PostDataEntry]) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    for entry in entries {
        let part = entry.bytes.as_ref()?;
        base64::engine::general_purpose::STANDARD.decode_vec(part, &mut all).ok()?;
    }
    (!all.is_empty()).then_some(all)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are whole; casts saturate"
)]
fn bytes(length: f64) -> Option<u64> {
    (length >= 0.0).then_some(length as u64)
}

fn phases(timing: &detail::ResourceTiming) -> Timing {
    let phase = |start: f64, end: f64| (start >= 0.0 && end >= start).then_some(end - start);
    let first = [timing.dns_start, timing.connect_start, timing.send_start];
    Timing {
        blocked: first.into_iter().find(|at| *at >= 0.0),
        dns: phase(timing.dns_start, timing.dns_end),
        connect: phase(timing.connect_start, timing.connect_end),
        ssl: phase(timing.ssl_start, timing.ssl_end),
        send: (timing.send_end - timing.send_start).max(0.0),
        wait: (timing.receive_headers_end - timing.send_end).max(0.0),
    }
}

fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}
