//! The latest pictures of a screencast, in a bounded number.

use std::{collections::VecDeque, sync::Arc, time::SystemTime};

use cicerone_driver::{FrameSink, ScreencastFrame};
use tokio::sync::broadcast::{self, Receiver, error::RecvError};

/// Pictures that wait for the recorder. While it waits for the encoder, the browser goes on sending.
const MAX_WAITING: usize = 32;

/// Pictures kept until it is known which one shows the action.
const MAX_RECENT: usize = 32;

/// A picture as it arrives.
type Arrived = (SystemTime, Arc<[u8]>);

/// The pictures of a screencast: those that wait, and the latest received ones.
pub(crate) struct Pictures {
    stream: Receiver<Arrived>,
    /// Oldest first.
    recent: VecDeque<Picture>,
    /// Whether pictures were dropped since the last received one.
    dropped: bool,
}

struct Picture {
    at: SystemTime,
    jpeg: Arc<[u8]>,
    /// Whether pictures right before it were dropped.
    after_gap: bool,
}

impl Pictures {
    /// The pictures that a sink will receive. The oldest ones are dropped if there are too many.
    pub(crate) fn of_sink() -> (FrameSink, Self) {
        let (sender, stream) = broadcast::channel(MAX_WAITING);
        // Fails when the recording has ended.
        let sink = move |ScreencastFrame { jpeg, at }| drop(sender.send((at, jpeg.into())));
        (Arc::new(sink), Self { stream, recent: VecDeque::new(), dropped: false })
    }

    /// Waits for the next picture; never returns after the end of the screencast.
    pub(crate) async fn next(&mut self) -> Arrived {
        loop {
            match self.stream.recv().await {
                Ok(arrived) => return arrived,
                Err(RecvError::Lagged(_)) => self.dropped = true,
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }

    /// Keeps a picture.
    pub(crate) fn keep(&mut self, (at, jpeg): Arrived) {
        let after_gap = std::mem::take(&mut self.dropped);
        self.recent.push_back(Picture { at, jpeg, after_gap });
        if self.recent.len() > MAX_RECENT {
            self.recent.pop_front();
            self.recent.iter_mut().take(1).for_each(|first| first.after_gap = true);
        }
    }

    /// Whether a picture has arrived since a moment.
    pub(crate) fn has_since(&self, moment: SystemTime) -> bool {
        self.recent.back().is_some_and(|picture| picture.at >= moment)
    }

    /// Keeps only the latest picture.
    pub(crate) fn forget_earlier(&mut self) {
        let earlier = self.recent.len().saturating_sub(1);
        self.recent.drain(..earlier);
    }

    /// The latest picture.
    pub(crate) fn latest(&self) -> Option<Arc<[u8]>> {
        self.recent.back().map(|picture| Arc::clone(&picture.jpeg))
    }

    /// The latest picture before the next action, or, if all are later, the first. `None` if the pictures since this
    /// action began were dropped: the others show something else.
    pub(crate) fn of_action(&self, began: SystemTime, next: Option<SystemTime>) -> Option<Arc<[u8]>> {
        let before_next = |picture: &Picture| next.is_none_or(|next| picture.at < next);
        let found = self.recent.iter().rposition(before_next);
        let following = self.recent.get(found.map_or(0, |found| found + 1));
        let gap = following.is_some_and(|picture| picture.after_gap);
        let picture = match found.and_then(|found| self.recent.get(found)) {
            Some(picture) => (!gap || picture.at >= began).then_some(picture),
            None => following.filter(|_| !gap),
        };
        picture.map(|picture| Arc::clone(&picture.jpeg))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(second: u64) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(second)
    }

    /// Sends a picture at each of these seconds; each consists of its second.
    fn send(sink: &FrameSink, seconds: std::ops::Range<u64>) {
        for second in seconds {
            sink(ScreencastFrame { jpeg: second.to_le_bytes().into(), at: at(second) });
        }
    }

    async fn receive(pictures: &mut Pictures, count: usize) {
        for _ in 0..count {
            let arrived = pictures.next().await;
            pictures.keep(arrived);
        }
    }

    fn second(picture: Option<Arc<[u8]>>) -> Option<u64> {
        picture.map(|bytes| u64::from_le_bytes(bytes[..].try_into().unwrap()))
    }

    #[tokio::test]
    async fn a_stalled_recorder_keeps_few_pictures_and_the_last_one() {
        let (sink, mut pictures) = Pictures::of_sink();
        send(&sink, 0..1);
        receive(&mut pictures, 1).await;
        send(&sink, 1..1_000);
        receive(&mut pictures, MAX_WAITING).await;
        assert!(pictures.stream.is_empty(), "more than {MAX_WAITING} pictures waited");
        assert_eq!(second(pictures.latest()), Some(999));
        for second in 1_000..1_000 + 3 * MAX_RECENT as u64 {
            send(&sink, second..second + 1);
            receive(&mut pictures, 1).await;
        }
        assert!(pictures.recent.len() <= MAX_RECENT);
    }

    #[tokio::test]
    async fn an_action_whose_pictures_were_dropped_has_none() {
        let (sink, mut pictures) = Pictures::of_sink();
        send(&sink, 0..5);
        receive(&mut pictures, 5).await;
        send(&sink, 5..100);
        receive(&mut pictures, 10).await;
        let first_kept = 100 - MAX_WAITING as u64;
        // Before the gap, and with a picture before the gap.
        assert_eq!(second(pictures.of_action(at(1), Some(at(3)))), Some(2));
        assert_eq!(second(pictures.of_action(at(4), Some(at(20)))), Some(4));
        // In the gap.
        assert_eq!(pictures.of_action(at(6), Some(at(20))), None);
        // After it.
        assert_eq!(second(pictures.of_action(at(6), Some(at(first_kept + 2)))), Some(first_kept + 1));
        assert_eq!(second(pictures.of_action(at(first_kept), None)), Some(first_kept + 9));
        // The page did not change after the last picture.
        assert_eq!(second(pictures.of_action(at(200), Some(at(201)))), Some(first_kept + 9));
    }

    #[tokio::test]
    async fn pictures_that_are_no_longer_kept_are_a_gap() {
        let (sink, mut pictures) = Pictures::of_sink();
        for second in 0..=MAX_RECENT as u64 {
            send(&sink, second..second + 1);
            receive(&mut pictures, 1).await;
        }
        assert_eq!(pictures.of_action(at(0), Some(at(1))), None);
        assert_eq!(second(pictures.of_action(at(0), Some(at(2)))), Some(1));
    }

    #[tokio::test]
    async fn the_first_picture_serves_if_all_are_later() {
        let (sink, mut pictures) = Pictures::of_sink();
        send(&sink, 7..9);
        receive(&mut pictures, 2).await;
        assert_eq!(second(pictures.of_action(at(1), Some(at(2)))), Some(7));
    }
}
