//! Bodies: size-limited requests, and responses that signal their end.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, header::CONTENT_LENGTH};
use http_body_util::BodyExt as _;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    answer::{Body, Refusal},
    client::InUse,
};

/// Maximum size of a message, as on standard input.
pub(crate) const LONGEST: usize = 16 << 20;

/// Size up to which a message always finds room. Few are larger, and those must not hold up the others.
const SMALL: usize = 64 << 10;

/// Room for what is larger, of all messages that are arriving.
const ROOM: usize = 256 << 20;

/// Time limit for a message to arrive.
const ARRIVAL: Duration = Duration::from_secs(30);

/// Refuses a body whose `Content-Length` is too large, before reading it.
pub(crate) fn check_length(headers: &HeaderMap) -> Result<(), Refusal> {
    let said = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    match said {
        Some(length) if length > LONGEST as u64 => Err(Refusal::TooLarge { limit: LONGEST }),
        _ => Ok(()),
    }
}

/// Reads bodies, as many at once as there is room for.
pub(crate) struct Bodies {
    room: Arc<Semaphore>,
    arrival: Duration,
}

impl Default for Bodies {
    fn default() -> Self {
        Self { room: Arc::new(Semaphore::new(ROOM)), arrival: ARRIVAL }
    }
}

impl Bodies {
    /// Reads a whole body, within a size and time limit. It keeps its room until it is dropped.
    pub(crate) async fn read<B: HttpBody<Data = Bytes> + Unpin>(&self, body: B) -> Result<Bytes, Refusal> {
        tokio::time::timeout(self.arrival, self.collect(body)).await.map_err(|_| Refusal::TooSlow)?
    }

    async fn collect<B: HttpBody<Data = Bytes> + Unpin>(&self, mut body: B) -> Result<Bytes, Refusal> {
        let mut collected = Collected { bytes: BytesMut::new(), room: None };
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame.map_err(|_| Refusal::Gone)?.into_data() else { continue };
            let length = collected.bytes.len() + data.len();
            if length > LONGEST {
                return Err(Refusal::TooLarge { limit: LONGEST });
            }
            collected.make_room(length, &self.room)?;
            collected.bytes.extend_from_slice(&data);
        }
        Ok(Bytes::from_owner(collected))
    }
}

/// A body, and the room that it takes.
struct Collected {
    bytes: BytesMut,
    room: Option<OwnedSemaphorePermit>,
}

impl Collected {
    fn make_room(&mut self, length: usize, room: &Arc<Semaphore>) -> Result<(), Refusal> {
        let has = self.room.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let missing = length.saturating_sub(SMALL).saturating_sub(has);
        if missing == 0 {
            return Ok(());
        }
        let missing = u32::try_from(missing).map_err(|_| Refusal::NoRoom)?;
        let more = Arc::clone(room).try_acquire_many_owned(missing).map_err(|_| Refusal::NoRoom)?;
        match &mut self.room {
            Some(room) => room.merge(more),
            None => self.room = Some(more),
        }
        Ok(())
    }
}

impl AsRef<[u8]> for Collected {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// A response, and the call that lasts at least until the response was sent or dropped.
pub(crate) struct TrackedBody {
    body: Body,
    in_use: Option<Arc<InUse>>,
}

impl TrackedBody {
    pub(crate) fn new(body: Body, in_use: Option<Arc<InUse>>) -> Self {
        Self { body, in_use }
    }
}

impl HttpBody for TrackedBody {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if matches!(polled, Poll::Ready(None)) {
            self.in_use = None;
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures::StreamExt as _;
    use http_body_util::{Full, StreamBody};

    use super::*;

    #[tokio::test]
    async fn large_messages_are_refused_while_others_take_the_room_and_small_ones_never() {
        let bodies = Bodies { room: Arc::new(Semaphore::new(1 << 20)), ..Bodies::default() };
        let read = |length: usize| bodies.read(Full::new(Bytes::from(vec![b' '; length])));
        let kept = read(SMALL + (1 << 20)).await.unwrap();
        assert_eq!(kept.len(), SMALL + (1 << 20));
        assert!(matches!(read(SMALL + 1).await, Err(Refusal::NoRoom)));
        assert_eq!(read(SMALL).await.unwrap().len(), SMALL);
        // A part of it takes the room as well.
        let part = kept.slice(..1);
        drop(kept);
        assert!(matches!(read(SMALL + 1).await, Err(Refusal::NoRoom)));
        drop(part);
        assert!(read(SMALL + 1).await.is_ok());
        assert!(matches!(read(LONGEST + 1).await, Err(Refusal::TooLarge { .. })));
    }
    #[tokio::test]
    async fn a_message_that_does_not_arrive_in_time_is_refused() {
        let bodies = Bodies { arrival: Duration::from_millis(50), ..Bodies::default() };
        let begun = futures::stream::once(async { Ok::<_, Infallible>(Frame::data(Bytes::from("{"))) });
        let body = StreamBody::new(Box::pin(begun.chain(futures::stream::pending())));
        let refused = bodies.read(body).await.unwrap_err();
        assert_eq!(refused.response().status(), http::StatusCode::REQUEST_TIMEOUT);
    }
}
