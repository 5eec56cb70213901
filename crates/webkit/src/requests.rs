//! Requests, as the inspector reports them.

use std::sync::atomic::Ordering;

use cicerone_driver::{PageDriver, PageEvent, Request, RequestEnd, RequestId};
use cicerone_wire::Event;

use crate::{
    events::{complete, parse},
    page::{WebKitPage, lock},
    protocol::network::{DataReceived, LoadingFailed, LoadingFinished, RequestWillBeSent, ResponseReceived},
};

pub(crate) fn observe(page: &WebKitPage, event: Event<'_>) -> Option<()> {
    let id = |id: &str| RequestId::from(page.within(id).as_str());
    match event.method {
        "Network.requestWillBeSent" => {
            let sent: RequestWillBeSent = parse(event)?;
            if sent.request.url.starts_with("data:") || sent.request.url.starts_with("about:") {
                return None;
            }
            let frame = sent.frame_id.as_deref().map(|frame| page.frame(frame));
            let navigation = sent.kind == "Document";
            if navigation && frame.as_ref() == Some(&page.main_frame()) {
                match sent.redirect_response {
                    Some(_) => page.redirects.fetch_add(1, Ordering::Relaxed),
                    None => page.redirects.swap(0, Ordering::Relaxed),
                };
            }
            if let Some(frame) = frame.clone().filter(|frame| navigation && *frame != page.main_frame()) {
                lock(&page.documents_asked).insert(sent.request_id.clone(), frame);
            }
            if let Some(body) = sent.request.body() {
                keep_sent(page, &sent.request_id, body);
            }
            page.tell(PageEvent::RequestBegan(Request {
                id: id(&sent.request_id),
                frame,
                method: sent.request.method,
                url: sent.request.url,
                endless: Request::is_endless(&sent.kind.to_ascii_lowercase()),
                kind: sent.kind.to_ascii_lowercase(),
                navigation,
            }));
        }
        "Network.responseReceived" => {
            let ResponseReceived { request_id, response, .. } = parse(event)?;
            note_without_bytes(page, &request_id);
            page.tell(PageEvent::RequestAnswered {
                id: id(&request_id),
                status: response.status,
                status_text: response.status_text,
                mime: response.mime_type,
                length: None,
            });
        }
        "Network.dataReceived" => {
            let DataReceived { request_id } = parse(event)?;
            lock(&page.without_bytes).remove(&request_id);
        }
        "Network.loadingFinished" => {
            let LoadingFinished { request_id, .. } = parse(event)?;
            ended(page, &request_id, RequestEnd::Finished);
        }
        "Network.loadingFailed" => {
            let LoadingFailed { request_id, error_text, .. } = parse(event)?;
            *lock(&page.last_failure) = Some(error_text.clone());
            ended(page, &request_id, RequestEnd::Failed(error_text));
        }
        _ => {}
    }
    Some(())
}

/// So many bytes of what was sent are kept of a page.
const MOST_SENT: usize = 8 << 20;

fn keep_sent(page: &WebKitPage, request_id: &str, body: Vec<u8>) {
    let mut sent = lock(&page.sent);
    if sent.values().map(Vec::len).sum::<usize>() + body.len() > MOST_SENT {
        sent.clear();
    }
    sent.insert(request_id.to_owned(), body);
}

/// So many requests are remembered to have had no bytes.
const MOST_WITHOUT_BYTES: usize = 10_000;

fn note_without_bytes(page: &WebKitPage, request_id: &str) {
    let mut known = lock(&page.without_bytes);
    if known.len() >= MOST_WITHOUT_BYTES {
        known.clear();
    }
    known.insert(request_id.to_owned());
}

fn ended(page: &WebKitPage, request_id: &str, end: RequestEnd) {
    page.tell(PageEvent::RequestEnded { id: page.within(request_id).as_str().into(), end });
    // Of a frame below the main one nothing else says that it has loaded.
    if let Some(frame) = lock(&page.documents_asked).remove(request_id) {
        complete(page, &frame);
    }
}
