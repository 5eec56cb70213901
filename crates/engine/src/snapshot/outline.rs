//! A snapshot as an outline: `- button "Save" [ref=@e4] [disabled]`, with texts in quotes. It can leave out
//! nodes; their children take their place.

use std::fmt::Write;

use super::{
    line::{Area, NAME, Told, URL},
    text::{in_lines, plain, quoted},
    tree::{Form, Look, Marks, Node, Tree, draw_in_texts},
};
use crate::refs::Document;

/// What an outline includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outlining {
    /// Only interactive elements.
    pub(crate) operable: bool,
    /// No containers without a name.
    pub(crate) compact: bool,
    /// Texts, too.
    pub(crate) text: bool,
    /// Positions.
    pub(crate) bounds: bool,
}

/// The origin of a frame's coordinates in the page's viewport, and their scale.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrameTransform {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) scale: f64,
}

/// Roles with a ref that are not interactive.
const LOOKED_AT: &[&str] =
    &["heading", "img", "image", "dialog", "alertdialog", "canvas", "menu", "tabpanel"];

/// Container roles that show their ref if they have a name, so that their content can be requested.
const CONTAINERS: &[&str] = &[
    "article",
    "banner",
    "complementary",
    "contentinfo",
    "form",
    "grid",
    "group",
    "list",
    "main",
    "menubar",
    "navigation",
    "radiogroup",
    "region",
    "search",
    "table",
    "tablist",
    "toolbar",
    "tree",
];

impl Tree {
    /// The lines of one document (its name, and its frame's number), without its frames.
    pub(crate) fn of_outline(
        look: &Look<'_>,
        (document, frame): (Document, u32),
        outlining: Outlining,
        transform: Option<FrameTransform>,
    ) -> Self {
        let mut nodes = Vec::new();
        // The depths of the included ancestors.
        let mut around: Vec<u32> = Vec::new();
        for (at, told) in look.nodes.iter().enumerate() {
            while around.last().is_some_and(|depth| *depth >= told.0) {
                around.pop();
            }
            if !outlining.keeps(&look.nodes, at) {
                continue;
            }
            let depth = u32::try_from(around.len()).unwrap_or(u32::MAX);
            around.push(told.0);
            let (before, after) = match told.is_text() {
                true => (told.text(), String::new()),
                false => (told.named(), details(told, transform)),
            };
            nodes.push(Node {
                depth,
                key: (told.1 != 0).then_some((document, told.1)),
                frame,
                shows_ref: told.shows_ref() || (!told.3.is_empty() && CONTAINERS.contains(&&*told.2)),
                active: told.4.active,
                named: if told.is_text() { 0 } else { before.len() },
                before: before.into(),
                after: after.into(),
                bounds: bounds(told, transform),
                marks: Marks::of(&look.nodes, at),
            });
        }
        draw_in_texts(&mut nodes);
        let (title, more) = (look.title.clone(), look.more as usize);
        Self { title, nodes, more, form: Form::Outline, ..Self::default() }
    }

    /// The same below a line for the document.
    pub(crate) fn titled(mut self) -> Self {
        self.nodes.iter_mut().for_each(|node| node.depth += 1);
        let title =
            if self.title.is_empty() { String::new() } else { format!(" {}", quoted(&self.title, 200)) };
        self.nodes.insert(0, Node::remark(&format!("document{title}")));
        self
    }

    /// Only the focused element and its descendants; everything if nothing is focused.
    pub(crate) fn focused(self) -> Self {
        let active = |nodes: &[Node]| nodes.iter().position(|node| node.active);
        let Some(mut at) = active(&self.nodes) else { return self };
        // A focused frame has a focused element.
        while let Some(inner) = active(&self.nodes[at + 1..self.end_of(at)]) {
            at += 1 + inner;
        }
        let (end, base) = (self.end_of(at), self.nodes[at].depth);
        let nodes = self.nodes[at..end].iter().cloned();
        let nodes = nodes.map(|node| Node { depth: node.depth - base, ..node }).collect();
        Self { nodes, ..self }
    }
}

impl Outlining {
    pub(super) fn keeps(self, all: &[Told<'_>], at: usize) -> bool {
        let told = &all[at];
        if told.is_text() {
            return self.text && !self.operable;
        }
        if self.operable {
            return told.4.frame || told.4.native || acted_on(told);
        }
        !self.compact
            || told.shows_ref()
            || !told.3.is_empty()
            || says_something(told)
            || holds_a_text(all, at)
    }
}

fn acted_on(told: &Told<'_>) -> bool {
    let looked_at = LOOKED_AT.contains(&&*told.2) || !told.has_role_to_act_on();
    told.4.clickable || told.4.draggable || !looked_at
}

fn says_something(told: &Told<'_>) -> bool {
    !told.states().is_empty() || !details(told, None).is_empty()
}

/// Whether its content is one text, which goes on its line.
fn holds_a_text(all: &[Told<'_>], at: usize) -> bool {
    let below = |n: usize| all.get(at + n).filter(|next| next.0 > all[at].0);
    below(1).is_some_and(Told::is_text) && below(2).is_none()
}

/// Its position in the page's viewport.
#[expect(clippy::cast_possible_truncation, reason = "casts saturate, and nothing is so far away")]
fn bounds(told: &Told<'_>, transform: Option<FrameTransform>) -> Option<[i32; 4]> {
    let (Area { x: left, y: top, width, height }, FrameTransform { x, y, scale }) =
        (told.4.area?, transform?);
    let sides = [x + left * scale, y + top * scale, width * scale, height * scale];
    Some(sides.map(|side| side.round() as i32))
}

/// States, and what else there is to say.
fn details(told: &Told<'_>, transform: Option<FrameTransform>) -> String {
    let props = &told.4;
    let mut line = told.states() + &told.hint();
    // Writing to a string cannot fail.
    if let (Some(least), Some(most)) = (&props.valuemin, &props.valuemax) {
        let _ = write!(line, " [range={}–{}]", least.shown(), most.shown());
    }
    if let Some(url) = &props.url {
        let _ = write!(line, " [url={}]", plain(url, URL));
    }
    let value = props.value.as_deref().filter(|value| !value.is_empty());
    // Visible only without a value, as in lines.
    if let Some(placeholder) = props.placeholder.as_ref().filter(|_| value.is_none()) {
        let _ = write!(line, " [placeholder={}]", quoted(placeholder, 200));
    }
    if let Some(description) = &props.description {
        let _ = write!(line, " [description={}]", quoted(description, 200));
    }
    if let Some(files) = &props.files {
        let _ = write!(line, " [files={}]", files.shown());
    }
    if let Some([left, top, width, height]) = bounds(told, transform) {
        let _ = write!(line, " [bounds={left},{top},{width},{height}]");
    }
    if let Some(value) = value {
        let _ = write!(line, ": \"{}\"", in_lines(value, NAME, true));
    }
    line
}
