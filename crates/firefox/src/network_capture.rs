//! Network capture. Its events are sent anyway, but are read in full only during a capture.

use std::sync::atomic::Ordering;

use async_trait::async_trait;
use cicerone_driver::{
    FrameId, Headers, NetworkCapture, NetworkEnd, NetworkEvent, NetworkRequest, NetworkResponse, PageEvent,
    RequestId, RequestKey, Result, Timing,
};
use cicerone_wire::Event;

use crate::{
    net_errors,
    page::FirefoxPage,
    protocol::network::{
        Header,
        detail::{FetchTimings, RequestEvent, Response},
    },
};

#[async_trait]
impl NetworkCapture for FirefoxPage {
    async fn start(&self) -> Result<()> {
        self.lifecycle.alive()?;
        self.requests.capturing.store(true, Ordering::Relaxed);
        Ok(())
    }

    async fn stop(&self) -> Result<()> {
        self.requests.capturing.store(false, Ordering::Relaxed);
        Ok(())
    }
}

/// Reports an event of a request during a capture. `resource_type` is the request's destination.
pub(crate) fn observe(page: &FirefoxPage, event: Event<'_>, resource_type: &str) -> Option<()> {
    if !page.requests.capturing.load(Ordering::Relaxed) {
        return None;
    }
    let told: RequestEvent = event.parse()?;
    let tell = |event| page.tell(PageEvent::Network(event));
    let key = RequestKey {
        id: RequestId::from(told.request.request.as_str()),
        redirects: told.redirect_count.unwrap_or_default(),
    };
    match event.method {
        "network.beforeRequestSent" => {
            tell(NetworkEvent::Request(key, Box::new(request(told, resource_type))));
        }
        "network.responseStarted" => tell(NetworkEvent::Response(key, Box::new(response(&told)?))),
        "network.responseCompleted" => {
            let (head, end) = (response(&told)?, end(&told));
            tell(NetworkEvent::RequestHeaders(key.clone(), listed(told.request.headers)));
            // Again: now all its times are known.
            tell(NetworkEvent::Response(key.clone(), Box::new(head)));
            tell(NetworkEvent::Finished(key, end));
        }
        "network.fetchError" => {
            let (time, error) =
                (told.timestamp / 1_000.0, net_errors::chromium_name(&told.error_text.unwrap_or_default()));
            tell(NetworkEvent::Failed { key, time, error });
        }
        _ => {}
    }
    Some(())
}

fn request(told: RequestEvent, resource_type: &str) -> NetworkRequest {
    let started = told.request.timings.request_time;
    NetworkRequest {
        frame: told.context.as_deref().map(FrameId::from),
        navigation: told.navigation.is_some(),
        url: told.request.url,
        method: told.request.method,
        resource_type: resource_type.to_owned(),
        headers: listed(told.request.headers),
        has_body: told.request.body_size.is_some_and(|size| size > 0.0),
        body: None,
        started: if started > 0.0 { started } else { told.timestamp } / 1_000.0,
    }
}

fn response(told: &RequestEvent) -> Option<NetworkResponse> {
    let response = told.response.as_ref()?;
    let timings = &told.request.timings;
    let head_end = [timings.response_start, told.timestamp].into_iter().find(|time| *time > 0.0);
    Some(NetworkResponse {
        status: response.status,
        status_text: response.status_text.clone(),
        protocol: response.protocol.clone(),
        mime_type: response.mime_type.clone(),
        headers: listed(response.headers.clone()),
        from_cache: response.from_cache,
        headers_size: response.headers_size.map(whole),
        timing: phases(timings).filter(|_| !response.from_cache),
        time: head_end.unwrap_or_default() / 1_000.0,
        // Not reported by Firefox.
        remote_address: None,
        connection: None,
        from_service_worker: false,
    })
}

fn end(told: &RequestEvent) -> NetworkEnd {
    let timings = &told.request.timings;
    let time = if timings.response_end > 0.0 { timings.response_end } else { told.timestamp };
    let response = told.response.as_ref();
    // Firefox reports only the compressed size of a compressed body.
    let plain = |response: &&Response| {
        !response.headers.iter().any(|header| header.name.eq_ignore_ascii_case("content-encoding"))
    };
    NetworkEnd {
        time: time / 1_000.0,
        transferred: response.and_then(|response| response.bytes_received).map(whole),
        body_size: response.filter(plain).and_then(|response| response.body_size).map(whole),
    }
}

/// Firefox gives times in milliseconds since 1970, and 0 for what did not happen.
fn phases(timings: &FetchTimings) -> Option<Timing> {
    if timings.request_start <= 0.0 || timings.response_start <= 0.0 {
        return None;
    }
    let phase = |start: f64, end: f64| (start > 0.0 && end >= start).then_some(end - start);
    let first = [timings.dns_start, timings.connect_start, timings.request_start];
    let first = first.into_iter().find(|time| *time > 0.0)?;
    Some(Timing {
        blocked: phase(timings.request_time, first),
        dns: phase(timings.dns_start, timings.dns_end),
        connect: phase(timings.connect_start, timings.connect_end),
        ssl: phase(timings.tls_start, timings.connect_end),
        send: 0.0,
        wait: (timings.response_start - timings.request_start).max(0.0),
    })
}

fn listed(headers: Vec<Header>) -> Headers {
    // Repeated headers are separated by newlines.
    let lines = |Header { name, value }: Header| {
        value.value.split('\n').map(|line| (name.clone(), line.to_owned())).collect::<Vec<_>>()
    };
    headers.into_iter().flat_map(lines).collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are whole; casts saturate"
)]
fn whole(size: f64) -> u64 {
    size as u64
}
