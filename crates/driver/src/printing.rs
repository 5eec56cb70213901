use async_trait::async_trait;

use crate::Result;

/// Prints a page.
#[async_trait]
pub trait Printing: Send + Sync {
    /// The page as a PDF.
    async fn pdf(&self, paper: &Paper) -> Result<Vec<u8>>;
    /// Whether the engine can take the paper size from the page's CSS. Without support, `prefer_css_page_size` is
    /// ignored.
    fn knows_css_page_size(&self) -> bool {
        true
    }
}

/// Print options.
#[derive(Debug, Clone, PartialEq)]
pub struct Paper {
    /// Width in inches.
    pub width: f64,
    /// Height in inches.
    pub height: f64,
    /// Landscape orientation.
    pub landscape: bool,
    /// Whether backgrounds are printed.
    pub backgrounds: bool,
    /// Scale of the content.
    pub scale: f64,
    /// Margins around the content.
    pub margin: Margin,
    /// Header and footer of each printed page.
    pub header_footer: Option<HeaderFooter>,
    /// Prefer the `@page` size of the document's CSS to width and height.
    pub prefer_css_page_size: bool,
}

impl Paper {
    /// Portrait orientation, with backgrounds and default margins.
    pub const fn new(width: f64, height: f64) -> Self {
        Self {
            width,
            height,
            landscape: false,
            backgrounds: true,
            scale: 1.0,
            margin: Margin::USUAL,
            header_footer: None,
            prefer_css_page_size: false,
        }
    }
}

/// Margins in inches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// Top margin.
    pub top: f64,
    /// Bottom margin.
    pub bottom: f64,
    /// Left margin.
    pub left: f64,
    /// Right margin.
    pub right: f64,
}

impl Margin {
    /// The default of browsers: 1 cm.
    pub const USUAL: Self = Self { top: 0.4, bottom: 0.4, left: 0.4, right: 0.4 };
}

/// HTML templates for the margins of each printed page; `None` for the browser's default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HeaderFooter {
    /// In the top margin.
    pub header: Option<String>,
    /// In the bottom margin.
    pub footer: Option<String>,
}
