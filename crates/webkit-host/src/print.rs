//! A page on paper.

use std::{cell::RefCell, path::PathBuf, rc::Rc};

use serde::Deserialize;
use serde_json::json;
use webkit2gtk::{PrintOperation, PrintOperationExt, WebViewExt};

use crate::{page::Page, pipe::Responder};

const POINTS_PER_INCH: f64 = 72.0;

/// What it is printed on; lengths in inches.
#[derive(Deserialize)]
pub(crate) struct Paper {
    width: f64,
    height: f64,
    top: f64,
    bottom: f64,
    left: f64,
    right: f64,
    scale: f64,
    backgrounds: bool,
}

/// Prints into a file, and answers with its path when it is there.
pub(crate) fn pdf(page: &Page, paper: &Paper, path: PathBuf, answer: Responder) {
    if let Some(settings) = WebViewExt::settings(&page.view) {
        webkit2gtk::SettingsExt::set_print_backgrounds(&settings, paper.backgrounds);
    }
    let operation = PrintOperation::new(&page.view);
    let settings = gtk::PrintSettings::new();
    settings.set_printer("Print to File");
    settings.set("output-uri", Some(&format!("file://{}", path.display())));
    settings.set("output-file-format", Some("pdf"));
    settings.set_scale(paper.scale * 100.0);
    operation.set_print_settings(&settings);
    operation.set_page_setup(&setup(paper));
    let answer = Rc::new(RefCell::new(Some(answer)));
    let (failing, finishing) = (Rc::clone(&answer), answer);
    operation.connect_failed(move |_, error| {
        if let Some(answer) = failing.take() {
            answer.refuse(error.message());
        }
    });
    // It lives until it has finished, which it tells after a failure too.
    let kept = RefCell::new(Some(operation.clone()));
    operation.connect_finished(move |_| {
        if let Some(answer) = finishing.take() {
            answer.give(json!({ "path": path }));
        }
        kept.take();
    });
    operation.print();
}

fn setup(paper: &Paper) -> gtk::PageSetup {
    let setup = gtk::PageSetup::new();
    let points = |inches: f64| inches * POINTS_PER_INCH;
    let size = gtk::PaperSize::new_custom(
        "page",
        "page",
        points(paper.width),
        points(paper.height),
        gtk::Unit::Points,
    );
    setup.set_paper_size(&size);
    setup.set_top_margin(points(paper.top), gtk::Unit::Points);
    setup.set_bottom_margin(points(paper.bottom), gtk::Unit::Points);
    setup.set_left_margin(points(paper.left), gtk::Unit::Points);
    setup.set_right_margin(points(paper.right), gtk::Unit::Points);
    setup
}
