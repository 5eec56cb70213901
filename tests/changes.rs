//! What replies say of changes: re-rendered lists, moves, where changes are, and what is said first.

use serde_json::json;

use crate::support::{Reply, Site, Tab, agent, open, open_site, open_with};

fn click(tab: &mut Tab, target: &str) -> Reply {
    tab.call("browser_click", json!({ "ref": target }))
}

/// The lines between the marks.
fn changes(reply: &Reply) -> Vec<String> {
    let text = reply.text();
    let inside = text.split_once("<page ").and_then(|(_, rest)| rest.split_once("\n</page "));
    inside.map_or_else(Vec::new, |(inside, _)| inside.lines().skip(1).map(str::to_owned).collect())
}

/// A list that is drawn anew as a whole whenever an item is deleted.
const LIST: &str = "<ul id=list></ul><script>
    let items = ['One', 'Two', 'Three'];
    const draw = () => list.innerHTML = items.map((item, i) =>
        `<li>${item} <button onclick='drop(${i})'>Delete</button></li>`).join('');
    const drop = (i) => { items.splice(i, 1); draw() };
    draw();
    </script>";

#[test]
fn a_list_that_is_drawn_anew_names_what_is_gone_and_keeps_its_refs() {
    let mut tab = open(LIST);
    let snapshot = tab.snapshot();
    let refs: Vec<String> = snapshot
        .text()
        .lines()
        .filter(|line| line.contains("Delete"))
        .map(|line| line.split("[ref=").nth(1).unwrap().split(']').next().unwrap().to_owned())
        .collect();
    let reply = click(&mut tab, &refs[1]);
    assert_eq!(changes(&reply), ["- listitem \"Two\""], "{}", reply.text());
    let third = click(&mut tab, &refs[2]);
    third.says("its ref follows the new one");
    assert_eq!(changes(&third), ["- listitem \"Three\""], "{}", third.text());
    click(&mut tab, &refs[1]).fails("no longer exists");
    click(&mut tab, &refs[0]).says("- list");
}

#[test]
fn one_of_25_rows_that_is_deleted_is_named_shortly() {
    let mut tab = open(
        "<p id=count role=status></p><table><thead><tr><th>Name<th>City<th></thead><tbody id=body></tbody></table><script>
        let people = Array.from({ length: 25 }, (_, i) => [`Person ${i}`, `City ${i}`]);
        const draw = () => {
            count.textContent = `${people.length} people`;
            body.innerHTML = people.map(([name, city], i) => `<tr><td>${name}<td>${city}<td><button onclick='drop(${i})'>Delete</button>`).join('');
        };
        const drop = (i) => { people.splice(i, 1); draw() };
        draw();
        </script>",
    );
    tab.snapshot();
    let reply = click(&mut tab, "tr:nth-child(8) button");
    reply.says("- row \"Person 7 City 7\"").says("24 people");
    assert!(reply.text().len() <= 300, "{} characters: {}", reply.text().len(), reply.text());
    let again = click(&mut tab, "tr:nth-child(8) button");
    again.says("- row \"Person 8 City 8\"");
}

#[test]
fn the_next_page_of_a_table_says_its_number_first() {
    let mut tab = open(
        "<table aria-label=People><tbody id=body></tbody></table><button onclick='draw(++page)'>Next</button><p id=number></p><script>
        let page = 1;
        const draw = (page) => {
            body.innerHTML = Array.from({ length: 50 }, (_, i) =>
                `<tr><td>Person ${page * 100 + i}<td>City ${page * 100 + i}<td><button>Edit</button><button>Delete</button>`).join('');
            number.textContent = `Page ${page} of 9`;
        };
        draw(page);
        </script>",
    );
    tab.snapshot();
    let reply = click(&mut tab, "role:button[name=\"Next\"]");
    let lines = changes(&reply);
    assert_eq!(lines[0], "~ paragraph: Page 2 of 9", "{}", reply.text());
    reply.says("Person 201").says("- 50 rows").says("… truncated: ").says("more new rows: snapshot ref=e");
    assert!(reply.text().len() < 2_500, "{} characters: {}", reply.text().len(), reply.text());
    // What was folded can be asked for.
    let fold = lines.iter().find(|line| line.contains("truncated")).unwrap();
    let value = |name: &str| fold.split_once(name).unwrap().1.split(' ').next().unwrap().to_owned();
    let rest = tab.call("browser_snapshot", json!({ "ref": value("ref="), "after": value("after=") }));
    rest.says("Person 249").says_not("Person 200");
}

#[test]
fn moves_are_told() {
    let mut tab = open(
        "<ul aria-label=Tasks id=tasks><li>One<li>Two<li>Three<li>Four</ul><ul aria-label=Done id=done><li>Zero</ul>
        <button onclick='tasks.prepend(tasks.lastElementChild)'>Raise</button>
        <button onclick='done.append(tasks.firstElementChild)'>Finish</button>
        <button onclick='tasks.append(...[...tasks.children].reverse())'>Reverse</button>",
    );
    tab.snapshot();
    let raised = click(&mut tab, "text:Raise");
    assert_eq!(changes(&raised), ["~ moved: listitem \"Four\" to the front in list \"Tasks\""]);
    let done = click(&mut tab, "text:Finish");
    assert_eq!(changes(&done), ["~ moved: listitem \"Four\" after listitem \"Zero\" in list \"Done\""]);
    let reversed = click(&mut tab, "text:Reverse");
    assert_eq!(
        changes(&reversed),
        ["~ moved: 2 items in list \"Tasks\"; now \"Three\", \"Two\", \"One\""],
        "{}",
        reversed.text()
    );
}

#[test]
fn changes_say_where_they_are_and_fields_keep_their_lines() {
    let mut tab = open(
        "<table><tr><td>Ada<td id=mode>Viewing<td><button onclick=\"mode.textContent = 'Editing'\">Edit</button>
            <tr><td>Bob<td>Viewing<td></table>
        <textarea aria-label=Notes placeholder='Write here'></textarea><div contenteditable role=textbox aria-label=Body></div>",
    );
    tab.snapshot().says("/placeholder: \"Write here\"");
    assert_eq!(changes(&click(&mut tab, "text:Edit")), ["~ cell \"Editing\" in row \"Ada\""]);
    let typed = tab.call("browser_type", json!({ "ref": "textarea", "text": "a\nb" }));
    typed.says(": a\\nb").says_not("Write here");
    tab.evaluate("document.querySelector('[contenteditable]').innerHTML = '<ul><li>x</li><li>y</li></ul>'");
    tab.snapshot().says(": x\\ny");
}

#[test]
fn dialogs_and_small_changes_come_before_bulk() {
    let mut tab = open(
        "<main><ul id=list></ul><p id=state>idle</p></main><button onclick=\"list.innerHTML = Array.from({ length: 60 }, (_, i) => `<li>Item ${i}`).join('');
            state.textContent = 'loaded'; document.body.insertAdjacentHTML('beforeend', '<div role=dialog aria-label=Welcome>Hello</div>')\">Go</button>",
    );
    tab.snapshot();
    let lines = changes(&click(&mut tab, "text:Go"));
    assert!(lines[0].starts_with("+ dialog \"Welcome\""), "{lines:#?}");
    assert_eq!(lines[1], "~ paragraph: loaded");
    assert!(lines[2].starts_with("+ listitem"), "{lines:#?}");
    assert!(lines.last().unwrap().contains("… truncated: "), "{lines:#?}");
}

#[test]
fn the_row_of_the_action_is_told_before_30_other_changes() {
    let rows: String = (0..31)
        .map(|i| format!("<tr><td>Person {i}<td class=age>seen 0 minutes ago by somebody in the office<td><button onclick='edit(this)'>Edit</button></tr>"))
        .collect();
    let item = |i| format!("<li>Task {i} <button onclick='edit(this)'>Done</button></li>");
    let items: String = (0..31).map(item).collect();
    let mut tab = open(&format!(
        "<table aria-label=People><tbody>{rows}</table><ul aria-label=Tasks>{items}</ul><script>
        let minutes = 0;
        var edit = (button) => {{
            minutes++;
            document.querySelectorAll('.age').forEach((age) => age.textContent = `seen ${{minutes}} minutes ago by somebody in the office`);
            button.closest('tr, li').firstChild.textContent = 'Edited ' + minutes;
        }};
        </script>"
    ));
    tab.snapshot();
    let row = click(&mut tab, "tr:nth-child(25) button");
    assert!(changes(&row)[0].contains("Edited 1"), "{}", row.text());
    let item = click(&mut tab, "li:nth-child(28) button");
    assert!(changes(&item)[0].contains("Edited 2"), "{}", item.text());
    // A row with many changes of its own comes first, too.
    tab.evaluate("document.querySelectorAll('tr').forEach((row) => row.insertAdjacentHTML('beforeend', '<td>a<td>b<td>c<td>d<td>e<td>f'))");
    tab.snapshot();
    tab.evaluate("window.edit = (button) => document.querySelectorAll('tr').forEach((row) => row.contains(button) ? row.querySelectorAll('td:not(:has(button))').forEach((cell) => cell.textContent += ' changed') : row.cells[1].textContent = 'other')");
    tab.snapshot();
    let many = click(&mut tab, "tr:nth-child(30) button");
    assert!(changes(&many)[0].contains("Person 29 changed"), "{}", many.text());
}

#[test]
fn what_was_cut_can_be_reached() {
    let rows: String = (0..600).map(|i| format!("<tr><td>Cell {i}<td>Value {i}</tr>")).collect();
    let site = Site::of(&format!("<h1>Top</h1><table aria-label=Long>{rows}</table><p>Bottom</p>"));
    let mut tab = open_site(&["--snapshot-limit", "5000"], site);
    let mut text = tab.snapshot().text();
    assert!(text.contains(" more rows: snapshot ref=e"), "{text}");
    assert!(text.contains("Bottom"));
    let mut seen = 0;
    for _ in 0..40 {
        seen += text.matches("- row\n").count();
        let Some(cut) = text.lines().find(|line| line.contains("… truncated: ")) else { break };
        let value = |name: &str| cut.split_once(name).unwrap().1.split(' ').next().unwrap().to_owned();
        let arguments = json!({ "ref": value("ref="), "after": value("after=") });
        text = tab.call("browser_snapshot", arguments).text();
    }
    assert_eq!(seen, 600);
    let table = tab.call("browser_snapshot", json!({ "ref": "table", "depth": 2 }));
    table.says("Cell 0");
    tab.call("browser_snapshot", json!({ "ref": "table", "after": "h1" }))
        .fails("not in the requested subtree");
}

/// The snapshot that the last cut in a text names: its arguments.
fn rest_of(text: &str) -> Option<serde_json::Value> {
    let cut = text.lines().rfind(|line| line.contains("… truncated: "))?;
    let call = cut.split_once(": snapshot ").unwrap_or_else(|| panic!("no call in {cut}")).1;
    let arguments = call.split(' ').take_while(|word| word.contains('='));
    let arguments = arguments.map(|argument| argument.split_once('=').unwrap());
    Some(
        arguments
            .map(|(name, value)| (name.to_owned(), json!(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    )
}

/// Follows what each reply says until nothing is left, and returns all texts.
fn paged(tab: &mut Tab, tool: &str) -> String {
    let mut all = tab.call(tool, json!({})).ok().text();
    let mut rest = rest_of(&all);
    for _ in 0..60 {
        let Some(arguments) = rest else { return all };
        let text = tab.call(tool, arguments).ok().text();
        rest = rest_of(&text);
        all.push_str(&text);
    }
    panic!("after 60 snapshots there is still more");
}

#[test]
fn lines_of_plain_text_can_be_paged_to_the_last() {
    let lines: String = (0..3_000).map(|i| format!("<div>line {i}.</div>")).collect();
    let dialog = "<div role=dialog aria-label=Last><p>At the end</div>";
    for page in [
        lines.clone(),
        format!("<h1>Log</h1>{lines}<p>Bottom</p>"),
        format!("<main><h1>Log</h1>{lines}</main>"),
        format!("<ul><li>One</ul>{lines}{dialog}"),
    ] {
        let mut tab = open_site(&["--snapshot-limit", "8000"], Site::of(&page));
        let text = paged(&mut tab, "browser_snapshot");
        for i in 0..3_000 {
            assert_eq!(text.matches(&format!(" line {i}.\n")).count(), 1, "line {i} of {}", &page[..40]);
        }
    }
    let limited: Vec<&str> = agent::DIALECT.into_iter().chain(["--snapshot-limit", "8000"]).collect();
    let mut tab = open_site(&limited, Site::of(&lines));
    let text = paged(&mut tab, "snapshot");
    assert!((0..3_000).all(|i| text.contains(&format!("\"line {i}.\""))), "{text}");
    agent::fails(&tab.call("snapshot", json!({ "after": "@e9999+3" })), "UnknownRef", "ever gave out");
}

#[test]
fn all_options_of_a_select_can_be_reached_and_found() {
    let options: String = (1..=195).map(|i| format!("<option>Country {i}.")).collect();
    let grouped: String = (1..=3)
        .map(|group| {
            let options: String = (1..=30).map(|i| format!("<option>Town {group}/{i}.")).collect();
            format!("<optgroup label='Group {group}'>{options}</optgroup>")
        })
        .collect();
    let page = format!(
        "<form><select aria-label=Country>{options}</select><select aria-label=Town>{grouped}</select></form>
        <button onclick=\"document.querySelector('form').insertAdjacentHTML('beforeend', '<select aria-label=Third>' + document.querySelector('select').innerHTML + '</select>')\">Add</button>"
    );
    let mut tab = open(&page);
    let whole = tab.snapshot();
    whole.says("Country 50.").says_not("Country 51.").says("145 more options: snapshot ref=e");
    whole
        .says("Town 2/20.")
        .says_not("Town 2/21.")
        .says("10 more options: snapshot ref=e")
        .says("1 more group");
    assert!(whole.text().len() < 4_500, "{} characters", whole.text().len());
    let line = whole.text().lines().find(|line| line.contains("145 more options")).unwrap().to_owned();
    let rest = tab.call("browser_snapshot", rest_of(&line).unwrap());
    rest.says("Country 51.").says("Country 195.").says_not("Country 50.");
    let line = whole.text().lines().find(|line| line.contains("1 more group")).unwrap().to_owned();
    tab.call("browser_snapshot", rest_of(&line).unwrap()).says("Town 3/30.").says_not("Town 2/");
    let found = tab.call("browser_snapshot", json!({ "find": "country 195" }));
    found.says("combobox \"Country\"").says("option \"Country 195.\"").says_not("Country 194");
    let chosen =
        tab.call("browser_select_option", json!({ "ref": "label:Country", "values": ["Country 195."] }));
    chosen.says("Country 195.");
    let added = click(&mut tab, "text:Add");
    added.says("combobox \"Third\"").says_not("Country 51.").says("more options: snapshot ref=e");
    let mut tab = agent::open(&page);
    tab.call("snapshot", json!({})).says("Country 50.").says_not("Country 51.").says("145 more options");
    tab.call("snapshot", json!({ "find": "country 195" })).says("Country 195.");
}

#[test]
fn pages_beyond_the_limit_are_searched_and_shown_in_parts() {
    let mut tab = open_with(
        // Such a page takes a busy machine long.
        &["--action-timeout", "30s"],
        "<p id=top>Top</p><table aria-label=Large><tbody id=body></tbody></table><p>Bottom</p><div id=bare><div>Bare</div></div>
        <p id=hidden style='display:none'>Hidden</p><script>
        body.innerHTML = Array.from({ length: 6000 }, (_, row) =>
            '<tr>' + Array.from({ length: 10 }, (_, cell) => `<td>${row}/${cell}.`).join('') + '</tr>').join('');
        </script>",
    );
    tab.snapshot().says("the page is too large to be read whole");
    let found = tab.call("browser_snapshot", json!({ "find": "5990/7." }));
    found.says("table \"Large\"").says("cell \"5990/7.\"").says_not("5989/").says_not("none of");
    assert!(found.text().len() < 600, "{}", found.text());
    tab.call("browser_snapshot", json!({ "find": "no such cell" }))
        .says("none of 66")
        .says_not("not searched");
    let late = tab.call("browser_find", json!({ "selector": "tr:nth-child(5991) td:nth-child(8)" }));
    late.says("cell \"5990/7.\" (e");
    let late = late.text().split_once("cell \"5990/7.\" (").unwrap().1.split(')').next().unwrap().to_owned();
    tab.call("browser_snapshot", json!({ "ref": late })).says("cell \"5990/7.\"").says_not("5989/");
    let after = tab.call("browser_snapshot", json!({ "ref": "table", "after": late }));
    after.says("5991/0.").says("5999/9.").says_not("5990/");
    tab.call("browser_snapshot", json!({ "after": "table" })).says("Bottom").says_not("5999/9.");
    tab.call("browser_snapshot", json!({ "ref": "#bare" })).says("Bare").says_not("Top");
    tab.call("browser_snapshot", json!({ "ref": "#hidden" })).fails("is not visible");
    click(&mut tab, "#top").says("Clicked");
    tab.call("browser_snapshot", json!({ "ref": late })).says("5990/7.");
}

#[test]
fn a_long_text_can_be_read_to_its_end() {
    let words = |name: &str| (0..3_000).map(|i| format!("{name}{i} ")).collect::<String>() + "end.";
    let mut tab = open(&format!(
        "<p>{}</p><main><p>Before</p>{}<p>After</p><div id=x>{}</div></main>{}<p>{}</p>",
        words("one"),
        words("two"),
        words("three"),
        words("four"),
        "short ".repeat(20)
    ));
    let whole = tab.snapshot();
    whole.says_not("2999").says("characters in total): snapshot ref=e");
    let calls: Vec<String> = whole
        .text()
        .lines()
        .filter(|line| line.contains("characters in total)"))
        .map(str::to_owned)
        .collect();
    assert_eq!(calls.len(), 4, "{calls:#?}");
    for name in ["one", "two", "three", "four"] {
        let line = calls.iter().find(|line| line.contains(&format!("{name}0 "))).unwrap();
        let call = line.split_once("characters in total)").unwrap().1;
        let arguments = rest_of(&format!("… truncated: {call}")).unwrap();
        tab.call("browser_snapshot", arguments).says(&format!("{name}2999 end."));
    }
    let mut tab = agent::open(&format!("<p>{}</p>", words("one")));
    let whole = tab.call("snapshot", json!({}));
    let call = whole.text().split_once("characters in total)").unwrap().1.lines().next().unwrap().to_owned();
    let arguments = rest_of(&format!("… truncated: {call}")).unwrap();
    tab.call("snapshot", arguments).says("one2999 end.");
}

#[test]
fn find_shows_the_lines_that_match_with_what_they_stand_in() {
    let rows: String =
        (0..1_000).map(|i| format!("<tr><td>Person {i}<td>Town<td><button>Edit</button></tr>")).collect();
    let mut tab =
        open(&format!("<main><table aria-label=People>{rows}</table></main><a href=/help>Help</a>"));
    let found = tab.call("browser_snapshot", json!({ "find": "person 987" }));
    found.says("- main").says("table \"People\"").says("cell \"Person 987\"").says("button \"Edit\"");
    found.says_not("Person 986").says_not("Help");
    assert!(found.text().len() < 500, "{}", found.text());
    click(&mut tab, &found.reference("\"Edit\"")).says("Edit");
    tab.call("browser_snapshot", json!({ "find": "link" })).says("link \"Help\"").says_not("Person");
    tab.call("browser_snapshot", json!({ "find": "nothing such" })).says("none of ");
    let mut tab = agent::open("<p>Other</p><ul><li>Apple<li>Pear</ul>");
    tab.call("snapshot", json!({ "find": "pear" })).says("Pear").says_not("Apple").says_not("Other");
}

#[test]
fn states_that_decide_are_told() {
    let mut tab = open(
        "<table><tr><th aria-sort=descending>Age</th><th aria-sort=none>Name</th></tr></table>
        <div role=group aria-label=Editor><div><div id=hidden tabindex=-1>line</div></div></div>
        <div id=bare role=none onclick=1>Bare</div>",
    );
    tab.snapshot().says("columnheader \"Age\" [sorted=descending]").says_not("sorted=none");
    tab.evaluate("document.getElementById('hidden').focus()");
    tab.snapshot().says("group \"Editor\" [active]");
    click(&mut tab, "#bare").says("Clicked generic").says_not("none");
}

#[test]
fn the_agent_dialect_says_what_changed_below_its_sentence() {
    let mut tab = agent::open(
        "<a href=/somewhere>There</a><p id=n>0</p><button onclick=\"n.textContent++; n.insertAdjacentHTML('afterend', '<button>New</button>')\">Add</button>",
    );
    let seen = tab.call("snapshot", json!({}));
    seen.says("link \"There\"").says("[url=/somewhere]");
    let reply = tab.call("click", json!({ "selector": "text:Add" }));
    assert!(reply.text().starts_with("Clicked button \"Add\" (@e"), "{}", reply.text());
    let lines = changes(&reply);
    assert_eq!(lines[0], "~ paragraph: 1");
    assert!(lines[1].starts_with("+ button \"New\" [ref=@e"), "{lines:?}");
    assert_eq!(agent::data(&reply)["changes"], json!(lines));
    tab.call("hover", json!({ "selector": "p" })).says("No change");
}

#[test]
fn what_stood_on_the_page_before_is_folded() {
    let links: String = (0..34).map(|i| format!("<li><a href=/{i}>Link number {i}</a>")).collect();
    let page = |title: &str, main: &str| {
        format!(
            "<title>{title}</title><nav aria-label=Site><ul>{links}</ul></nav><aside><ul>{links}</ul></aside><main>{main}</main>"
        )
    };
    let results: String =
        (0..10).map(|i| format!("<h2>Result {i}</h2><p>Words of result {i}.</p>")).collect();
    let site = Site::with(&[
        ("/", &page("Search", "<a href=/results>Search</a>")),
        ("/results", &page("Results", &results)),
    ]);
    let mut tab = open_site(&[], site);
    tab.snapshot();
    let reply = click(&mut tab, "text:Search");
    reply.says("navigation \"Site\" [ref=e").says(" as before, 34 links").says("complementary [ref=e");
    reply.says("Result 9").says_not("Link number 3");
    let nav = reply.reference("navigation \"Site\"");
    tab.call("browser_snapshot", json!({ "ref": nav })).says("Link number 33");
}

#[test]
fn what_a_page_is_about_is_shown_though_its_sidebar_is_long() {
    let links: String = (0..400).map(|i| format!("<li><a href=/{i}>Link number {i}</a>")).collect();
    let results: String =
        (0..10).map(|i| format!("<h2>Result {i}</h2><p>Words of result {i}.</p>")).collect();
    let long = format!("<nav><ul>{links}</ul></nav><main>{results}</main>");
    let mut tab = open_site(&[], Site::with(&[("/", "<p>Before"), ("/long", &long)]));
    let url = tab.site.url("/long");
    let reply = tab.call("browser_navigate", json!({ "url": url }));
    reply.says("Result 0").says("Result 9").says("Link number 0").says("… truncated: ").says("more items");
}

#[test]
fn what_a_modal_hides_in_shadow_roots_is_not_gone() {
    let mut tab = open(
        "<button id=open onclick='modal.showModal()'>Open</button><x-a></x-a><x-b></x-b>
        <dialog id=modal aria-label=Modal><button onclick='modal.close()'>Close</button></dialog><script>
        const fill = (name, mode) => document.querySelector(name).attachShadow({ mode }).innerHTML =
            `<div><button>${mode} one</button><x-c></x-c></div>`;
        fill('x-a', 'open'); fill('x-b', 'closed');
        document.querySelector('x-a').shadowRoot.querySelector('x-c').attachShadow({ mode: 'open' }).innerHTML = '<button>deep</button>';
        </script>",
    );
    tab.snapshot().says("open one").says("deep");
    click(&mut tab, "#open").says("+ dialog \"Modal\"").says("behind it").says_not("- button");
    click(&mut tab, "role:button[name=Close]").says("- dialog \"Modal\"").says_not("+ button");
}

#[test]
fn a_key_that_moves_the_focus_says_where_to() {
    let mut tab = open("<button>One</button><button>Two</button>");
    click(&mut tab, "text:One").ok();
    tab.call("browser_press_key", json!({ "key": "Tab" }))
        .says("Pressed Tab; the focus is on button \"Two\" (e2)");
    tab.call("browser_press_key", json!({ "key": "Shift" })).says("Pressed Shift; settled.");
}

#[test]
fn the_data_of_the_agent_dialect_says_what_its_text_says() {
    let mut tab = agent::open("<h1>Here</h1><p id=p>before</p><a href='/'>Again</a>");
    let seen = tab.call("snapshot", json!({}));
    let text = agent::data(&seen)["text"].as_str().unwrap();
    assert!(text.contains("heading \"Here\"") && seen.text().ends_with(text), "{}", seen.text());
    tab.call("evaluate", json!({ "expression": "p.textContent = 'late'" })).ok();
    let reply = tab.call("click", json!({ "selector": "#p" }));
    assert_eq!(agent::data(&reply)["since"], json!(["~ paragraph: late"]));
    tab.call("evaluate", json!({ "expression": "p.textContent = 'once more'" })).ok();
    let failed = tab.call("click", json!({ "selector": "@e999" }));
    agent::fails(&failed, "UnknownRef", "@e999");
    assert_eq!(failed.facts()["since"], json!(["~ paragraph: once more"]));
    let reply = tab.call("click", json!({ "selector": "text:Again" }));
    assert!(
        agent::data(&reply)["snapshot"].as_str().unwrap().contains("heading \"Here\""),
        "{}",
        reply.facts()
    );
    tab.call("evaluate", json!({ "expression": "void setTimeout(() => console.error('bad'), 100)" })).ok();
    let reply = tab.call("wait", json!({ "for": "timeout", "duration": 400 }));
    assert_eq!(agent::data(&reply)["news"], json!(["console error: \"bad\""]));
}

#[test]
fn a_popup_at_the_end_of_the_document_says_which_column_or_row_it_is_for() {
    let mut tab = open(
        "<table><thead><tr><th>Name<th>Price <button onclick='menu()'>Sort</button></thead>
        <tbody><tr><td>Ada<td><button onclick='menu()'>More</button><tr><td>Bob<td><button onclick='menu()'>More</button></table>
        <button id=other onclick='menu()'>Other</button>
        <script>const menu = () => {
            document.body.insertAdjacentHTML('beforeend', '<div><ul role=menu><li role=menuitem tabindex=-1>Copy</ul></div>');
        }</script>",
    );
    tab.snapshot().ok();
    for (target, place) in [
        ("text:Sort", " for columnheader \"Price"),
        ("tr:nth-child(1) td button", " in row \"Ada\""),
        ("tr:nth-child(2) td button", " in row \"Bob\""),
    ] {
        let reply = click(&mut tab, target);
        let menu = changes(&reply).into_iter().find(|line| line.contains("menu"));
        assert!(menu.is_some_and(|line| line.contains(place)), "{target}: {}", reply.text());
        tab.evaluate("document.querySelector('[role=menu]').parentNode.remove()");
        tab.snapshot().says_not("menu");
    }
    click(&mut tab, "#other").says("menu").says_not(" in row ").says_not(" for columnheader ");
}

/// The pages of the benchmark's task.
const SHOP: &str = include_str!("../benches/src/task/shop.html");
const CHECKOUT: &str = include_str!("../benches/src/task/checkout.html");
const BOARD: &str = include_str!("../benches/src/task/board.html");

/// Whatever an action's reply shows of the page, the reply before it did not.
#[test]
fn no_reply_of_a_task_repeats_what_the_one_before_it_said() {
    let click = |target: &str| ("browser_click", json!({ "ref": target }));
    let fill = |target: &str, text: &str| ("browser_type", json!({ "ref": target, "text": text }));
    let enter =
        |text: &str| ("browser_type", json!({ "ref": "label:New task", "text": text, "submit": true }));
    let site =
        Site::with(&[("/task/shop", SHOP), ("/task/checkout", CHECKOUT), ("/task/board", BOARD), ("/", "")]);
    let mut tab = open_site(&[], site);
    let steps = [
        fill("label:Search", "lamp"),
        click("role:button[name=\"Add Lamp 3\"]"),
        click("role:button[name=\"Add Lamp 5\"]"),
        fill("label:Search", "desk"),
        click("role:button[name=\"Add Desk 1\"]"),
        click("role:button[name=\"Basket\"]"),
        click("role:button[name=\"Remove Lamp 5\"]"),
        click("role:button[name=\"Basket\"]"),
        click("role:button[name=\"Basket\"]"),
        click("role:link[name=\"Checkout\"]"),
        fill("label:Name", "Ada Lovelace"),
        fill("label:Email", "ada@example.com"),
        ("browser_select_option", json!({ "ref": "label:Country", "values": ["Norway"] })),
        click("label:Express"),
        click("label:I accept the terms"),
        fill("label:Note", "Please ring twice"),
        ("browser_navigate", json!({ "url": tab.site.url("/task/board") })),
        enter("Write"),
        enter("Test"),
        enter("Ship"),
        click("role:checkbox[name=\"Test\"]"),
        click("role:tab[name=\"Open\"]"),
        click("role:button[name=\"Delete Write\"]"),
        click("role:tab[name=\"All\"]"),
    ];
    let url = tab.site.url("/task/shop");
    let mut before = changes(&tab.navigate(&url));
    let mut shown = 0;
    for (tool, arguments) in steps {
        let reply = tab.call(tool, arguments.clone());
        reply.ok();
        // A bare `+ listitem` says nothing by itself.
        let mut lines = changes(&reply);
        lines.retain(|line| line.contains("[ref=") || line.contains('"') || line.contains(": "));
        shown += lines.len();
        let repeated: Vec<&String> = lines.iter().filter(|line| before.contains(line)).collect();
        assert!(repeated.is_empty(), "{tool} {arguments} repeats {repeated:#?}:\n{}", reply.text());
        // Where the page is, is said when it moved.
        let moved = tool == "browser_navigate" || arguments["ref"] == "role:link[name=\"Checkout\"]";
        assert_eq!(reply.text().contains("\nPage: "), moved, "{tool} {arguments}:\n{}", reply.text());
        before = lines;
    }
    assert!(shown > 60, "only {shown} lines of the page");
}

/// Its caption has words of its columns.
#[test]
fn a_new_table_is_told_with_all_its_columns() {
    let table = "<table><caption>Orders 2026 by Region</caption><tr><th>Region<th>Orders<th>2025<th>2026\
                 <tr><td>Region<td>20<td>1<td>2026</table>";
    let mut tab =
        open(&format!("<button onclick='out.innerHTML = `{table}`'>Week</button><div id=out></div>"));
    tab.snapshot().ok();
    let reply = click(&mut tab, "text:Week");
    reply.says("table \"Orders 2026 by Region\"");
    for header in ["Region", "Orders", "2025", "2026"] {
        reply.says(&format!("columnheader \"{header}\""));
    }
}

/// The editor is gone, and the name of the cell and of its row is another.
#[test]
fn an_edit_that_ends_tells_the_new_value() {
    let mut tab = open(
        "<table><tr><td id=cell tabindex=0><input id=field value=Ada aria-label=Ada><td>Paris</table>
         <script>field.onkeydown = (event) => { if (event.key === 'Enter') cell.textContent = field.value }</script>",
    );
    tab.snapshot().ok();
    let reply = tab.call("browser_type", json!({ "ref": "#field", "text": "Yolanda", "submit": true }));
    reply.ok();
    assert!(changes(&reply).join("\n").contains("cell \"Yolanda\""), "{}", reply.text());
}
