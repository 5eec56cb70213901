//! Scrolling: by a distance, to a position, to an element.

use cicerone_engine::{Acted, Block, Course, Point, Scroll, Scrolled, Target};
use serde_json::{Map, Value};

use crate::{
    BadArguments, Capability, Effect, Face, Output,
    argument::{Argument, choices, object},
    dialect::{AGENT, VISION, agent::named, vision::SESSION},
    output::{facts, of},
    reply::Failure,
    scope::OnPage,
};

/// What was asked for; which of it goes together is decided when all of it is there.
#[derive(Default)]
pub(super) struct ScrollRequest {
    on: Option<Target>,
    direction: Option<Direction>,
    amount: Option<f64>,
    position: Option<Position>,
    into_view: bool,
    block: Option<Block>,
    smooth: bool,
}

#[derive(Clone, Copy)]
enum Direction {
    Up,
    Down,
    Left,
    Right,
}

#[derive(Default)]
struct Position {
    x: Option<f64>,
    y: Option<f64>,
}

choices! {
    Direction {
        "up" => Direction::Up,
        "down" => Direction::Down,
        "left" => Direction::Left,
        "right" => Direction::Right,
    }
    Block {
        "start" => Block::Start,
        "center" => Block::Center,
        "end" => Block::End,
        "nearest" => Block::Nearest,
    }
}

object! {
    Position {
        "x" => x: f64,
        "y" => y: f64,
    }
}

/// Three notches of a wheel.
const USUAL: f64 = 300.0;

impl ScrollRequest {
    /// Which way, or what is missing or too much.
    fn course(&self) -> Result<Course, BadArguments> {
        let no = |words| Err(BadArguments::Together(words));
        match self {
            Self { into_view: true, on: None, .. } => {
                no("Missing required argument: selector, for into_view")
            }
            Self { direction: Some(_), position: Some(_), .. } => {
                no("Give direction or position, not both of them")
            }
            Self { into_view: true, direction: Some(_), .. }
            | Self { into_view: true, position: Some(_), .. } => {
                no("Give into_view, or direction or position, not both of them")
            }
            Self { direction: None, amount: Some(_), .. } => {
                no("Missing required argument: direction, for amount")
            }
            Self { position: Some(Position { x: None, y: None }), .. } => {
                no("Invalid argument position: it must be an object with x or y")
            }
            Self { position: Some(Position { x, y }), .. } => Ok(Course::To { x: *x, y: *y }),
            Self { direction: Some(direction), .. } => {
                let far = self.amount.unwrap_or(USUAL);
                let (x, y) = match direction {
                    Direction::Up => (0.0, -far),
                    Direction::Down => (0.0, far),
                    Direction::Left => (-far, 0.0),
                    Direction::Right => (far, 0.0),
                };
                Ok(Course::By(Point { x, y }))
            }
            Self { on: Some(_), .. } => Ok(Course::Block(self.block.unwrap_or_default())),
            _ => no("Missing required argument: one of direction, position, selector"),
        }
    }
}

impl Capability for ScrollRequest {
    type On = OnPage;
    type Output = Acted<ScrollResult>;
    const EFFECT: Effect = Effect::Acts;

    async fn run(self, on: OnPage) -> Result<Acted<ScrollResult>, Failure> {
        // Checked before: there is a course.
        let course = self.course().unwrap_or(Course::To { x: None, y: None });
        let by = self.direction.map(|direction| (direction, self.amount.unwrap_or(USUAL)));
        let scroll = Scroll { on: self.on, course, smooth: self.smooth };
        Ok(on.page.mouse().scroll(&scroll).await?.map(|scrolled| ScrollResult { scrolled, by }))
    }
}

/// What came of it, and how far it was to go.
pub(super) struct ScrollResult {
    scrolled: Scrolled,
    by: Option<(Direction, f64)>,
}

impl Output for ScrollResult {
    fn facts(&self) -> Map<String, Value> {
        let Scrolled { element, position, moved, visible } = &self.scrolled;
        let mut facts = element.as_ref().map(Output::facts).unwrap_or_default();
        facts.extend(facts! { "x" => position.x, "y" => position.y, "moved" => *moved });
        if let Some(visible) = *visible {
            facts.insert("visible".into(), visible.into());
        }
        facts
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "ref" => of("string"), "x" => of("number"), "y" => of("number"), "moved" => of("boolean"),
            "visible" => of("boolean"),
        }
    }
}

fn sentence(scrolled: &Scrolled) -> String {
    let Scrolled { element, position: Point { x, y }, moved, visible } = scrolled;
    let what = element.as_ref().map_or_else(|| "the page".into(), named);
    match (visible, moved) {
        (Some(true), true) => format!("Scrolled {what} into view; the page is at {x},{y}"),
        (Some(true), false) => format!("{what} was in place already; the page is at {x},{y}"),
        (Some(false), _) => format!("{what} is not in view after scrolling; the page is at {x},{y}"),
        (None, true) => format!("Scrolled {what} to {x},{y}"),
        (None, false) => format!("Nothing moved: {what} stays at {x},{y}"),
    }
}

/// `Scrolled down by 500 pixels`; at the end of the page nothing moves.
fn scrolled_by(done: &ScrollResult) -> String {
    let (direction, pixels) = done.by.unwrap_or((Direction::Down, USUAL));
    let way = match direction {
        Direction::Up => "up",
        Direction::Down => "down",
        Direction::Left => "left",
        Direction::Right => "right",
    };
    match done.scrolled.moved {
        true => format!("Scrolled {way} by {pixels} pixels"),
        false => format!("Nothing moved: there is nothing more to scroll {way}"),
    }
}

pub(super) fn faces() -> [Face<ScrollRequest>; 2] {
    [
        AGENT
            .tool("scroll", "Scroll the page, a container, or an element into view")
            .takes((), |()| ScrollRequest::default())
            .example(r#"{"direction": "down", "amount": 500}"#)
            .opt("selector", "", |asked, on| asked.on = Some(on))
            .opt("direction", "", |asked, direction| asked.direction = Some(direction))
            .opt("amount", "Pixels, else 300", |asked, amount| asked.amount = Some(amount))
            .opt("position", "", |asked, position| asked.position = Some(position))
            .opt("into_view", "", |asked, into_view| asked.into_view = into_view)
            .default(false)
            .opt("block", "", |asked, block| asked.block = Some(block))
            .default("center")
            .opt("smooth", "", |asked, smooth| asked.smooth = smooth)
            .default(false)
            .on_tab("tabId", "")
            .in_frame("frameId")
            .validate(|asked| asked.course().map(drop))
            .says(|out| sentence(&out.done.scrolled)),
        VISION
            .tool("browser.scroll", "Scroll the page")
            .takes((), |()| ScrollRequest { direction: Some(Direction::Down), ..ScrollRequest::default() })
            .example(r#"{"direction": "down", "pixels": 500}"#)
            .opt("direction", "Scroll direction", |asked, direction| asked.direction = Some(direction))
            .default("down")
            .opt("pixels", "Pixels to scroll", |asked, pixels| asked.amount = Some(pixels))
            .default(300)
            .opt("selector", "Scroll specific element", |asked, on| asked.on = Some(on))
            .in_context("sessionId", SESSION)
            .validate(|asked| match asked.amount {
                Some(pixels) if pixels < 0.0 => Err(BadArguments::Together(
                    "Invalid argument pixels: it must be 0 or more; direction says which way",
                )),
                _ => Ok(()),
            })
            .says(|out| scrolled_by(&out.done)),
    ]
}
