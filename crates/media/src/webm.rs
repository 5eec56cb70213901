//! Writes a WebM file (Matroska with VP8 or VP9) from encoded frames.
//!
//! <https://www.matroska.org/technical/elements.html>

use std::time::Duration;

/// One encoded frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VideoChunk {
    /// The encoded data.
    pub data: Vec<u8>,
    /// Whether it is a key frame.
    pub key: bool,
    /// Presentation time.
    pub at: Duration,
}

/// Writes a WebM frame by frame.
pub struct WebmWriter {
    width: u32,
    height: u32,
    codec: &'static str,
    chunks: Vec<VideoChunk>,
}

/// Element ids, named as in the specification.
mod id {
    pub(super) const EBML: u32 = 0x1A45_DFA3;
    pub(super) const EBML_VERSION: u32 = 0x4286;
    pub(super) const EBML_READ_VERSION: u32 = 0x42F7;
    pub(super) const EBML_MAX_ID_LENGTH: u32 = 0x42F2;
    pub(super) const EBML_MAX_SIZE_LENGTH: u32 = 0x42F3;
    pub(super) const DOC_TYPE: u32 = 0x4282;
    pub(super) const DOC_TYPE_VERSION: u32 = 0x4287;
    pub(super) const DOC_TYPE_READ_VERSION: u32 = 0x4285;
    pub(super) const SEGMENT: u32 = 0x1853_8067;
    pub(super) const INFO: u32 = 0x1549_A966;
    pub(super) const TIMESTAMP_SCALE: u32 = 0x2A_D7B1;
    pub(super) const DURATION: u32 = 0x4489;
    pub(super) const MUXING_APP: u32 = 0x4D80;
    pub(super) const WRITING_APP: u32 = 0x5741;
    pub(super) const TRACKS: u32 = 0x1654_AE6B;
    pub(super) const TRACK_ENTRY: u32 = 0xAE;
    pub(super) const TRACK_NUMBER: u32 = 0xD7;
    pub(super) const TRACK_UID: u32 = 0x73C5;
    pub(super) const TRACK_TYPE: u32 = 0x83;
    pub(super) const CODEC_ID: u32 = 0x86;
    pub(super) const VIDEO: u32 = 0xE0;
    pub(super) const PIXEL_WIDTH: u32 = 0xB0;
    pub(super) const PIXEL_HEIGHT: u32 = 0xBA;
    pub(super) const CLUSTER: u32 = 0x1F43_B675;
    pub(super) const TIMESTAMP: u32 = 0xE7;
    pub(super) const SIMPLE_BLOCK: u32 = 0xA3;
    pub(super) const CUES: u32 = 0x1C53_BB6B;
    pub(super) const CUE_POINT: u32 = 0xBB;
    pub(super) const CUE_TIME: u32 = 0xB3;
    pub(super) const CUE_TRACK_POSITIONS: u32 = 0xB7;
    pub(super) const CUE_TRACK: u32 = 0xF7;
    pub(super) const CUE_CLUSTER_POSITION: u32 = 0xF1;
}

/// Cluster-relative times are signed 16-bit.
const LONGEST_CLUSTER: u64 = 30_000;

impl WebmWriter {
    /// An empty file; the codec is `V_VP8` or `V_VP9`.
    pub fn new(width: u32, height: u32, codec: &'static str) -> Self {
        Self { width, height, codec, chunks: Vec::new() }
    }

    /// The number of frames.
    pub fn count(&self) -> usize {
        self.chunks.len()
    }

    /// Adds a frame.
    pub fn add(&mut self, chunk: VideoChunk) {
        self.chunks.push(chunk);
    }

    /// Finishes the file; the last frame gets this duration.
    pub fn finish(&self, last: Duration) -> Vec<u8> {
        let end = self.chunks.last().map(|chunk| chunk.at).unwrap_or_default() + last;
        let mut segment = [self.info(end), self.tracks()].concat();
        let mut cues = Vec::new();
        for cluster in self.clusters() {
            let Some(first) = cluster.first() else { continue };
            let positions =
                [number(id::CUE_TRACK, 1), number(id::CUE_CLUSTER_POSITION, segment.len() as u64)];
            let point = [
                number(id::CUE_TIME, millis(first.at)),
                element(id::CUE_TRACK_POSITIONS, &positions.concat()),
            ];
            cues.extend(element(id::CUE_POINT, &point.concat()));
            segment.extend(written(cluster));
        }
        segment.extend(element(id::CUES, &cues));
        [header(), element(id::SEGMENT, &segment)].concat()
    }

    fn info(&self, duration: Duration) -> Vec<u8> {
        // Duration in units of the timestamp scale, milliseconds.
        let length = (duration.as_secs_f64() * 1_000.0).to_be_bytes();
        let parts = [
            number(id::TIMESTAMP_SCALE, 1_000_000),
            element(id::DURATION, &length),
            element(id::MUXING_APP, b"cicerone"),
            element(id::WRITING_APP, b"cicerone"),
        ];
        element(id::INFO, &parts.concat())
    }

    fn tracks(&self) -> Vec<u8> {
        let size = [number(id::PIXEL_WIDTH, self.width.into()), number(id::PIXEL_HEIGHT, self.height.into())];
        let track = [
            number(id::TRACK_NUMBER, 1),
            number(id::TRACK_UID, 1),
            number(id::TRACK_TYPE, 1),
            element(id::CODEC_ID, self.codec.as_bytes()),
            element(id::VIDEO, &size.concat()),
        ];
        element(id::TRACKS, &element(id::TRACK_ENTRY, &track.concat()))
    }

    /// Groups frames from key frame to key frame, within the maximum cluster length.
    fn clusters(&self) -> Vec<&[VideoChunk]> {
        let mut clusters = Vec::new();
        let mut begin = 0;
        for at in 1..self.chunks.len() {
            let since = millis(self.chunks[at].at) - millis(self.chunks[begin].at);
            if self.chunks[at].key || since > LONGEST_CLUSTER {
                clusters.push(&self.chunks[begin..at]);
                begin = at;
            }
        }
        clusters.push(&self.chunks[begin..]);
        clusters
    }
}

fn written(cluster: &[VideoChunk]) -> Vec<u8> {
    let begin = cluster.first().map(|chunk| millis(chunk.at)).unwrap_or_default();
    let mut content = number(id::TIMESTAMP, begin);
    for chunk in cluster {
        let since = u16::try_from(millis(chunk.at) - begin).unwrap_or(u16::MAX >> 1);
        let flags = if chunk.key { 0x80 } else { 0 };
        // Track 1, as a variable-size integer.
        let mut block = vec![0x81];
        block.extend(since.to_be_bytes());
        block.push(flags);
        block.extend(&chunk.data);
        content.extend(element(id::SIMPLE_BLOCK, &block));
    }
    element(id::CLUSTER, &content)
}

fn header() -> Vec<u8> {
    let parts = [
        number(id::EBML_VERSION, 1),
        number(id::EBML_READ_VERSION, 1),
        number(id::EBML_MAX_ID_LENGTH, 4),
        number(id::EBML_MAX_SIZE_LENGTH, 8),
        element(id::DOC_TYPE, b"webm"),
        number(id::DOC_TYPE_VERSION, 2),
        number(id::DOC_TYPE_READ_VERSION, 2),
    ];
    element(id::EBML, &parts.concat())
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// An element: id, size in eight bytes, content.
fn element(id: u32, content: &[u8]) -> Vec<u8> {
    let id = id.to_be_bytes();
    let mut bytes: Vec<u8> = id.iter().copied().skip_while(|byte| *byte == 0).collect();
    bytes.extend((content.len() as u64 | 0x0100_0000_0000_0000).to_be_bytes());
    bytes.extend(content);
    bytes
}

fn number(id: u32, value: u64) -> Vec<u8> {
    element(id, &value.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_in_clusters_that_begin_with_one_that_stands_alone() {
        let mut webm = WebmWriter::new(800, 600, "V_VP8");
        for (at, key) in [(0, true), (200, false), (400, true), (600, false), (40_000, false)] {
            webm.add(VideoChunk { data: vec![1, 2, 3], key, at: Duration::from_millis(at) });
        }
        let sizes: Vec<usize> = webm.clusters().iter().map(|cluster| cluster.len()).collect();
        assert_eq!(sizes, [2, 2, 1]);
        let file = webm.finish(Duration::from_secs(1));
        assert_eq!(&file[..4], &[0x1A, 0x45, 0xDF, 0xA3]);
        assert_eq!(webm.count(), 5);
        // The segment's size is the rest of the file.
        let at = file.windows(4).position(|bytes| bytes == [0x18, 0x53, 0x80, 0x67]).unwrap();
        let size = u64::from_be_bytes(file[at + 4..at + 12].try_into().unwrap()) & 0x00FF_FFFF_FFFF_FFFF;
        assert_eq!(size as usize, file.len() - at - 12);
    }
}
