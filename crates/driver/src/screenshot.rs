/// Screenshot options.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    /// The encoding.
    pub format: ImageFormat,
    /// A region to capture instead of the viewport.
    pub clip: Option<Clip>,
    /// Scale relative to CSS pixels.
    pub scale: f64,
    /// Omits the white default background. Needs a format with transparency (PNG, WebP).
    pub omit_background: bool,
}

/// A region in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip {
    /// What its coordinates are relative to.
    pub origin: Origin,
    /// Distance from the left edge.
    pub x: f64,
    /// Distance from the top edge.
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// The origin of coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Top left of the viewport.
    Viewport,
    /// Top left of the document.
    Document,
}

/// Image encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImageFormat {
    /// Lossless.
    Png,
    /// Lossy, with a quality of 0 to 100.
    Jpeg(u8),
    /// Lossy, with a quality of 0 to 100; smaller than JPEG.
    WebP(u8),
}
