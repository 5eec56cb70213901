use std::future::Future;

use cicerone_driver::{DriverError, Result};
use tokio::sync::oneshot;

/// Runs work in its own task and returns its result. If the caller is cancelled, the work still finishes and
/// its result goes to `discard`: nothing unknown stays in the browser.
pub async fn hand_over<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
    discard: impl FnOnce(T) + Send + 'static,
) -> Result<T> {
    let (sender, receiver) = oneshot::channel();
    tokio::spawn(async move {
        if let Err(Ok(unwanted)) = sender.send(work.await) {
            discard(unwanted);
        }
    });
    receiver.await.unwrap_or(Err(DriverError::Disconnected))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may fail so")]

    use super::*;

    #[tokio::test]
    async fn a_result_is_returned_and_not_discarded() {
        let (discarded, mut was_discarded) = oneshot::channel();
        let made = hand_over(async { Ok(7) }, |made| discarded.send(made).unwrap_or_default()).await;
        assert_eq!(made.unwrap(), 7);
        assert!(was_discarded.try_recv().is_err());
    }

    #[tokio::test]
    async fn what_a_cancelled_caller_does_not_take_is_discarded() {
        let (go_on, told) = oneshot::channel::<()>();
        let (discarded, was_discarded) = oneshot::channel();
        let work = async move {
            told.await.unwrap();
            Ok(7)
        };
        let mut calling = Box::pin(hand_over(work, |made| discarded.send(made).unwrap_or_default()));
        assert!(futures_poll(&mut calling).await.is_none());
        drop(calling);
        go_on.send(()).unwrap();
        assert_eq!(was_discarded.await.unwrap(), 7);
    }

    /// Polls a future once.
    async fn futures_poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(match std::pin::Pin::new(&mut *future).poll(context) {
                std::task::Poll::Ready(done) => Some(done),
                std::task::Poll::Pending => None,
            })
        })
        .await
    }
}
