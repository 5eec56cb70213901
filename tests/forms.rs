//! Filling fields of every kind, choosing options, giving files. What was filled is read back.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Answer, Reply, Site, Tab, open, open_site, open_with};

fn type_into(tab: &mut Tab, target: &str, text: &str) -> Reply {
    tab.call("browser_type", json!({ "ref": target, "text": text }))
}

fn fill(tab: &mut Tab, fields: &[(&str, &str)]) -> Reply {
    let fields: Vec<Value> =
        fields.iter().map(|(target, value)| json!({ "ref": target, "value": value })).collect();
    tab.call("browser_fill_form", json!({ "fields": fields }))
}

fn select(tab: &mut Tab, target: &str, values: &[&str]) -> Reply {
    tab.call("browser_select_option", json!({ "ref": target, "values": values }))
}

fn upload(tab: &mut Tab, paths: &[&str]) -> Reply {
    tab.call("browser_file_upload", json!({ "paths": paths }))
}

#[test]
fn typing_replaces_what_a_field_held_and_tells_what_it_holds() {
    let mut tab = open(
        "<label>Email <input id=email value=old></label><script>var events = '';
        for (const type of ['focus', 'keydown', 'beforeinput', 'input', 'change'])
            email.addEventListener(type, (e) => e.isTrusted && (events += type[0]));
        </script>",
    );
    let email = tab.snapshot().reference("Email");
    let reply =
        tab.call("browser_type", json!({ "ref": email, "element": "Email input", "text": "ab@example.com" }));
    reply.says(&format!("textbox \"Email\" ({email}) now holds \"ab@example.com\""));
    assert_eq!(reply.facts()["value"], "ab@example.com");
    assert_eq!(tab.evaluate("email.value"), "ab@example.com");
    assert_eq!(
        tab.evaluate("events[0] + events.slice(1).replaceAll('kbi', '.').replaceAll(/k+/g, '')"),
        "f.............."
    );
    type_into(&mut tab, &email, "").says("now holds \"\"");
    assert_eq!(tab.evaluate("email.value"), "");
    tab.call("browser_type", json!({ "ref": email })).refused(-32602, "Missing required argument: text");
    tab.call("browser_type", json!({ "ref": email, "text": 5 })).refused(-32602, "text");
}

#[test]
fn any_text_arrives_whole() {
    let mut tab = open("<textarea aria-label=Note></textarea><input aria-label=Line>");
    let long = "lorem ipsum ".repeat(500);
    for text in
        ["two\nlines\n\nand more", "Ünïcödé — 日本語 🦀 \"quotes\" <b>", "\ttabs\tinside", long.trim()]
    {
        type_into(&mut tab, "label:Note", text).ok();
        let held =
            tab.call("browser_evaluate", json!({ "function": "document.querySelector('textarea').value" }));
        let told = held.text();
        assert!(told == text || held.facts()["result"] == text, "{told}");
    }
    type_into(&mut tab, "label:Line", "naïve 日本 🦀").ok();
    assert_eq!(tab.evaluate("document.querySelector('input').value"), "naïve 日本 🦀");
}

#[test]
fn submit_presses_enter_and_waits_for_what_it_opens() {
    let site = Site::of("<form action=/search><input name=q aria-label=Search></form>");
    let found = Answer::Html("<title>Results</title><h2>About 3 results</h2>".into());
    site.answer("/search", Answer::Slow(Duration::from_millis(300), Box::new(found)));
    let mut tab = open_site(&[], site);
    let search = tab.snapshot().reference("Search");
    let reply = tab.call("browser_type", json!({ "ref": search, "text": "rust mcp", "submit": true }));
    reply.says("navigated").says("/search?q=rust+mcp").says("\"Results\"").says("About 3 results");
    let mut tab = open(
        "<form onsubmit='event.preventDefault(); out.textContent = q.value'><input id=q></form><output id=out></output>",
    );
    let reply = tab.call("browser_type", json!({ "ref": "#q", "text": "stay", "submit": true }));
    reply.says("settled").says("stay");
    assert_eq!(tab.evaluate("out.textContent"), "stay");
}

#[test]
fn slowly_sends_every_key_by_itself() {
    let mut tab = open(
        "<input id=a><script>var keys = [];
        a.onkeydown = (e) => keys.push(e.key);
        a.onkeyup = (e) => keys.push(a.value.length);
        </script>",
    );
    tab.call("browser_type", json!({ "ref": "#a", "text": "Ab 1", "slowly": true }))
        .says("now holds \"Ab 1\"");
    let keys = tab.evaluate("keys.filter((key) => key !== 'Shift').join(',')");
    assert!(keys.as_str().unwrap().ends_with("b,2, ,3,1,4"), "{keys}");
    assert_eq!(tab.evaluate("a.value"), "Ab 1");
}

#[test]
fn slowly_means_slowly_however_long_the_text() {
    let mut tab = open(
        "<textarea id=a></textarea><script>var keys = 0; a.onkeydown = (e) => e.key.length === 1 && keys++</script>",
    );
    let text = "quick brown fox ".repeat(20);
    tab.call("browser_type", json!({ "ref": "#a", "text": text.trim(), "slowly": true })).ok();
    assert_eq!(tab.evaluate("[a.value.length, keys].join()"), format!("{0},{0}", text.trim().len()));
}

/// Fields as a framework keeps them: it shadows `value`, believes events only when the value is news to it, and
/// draws its own state back.
const CONTROLLED: &str = "<input id=a><input id=d type=date><input id=r type=range><script>
    const state = { a: 'start', d: '', r: '50' };
    const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    for (const id in state) {
        const field = document.getElementById(id);
        native.set.call(field, state[id]);
        let tracked = state[id];
        Object.defineProperty(field, 'value', {
            get() { return native.get.call(this) },
            set(value) { tracked = value; native.set.call(this, value) },
        });
        field.addEventListener('input', () => {
            const now = native.get.call(field);
            if (now !== tracked) { tracked = now; state[id] = now }
            setTimeout(() => field.value = state[id]);
        });
    }
    </script>";

#[test]
fn fields_that_a_framework_controls() {
    let mut tab = open(CONTROLLED);
    fill(&mut tab, &[("#a", "typed"), ("#d", "2026-11-15"), ("#r", "80")]).says("Filled 3");
    assert_eq!(tab.evaluate("Object.values(state).join()"), "typed,2026-11-15,80");
    assert_eq!(tab.evaluate("[a.value, d.value, r.value].join()"), "typed,2026-11-15,80");
}

#[test]
fn a_form_that_grows_while_it_is_filled_and_is_posted() {
    let site = Site::of(
        "<form action=/save method=post><select name=why aria-label=Why><option>Fun<option>Other</select><span id=more></span><button>Save</button></form>
        <script>document.querySelector('select').onchange = () => setTimeout(() => more.innerHTML = '<input name=reason aria-label=Reason>', 200)</script>",
    );
    site.answer("/save", Answer::Redirect("/done".into()));
    site.answer("/done", Answer::Html("<title>Done</title><h1>Saved</h1>".into()));
    let mut tab = open_site(&[], site);
    fill(&mut tab, &[("label:Why", "Other"), ("label:Reason", "Because & so")]).says("Filled 2");
    tab.call("browser_click", json!({ "ref": "text:Save" })).says("navigated").says("/done").says("Saved");
    assert!(
        tab.site.requests().contains(&"POST /save why=Other&reason=Because+%26+so".to_owned()),
        "{:?}",
        tab.site.requests()
    );
}

#[test]
fn every_kind_of_field_takes_its_kind_of_value() {
    let kinds = [
        ("text", "plain", "plain"),
        ("search", "needle", "needle"),
        ("email", "a@b.c", "a@b.c"),
        ("tel", "+49 30 1", "+49 30 1"),
        ("url", "http://x.y/", "http://x.y/"),
        ("number", "12.5", "12.5"),
        ("date", "2026-11-15", "2026-11-15"),
        ("time", "14:30", "14:30"),
        ("datetime-local", "2026-11-15T14:30", "2026-11-15T14:30"),
        ("month", "2026-11", "2026-11"),
        ("week", "2026-W46", "2026-W46"),
        ("range", "70", "70"),
        ("color", "#3366ff", "#3366ff"),
        ("password", "hunter2", "hunter2"),
    ];
    let page: String =
        kinds.iter().map(|(kind, ..)| format!("<input id={kind} type={kind} step=any>")).collect();
    let script = "<script>var changed = []; onchange = oninput = (e) => changed.push(e.target.id)</script>";
    let mut tab = open(&format!("{page}{script}"));
    for (kind, value, holds) in kinds {
        type_into(&mut tab, &format!("#{kind}"), value).ok();
        assert_eq!(tab.evaluate(&format!("document.getElementById('{kind}').value")), holds, "{kind}");
    }
    assert_eq!(tab.evaluate("new Set(changed).size"), kinds.len(), "every field told its page");
}

#[test]
fn values_that_a_field_cannot_take_are_refused_and_change_nothing() {
    let mut tab = open(
        "<input id=number type=number value=1><input id=date type=date value=2020-01-01><input id=color type=color value='#111111'>
        <input id=range type=range min=0 max=10 value=5><input id=week type=week value=2020-W02><button id=button>No field</button>",
    );
    for (target, value, words) in [
        ("#number", "many", "number"),
        ("#date", "tomorrow", "YYYY-MM-DD"),
        ("#date", "2026-02-31", "YYYY-MM-DD"),
        ("#color", "reddish", "#rrggbb"),
        ("#range", "11", "range"),
        ("#week", "46", "YYYY-Www"),
        ("#button", "x", "button"),
    ] {
        type_into(&mut tab, target, value).fails(words);
    }
    let held = tab.evaluate("[...document.querySelectorAll('input')].map((input) => input.value).join(' ')");
    assert_eq!(held, "1 2020-01-01 #111111 5 2020-W02");
}

#[test]
fn editable_elements_are_filled() {
    let mut tab = open(
        "<div id=plain contenteditable role=textbox aria-label=Body>old <b>text</b></div>
        <div id=host contenteditable><p>First</p><p>Second</p></div><pre id=only contenteditable=plaintext-only aria-label=Code>x</pre>",
    );
    type_into(&mut tab, "label:Body", "new text").says("now holds \"new text\"");
    assert_eq!(tab.evaluate("plain.innerText.trim()"), "new text");
    type_into(&mut tab, "#host", "one\ntwo").ok();
    assert_eq!(tab.evaluate("host.innerText.trim().split(/\\n+/).join('|')"), "one|two");
    type_into(&mut tab, "#only", "let x = 1").ok();
    assert_eq!(tab.evaluate("only.textContent.trim()"), "let x = 1");
}

/// An editor that keeps its own model: it cancels every insertion, and works by the keys that it sees.
const EDITOR: &str = "<div id=editor contenteditable role=textbox aria-label=Editor>seed</div><script>
    let model = 'seed', all = false;
    const draw = () => { editor.textContent = model; getSelection().selectAllChildren(editor); getSelection().collapseToEnd() };
    editor.addEventListener('beforeinput', (e) => e.preventDefault());
    editor.addEventListener('paste', (e) => e.preventDefault());
    editor.addEventListener('keydown', (e) => {
        const selected = String(getSelection()) === model && model !== '';
        if (e.key === 'Backspace' || e.key === 'Delete') model = selected ? '' : model.slice(0, -1);
        else if (e.key.length === 1 && !e.ctrlKey && !e.metaKey) model = (selected ? '' : model) + e.key;
        else return;
        e.preventDefault();
        draw();
    });
    </script>";

#[test]
fn an_editor_that_works_by_keys_is_typed_into() {
    let mut tab = open(EDITOR);
    type_into(&mut tab, "label:Editor", "Dear all, 1 + 1 = 2!").says("now holds \"Dear all, 1 + 1 = 2!\"");
    assert_eq!(tab.evaluate("model"), "Dear all, 1 + 1 = 2!");
    tab.call("browser_type", json!({ "ref": "#editor", "text": "Again", "slowly": true })).says("Again");
    assert_eq!(tab.evaluate("model"), "Again");
}

#[test]
fn what_the_page_made_of_a_text_is_told() {
    let mut tab = open(
        "<input id=card aria-label=Card oninput=\"this.value = this.value.replace(/\\D/g, '').replace(/(.{4})(?=.)/g, '$1 ')\">
        <input id=upper aria-label=Code oninput='this.value = this.value.toUpperCase()'><input id=short aria-label=Pin maxlength=4>
        <input id=dead aria-label=Dead oninput=\"this.value = ''\">",
    );
    type_into(&mut tab, "#card", "4111111111111111")
        .says("now holds \"4111 1111 1111 1111\", which the page made of it");
    type_into(&mut tab, "#upper", "abc").says("now holds \"ABC\"");
    type_into(&mut tab, "#short", "123456").says("now holds \"1234\"");
    assert_eq!(tab.evaluate("short.value"), "1234");
    type_into(&mut tab, "#dead", "lost").fails("did not take the value");
}

#[test]
fn fields_that_cannot_be_edited_are_refused() {
    let mut tab = open_with(
        &["--action-timeout", "400ms"],
        "<input id=read readonly value=fixed><input id=off disabled value=off><textarea id=area readonly>area</textarea>
        <fieldset disabled><input id=inside></fieldset><input id=hidden type=hidden><select id=pick disabled><option>A<option>B</select>",
    );
    for (target, words) in
        [("#read", "read-only"), ("#area", "read-only"), ("#off", "disabled"), ("#inside", "disabled")]
    {
        type_into(&mut tab, target, "x").fails(words);
    }
    type_into(&mut tab, "#hidden", "x").fails("not visible");
    select(&mut tab, "#pick", &["B"]).fails("disabled");
    assert_eq!(
        tab.evaluate("[read.value, off.value, area.value, inside.value, hidden.value, pick.value].join()"),
        "fixed,off,area,,,A"
    );
}

#[test]
fn a_form_is_filled_in_one_call() {
    let mut tab = open(
        "<form onsubmit='return false'><label>Name <input id=name></label><label>Born <input id=born type=date></label>
        <label>Size <input id=size type=range></label><label><input id=news type=checkbox> News</label>
        <label><input id=old type=checkbox checked> Old</label><label><input id=kept type=checkbox checked> Kept</label>
        <label><input name=plan type=radio checked> Free</label><label><input id=paid name=plan type=radio> Paid</label>
        <label>Land <select id=land><option value=de>Germany<option value=fr>France</select></label>
        <label>Note <textarea id=note></textarea></label>
        <div id=dark role=switch aria-checked=false tabindex=0 aria-label=Dark style='width:30px;height:20px'
            onclick=\"this.ariaChecked = String(this.ariaChecked !== 'true')\"></div></form>",
    );
    let snapshot = tab.snapshot();
    let named = |name: &str| snapshot.reference(&format!("\"{name}\""));
    let fields = json!([
        { "ref": named("Name"), "value": "Ada", "name": "Name", "type": "textbox" },
        { "ref": named("Born"), "value": "1815-12-10" },
        { "ref": named("Size"), "value": "30", "type": "slider" },
        { "ref": named("News"), "value": "true", "type": "checkbox" },
        { "ref": named("Old"), "value": "false" },
        { "ref": named("Kept"), "value": "true" },
        { "ref": named("Paid"), "value": "true", "type": "radio" },
        { "ref": named("Land"), "value": "France", "type": "combobox" },
        { "ref": named("Note"), "value": "two\nlines" },
        { "ref": named("Dark"), "value": "true" },
    ]);
    let reply = tab.call("browser_fill_form", json!({ "fields": fields }));
    reply.says("Filled 10").says("\"Ada\"").says("settled");
    assert_eq!(reply.facts()["filled"], 10);
    let held = "[...document.querySelectorAll('[id]')].map((e) => e.ariaChecked ?? (e.matches('[type=checkbox], [type=radio]') ? e.checked : e.value)).join()";
    assert_eq!(tab.evaluate(held), "Ada,1815-12-10,30,true,false,true,true,fr,two\nlines,true");
}

#[test]
fn filling_stops_at_the_first_field_that_cannot_be_filled_and_says_which_were() {
    let mut tab = open_with(
        &["--action-timeout", "400ms"],
        "<input id=a aria-label=First><input id=b aria-label=Second disabled><input id=c aria-label=Third>
        <label><input type=radio id=r checked>R</label><input type=checkbox id=k>",
    );
    let reply = fill(&mut tab, &[("#a", "one"), ("#b", "two"), ("#c", "three")]);
    reply.fails("disabled").fails("Filled before the error: textbox \"First\"");
    assert_eq!(tab.evaluate("[a.value, b.value, c.value].join()"), "one,,");
    fill(&mut tab, &[("#c", "3"), ("#nowhere", "4")]).fails("no element matches #nowhere");
    fill(&mut tab, &[("#r", "false")]).fails("radio");
    fill(&mut tab, &[("#k", "maybe")]).fails("true or false");
    assert_eq!(tab.evaluate("r.checked && !k.checked"), true);
    tab.call("browser_fill_form", json!({ "fields": [{ "ref": "#a" }] })).refused(-32602, "value");
    tab.call("browser_fill_form", json!({ "fields": "a=b" })).refused(-32602, "fields");
}

#[test]
fn a_checkbox_that_the_page_holds_back_is_no_success() {
    let mut tab = open(
        "<input type=checkbox id=held onclick='event.preventDefault()'>
        <input type=checkbox id=styled style='position:absolute;opacity:0;width:1px;height:1px'><label for=styled>Styled</label>",
    );
    fill(&mut tab, &[("#held", "true")]).fails("did not take the value");
    fill(&mut tab, &[("#styled", "true")]).ok();
    assert_eq!(tab.evaluate("[held.checked, styled.checked].join()"), "false,true");
}

#[test]
fn a_password_is_never_repeated() {
    let mut tab = open(
        "<form onsubmit=\"event.preventDefault(); this.insertAdjacentHTML('afterend', '<p>Welcome')\">
        <input id=user aria-label=User><input id=pass type=password aria-label=Password><button>Sign in</button></form>",
    );
    let secret = "c0rrect-h0rse";
    let typed = tab.call("browser_type", json!({ "ref": "#pass", "text": secret, "submit": true }));
    typed.says("textbox \"Password\"").says("Welcome");
    let filled = fill(&mut tab, &[("#user", "ada"), ("#pass", secret)]);
    filled.says("\"ada\"");
    let snapshot = tab.snapshot();
    for reply in [&typed, &filled, &snapshot] {
        assert!(!reply.message.to_string().contains(secret), "{}", reply.message);
    }
    assert_eq!(tab.evaluate("pass.value.length"), secret.len());
    tab.evaluate("pass.maxLength = 4");
    let cut = fill(&mut tab, &[("#pass", "too-long-a-secret")]);
    cut.fails("did not take the value");
    assert!(!cut.message.to_string().contains("too-"), "{}", cut.message);
    tab.evaluate("pass.disabled = true");
    let failed = fill(&mut tab, &[("#user", "bob"), ("#pass", "another-secret")]);
    assert!(failed.failed() && !failed.message.to_string().contains("another-secret"), "{}", failed.message);
}

#[test]
fn options_are_selected_by_value_and_by_label() {
    let mut tab = open(
        "<label>Land <select id=land><option value=de>Germany<option value=fr selected>France<option value=xx disabled>Atlantis</select></label>
        <p id=out></p><script>land.onchange = () => out.textContent += land.value + ' '</script>",
    );
    let land = tab.snapshot().reference("\"Land\"");
    let reply =
        tab.call("browser_select_option", json!({ "ref": land, "element": "Land", "values": ["de"] }));
    reply.says(&format!("combobox \"Land\" ({land}): \"Germany\"")).says("de");
    assert_eq!(reply.facts()["selected"], json!(["Germany"]));
    select(&mut tab, &land, &["France"]).says("\"France\"");
    assert_eq!(tab.evaluate("out.textContent"), "de fr ");
    select(&mut tab, &land, &["Spain"]).fails("no option \"Spain\"").fails("\"Germany\"");
    select(&mut tab, &land, &["xx"]).fails("disabled");
    select(&mut tab, "#out", &["x"]).fails("is not a select");
    assert_eq!(tab.evaluate("land.value"), "fr");
    tab.call("browser_select_option", json!({ "ref": land })).refused(-32602, "values");
}

#[test]
fn a_select_behind_a_list_of_the_page_is_refused() {
    let mut tab = open(
        "<label for=a id=one>One</label><select id=a hidden><option>A<option>B</select><button>A</button>
        <label for=b id=two>Two</label><select id=b style='opacity:0'><option>A<option>B</select>
        <label for=c id=three>Three</label><select id=c style='position:absolute;width:1px;height:1px;clip:rect(0,0,0,0)'><option>A<option>B</select>",
    );
    select(&mut tab, "#one", &["B"]).fails("the select is hidden; click what the page shows in its place");
    // Those are drawn by the page around them, and are used as any other.
    select(&mut tab, "#two", &["B"]).says("\"B\"");
    select(&mut tab, "#three", &["B"]).says("\"B\"");
    assert_eq!(tab.evaluate("[a, b, c].map((select) => select.value).join('')"), "ABB");
}

#[test]
fn a_multiple_select_keeps_what_was_selected() {
    let mut tab = open(
        "<select id=s multiple size=4><option selected>A<option>B<option>C<optgroup label=G><option value=d>D</optgroup></select>",
    );
    let selected = "[...s.selectedOptions].map((option) => option.text).join('')";
    select(&mut tab, "#s", &["B", "d"]).ok();
    assert_eq!(tab.evaluate(selected), "ABD");
    select(&mut tab, "#s", &["C", "nope"]).fails("no option \"nope\"");
    assert_eq!(tab.evaluate(selected), "ABD", "all or nothing");
}

#[test]
fn a_selection_that_loads_or_leaves_is_waited_for() {
    let site = Site::of(
        "<select id=city onchange=\"fetch('/towns').then((r) => r.text()).then((t) => out.textContent = t)\"><option>A<option>B</select><p id=out></p>
        <select id=go onchange='location = this.value'><option>-<option value=/next>Next</select>",
    );
    let towns = Box::new(Answer::Body("text/plain", b"Bremen".to_vec()));
    site.answer("/towns", Answer::Slow(Duration::from_millis(250), towns));
    site.answer("/next", Answer::Html("<title>Next</title>".into()));
    let mut tab = open_site(&[], site);
    select(&mut tab, "#city", &["B"]).says("settled").says("Bremen");
    select(&mut tab, "#go", &["Next"]).says("navigated").says("\"Next\"");
}

#[test]
fn suggestions_that_come_by_key_are_seen_and_taken() {
    let site = Site::of(
        "<input id=city aria-label=City role=combobox aria-expanded=false><ul id=list role=listbox></ul><script>
        city.addEventListener('keyup', async () => {
            const found = await (await fetch('/cities?q=' + city.value)).json();
            city.ariaExpanded = 'true';
            list.innerHTML = found.map((name) => '<li role=option>' + name).join('');
        });
        list.onclick = (e) => { city.value = e.target.textContent; list.innerHTML = '' };
        </script>",
    );
    site.answer("/cities", Answer::Body("application/json", br#"["Berlin", "Bern"]"#.to_vec()));
    let mut tab = open_site(&[], site);
    let reply = type_into(&mut tab, "label:City", "Ber");
    reply.says("option \"Berlin\"").says("option \"Bern\"");
    let bern = reply.reference("\"Bern\"");
    tab.call("browser_click", json!({ "ref": bern })).ok();
    assert_eq!(tab.evaluate("city.value"), "Bern");
}

/// A page that tells the names and contents of what is chosen.
fn with_files(fields: &str) -> String {
    format!(
        "<title>Files</title>{fields}<p id=out></p><script>
        document.addEventListener('change', async (e) => {{
            const texts = await Promise.all([...e.target.files].map(async (file) => file.name + '=' + await file.text()));
            out.textContent = texts.join(' ');
        }}, true);
        </script>"
    )
}

/// The page has read the files, which takes it a while.
fn shows(tab: &mut Tab, texts: &str) {
    tab.call("browser_wait_for", json!({ "text": texts })).ok();
}

#[test]
fn files_go_to_the_only_field_seen_or_hidden() {
    for field in
        ["<input type=file>", "<input type=file style='display:none'>", "<div hidden><input type=file></div>"]
    {
        let mut tab = open(&with_files(field));
        let path = tab.file("cv.txt", "my life");
        upload(&mut tab, &[path.to_str().unwrap()]).says("Uploaded cv.txt");
        shows(&mut tab, "cv.txt=my life");
        upload(&mut tab, &["cv.txt"]).says("Uploaded cv.txt");
    }
}

#[test]
fn files_go_to_the_chooser_that_a_click_opened() {
    let mut tab = open(&with_files(
        "<button onclick='one.click()'>Choose</button><input id=one type=file hidden><input id=two type=file>
        <button onclick=\"const made = document.createElement('input'); made.type = 'file'; made.multiple = true;
            made.onchange = () => out.textContent = [...made.files].map((file) => file.name).join('+'); made.click()\">Make</button>",
    ));
    tab.file("a.txt", "A");
    tab.file("b.txt", "B");
    tab.call("browser_click", json!({ "ref": "text:Choose" })).says("asks for files");
    upload(&mut tab, &["a.txt", "b.txt"]).fails("takes only one file");
    upload(&mut tab, &["missing.txt"]).fails("missing.txt");
    // It is still open.
    upload(&mut tab, &["a.txt"]).ok();
    shows(&mut tab, "a.txt=A");
    assert_eq!(tab.evaluate("[one.files.length, two.files.length].join()"), "1,0");
    tab.call("browser_click", json!({ "ref": "text:Make" })).says("asks for files");
    upload(&mut tab, &["a.txt", "b.txt"]).says("a.txt+b.txt");
}

#[test]
fn several_files_and_several_fields() {
    let mut tab = open(&with_files(
        "<label>Photo <input id=photo type=file></label><label>Papers <input id=papers type=file multiple></label>",
    ));
    tab.file("a.txt", "A");
    tab.file("b.txt", "B");
    upload(&mut tab, &["a.txt"]).fails("2 file fields").fails("Photo").fails("Papers");
    let both = |target: &str| json!({ "paths": ["a.txt", "b.txt"], "ref": target });
    tab.call("browser_file_upload", both("#papers")).ok();
    shows(&mut tab, "a.txt=A b.txt=B");
    tab.call("browser_file_upload", both("#photo")).fails("one file");
    tab.call("browser_file_upload", json!({ "paths": ["b.txt"], "ref": "#photo" })).ok();
    tab.call("browser_wait_for", json!({ "textGone": "a.txt=A b.txt=B" })).ok();
    shows(&mut tab, "b.txt=B");
    tab.call("browser_file_upload", json!({ "paths": [], "ref": "#photo" })).says("Cleared");
    assert_eq!(tab.evaluate("[photo.files.length, papers.files.length].join()"), "0,2");
}

#[test]
fn files_that_may_not_be_read_are_not_given() {
    let mut tab = open(&with_files("<input id=f type=file>"));
    let outside = tab.temporary_directory().join("secret.txt");
    std::fs::write(&outside, "secret").unwrap();
    std::os::unix::fs::symlink(&outside, tab.working_directory().join("link.txt")).unwrap();
    for path in [outside.to_str().unwrap(), "/etc/passwd", "../tmp/secret.txt", "link.txt", "/no/such/file"] {
        upload(&mut tab, &[path]).fails("outside of the directories");
    }
    upload(&mut tab, &["missing.txt"]).fails("missing.txt");
    assert_eq!(tab.evaluate("f.files.length"), 0);
    tab.call("browser_file_upload", json!({})).refused(-32602, "paths");
    let mut tab = open("<p>Nothing to give files to</p>");
    tab.file("a.txt", "A");
    upload(&mut tab, &["a.txt"]).fails("no file field");
}

#[test]
fn a_directory_that_was_allowed_may_be_read() {
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("far.txt"), "far").unwrap();
    let mut tab =
        open_with(&["--allow-path", elsewhere.path().to_str().unwrap()], &with_files("<input type=file>"));
    upload(&mut tab, &[elsewhere.path().join("far.txt").to_str().unwrap()]).ok();
    shows(&mut tab, "far.txt=far");
}

#[test]
fn typing_goes_to_the_field_even_when_the_page_moves_the_focus() {
    let mut tab = open(
        "<input id=a aria-label=One><input id=b aria-label=Two><script>a.onkeyup = () => { if (a.value.length === 2) b.focus() }</script>",
    );
    // A code field that jumps on: whatever the reply says must be what is there.
    let reply = type_into(&mut tab, "#a", "12");
    reply.says("now holds \"12\"");
    assert_eq!(tab.evaluate("[a.value, b.value].join()"), "12,");
    let reply = type_into(&mut tab, "#a", "3456");
    let held = tab.evaluate("a.value");
    assert!(
        reply.failed() || reply.text().contains(&format!("now holds {held}")),
        "{held}: {}",
        reply.text()
    );
}
