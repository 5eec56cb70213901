//! Printing the page on a sheet of any size, with margins, headers and footers.

use std::path::{Path, PathBuf};

use cicerone_engine::{HeaderFooter, Margin, Paper, PrintedFile};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, choices, object},
    dialect::AGENT,
    ending::check_ending,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

pub(super) struct Pdf {
    save_path: PathBuf,
    sheet: Sheet,
    landscape: bool,
    scale: f64,
    margin: Margins,
    header_footer: bool,
    header: Option<String>,
    footer: Option<String>,
    backgrounds: bool,
    prefer_css_page_size: bool,
}

/// A width and a height in inches.
#[derive(Clone, Copy)]
struct Sheet(f64, f64);

choices! {
    Sheet {
        "Letter" => Sheet(8.5, 11.0),
        "Legal" => Sheet(8.5, 14.0),
        "Tabloid" => Sheet(11.0, 17.0),
        "Ledger" => Sheet(17.0, 11.0),
        "A0" => Sheet(33.1, 46.8),
        "A1" => Sheet(23.4, 33.1),
        "A2" => Sheet(16.54, 23.4),
        "A3" => Sheet(11.7, 16.54),
        "A4" => Sheet(8.27, 11.7),
        "A5" => Sheet(5.83, 8.27),
        "A6" => Sheet(4.13, 5.83),
    }
}

/// A length in inches.
#[derive(Clone, Copy)]
struct Length(f64);

impl Argument for Length {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        const UNITS: [(&str, f64); 4] = [("px", 96.0), ("in", 1.0), ("cm", 2.54), ("mm", 25.4)];
        let inches = match value {
            // A plain number is in pixels.
            Value::Number(number) => number.as_f64().map(|pixels| pixels / 96.0),
            Value::String(text) => {
                let text = text.trim();
                let unit =
                    UNITS.iter().find_map(|(unit, per_inch)| Some((text.strip_suffix(unit)?, per_inch)));
                let (number, per_inch) = unit.unwrap_or((text, &96.0));
                number.trim_end().parse::<f64>().ok().map(|number| number / per_inch)
            }
            _ => None,
        };
        inches
            .filter(|inches| inches.is_finite() && *inches >= 0.0)
            .map(Self)
            .ok_or_else(|| "a length such as 1cm, 10mm, 0.5in or 20px".into())
    }
}

#[derive(Default, Clone, Copy)]
struct Margins {
    top: Option<Length>,
    bottom: Option<Length>,
    left: Option<Length>,
    right: Option<Length>,
}

object! {
    Margins {
        "top" => top: Length,
        "bottom" => bottom: Length,
        "left" => left: Length,
        "right" => right: Length,
    }
}

/// How large the page's content is printed.
struct Scale(f64);

impl Argument for Scale {
    fn schema() -> Value {
        f64::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let scale = f64::parse(value).ok().filter(|scale| (0.1..=2.0).contains(scale));
        scale.map(Self).ok_or_else(|| "a number from 0.1 to 2".into())
    }
}

impl Pdf {
    fn new(save_path: PathBuf) -> Self {
        Self {
            save_path,
            sheet: Sheet(8.5, 11.0),
            landscape: false,
            scale: 1.0,
            margin: Margins::default(),
            header_footer: false,
            header: None,
            footer: None,
            backgrounds: true,
            prefer_css_page_size: false,
        }
    }

    fn check(&self) -> Result<(), BadArguments> {
        check_ending("save_path", Some(&self.save_path), &["pdf"])?;
        if !self.header_footer && (self.header.is_some() || self.footer.is_some()) {
            let why = "header_template and footer_template need display_header_footer: true";
            return Err(BadArguments::Together(why));
        }
        let Margin { top, bottom, left, right } = self.margin();
        let Sheet(width, height) = self.sheet;
        let (width, height) = if self.landscape { (height, width) } else { (width, height) };
        if left + right >= width || top + bottom >= height {
            return Err(BadArguments::Together("Invalid argument margin: it leaves no room on the paper"));
        }
        Ok(())
    }

    fn margin(&self) -> Margin {
        let side = |given: Option<Length>, usual: f64| given.map_or(usual, |Length(inches)| inches);
        let Margins { top, bottom, left, right } = self.margin;
        Margin {
            top: side(top, Margin::USUAL.top),
            bottom: side(bottom, Margin::USUAL.bottom),
            left: side(left, Margin::USUAL.left),
            right: side(right, Margin::USUAL.right),
        }
    }

    fn paper(&self) -> Paper {
        let Sheet(width, height) = self.sheet;
        let around = HeaderFooter { header: self.header.clone(), footer: self.footer.clone() };
        Paper {
            landscape: self.landscape,
            backgrounds: self.backgrounds,
            scale: self.scale,
            margin: self.margin(),
            header_footer: self.header_footer.then_some(around),
            prefer_css_page_size: self.prefer_css_page_size,
            ..Paper::new(width, height)
        }
    }
}

impl Capability for Pdf {
    type On = OnPage;
    type Output = PrintedFile;
    const EFFECT: Effect = Effect::Looks;

    async fn run(self, on: OnPage) -> Result<PrintedFile, Failure> {
        if self.prefer_css_page_size {
            on.page.rendering().prints_css_page_size()?;
        }
        on.call.progress.tell(0.0, None, "printing");
        let paper = self.paper();
        // As people write paths: a bare name is in the working directory.
        Ok(on.page.rendering().print(Some(Path::new(".").join(self.save_path)), &paper).await?)
    }
}

impl Output for PrintedFile {
    fn facts(&self) -> Map<String, Value> {
        let mut facts = facts! { "path" => self.path.display().to_string(), "bytes" => self.bytes };
        facts.extend(self.pages.map(|pages| ("pages".to_owned(), pages.into())));
        if let Some((width, height)) = self.sheet {
            facts.insert("width".into(), format!("{width:.2}in").into());
            facts.insert("height".into(), format!("{height:.2}in").into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "path" => of("string"), "bytes" => of("integer"), "pages" => of("integer"), "width" => of("string"),
            "height" => of("string"),
        }
    }
}

fn sentence(file: &PrintedFile) -> String {
    let pages = match file.pages {
        Some(1) => ", 1 page".into(),
        Some(pages) => format!(", {pages} pages"),
        None => String::new(),
    };
    let sheet =
        file.sheet.map(|(width, height)| format!(" of {width:.2}x{height:.2} in")).unwrap_or_default();
    format!("Saved the page as PDF{pages}{sheet}: {}", file.path.display())
}

pub(super) fn faces() -> [Face<Pdf>; 1] {
    [AGENT
        .tool("pdf", "Save the page as PDF")
        .takes(must::<PathBuf>("save_path", ""), Pdf::new)
        .example(r#"{"save_path": "page.pdf", "format": "A4", "margin": {"top": "2cm"}}"#)
        .opt("format", "", |pdf, sheet| pdf.sheet = sheet)
        .default("Letter")
        .opt("landscape", "", |pdf, landscape| pdf.landscape = landscape)
        .default(false)
        .opt("scale", "", |pdf, Scale(scale)| pdf.scale = scale)
        .default(1)
        .opt("margin", "cm, mm, in, px", |pdf, margin| pdf.margin = margin)
        .opt("display_header_footer", "", |pdf, show| pdf.header_footer = show)
        .default(false)
        .opt("header_template", "", |pdf, html| pdf.header = Some(html))
        .opt("footer_template", "", |pdf, html| pdf.footer = Some(html))
        .opt("print_background", "", |pdf, backgrounds| pdf.backgrounds = backgrounds)
        .default(true)
        .opt("prefer_css_page_size", "", |pdf, prefer| pdf.prefer_css_page_size = prefer)
        .default(false)
        .on_tab("tabId", "")
        .validate(Pdf::check)
        .says(sentence)]
}
