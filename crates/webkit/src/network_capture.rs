//! Network traffic in detail. The events that carry it are sent anyway; all of it is read only while a capture runs.

use std::{
    collections::HashMap,
    time::{SystemTime, UNIX_EPOCH},
};

use async_trait::async_trait;
use cicerone_driver::{
    Headers, NetworkCapture, NetworkEnd, NetworkEvent, NetworkRequest, NetworkResponse, PageEvent,
    RequestKey, Result, WebSocketMessage,
};
use cicerone_wire::Event;

use crate::{
    events::parse,
    page::{WebKitPage, lock},
    protocol::network::{
        LoadingFailed, LoadingFinished, RequestWillBeSent, Response, ResponseReceived, WebSocketClosed,
        WebSocketCreated, WebSocketFrameEvent, WebSocketHandshakeResponseReceived,
        WebSocketWillSendHandshakeRequest,
    },
};

/// What a capture has to remember of the requests that are under way.
#[derive(Default)]
pub(crate) struct Capture {
    under_way: HashMap<String, UnderWay>,
}

#[derive(Clone, Copy, Default)]
struct UnderWay {
    redirects: u32,
    /// The time of the inspector's own clock at its zero.
    zero: f64,
}

#[async_trait]
impl NetworkCapture for WebKitPage {
    async fn start(&self) -> Result<()> {
        self.lifecycle.alive()?;
        *lock(&self.capture) = Some(Capture::default());
        Ok(())
    }

    async fn stop(&self) -> Result<()> {
        *lock(&self.capture) = None;
        Ok(())
    }
}

pub(crate) fn observe(page: &WebKitPage, event: Event<'_>) -> Option<()> {
    let mut capture = lock(&page.capture);
    let under_way = &mut capture.as_mut()?.under_way;
    let key = |id: &str, redirects: u32| RequestKey { id: page.within(id).as_str().into(), redirects };
    let tell = |event| page.tell(PageEvent::Network(event));
    match event.method {
        "Network.requestWillBeSent" => {
            let sent: RequestWillBeSent = parse(event)?;
            if sent.request.url.starts_with("data:") || sent.request.url.starts_with("about:") {
                return None;
            }
            let flight = under_way.entry(sent.request_id.clone()).or_default();
            flight.zero = sent.walltime - sent.timestamp;
            if let Some(redirect) = &sent.redirect_response {
                let before = key(&sent.request_id, flight.redirects);
                flight.redirects += 1;
                tell(NetworkEvent::Response(before.clone(), Box::new(head(redirect, sent.walltime))));
                tell(NetworkEvent::Finished(
                    before,
                    NetworkEnd { time: sent.walltime, ..NetworkEnd::default() },
                ));
            }
            let key = key(&sent.request_id, flight.redirects);
            tell(NetworkEvent::Request(key, Box::new(request(page, sent))));
        }
        "Network.responseReceived" => {
            let ResponseReceived { request_id, timestamp, response } = parse(event)?;
            let flight = *under_way.get(&request_id)?;
            let head = head(&response, flight.zero + timestamp);
            tell(NetworkEvent::Response(key(&request_id, flight.redirects), Box::new(head)));
        }
        "Network.loadingFinished" => {
            let LoadingFinished { request_id, timestamp, metrics } = parse(event)?;
            let flight = under_way.remove(&request_id)?;
            let transferred = bytes(metrics.response_body_bytes_received)
                .map(|body| body + bytes(metrics.response_header_bytes_received).unwrap_or_default());
            let end = NetworkEnd {
                time: flight.zero + timestamp,
                transferred,
                body_size: bytes(metrics.response_body_decoded_size),
            };
            if !metrics.request_headers.is_empty() {
                let sent = metrics.request_headers.into_iter().collect();
                tell(NetworkEvent::RequestHeaders(key(&request_id, flight.redirects), sent));
            }
            tell(NetworkEvent::Finished(key(&request_id, flight.redirects), end));
        }
        "Network.loadingFailed" => {
            let LoadingFailed { request_id, timestamp, error_text } = parse(event)?;
            let flight = under_way.remove(&request_id)?;
            let (key, time) = (key(&request_id, flight.redirects), flight.zero + timestamp);
            tell(NetworkEvent::Failed { key, time, error: error_text });
        }
        method if method.starts_with("Network.webSocket") => {
            for told in web_socket(under_way, event, key)? {
                tell(told);
            }
        }
        _ => {}
    }
    Some(())
}

/// Events of a WebSocket.
fn web_socket(
    under_way: &mut HashMap<String, UnderWay>,
    event: Event<'_>,
    key: impl Fn(&str, u32) -> RequestKey,
) -> Option<Vec<NetworkEvent>> {
    Some(match event.method {
        "Network.webSocketCreated" => {
            let WebSocketCreated { request_id, url } = parse(event)?;
            let started = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
            let request = NetworkRequest {
                url,
                method: "GET".into(),
                resource_type: "websocket".into(),
                started,
                ..NetworkRequest::default()
            };
            let told = NetworkEvent::Request(key(&request_id, 0), Box::new(request));
            under_way.insert(request_id, UnderWay::default());
            vec![told]
        }
        "Network.webSocketWillSendHandshakeRequest" => {
            let sent: WebSocketWillSendHandshakeRequest = parse(event)?;
            under_way.get_mut(&sent.request_id)?.zero = sent.walltime - sent.timestamp;
            let headers = sent.request.headers.into_iter().collect();
            vec![NetworkEvent::RequestHeaders(key(&sent.request_id, 0), headers)]
        }
        "Network.webSocketHandshakeResponseReceived" => {
            let WebSocketHandshakeResponseReceived { request_id, timestamp, response } = parse(event)?;
            let response = NetworkResponse {
                status: response.status,
                status_text: response.status_text,
                protocol: "http/1.1".into(),
                headers: response.headers.into_iter().collect(),
                time: under_way.get(&request_id)?.zero + timestamp,
                ..NetworkResponse::default()
            };
            vec![NetworkEvent::Response(key(&request_id, 0), Box::new(response))]
        }
        "Network.webSocketFrameSent" | "Network.webSocketFrameReceived" => {
            let sent = event.method.ends_with("Sent");
            let WebSocketFrameEvent { request_id, timestamp, response } = parse(event)?;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "four bits")]
            let opcode = response.opcode as u8;
            let time = under_way.get(&request_id)?.zero + timestamp;
            let message = WebSocketMessage { sent, time, opcode, data: response.payload_data };
            vec![NetworkEvent::WebSocketMessage(key(&request_id, 0), message)]
        }
        "Network.webSocketClosed" => {
            let WebSocketClosed { request_id, timestamp } = parse(event)?;
            let time = under_way.remove(&request_id)?.zero + timestamp;
            let end = NetworkEnd { time, ..NetworkEnd::default() };
            vec![NetworkEvent::Finished(key(&request_id, 0), end)]
        }
        _ => return None,
    })
}

/// Headers, with one entry for each cookie that is set: the inspector joins them by commas, which their dates have too.
fn separate(headers: Headers) -> Headers {
    let mut all = Headers::new();
    for (name, value) in headers {
        if !name.eq_ignore_ascii_case("set-cookie") {
            all.push((name, value));
            continue;
        }
        let mut cookies: Vec<String> = Vec::new();
        for part in value.split(", ") {
            let begins = part.split(';').next().is_some_and(|pair| pair.contains('='));
            match cookies.last_mut() {
                Some(cookie) if !begins => {
                    cookie.push_str(", ");
                    cookie.push_str(part);
                }
                _ => cookies.push(part.to_owned()),
            }
        }
        all.extend(cookies.into_iter().map(|cookie| (name.clone(), cookie)));
    }
    all
}

/// A size that is known.
fn bytes(size: Option<f64>) -> Option<u64> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is not negative, and casts saturate"
    )]
    size.filter(|size| *size >= 0.0).map(|size| size as u64)
}

fn request(page: &WebKitPage, sent: RequestWillBeSent) -> NetworkRequest {
    let body = sent.request.body();
    NetworkRequest {
        frame: sent.frame_id.as_deref().map(|frame| page.frame(frame)),
        navigation: sent.kind == "Document",
        url: sent.request.url,
        method: sent.request.method,
        resource_type: sent.kind.to_ascii_lowercase(),
        headers: sent.request.headers.into_iter().collect(),
        has_body: body.is_some(),
        body,
        started: sent.walltime,
    }
}

fn head(response: &Response, time: f64) -> NetworkResponse {
    let headers: Headers = separate(response.headers.clone().into_iter().collect());
    NetworkResponse {
        status: response.status,
        status_text: response.status_text.clone(),
        protocol: "http/1.1".into(),
        mime_type: response.mime_type.clone(),
        headers,
        from_cache: response.source.contains("cache"),
        from_service_worker: response.source == "service-worker",
        time,
        ..NetworkResponse::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_that_are_set_are_told_one_by_one() {
        let header = |value: &str| ("Set-Cookie".to_owned(), value.to_owned());
        let joined = "a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT; HttpOnly, b=2, c=3; Path=/";
        let expected = ["a=1; Expires=Wed, 21 Oct 2037 07:28:00 GMT; HttpOnly", "b=2", "c=3; Path=/"];
        assert_eq!(separate(vec![header(joined)]), expected.map(header));
    }
}
