//! Refs, which name one element for ever, and the other ways to say which element is meant.

use serde_json::json;

use crate::support::{Answer, Reply, Site, Tab, agent, open, open_site, open_with};

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

/// The number in a ref.
fn number(reference: &str) -> u32 {
    reference.rsplit('e').next().unwrap().parse().unwrap()
}

#[test]
fn an_element_keeps_its_ref() {
    let mut tab = open("<button id=a>A</button><button id=b>B</button><div id=list></div>");
    let first = tab.snapshot();
    let (a, b) = (first.reference("\"A\""), first.reference("\"B\""));
    tab.evaluate(
        "list.innerHTML = '<a href=/x>X</a>'; document.body.append(a); b.textContent = 'Bee'; b.before(list)",
    );
    let second = tab.snapshot();
    assert_eq!(second.reference("\"A\""), a, "moved");
    assert_eq!(second.reference("\"Bee\""), b, "renamed");
    assert!(number(&second.reference("\"X\"")) > number(&b), "what is new has a new one");
    assert_eq!(tab.call("browser_click", json!({ "ref": "#b" })).facts()["ref"], b, "however it is named");
}

#[test]
fn a_ref_is_never_given_again() {
    let site = Site::with(&[
        ("/", "<title>One</title><button>Same</button>"),
        ("/two", "<title>Two</title><button>Same</button>"),
    ]);
    let mut tab = open_site(&[], site);
    let (one, two) = (tab.site.url("/"), tab.site.url("/two"));
    let mut seen = Vec::new();
    for step in ["stay", "reload", "two", "back", "tab", "rebuild"] {
        match step {
            "reload" => drop(tab.navigate(&one)),
            "two" => drop(tab.navigate(&two)),
            "back" => drop(tab.call("browser_navigate_back", json!({}))),
            "tab" => {
                tab.call("browser_tabs", json!({ "action": "new" })).ok();
                tab.navigate(&one);
            }
            "rebuild" => {
                tab.call("browser_close", json!({})).ok();
                tab.call("browser_close", json!({})).ok();
                tab.navigate(&one);
            }
            _ => {}
        }
        let reference = tab.snapshot().reference("Same");
        assert!(!seen.contains(&reference), "{reference} was given before: {step}");
        for old in &seen {
            let reply = click(&mut tab, old);
            reply.fails(old);
            let name = reply.facts()["error"]["name"].as_str().unwrap().to_owned();
            assert!(name == "StaleRef" || name == "ForeignRef", "{step}, {old}: {name}");
        }
        click(&mut tab, &reference).ok();
        seen.push(reference);
    }
}

#[test]
fn a_ref_whose_element_is_gone_says_so_at_once() {
    let mut tab = open("<button id=gone>Gone</button><p>Rest</p>");
    let gone = tab.snapshot().reference("Gone");
    tab.evaluate("gone.remove()");
    for (tool, arguments) in [
        ("browser_click", json!({ "ref": gone })),
        ("browser_hover", json!({ "ref": gone })),
        ("browser_type", json!({ "ref": gone, "text": "x" })),
        ("browser_snapshot", json!({ "ref": gone })),
        ("browser_take_screenshot", json!({ "ref": gone })),
        ("browser_evaluate", json!({ "ref": gone, "function": "(el) => el.id" })),
        ("browser_select_option", json!({ "ref": gone, "values": ["x"] })),
        ("browser_scroll_into_view", json!({ "ref": gone })),
        ("browser_drag", json!({ "startRef": gone, "endRef": "p" })),
    ] {
        let reply = tab.call(tool, arguments);
        reply.fails(&format!("{gone} no longer exists on the page")).fails("take a new snapshot");
        assert_eq!(reply.facts()["error"]["name"], "StaleRef", "{tool}");
    }
    let url = tab.site.url("/");
    let rest = tab.call("browser_hover", json!({ "ref": "p" })).facts()["ref"].as_str().unwrap().to_owned();
    tab.navigate(&url);
    click(&mut tab, &rest).fails(&format!("{rest} no longer exists: its page was replaced"));
}

#[test]
fn an_element_that_comes_back_is_still_the_same() {
    let mut tab = open("<button id=b onclick='document.title = 1'>B</button>");
    let b = tab.snapshot().reference("\"B\"");
    tab.evaluate("kept = b; kept.remove()");
    click(&mut tab, &b).fails("no longer exists");
    tab.evaluate("document.body.append(kept)");
    click(&mut tab, &b).says("button \"B\"").says_not("replaced");
    assert_eq!(tab.evaluate("document.title"), "1");
}

#[test]
fn refs_that_never_were_and_refs_of_other_tabs() {
    let mut tab = open("<button>Here</button>");
    let here = tab.snapshot().reference("Here");
    for unknown in ["e0", "e4711", "@e4711", "f3e4711"] {
        let reply = click(&mut tab, unknown);
        reply.fails("no snapshot ever gave out the ref").fails("take a new snapshot");
        assert_eq!(reply.facts()["error"]["name"], "UnknownRef");
    }
    tab.call("browser_tabs", json!({ "action": "new" })).ok();
    tab.navigate("data:text/html,<button>There</button>");
    let reply = click(&mut tab, &here);
    reply.fails(&format!("{here} belongs to tab"));
    assert_eq!(reply.facts()["error"]["name"], "ForeignRef");
    tab.call("browser_tabs", json!({ "action": "select", "index": 0 })).ok();
    click(&mut tab, &here).says("button \"Here\"");
}

/// A page that builds its list anew whenever `draw` is called, as frameworks do.
const DRAWN: &str = "<title>-</title><main id=root></main><script>
    let items = ['Milk', 'Bread'];
    const draw = () => root.innerHTML = '<ul>' + items.map((item) =>
        `<li>${item} <button onclick=\"document.title = 'Delete ${item}'\">Delete ${item}</button><button>Edit</button></li>`).join('') + '</ul>';
    draw();
    </script>";

#[test]
fn a_ref_follows_an_element_that_was_drawn_anew_and_says_so() {
    let mut tab = open(DRAWN);
    let milk = tab.snapshot().reference("Delete Milk");
    tab.evaluate("draw()");
    let reply = click(&mut tab, &milk);
    reply.says("Clicked button \"Delete Milk\"").says("its ref follows the new one");
    assert_eq!(tab.evaluate("document.title"), "Delete Milk");
    assert_eq!(tab.snapshot().reference("Delete Milk"), milk);
    click(&mut tab, &milk).says_not("follows");
}

#[test]
fn whatever_is_done_with_a_ref_that_followed_says_so_once() {
    let mut tab = open_with(&["--dialect", "browser,vision,agent"], DRAWN);
    let milk = tab.snapshot().reference("Delete Milk");
    for (tool, arguments) in [
        ("browser_drag", json!({ "startRef": milk, "endRef": "main" })),
        ("browser_evaluate", json!({ "ref": milk, "function": "(el) => el.textContent" })),
        ("browser_take_screenshot", json!({ "ref": milk })),
        ("browser_scroll_into_view", json!({ "ref": milk })),
        ("browser_snapshot", json!({ "ref": milk })),
        ("browser_hover", json!({ "ref": milk })),
        ("browser.click", json!({ "selector": format!("@{milk}") })),
        ("focus", json!({ "selector": format!("@{milk}") })),
    ] {
        tab.snapshot().says_not("follows");
        tab.evaluate("draw()");
        let text = tab.call(tool, arguments).ok().text();
        assert_eq!(text.matches("its ref follows the new one").count(), 1, "{tool}: {text}");
    }
}

#[test]
fn a_dialect_writes_a_ref_that_followed_as_it_writes_refs() {
    let mut tab = agent::open(DRAWN);
    let milk = tab.snapshot().reference("Delete Milk");
    let followed = format!("@{milk}: the element was replaced; its ref follows the new one");
    tab.evaluate("draw()");
    let reply = tab.call("click", json!({ "selector": format!("@{milk}") }));
    assert!(reply.ok().text().lines().any(|line| line == format!("Note: {followed}")), "{}", reply.text());
    assert_eq!(agent::data(&reply)["news"], json!([followed]));
    tab.evaluate("draw(); document.querySelector('button').disabled = true");
    let failed = tab.call("select", json!({ "selector": format!("@{milk}"), "value": "x" }));
    assert!(failed.failed() && failed.text().contains(&format!("\nNote: {followed}")), "{}", failed.text());
    assert_eq!(failed.facts()["news"], json!([followed]));
}

#[test]
fn an_action_that_fails_says_that_its_ref_followed() {
    let mut tab = open(DRAWN);
    let milk = tab.snapshot().reference("Delete Milk");
    tab.evaluate("draw(); document.querySelector('button').disabled = true");
    tab.call("browser_drag", json!({ "startRef": milk, "endRef": "e999" })).fails("e999");
    tab.call("browser_select_option", json!({ "ref": milk, "values": ["x"] }))
        .fails(&format!("{milk}: the element was replaced; its ref follows the new one"));
}

#[test]
fn a_ref_does_not_follow_where_it_is_not_sure() {
    let mut tab = open(DRAWN);
    let snapshot = tab.snapshot();
    let edit = snapshot.reference("\"Edit\"");
    let bread = snapshot.reference("Delete Bread");
    tab.evaluate("items = ['Milk', 'Eggs']; draw()");
    // The row of the milk is there as it was, and its button is the one in it.
    click(&mut tab, &edit).says("its ref follows the new one");
    click(&mut tab, &bread).fails("no longer exists");
    tab.evaluate("items = ['Bread', 'Bread']; draw()");
    click(&mut tab, &bread).fails("no longer exists");
    assert_eq!(tab.evaluate("document.title"), "-", "nothing was clicked instead");
}

#[test]
fn a_ref_does_not_follow_to_a_twin_that_was_there_before() {
    let mut tab = open(
        "<nav><button id=a>Save</button></nav><footer><button id=b onclick='document.title = 1'>Save</button></footer>",
    );
    let save = tab.call("browser_hover", json!({ "ref": "#a" })).facts()["ref"].as_str().unwrap().to_owned();
    tab.snapshot();
    tab.evaluate("a.remove()");
    click(&mut tab, &save).fails("no longer exists");
    assert_eq!(tab.evaluate("document.title"), "");
}

/// Two panels that are alike, of which one is shown; `show(n)` swaps them.
const PANELS: &str = "<title>-</title>
    <section id=p1><h2>One</h2><label>Name <input id=n1></label><button onclick=\"document.title = 'saved 1'\">Save</button></section>
    <section id=p2 hidden><h2>Two</h2><label>Name <input id=n2></label><button onclick=\"document.title = 'saved 2'\">Save</button></section>
    <button id=next onclick='show(2)'>Next</button>
    <script>const show = n => { p1.hidden = n != 1; p2.hidden = n != 2 }</script>";

#[test]
fn a_ref_does_not_move_to_another_panel() {
    let mut tab = open_with(&["--action-timeout", "1s"], PANELS);
    let first = tab.snapshot();
    let (save, name) = (first.reference("button \"Save\""), first.reference("textbox \"Name\""));
    let second = click(&mut tab, "#next");
    second.says("- heading \"One\"").says("+ heading \"Two\"");
    second.says(&format!("- button \"Save\" ({save})")).says(&format!("- textbox \"Name\" ({name})"));
    let (other, other_name) = (second.reference("button \"Save\""), second.reference("textbox \"Name\""));
    assert!(other != save && other_name != name, "{}", second.text());
    click(&mut tab, &save).fails(&format!("{save} is not visible")).fails("Hint");
    tab.call("browser_type", json!({ "ref": name, "text": "Ada" })).fails("not visible");
    tab.snapshot().says_not("follows");
    click(&mut tab, &save).fails("not visible");
    assert_eq!(tab.evaluate("document.title + n1.value + n2.value"), "-");
    tab.call("browser_type", json!({ "ref": other_name, "text": "Eve" })).ok();
    click(&mut tab, &other).says_not("replaced");
    assert_eq!(tab.evaluate("document.title + n1.value + n2.value"), "saved 2Eve");
    tab.evaluate("show(1)");
    let back = tab.snapshot();
    assert_eq!(back.reference("button \"Save\""), save, "shown again, it is the same");
    click(&mut tab, &save).says_not("replaced");
    assert_eq!(tab.evaluate("document.title"), "saved 1");
}

#[test]
fn a_ref_does_not_move_to_another_step_in_a_frame_or_a_shadow_root() {
    let inner = PANELS.replace("'", "&#39;");
    let mut tab = open_with(&["--action-timeout", "1s"], &format!("<iframe srcdoc='{inner}'></iframe><x-y></x-y><script>
        const root = document.querySelector('x-y').attachShadow({{ mode: 'open' }});
        root.innerHTML = '<div><h3>A</h3><button>Pay</button></div><div hidden><h3>B</h3><button>Pay</button></div>';
        const swap = () => root.querySelectorAll('div').forEach(div => div.hidden = !div.hidden);
        </script>"));
    let first = tab.snapshot();
    let (save, pay) = (first.reference("button \"Save\""), first.reference("button \"Pay\""));
    click(&mut tab, &first.reference("button \"Next\"")).says("- heading \"One\"");
    click(&mut tab, &save).fails("not visible");
    tab.evaluate("swap()");
    tab.snapshot().says("heading \"B\"");
    click(&mut tab, &pay).fails("not visible");
}

#[test]
fn a_target_that_matches_several_lists_them_with_their_refs() {
    let mut tab = open(
        "<title>-</title><button onclick='document.title += 1'>Delete</button><button onclick='document.title += 2'>Delete</button><a href=#x>Delete</a>",
    );
    let reply = click(&mut tab, "role:button");
    reply.fails("role:button matches 2 elements");
    assert_eq!(reply.facts()["error"]["name"], "Ambiguous");
    let text = reply.text();
    let refs: Vec<&str> =
        text.split('(').skip(1).filter_map(|rest| rest.split_once(')')).map(|(name, _)| name).collect();
    assert_eq!(refs.len(), 2, "{text}");
    click(&mut tab, refs[1]).ok();
    assert_eq!(tab.evaluate("document.title"), "-2");
    tab.evaluate("for (let i = 0; i < 200; i++) document.body.append(document.createElement('hr'))");
    let many = click(&mut tab, "hr");
    many.fails("matches 200 elements");
    assert!(many.text().len() < 1_000, "{}", many.text());
}

#[test]
fn every_form_of_target() {
    let mut tab = open(
        "<title>-</title><button id=save class='big red' data-testid=save-it title='Keep it' onclick='hit(this)'>Save  all</button>
        <button id=savemore onclick='hit(this)'>Save all files</button>
        <label for=mail>E-mail address</label><input id=mail placeholder='you@example.com' onclick='hit(this)'>
        <img id=logo alt='Company logo' width=50 height=50 onclick='hit(this)'><p id=para onclick='hit(this)'>Some <b>bold</b> words</p>
        <script>var hits = []; function hit(element) { hits.push(element.id) }</script>",
    );
    for (target, id) in [
        ("#save", "save"),
        ("button.big.red", "save"),
        ("css=button.red", "save"),
        ("[data-testid=save-it]", "save"),
        ("role:button[name=\"Save all\"]", "save"),
        ("role:button[name=\"save ALL\"]", "save"),
        ("role:button[name='Save all files']", "savemore"),
        ("role:textbox", "mail"),
        ("text:Save all files", "savemore"),
        ("text:\"Save all\"", "save"),
        ("text:bold words", "para"),
        ("label:E-mail", "mail"),
        ("placeholder:you@", "mail"),
        ("alt:company logo", "logo"),
        ("title:Keep", "save"),
        ("testid:save-it", "save"),
        ("xpath=//img", "logo"),
        ("//button[2]", "savemore"),
        ("(//button)[1]", "save"),
    ] {
        click(&mut tab, target).ok();
        assert_eq!(tab.evaluate("hits.splice(0).join()"), id, "{target}");
    }
}

#[test]
fn targets_that_match_nothing_or_mean_nothing() {
    let mut tab = open_with(&["--action-timeout", "300ms"], "<button>Save all files</button>");
    for target in [
        "#nope",
        "role:button[name=\"Save all\"]",
        "role:link",
        "text:Nothing",
        "label:Save",
        "//p",
        "testid:x",
    ] {
        let reply = click(&mut tab, target);
        reply.fails("no element matches");
        assert_eq!(reply.facts()["error"]["name"], "NotFound", "{target}");
    }
    for target in ["button[", "::", "xpath=//[", "//button["] {
        let reply = click(&mut tab, target);
        reply.fails("not a valid target");
        assert_eq!(reply.facts()["error"]["name"], "BadTarget", "{target}");
    }
    for target in ["", "  ", "role:", "role:button[x=1]"] {
        click(&mut tab, target).refused(-32602, "ref");
    }
    tab.call("browser_click", json!({ "ref": 12 })).refused(-32602, "ref");
    click(&mut tab, "role:button").ok();
}

#[test]
fn a_target_is_found_in_frames_and_several_frames_are_several_matches() {
    let site = Site::of("");
    let inner = "<button onclick=\"this.textContent = 'Hit'\">NAME</button><p>Both</p>";
    for name in ["One", "Two"] {
        let path = format!("/{}", name.to_lowercase());
        site.answer(&path, Answer::Html(inner.replace("NAME", name)));
    }
    let page = format!("<iframe src=/one></iframe><iframe src='{}'></iframe>", site.other_url("/two"));
    site.answer("/", Answer::Html(page));
    let mut tab = open_site(&["--action-timeout", "1s"], site);
    click(&mut tab, "text:One").says("button \"One\"");
    click(&mut tab, "role:button[name=\"Two\"]").says("button \"Two\"");
    let reply = click(&mut tab, "text:Both");
    reply.fails("matches 2 elements");
}
