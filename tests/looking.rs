//! The engine's own ways to look at a page, without a server in between: what dialects are built from.

use std::sync::Arc;

use cicerone_chromium::{Chromium, LaunchOptions};
use cicerone_engine::{
    Checked, Click, ContextOptions, ElementError, ElementList, Engine, Error, Exact, Files, Filter, Launch,
    Options, Page, Part, Property, Query, Session, Setup, Size, States, Target,
};
use cicerone_install::{Search, find};

use crate::support::{Answer, Site};

/// A page of the engine at the first page of a site.
fn at<T>(site: &Site, look: impl AsyncFnOnce(Page) -> T) -> T {
    at_with(Options::default(), site, look)
}

fn at_with<T>(options: Options, site: &Site, look: impl AsyncFnOnce(Page) -> T) -> T {
    let chromium = || Ok(find(Engine::Chromium, &Search::of_process()).unwrap().path);
    let launching = LaunchOptions::default();
    let viewport = Size { width: 1280, height: 720 };
    let session = Session::new(Setup {
        launcher: Arc::new(Chromium::new(chromium, launching)),
        launch: Launch {
            engine: Engine::Chromium,
            headed: false,
            viewport,
            proxy: None,
            proxy_only: false,
            client: None,
            system_access: false,
            profile: None,
        },
        options,
        files: Files::new(cicerone_engine::Directories {
            working: std::env::temp_dir(),
            ..Default::default()
        }),
        secrets: Arc::default(),
        vault: None,
        first: ContextOptions::default(),
        policy: cicerone_engine::HostPolicy::default(),
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let page = session.context().page().await.unwrap();
        page.navigation().navigate(&site.url("/")).await.unwrap();
        let seen = look(page).await;
        session.end().await;
        seen
    })
}

fn target(text: &str) -> Target {
    text.parse().unwrap()
}

fn css(css: &str) -> Query {
    Query::Css { css: css.to_owned() }
}

fn names(list: &ElementList) -> Vec<&str> {
    list.elements.iter().map(|found| found.element.name.as_str()).collect()
}

/// Three frames, two of them on another origin, one inside the other.
fn framed() -> Site {
    let site = Site::with(&[("/", ""), ("/inner", ""), ("/deep", "<button>Deep</button>")]);
    site.answer("/inner", Answer::Html(format!(
        "<body style='margin:0'><button style='position:absolute;left:5px;top:7px;width:50px;height:20px' disabled>Inner</button>\
         <iframe style='margin-top:50px' src='{}'></iframe>", site.url("/deep"))));
    site.answer(
        "/",
        Answer::Html(format!(
            "<body style='margin:0'><button>One</button><button>Two</button>\
         <iframe style='position:absolute;left:100px;top:2000px;border:3px solid' src='{}'></iframe>",
            site.other_url("/inner")
        )),
    );
    site
}

#[test]
fn elements_are_counted_and_examined_through_all_frames() {
    at(&framed(), async |page| {
        let wanted = [
            Property::Visible,
            Property::Enabled,
            Property::Bounds,
            Property::Tag,
            Property::Attribute("style".into()),
        ];
        let all = page.inspector().element_infos(&target("role:button"), &wanted, 10).await.unwrap();
        assert_eq!((all.count, all.silent), (4, 0));
        assert_eq!(names(&all), ["One", "Two", "Inner", "Deep"]);
        let inner = &all.elements[2];
        assert_eq!(
            (inner.visible, inner.enabled, inner.tag.as_deref()),
            (Some(true), Some(false), Some("button"))
        );
        let bounds = inner.bounds.unwrap();
        assert_eq!(
            (bounds.x, bounds.y, bounds.width, bounds.height),
            (108.0, 2010.0, 50.0, 20.0),
            "in the page"
        );
        assert!(inner.attribute("STYLE").unwrap().starts_with("position"));
        assert_eq!(inner.checked, None);
        let first = page.inspector().element_info(&target("button"), &[]).await.unwrap();
        assert_eq!((first.count, names(&first)), (4, vec!["One"]));
        let last = Target::Query(css("button").nth(-1));
        let last = page.inspector().element_info(&last, &[]).await.unwrap();
        assert_eq!((last.count, names(&last)), (1, vec!["Deep"]));
        let none =
            page.inspector().element_info(&Target::Query(css("button").nth(4)), &wanted).await.unwrap();
        assert_eq!((none.count, none.first()), (0, None));
    });
}

#[test]
fn the_nth_of_all_frames_can_be_acted_on() {
    at(&framed(), async |page| {
        for (nth, name) in [(0, "One"), (-1, "Deep"), (3, "Deep")] {
            let target = Target::Query(css("button").nth(nth));
            let click = Click::on(target);
            let clicked = page.mouse().click(&click).await.unwrap();
            assert_eq!(clicked.done.on.element().unwrap().name, name);
        }
    });
}

#[test]
fn what_is_not_there_is_an_answer_and_what_is_no_target_an_error() {
    let site = Site::of("<button id=b>Save</button><input type=checkbox aria-label=c checked>");
    at(&site, async |page| {
        let none = page.inspector().element_info(&target("#nowhere"), &[Property::Visible]).await.unwrap();
        assert_eq!((none.count, none.first()), (0, None));
        let checked =
            page.inspector().element_info(&target("role:checkbox"), &[Property::Checked]).await.unwrap();
        assert_eq!(checked.first().unwrap().checked, Some(Checked::Yes));
        let bad = page.inspector().element_info(&target("a["), &[]).await.unwrap_err();
        assert!(matches!(bad, Error::Element(ElementError::BadTarget { .. })), "{bad:?}");
        let found = page.inspector().element_info(&target("#b"), &[Property::Text]).await.unwrap();
        let reference = target(&found.first().unwrap().element.reference.to_string());
        let again = page.inspector().element_info(&reference, &[Property::Text]).await.unwrap();
        assert_eq!((again.count, again.first().unwrap().text.as_deref()), (1, Some("Save")));
        page.scripts().evaluate("b.remove()", None).await.unwrap();
        let stale = page.inspector().element_info(&reference, &[]).await.unwrap_err();
        assert!(matches!(stale, Error::Element(ElementError::Stale { .. })), "{stale:?}");
        let unknown = page.inspector().element_info(&target("e99"), &[]).await.unwrap_err();
        assert!(matches!(unknown, Error::Element(ElementError::UnknownRef(_))), "{unknown:?}");
    });
}

#[test]
fn chains_and_states_find_what_locators_would() {
    let site = Site::of(
        "<ul><li>Apple <button>Buy</button></li><li>Pear <button aria-pressed=true>Buy</button></li></ul><h3>H</h3>",
    );
    at(&site, async |page| {
        let role = |role: &str, name: Option<&str>, exact, states| Query::Role {
            role: role.to_owned(),
            name: name.map(str::to_owned),
            exact,
            states,
        };
        let pear = Filter { has_text: Some("PEAR".to_owned()), ..Filter::default() };
        let buy = role("button", Some("buy"), Exact::No, States::default()).within(css("li").filter(pear));
        let pressed = States { pressed: Some(true), ..States::default() };
        let found = page
            .inspector()
            .element_info(&Target::Query(buy), &[Property::Attribute("aria-pressed".into())])
            .await
            .unwrap();
        assert_eq!((found.count, found.first().unwrap().attribute("aria-pressed")), (1, Some("true")));
        let rows = [
            (role("button", None, Exact::No, pressed), 1),
            (role("button", Some("buy"), Exact::Letter, States::default()), 0),
            (role("heading", None, Exact::No, States { level: Some(3), ..States::default() }), 1),
            (role("heading", None, Exact::No, States { level: Some(2), ..States::default() }), 0),
        ];
        for (query, count) in rows {
            let found = page.inspector().element_info(&Target::Query(query.clone()), &[]).await.unwrap();
            assert_eq!(found.count, count, "{query}");
        }
    });
}

#[test]
fn a_snapshot_as_html_has_frames_shadow_roots_and_refs_that_work() {
    let site =
        Site::with(&[("/", ""), ("/frame", "<button onclick=\"this.textContent='Done'\">Go</button>")]);
    site.answer(
        "/",
        Answer::Html(format!(
            "<nav id=main-nav><a href=/home>Home</a></nav><main><h1>Welcome &lt;b&gt;</h1>\
             <input type=password value=hunter2 placeholder=Password><p hidden>Secret</p><div id=host></div>\
             <iframe src='{}' title=Inside></iframe></main>\
             <script>host.attachShadow({{ mode: 'closed' }}).innerHTML = '<p>Shady</p>'</script>",
            site.other_url("/frame")
        )),
    );
    at(&site, async |page| {
        let html = page.snapshots().html_snapshot(&Part::default()).await.unwrap().text;
        let expected = format!(
            "<html>\n  <body>\n    <nav id=\"main-nav\">\n      <a href=\"/home\" ref=\"e1\">Home</a>\n    </nav>\n    <main>\n      \
             <h1 ref=\"e2\">Welcome &lt;b&gt;</h1>\n      <input type=\"password\" placeholder=\"Password\" value=\"•••••••\" ref=\"e3\"/>\n      \
             <p>Shady</p>\n      <iframe src=\"{}\" aria-label=\"Inside\" ref=\"e4\">\n        <button ref=\"f1e5\">Go</button>\n      \
             </iframe>\n    </main>\n  </body>\n</html>",
            site.other_url("/frame")
        );
        assert_eq!(html, expected);
        let click = Click::on(target("f1e5"));
        page.mouse().click(&click).await.unwrap();
        let html = page.snapshots().html_snapshot(&Part::default()).await.unwrap().text;
        assert!(html.contains("<button ref=\"f1e5\">Done</button>"), "{html}");
    });
}

#[test]
fn a_snapshot_as_html_keeps_to_its_budget() {
    let rows = "<li><a href=/some/where>An item</a></li>".repeat(2_000);
    let site = Site::of(&format!("<h1>Top</h1><ul>{rows}</ul><footer>End</footer>"));
    let options = Options { snapshot_limit: 5_000, ..Options::default() };
    at_with(options, &site, async |page| {
        let html = page.snapshots().html_snapshot(&Part::default()).await.unwrap().text;
        assert!(html.chars().count() < 5_500, "{}", html.len());
        assert!(html.contains(">Top</h1>") && html.contains("<footer>End</footer>"), "{html}");
        assert!(html.contains("<!-- … truncated: "), "{html}");
        for tag in ["li", "a", "ul"] {
            assert_eq!(
                html.matches(&format!("<{tag}")).count(),
                html.matches(&format!("</{tag}>")).count(),
                "{tag}"
            );
        }
    });
}
