//! The mouse, by coordinates.

use cicerone_engine::{Acted, Button, Click, Drag, Point, PointerTarget};
use serde_json::{Map, Value};

use crate::{
    Cap, Capability, Effect, Face, Output, dialect::BROWSER, face::must, reply::Failure, scope::OnPage,
};

pub(super) struct Mouse {
    at: Point,
    gesture: Gesture,
}

enum Gesture {
    Move,
    Click(Button, u32),
    DragTo(Point),
}

/// What the mouse did.
pub(super) enum Did {
    Moved(Point),
    Clicked(Point),
    Dragged(Point, Point),
}

impl Capability for Mouse {
    type On = OnPage;
    type Output = Acted<Did>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<Did>, Failure> {
        let page = on.page;
        let at = PointerTarget::Point(self.at);
        Ok(match self.gesture {
            Gesture::Move => page.mouse().hover(&at).await?.map(|_| Did::Moved(self.at)),
            Gesture::Click(button, count) => {
                let click = Click { button, count, ..Click::on(at) };
                page.mouse().click(&click).await?.map(|_| Did::Clicked(self.at))
            }
            Gesture::DragTo(end) => {
                let drag = Drag::between(at, PointerTarget::Point(end));
                page.mouse().drag(&drag).await?.map(|_| Did::Dragged(self.at, end))
            }
        })
    }
}

impl Output for Did {
    fn facts(&self) -> Map<String, Value> {
        Map::new()
    }

    fn schema() -> Map<String, Value> {
        Map::new()
    }
}

fn sentence(did: &Did) -> String {
    let at = |Point { x, y }: &Point| format!("{x},{y}");
    match did {
        Did::Moved(point) => format!("Moved the mouse to {}", at(point)),
        Did::Clicked(point) => format!("Clicked at {}", at(point)),
        Did::Dragged(from, to) => format!("Dragged from {} to {}", at(from), at(to)),
    }
}

fn point((x, y): (f64, f64)) -> Point {
    Point { x, y }
}

pub(super) fn faces() -> [Face<Mouse>; 3] {
    let xy = || (must("x", "Pixels of the viewport"), must("y", ""));
    [
        BROWSER
            .tool("browser_mouse_click_xy", "Click at a point")
            .takes(xy(), |xy| Mouse { at: point(xy), gesture: Gesture::Click(Button::Left, 1) })
            .example(r#"{"x": 120, "y": 40}"#)
            .described("element")
            .opt("button", "", |mouse, button: Button| {
                if let Gesture::Click(with, _) = &mut mouse.gesture {
                    *with = button;
                }
            })
            .unlisted("doubleClick", |mouse, double: bool| {
                if let Gesture::Click(_, count) = &mut mouse.gesture {
                    *count = if double { 2 } else { 1 };
                }
            }),
        BROWSER
            .tool("browser_mouse_move_xy", "Move the mouse to a point")
            .takes(xy(), |xy| Mouse { at: point(xy), gesture: Gesture::Move })
            .example(r#"{"x": 120, "y": 40}"#)
            .described("element"),
        BROWSER
            .tool("browser_mouse_drag_xy", "Drag with the left button from one point to another")
            .takes(
                ((must("startX", ""), must("startY", "")), (must("endX", ""), must("endY", ""))),
                |(from, to)| Mouse { at: point(from), gesture: Gesture::DragTo(point(to)) },
            )
            .example(r#"{"startX": 20, "startY": 40, "endX": 200, "endY": 40}"#)
            .described("element"),
    ]
    .map(|face| face.needs(Cap::Vision).says(|out| sentence(&out.done)))
}
