//! Dialogs and file choosers.

use std::{fs, path::PathBuf};

use crate::{
    Driver, Trial, find, navigate,
    site::{Site, html},
    until, value,
};
use cicerone_driver::{
    BrowserEvent, Button, DialogKind, DialogOpened, Input, Navigation, PageDriver, PageEvent, Point,
};

fn opened(told: &BrowserEvent) -> Option<DialogOpened> {
    match told {
        BrowserEvent::Page(_, PageEvent::DialogOpened(dialog)) => Some(dialog.clone()),
        _ => None,
    }
}

fn is_closed(told: &BrowserEvent) -> bool {
    matches!(told, BrowserEvent::Page(_, PageEvent::DialogClosed))
}

async fn click(page: &dyn PageDriver) {
    let at = Point { x: 20.0, y: 20.0 };
    let click = [Input::Move(at), Input::Down(Button::Left, 1), Input::Up(Button::Left, 1)];
    page.input(&click).await.unwrap();
}

pub async fn dialogs_are_told_and_answered(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, Site::blank());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let cases = [
        ("alert('one')", DialogKind::Alert, "one", "", true, None, "undefined"),
        ("confirm('two')", DialogKind::Confirm, "two", "", true, None, "true"),
        ("confirm('three')", DialogKind::Confirm, "three", "", false, None, "false"),
        ("prompt('four', 'before')", DialogKind::Prompt, "four", "before", true, Some("ü after"), "ü after"),
        ("prompt('five')", DialogKind::Prompt, "five", "", false, None, "null"),
    ];
    for (number, (script, kind, message, proposal, accept, text, answer)) in cases.into_iter().enumerate() {
        let ask = format!("void (window.answer = '', setTimeout(() => answer = String({script})))");
        value(&*page, &ask).await;
        let dialog = trial
            .record
            .wait_for(script, |told| opened(told).filter(|dialog| dialog.message == message))
            .await;
        assert_eq!((dialog.kind, dialog.proposal.as_str()), (kind, proposal), "{script}");
        page.answer_dialog(accept, text).await.unwrap();
        trial.record.wait_for_times(number + 1, script, is_closed).await;
        until(&*page, "answer").await;
        assert_eq!(value(&*page, "answer").await, answer, "{script}");
    }
    page.answer_dialog(true, None).await.expect_err("no dialog is open");
    trial.browser.close().await;
}

pub async fn who_leaves_a_page_is_asked_by_its_dialog(driver: &Driver) {
    let trial = Trial::start(driver).await;
    let site = Site::serve(|head| {
        match head.target.as_str() {
        "/asks" => html(
            "<link rel=icon href='data:,'><body style='height: 100vh'>
            <script>onbeforeunload = event => event.preventDefault(); onclick = () => window.clicked = true</script>",
        ),
        _ => html("<link rel=icon href='data:,'>"),
    }
    });
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/asks")).await;
    // Browsers ask only for pages that were used.
    click(&*page).await;
    until(&*page, "window.clicked").await;

    let next = site.url("/next");
    let answered = async {
        let dialog = trial.record.wait_for("the dialog", opened).await;
        assert_eq!(dialog.kind, DialogKind::BeforeUnload);
        page.answer_dialog(true, None).await.unwrap();
    };
    let (came, ()) = tokio::join!(navigate(&*page, &next), answered);

    assert!(matches!(came, Navigation::Document(_)), "{came:?}");
    trial.record.wait_for_times(1, "the dialog is closed", is_closed).await;
    trial.browser.close().await;
}

/// A page with a field for files, which covers the point that is clicked.
fn with_files() -> Site {
    Site::serve(|_| {
        html(
            "<link rel=icon href='data:,'><input type=file multiple style='position: fixed; left: 0; top: 0; width: 300px; height: 60px'>",
        )
    })
}

/// Two files.
fn files(of: &str) -> Vec<PathBuf> {
    let folder = std::env::temp_dir().join(format!("cicerone-{of}-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    ["one.txt", "two ü.txt"]
        .map(|name| {
            let path = folder.join(name);
            fs::write(&path, name).unwrap();
            path
        })
        .to_vec()
}

fn remove(files: &[PathBuf]) {
    fs::remove_dir_all(files[0].parent().unwrap()).unwrap();
}

const ATTACHED: &str = "Promise.all(Array.from(document.querySelector('input').files, file => file.text()))
    .then(texts => texts.join())";

pub async fn files_are_attached_to_a_field(driver: &Driver) {
    let (trial, site, files) = (Trial::start(driver).await, with_files(), files("field"));
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let field = page.node(&page.main_frame(), find(&*page, "input").await).await.unwrap();

    page.attach_files(&field, &files).await.unwrap();
    until(&*page, "document.querySelector('input').files.length === 2").await;
    assert_eq!(value(&*page, ATTACHED).await, "one.txt,two ü.txt");
    remove(&files);
    trial.browser.close().await;
}

pub async fn a_file_chooser_is_told_with_its_field(driver: &Driver) {
    let (trial, site, files) = (Trial::start(driver).await, with_files(), files("chooser"));
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    click(&*page).await;

    let (frame, field) = trial
        .record
        .wait_for("the chooser", |told| match told {
            BrowserEvent::Page(_, PageEvent::ChooserOpened { frame, field, multiple: true }) => {
                Some((frame.clone(), field.clone()))
            }
            _ => None,
        })
        .await;
    assert_eq!(frame, page.main_frame());
    page.attach_files(&field, &files).await.unwrap();
    until(&*page, "document.querySelector('input').files.length === 2").await;
    assert_eq!(value(&*page, ATTACHED).await, "one.txt,two ü.txt");
    remove(&files);
    trial.browser.close().await;
}
