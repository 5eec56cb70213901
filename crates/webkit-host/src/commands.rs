//! The host's own requests, by their names.

use std::rc::Rc;

use gtk::{gdk, glib::translate::ToGlibPtr, prelude::*};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;
use webkit2gtk::{FileChooserRequestExt, ScriptDialogType, WebViewExt};

use crate::{
    content_filter,
    contexts::{self, Context},
    cookies,
    host::Host,
    input::Step,
    inspector, interruption,
    page::{From, Page, Size},
    pipe::{Request, Responder},
    pool::Place,
    print, redirects, screenshot,
};

/// What may be wrong with a request.
#[derive(Debug, thiserror::Error)]
enum BadRequest {
    #[error("unknown method {0}")]
    Method(String),
    #[error("unknown context")]
    Context,
    #[error("bad parameters: {0}")]
    Parameters(#[from] serde_json::Error),
}

/// Answers a request, or passes it on to the page's inspector.
pub(crate) fn handle(host: &Rc<Host>, request: Request) {
    let page = match &request.session_id {
        Some(id) => match host.page(id) {
            Some(page) => Some(page),
            None => return Responder::to(request.id).refuse("the page is closed"),
        },
        None => None,
    };
    if let (Some(page), false) = (&page, request.method.starts_with("Host.")) {
        return inspector::request(&page.id, request);
    }
    let id = request.id;
    let done = match &page {
        Some(page) => of_page(host, page, &request),
        None => of_host(host, &request),
    };
    if let Err(bad) = done {
        Responder::to(id).refuse(&bad.to_string());
    }
}

fn read<T: DeserializeOwned>(request: &Request) -> Result<T, BadRequest> {
    Ok(serde_json::from_str(request.params.get())?)
}

#[derive(Deserialize)]
struct Scripts {
    scripts: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct SetContentFilter {
    rules: String,
}

#[derive(Deserialize)]
struct OfContext {
    context: String,
}

#[derive(Deserialize)]
struct Open {
    context: String,
    width: i32,
    height: i32,
    /// Whether it is one of the driver's own.
    hidden: bool,
}

#[derive(Deserialize)]
struct SomeCookies {
    context: String,
    cookies: Vec<cookies::Cookie>,
}

#[derive(Deserialize)]
struct SetPermission {
    context: String,
    origin: String,
    name: String,
    granted: Option<bool>,
}

#[derive(Deserialize)]
struct SetGeolocation {
    place: Option<Place>,
}

#[derive(Deserialize)]
struct SetLanguages {
    languages: Option<Vec<String>>,
}

fn of_host(host: &Rc<Host>, request: &Request) -> Result<(), BadRequest> {
    let context = |name: &str| host.context(name).ok_or(BadRequest::Context);
    let answer = || Responder::to(request.id);
    match request.method.as_str() {
        "Host.setScripts" => {
            *host.scripts.borrow_mut() = read::<Scripts>(request)?.scripts;
            answer().give(json!({}));
        }
        "Host.setContentFilter" => {
            let (weak, answer) = (Rc::downgrade(host), answer());
            let rules = read::<SetContentFilter>(request)?.rules;
            content_filter::compile(&host.directory, &rules, move |filter| match (weak.upgrade(), filter) {
                (Some(host), Some(filter)) => {
                    *host.content_filter.borrow_mut() = Some(filter);
                    answer.give(json!({}));
                }
                _ => answer.refuse("WebKit refused the rules"),
            });
        }
        "Host.newContext" => {
            let wanted: contexts::Wanted = read(request)?;
            answer().give(json!({ "context": Context::make(host, wanted) }));
        }
        "Host.closeContext" => {
            host.close_context(&read::<OfContext>(request)?.context);
            answer().give(json!({}));
        }
        "Host.open" => {
            let wanted: Open = read(request)?;
            let page = Page::make(
                host,
                &wanted.context,
                (wanted.width, wanted.height),
                From::Driver { hidden: wanted.hidden },
            );
            let page = page.ok_or(BadRequest::Context)?;
            page.view.load_uri("about:blank");
            answer().give(json!({ "page": page.id }));
        }
        "Host.getCookies" => cookies::all(&*context(&read::<OfContext>(request)?.context)?, answer()),
        "Host.setCookies" => {
            let wanted: SomeCookies = read(request)?;
            cookies::set(&*context(&wanted.context)?, wanted.cookies, answer());
        }
        "Host.deleteCookies" => {
            let wanted: SomeCookies = read(request)?;
            cookies::remove(&*context(&wanted.context)?, wanted.cookies, answer());
        }
        "Host.setPermission" => {
            let wanted: SetPermission = read(request)?;
            context(&wanted.context)?.set_permission(&wanted.origin, &wanted.name, wanted.granted);
            answer().give(json!({}));
        }
        "Host.quit" => host.quit(),
        unknown => return Err(BadRequest::Method(unknown.to_owned())),
    }
    Ok(())
}

#[derive(Deserialize)]
struct Load {
    url: String,
}

#[derive(Deserialize)]
struct LoadHtml {
    html: String,
    base: String,
}

#[derive(Deserialize)]
struct Traverse {
    steps: i32,
}

#[derive(Deserialize)]
struct Steps {
    steps: Vec<Step>,
}

#[derive(Deserialize)]
struct Insert {
    text: String,
}

#[derive(Deserialize)]
struct Resize {
    width: i32,
    height: i32,
}

#[derive(Deserialize)]
struct AnswerDialog {
    accept: bool,
    text: Option<String>,
}

#[derive(Deserialize)]
struct ChooseFiles {
    files: Vec<String>,
}

#[derive(Deserialize)]
struct SetUserAgent {
    value: Option<String>,
}

#[derive(Deserialize)]
struct SetTimeZone {
    name: String,
}

#[derive(Deserialize)]
struct InterceptRedirects {
    enabled: bool,
}

#[derive(Deserialize)]
struct SetScale {
    factor: i32,
}

fn of_page(host: &Rc<Host>, page: &Rc<Page>, request: &Request) -> Result<(), BadRequest> {
    let answer = || Responder::to(request.id);
    match request.method.as_str() {
        "Host.ready" => {
            answer().give(json!({ "navigates": page.ready() }));
            return Ok(());
        }
        "Host.load" => {
            let Load { url } = read(request)?;
            if let Some(before) = page.loading.replace(Some(answer())) {
                before.give(json!({ "outcome": "cancelled" }));
            }
            page.view.load_uri(&url);
            return Ok(());
        }
        "Host.loadHtml" => {
            let LoadHtml { html, base } = read(request)?;
            page.view.load_html(&html, Some(&base));
        }
        "Host.traverse" => return traverse(page, read::<Traverse>(request)?.steps, answer()),
        "Host.reload" => page.view.reload(),
        "Host.stop" => page.view.stop_loading(),
        "Host.title" => {
            answer().give(json!({ "title": page.view.title().map(String::from).unwrap_or_default() }));
            return Ok(());
        }
        "Host.input" => {
            page.input(&read::<Steps>(request)?.steps, request.id, answer());
            return Ok(());
        }
        "Host.insert" => {
            page.view.execute_editing_command_with_argument("InsertText", &read::<Insert>(request)?.text);
        }
        "Host.screenshot" => {
            screenshot::take(page, read(request)?, answer());
            return Ok(());
        }
        "Host.pdf" => {
            let path = host.directory.join(format!("page-{}.pdf", host.next()));
            print::pdf(page, &read(request)?, path, answer());
            return Ok(());
        }
        "Host.answerDialog" => return answer_dialog(page, &read(request)?, answer()),
        "Host.chooseFiles" => return choose_files(page, &read::<ChooseFiles>(request)?.files, answer()),
        "Host.resize" => {
            let Resize { width, height } = read(request)?;
            page.resize(Size::from((width, height)));
        }
        "Host.setGeolocation" => page.pool.set_place(read::<SetGeolocation>(request)?.place),
        "Host.setLanguages" => page.pool.set_languages(read::<SetLanguages>(request)?.languages),
        "Host.setUserAgent" => page.set_user_agent(read::<SetUserAgent>(request)?.value.as_deref()),
        "Host.setTimeZone" => return set_time_zone(page, read::<SetTimeZone>(request)?.name, answer()),
        "Host.interceptRedirects" => {
            redirects::intercept(&page.id, read::<InterceptRedirects>(request)?.enabled)
        }
        "Host.continueRedirect" => redirects::decided(read(request)?),
        "Host.setScale" => set_scale(page, read::<SetScale>(request)?.factor),
        "Host.activate" => {
            page.window.present();
            page.take_focus();
        }
        "Host.interrupt" => {
            interruption::interrupt(host, page, answer());
            return Ok(());
        }
        "Host.crash" => page.view.terminate_web_process(),
        "Host.close" => {
            answer().give(json!({}));
            host.close(page);
            return Ok(());
        }
        unknown => return Err(BadRequest::Method(unknown.to_owned())),
    }
    answer().give(json!({}));
    Ok(())
}

fn set_time_zone(page: &Page, name: String, answer: Responder) -> Result<(), BadRequest> {
    let before = page.pool.time_zone.replace(name);
    let pool = Rc::clone(&page.pool);
    page.send_time_zone(move |set| {
        if set != 1 {
            *pool.time_zone.borrow_mut() = before;
        }
        answer.give(json!({ "outcome": match set { 1 => "set", 0 => "unknown", _ => "unsupported" } }));
    });
    Ok(())
}

fn traverse(page: &Page, steps: i32, answer: Responder) -> Result<(), BadRequest> {
    use webkit2gtk::{BackForwardListExt, BackForwardListItemExt};
    let there = page.view.back_forward_list().and_then(|list| list.nth_item(steps));
    // The blank page that every tab begins with is nowhere to go back to.
    let first = page.view.back_forward_list().is_some_and(|list| list.nth_item(steps - 1).is_none());
    let blank =
        |item: &webkit2gtk::BackForwardListItem| first && item.uri().is_some_and(|url| url == "about:blank");
    let there = there.filter(|item| steps > 0 || !blank(item));
    answer.give(json!({ "found": there.is_some() }));
    if let Some(item) = there {
        page.view.go_to_back_forward_list_item(&item);
    }
    Ok(())
}

fn answer_dialog(page: &Page, wanted: &AnswerDialog, answer: Responder) -> Result<(), BadRequest> {
    let Some(dialog) = page.dialog.take() else {
        answer.refuse("no dialog is open");
        return Ok(());
    };
    match dialog.dialog_type() {
        ScriptDialogType::Alert => {}
        ScriptDialogType::Prompt => {
            if wanted.accept {
                let text = wanted.text.clone().or_else(|| dialog.prompt_get_default_text().map(String::from));
                dialog.prompt_set_text(&text.unwrap_or_default());
            }
        }
        _ => dialog.confirm_set_confirmed(wanted.accept),
    }
    page.report("Host.dialogClosed", json!({}));
    dialog.close();
    // The browser does not say that a navigation ends here.
    if !wanted.accept && dialog.dialog_type() == ScriptDialogType::BeforeUnloadConfirm {
        page.loaded(json!({ "outcome": "cancelled" }));
    }
    answer.give(json!({}));
    Ok(())
}

fn choose_files(page: &Page, files: &[String], answer: Responder) -> Result<(), BadRequest> {
    let Some(chooser) = page.chooser.take() else {
        answer.refuse("no file chooser is open");
        return Ok(());
    };
    if files.is_empty() {
        chooser.cancel();
    } else {
        chooser.select_files(&files.iter().map(String::as_str).collect::<Vec<_>>());
    }
    answer.give(json!({}));
    Ok(())
}

unsafe extern "C" {
    fn gdk_x11_display_set_window_scale(display: *mut gdk::ffi::GdkDisplay, scale: libc::c_int);
}

/// Moves the page's window to a connection of its own to the display, which has another scale.
fn set_scale(page: &Page, factor: i32) {
    let Some(display) = gdk::Display::open(&page.view.display().name()) else { return };
    // SAFETY: the display is alive, and one of X: no other backend is used.
    unsafe { gdk_x11_display_set_window_scale(display.to_glib_none().0, factor) };
    page.window.set_screen(&display.default_screen());
    // GTK closes no display while windows of it may be drawn.
    std::mem::forget(display);
    page.take_focus();
}
