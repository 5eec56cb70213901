//! A snapshot as HTML: the real tags with the relevant attributes, and refs. A page must not be able to forge
//! tags, quotes or comments.

use std::fmt::Write;

use serde::Deserialize;

use super::{
    Notation,
    budget::Shown,
    cut::{beyond, full_text},
    line::{TEXT, Told},
    text::{is_invisible, truncation_mark},
    tree::{Form, Look, Marks, Node, Tree},
};
use crate::{Ref, refs::Document};

/// An element's markup, as the injected script reports it.
#[derive(Deserialize)]
pub(crate) struct Markup {
    tag: String,
    attributes: Vec<(String, String)>,
    text: Option<String>,
}

/// Maximum length of an attribute.
const ATTRIBUTE: usize = 300;

/// The depth of the page's elements: in `html` and `body`.
const AROUND: usize = 2;

/// Boolean attributes.
const BARE: &[&str] = &["checked", "disabled", "selected", "required", "readonly", "hidden"];

/// Void elements.
const VOID: &[&str] = &["area", "br", "embed", "hr", "img", "input", "track", "wbr"];

impl Tree {
    /// The lines of one document as HTML, without its frames.
    pub(crate) fn of_html(look: Look<'_>, document: Document, frame: u32) -> Self {
        let nodes = look.nodes.iter().enumerate().map(|(at, told)| Node {
            depth: told.0,
            key: (told.1 != 0).then_some((document, told.1)),
            frame,
            shows_ref: told.shows_ref(),
            active: false,
            before: opening(told).into(),
            named: 0,
            after: told.4.markup.as_ref().map_or_else(String::new, own_text).into(),
            bounds: None,
            marks: Marks::of(&look.nodes, at),
        });
        let (nodes, more) = (nodes.collect(), look.more as usize);
        Self { title: look.title, nodes, more, form: Form::Html, ..Self::default() }
    }
}

/// The start of a tag up to its ref; a text as it is.
fn opening(told: &Told<'_>) -> String {
    let mut line = String::new();
    let Some(markup) = &told.4.markup else {
        let (before, after) =
            if told.4.aria_hidden { ("<span aria-hidden=\"true\">", "</span>") } else { ("", "") };
        line.push_str(before);
        escape(&mut line, &told.3, told.most_text());
        line.push_str(&told.truncation_mark());
        line.push_str(after);
        return line;
    };
    line.push('<');
    line.extend(
        markup.tag.chars().map(|c| if c.is_ascii_alphanumeric() || "-_.:".contains(c) { c } else { '_' }),
    );
    for (name, value) in &markup.attributes {
        if BARE.contains(&name.as_str()) {
            let _ = write!(line, " {name}");
        } else {
            let _ = write!(line, " {name}=\"");
            escape(&mut line, value, ATTRIBUTE);
            line.push('"');
        }
    }
    line
}

fn own_text(markup: &Markup) -> String {
    let mut text = String::new();
    write_text(&mut text, markup.text.as_deref().unwrap_or_default());
    text
}

/// A page's text on one line.
fn write_text(out: &mut String, text: &str) {
    escape(out, text, TEXT);
    out.push_str(&truncation_mark(text, TEXT));
}

/// Escaped text on one line, truncated to this length.
fn escape(out: &mut String, text: &str, most: usize) {
    for (count, character) in text.chars().enumerate() {
        if count == most {
            out.push('…');
            return;
        }
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c.is_control() || is_invisible(c) => {
                // Writing to a string cannot fail.
                let _ = write!(out, "&#{};", c as u32);
            }
            c => out.push(c),
        }
    }
}

/// The tag name in an opening; `None` for a text.
fn tag(node: &Node) -> Option<&str> {
    node.key?;
    node.before.strip_prefix('<')?.split(' ').next()
}

/// The approximate width of a node, with its end tag on its own line.
pub(super) fn width(node: &Node) -> usize {
    let indent = 2 * (node.depth as usize + AROUND) + 1;
    let reference = if node.shows_ref { 13 } else { 0 };
    let end = tag(node).map_or(0, |tag| indent + tag.len() + 3);
    indent + node.before.chars().count() + reference + node.after.chars().count() + end
}

/// Writes the shown part of a tree.
pub(crate) fn write(
    tree: &Tree,
    shown: &[Shown],
    notation: Notation,
    reference: impl Fn(usize) -> Option<Ref>,
) -> String {
    // A part stands where the whole page would.
    let base = match shown.first() {
        Some(Shown::Line(at)) => tree.nodes[*at].depth,
        _ => 0,
    };
    let below = |depth: u32| depth.saturating_sub(base);
    let full = |at: usize| match full_text(tree, at, notation, &reference) {
        Some(call) => format!(" <!-- {call} -->"),
        None => String::new(),
    };
    let mut writing = Writing { text: "<html>\n  <body>\n".to_owned(), open: Vec::new() };
    let mut pieces = shown.iter().peekable();
    while let Some(piece) = pieces.next() {
        match *piece {
            Shown::Cut(cut) => {
                writing.close_to(below(cut.depth));
                let words = cut.words(tree, notation, &reference);
                writing.line(below(cut.depth), &format!("<!-- {words} -->"));
            }
            Shown::Line(at) => {
                let node = &tree.nodes[at];
                let depth = below(node.depth);
                writing.close_to(depth);
                let inside = pieces.peek().and_then(|next| match **next {
                    Shown::Line(next) if tree.nodes[next].depth > node.depth => Some(Some(next)),
                    Shown::Cut(cut) if cut.depth > node.depth => Some(None),
                    _ => None,
                });
                let Some(tag) = tag(node) else {
                    writing.line(depth, &format!("{}{}", node.before, full(at)));
                    continue;
                };
                let mut start = node.before.to_string();
                if node.shows_ref
                    && let Some(reference) = reference(at)
                {
                    let _ = write!(start, " ref=\"{reference}\"");
                }
                match inside {
                    None if VOID.contains(&tag) => writing.line(depth, &format!("{start}/>")),
                    None => writing.line(depth, &format!("{start}>{}</{tag}>", node.after)),
                    // An element's only text goes on the element's line.
                    Some(Some(next)) if alone(tree, at, next) => {
                        pieces.next();
                        let text = &tree.nodes[next].before;
                        writing.line(depth, &format!("{start}>{text}</{tag}>{}", full(next)));
                    }
                    Some(_) => {
                        writing.line(depth, &format!("{start}>{}", node.after));
                        writing.open.push((depth, tag));
                    }
                }
            }
        }
    }
    writing.close_to(0);
    if tree.more > 0 {
        writing.line(0, &format!("<!-- {} -->", beyond(tree)));
    }
    writing.text.push_str("  </body>\n</html>");
    writing.text
}

/// Whether a text is an element's only content.
fn alone(tree: &Tree, at: usize, text: usize) -> bool {
    text == at + 1 && tree.nodes[text].key.is_none() && tree.end_of(at) == text + 1
}

struct Writing<'a> {
    text: String,
    /// Open elements.
    open: Vec<(u32, &'a str)>,
}

impl Writing<'_> {
    fn line(&mut self, depth: u32, line: &str) {
        for _ in 0..depth as usize + AROUND {
            self.text.push_str("  ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Closes all elements that do not contain a node at this depth.
    fn close_to(&mut self, depth: u32) {
        while let Some((own, tag)) = self.open.pop_if(|(own, _)| *own >= depth) {
            self.line(own, &format!("</{tag}>"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{refs::Refs, snapshot::budget::fit, tabs::TabId};

    fn written(look: &str, budget: usize) -> String {
        let look: Look<'_> = serde_json::from_str(look).unwrap();
        let tree = Tree::of_html(look, Document(1), 0);
        let refs = std::cell::RefCell::new(Refs::default());
        write(&tree, &fit(&tree, budget), Notation::default(), |at| {
            let (document, local) = tree.nodes[at].key?;
            Some(refs.borrow_mut().give(TabId(1), 0, document, local))
        })
    }

    #[test]
    fn elements_stand_in_each_other_as_in_the_page() {
        let look = r##"{"title": "", "nodes": [
            [0, 1, "navigation", "", {"markup": {"tag": "nav", "attributes": [["id", "main-nav"]]}}],
            [1, 2, "link", "Home", {"markup": {"tag": "a", "attributes": [["href", "/home"]]}}],
            [2, 0, "text", "Home"],
            [0, 3, "heading", "Title link", {"markup": {"tag": "h1", "attributes": []}}],
            [1, 0, "text", "Title"],
            [1, 4, "link", "link", {"markup": {"tag": "a", "attributes": [["href", "#"]], "text": "link"}}],
            [0, 5, "searchbox", "", {"markup": {"tag": "input", "attributes": [["type", "search"], ["disabled", ""]]}}]
        ]}"##;
        let expected = r##"<html>
  <body>
    <nav id="main-nav">
      <a href="/home" ref="e1">Home</a>
    </nav>
    <h1 ref="e2">
      Title
      <a href="#" ref="e3">link</a>
    </h1>
    <input type="search" disabled ref="e4"/>
  </body>
</html>"##;
        assert_eq!(written(look, 10_000), expected);
    }

    #[test]
    fn a_page_cannot_forge_tags_or_quotes() {
        let look = r#"{"title": "", "nodes": [
            [0, 1, "link", "x", {"markup": {"tag": "a\"><b", "attributes": [["href", "\" ref=\"e9\"><button>"]]}}],
            [1, 0, "text", "</a><button ref=\"e9\">&lt;\u202e"]
        ]}"#;
        let html = written(look, 10_000);
        assert!(
            html.contains(r#"<a___b href="&quot; ref=&quot;e9&quot;&gt;&lt;button&gt;" ref="e1">"#),
            "{html}"
        );
        assert!(
            html.contains("&lt;/a&gt;&lt;button ref=&quot;e9&quot;&gt;&amp;lt;&#8238;</a___b>"),
            "{html}"
        );
    }

    #[test]
    fn what_does_not_fit_is_counted_and_every_tag_ends() {
        let item = r#"[1, 2, "listitem", "", {"markup": {"tag": "li", "attributes": [["id", "an item of the list"]]}}]"#;
        let items = vec![item; 500].join(",");
        let list = r#"[0, 1, "list", "", {"scrollable": true, "markup": {"tag": "ul", "attributes": []}}]"#;
        let html = written(&format!(r#"{{"title": "", "nodes": [{list},{items}]}}"#), 3_000);
        assert!(html.len() < 3_500, "{}", html.len());
        assert!(
            html.contains("<!-- … truncated: ") && html.contains(" more: snapshot of e1 after e2 -->"),
            "{html}"
        );
        assert!(html.contains(" after e2 -->\n    </ul>\n  </body>"), "{html}");
        assert_eq!(html.matches("<li").count(), html.matches("</li>").count());
    }
}
