//! A task of thirty steps: a search, a list, a basket, a new tab, a form, a page that renders itself. The server does it
//! by its tools; beside it stands a script in the page that does the same and returns the page's text after each step.

use cicerone_testkit::{Page, Site};
use serde_json::{Value, json};

use crate::{
    Failure,
    cases::timed,
    median,
    ours::Ours,
    raw::Raw,
    table::{Limit, Table, Unit},
};

const ROUNDS: usize = 5;

/// What models take for English on average.
const CHARACTERS_PER_TOKEN: usize = 4;

/// One step: the tool with its arguments, and the script that does the same.
struct Step(&'static str, Value, &'static str);

/// The page under `/task/…`.
pub(crate) fn page(path: &str) -> Option<Page> {
    let body = match path.strip_prefix("/task/")? {
        "shop" => include_str!("task/shop.html"),
        "checkout" => include_str!("task/checkout.html"),
        "board" => include_str!("task/board.html"),
        "terms" => "<title>Terms</title><h1>Terms</h1><p>Goods can be returned within 30 days.</p>",
        _ => return None,
    };
    Some(Page::html(format!("<!doctype html><meta charset=utf-8>{body}")))
}

fn steps(site: &Site) -> Vec<Step> {
    let click = |target: &str, script| Step("browser_click", json!({ "ref": target }), script);
    let fill = |target: &str, text: &str, script| {
        Step("browser_type", json!({ "ref": target, "text": text }), script)
    };
    let open = |path: &str| Step("browser_navigate", json!({ "url": site.url(path) }), "");
    vec![
        open("/task/shop"),
        fill("label:Search", "lamp", "put('#search', 'lamp')"),
        click("role:button[name=\"Add Lamp 3\"]", "press('Add Lamp 3')"),
        click("role:button[name=\"Add Lamp 5\"]", "press('Add Lamp 5')"),
        fill("label:Search", "desk", "put('#search', 'desk')"),
        click("role:button[name=\"Add Desk 1\"]", "press('Add Desk 1')"),
        click("role:button[name=\"Basket\"]", "press('Basket')"),
        click("role:button[name=\"Remove Lamp 5\"]", "press('Remove Lamp 5')"),
        click("text:Terms", "0"),
        Step("browser_tabs", json!({ "action": "select", "index": 1 }), "0"),
        Step("browser_snapshot", json!({}), "0"),
        Step("browser_tabs", json!({ "action": "close", "index": 1 }), "0"),
        click("role:link[name=\"Checkout\"]", ""),
        fill("label:Name", "Ada Lovelace", "put('#name', 'Ada Lovelace')"),
        fill("label:Email", "ada@example.com", "put('#email', 'ada@example.com')"),
        Step(
            "browser_select_option",
            json!({ "ref": "label:Country", "values": ["Norway"] }),
            "put('#country', 'Norway')",
        ),
        click("label:Express", "document.querySelector('#express').click()"),
        click("label:I accept the terms", "document.querySelector('#accept').click()"),
        fill("label:Note", "Please ring twice", "put('#note', 'Please ring twice')"),
        click("role:button[name=\"Order\"]", "press('Order')"),
        Step("browser_wait_for", json!({ "text": "Thank you" }), "0"),
        open("/task/board"),
        Step(
            "browser_type",
            json!({ "ref": "label:New task", "text": "Write", "submit": true }),
            "put('#task', 'Write'); document.forms[0].requestSubmit()",
        ),
        Step(
            "browser_type",
            json!({ "ref": "label:New task", "text": "Test", "submit": true }),
            "put('#task', 'Test'); document.forms[0].requestSubmit()",
        ),
        Step(
            "browser_type",
            json!({ "ref": "label:New task", "text": "Ship", "submit": true }),
            "put('#task', 'Ship'); document.forms[0].requestSubmit()",
        ),
        click("role:checkbox[name=\"Test\"]", "document.querySelectorAll('li input')[1].click()"),
        click("role:tab[name=\"Open\"]", "press('Open')"),
        click("role:button[name=\"Delete Write\"]", "press('Delete Write')"),
        click("role:tab[name=\"All\"]", "press('All')"),
        Step("browser_snapshot", json!({}), "0"),
    ]
}

/// What the scripts use, and the page's text.
const HELPERS: &str = "
    const put = (css, text) => { const it = document.querySelector(css); it.value = text;
        it.dispatchEvent(new Event('input', { bubbles: true })); it.dispatchEvent(new Event('change', { bubbles: true })); };
    const press = (name) => [...document.querySelectorAll('button')].find((it) => (it.ariaLabel ?? it.textContent) === name).click();
    const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));";

/// Does the task by both, in turn.
pub(crate) fn measure(table: &mut Table, site: &Site, ours: &mut Ours, raw: &mut Raw) -> Result<(), Failure> {
    let (mut by_us, mut by_raw, mut told, mut text) = (Vec::new(), Vec::new(), 0, 0);
    for _ in 0..ROUNDS {
        (told, text) = (0, 0);
        let steps = steps(site);
        by_us.push(timed(|| {
            for Step(tool, arguments, _) in &steps {
                told += ours.call(tool, arguments)?.text.chars().count();
            }
            Ok(())
        })?);
        by_raw.push(timed(|| {
            for Step(_, arguments, script) in &steps {
                text += in_page(raw, site, arguments, script)?;
            }
            Ok(())
        })?);
    }
    table.milliseconds("a task of 30 steps", median(by_us), Some(median(by_raw)), Limit::None);
    let calls = steps(site).len();
    table.amounts("  its calls, raw: scripts", [calls; 2], Unit::Calls, Limit::None);
    table.amounts("  its replies, raw: all text", [told, text], Unit::Characters, Limit::None);
    let tokens = [told, text].map(|characters| characters.div_ceil(CHARACTERS_PER_TOKEN));
    table.amounts("  the same in tokens, estimated", tokens, Unit::Tokens, Limit::None);
    Ok(())
}

/// One step by a script; an empty one is a navigation.
fn in_page(raw: &mut Raw, site: &Site, arguments: &Value, script: &str) -> Result<usize, Failure> {
    if script.is_empty() {
        let checkout = site.url("/task/checkout");
        raw.open(arguments["url"].as_str().unwrap_or(&checkout))?;
    }
    let expression =
        format!("(async () => {{ {HELPERS} {script}; await frames(); return document.body.innerText }})()");
    Ok(raw.evaluate(&expression)?.as_str().map_or(0, |text| text.chars().count()))
}
