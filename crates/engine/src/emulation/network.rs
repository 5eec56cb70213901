//! Network throttling presets.

use std::{num::NonZeroU64, time::Duration};

use cicerone_driver::Throttle;

/// A preset with the numbers of Chrome DevTools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NetworkPreset {
    /// No network.
    Offline,
    /// 400 kbit/s and two seconds of latency.
    Slow3G,
    /// 1.44 Mbit/s and 562.5 ms of latency.
    Fast3G,
    /// 8.1 Mbit/s and 165 ms of latency.
    FourG,
}

impl NetworkPreset {
    /// Its throttling; `None` for offline.
    pub(crate) fn throttle(self) -> Option<Throttle> {
        // Bytes per second down and up, latency in microseconds.
        let (download, upload, latency) = match self {
            Self::Offline => return None,
            Self::Slow3G => (50_000, 50_000, 2_000_000),
            Self::Fast3G => (180_000, 84_375, 562_500),
            Self::FourG => (1_012_500, 168_750, 165_000),
        };
        Some(Throttle {
            latency: Duration::from_micros(latency),
            download: NonZeroU64::new(download),
            upload: NonZeroU64::new(upload),
        })
    }
}
