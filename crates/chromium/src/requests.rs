//! Requests: reported when they start, are answered and end.

use cicerone_driver::{DocumentId, FrameId, PageEvent, Request, RequestEnd, RequestId};
use cicerone_wire::Event;

use crate::{
    page::ChromiumPage,
    protocol::network::{DataReceived, LoadingFailed, LoadingFinished, RequestWillBeSent, ResponseReceived},
    targets::Shared,
};

pub(crate) fn observe(shared: &Shared, page: &ChromiumPage, event: Event<'_>) -> Option<PageEvent> {
    let request_id = |id: &str| RequestId::from(id);
    match event.method {
        "Network.requestWillBeSent" => {
            let sent: RequestWillBeSent = event.parse()?;
            if sent.request.url.starts_with("data:") {
                return None;
            }
            let kind = sent.kind.to_ascii_lowercase();
            Some(PageEvent::RequestBegan(Request {
                navigation: sent.kind == "Document" && sent.request_id == sent.loader_id,
                endless: Request::is_endless(&kind) || is_of_worker(&sent),
                id: request_id(&sent.request_id),
                frame: sent.frame_id.as_deref().map(FrameId::from),
                method: sent.request.method,
                url: sent.request.url,
                kind,
            }))
        }
        "Network.responseReceived" => {
            let received: ResponseReceived = event.parse()?;
            if let Some(answered) = document_answered(&received) {
                shared.tell(page, answered);
            }
            Some(PageEvent::RequestAnswered {
                id: request_id(&received.request_id),
                status: received.response.status,
                status_text: received.response.status_text,
                mime: received.response.mime_type,
                length: received.response.headers.content_length.and_then(|length| length.parse().ok()),
            })
        }
        "Network.dataReceived" => {
            let DataReceived { request_id: id, encoded_data_length: bytes } = event.parse()?;
            Some(PageEvent::RequestData { id: request_id(&id), bytes })
        }
        "Network.loadingFinished" => {
            let LoadingFinished { request_id: id } = event.parse()?;
            Some(PageEvent::RequestEnded { id: request_id(&id), end: RequestEnd::Finished })
        }
        "Network.loadingFailed" => {
            let failed: LoadingFailed = event.parse()?;
            let end = RequestEnd::Failed(failed.error_text);
            Some(PageEvent::RequestEnded { id: request_id(&failed.request_id), end })
        }
        _ => None,
    }
}

/// The address that a document came from.
fn document_answered(received: &ResponseReceived) -> Option<PageEvent> {
    let ResponseReceived { request_id, loader_id, frame_id: Some(frame), response } = received else {
        return None;
    };
    let address = response.remote_ip_address.trim_matches(['[', ']']).parse().ok()?;
    let (frame, document) = (FrameId::from(frame.as_str()), DocumentId::from(loader_id.as_str()));
    (request_id == loader_id).then_some(PageEvent::DocumentAnswered { frame, document, address })
}

/// Whether a request is for the script that a worker begins with. Only the worker hears how it ends. It goes by the
/// worker's id; other requests of a page have a number after a dot.
fn is_of_worker(sent: &RequestWillBeSent) -> bool {
    sent.kind == "Script" && !sent.request_id.contains('.')
}
