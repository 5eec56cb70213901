//! The mouse and the keyboard.

use crate::{
    Driver, Trial,
    site::{Site, html},
    until, value, value_in,
};
use cicerone_driver::{Button, Input, Key, Modifier, Point};

/// A page that writes down the events that it gets.
fn site() -> Site {
    Site::serve(|head| {
        match head.target.as_str() {
        "/outer" => {
            let host = head.header("host").unwrap_or_default().replace("127.0.0.1", "localhost");
            html(&format!(
                "<link rel=icon href='data:,'><style>iframe {{ position: fixed; inset: 0; border: 0 }}</style>\
                 <iframe src='http://{host}/'></iframe>"
            ))
        }
        _ => html(
            "<link rel=icon href='data:,'><input id=field style='position: fixed; left: 200px; top: 200px; width: 200px'>
            <script>
                var log = [];
                const keep = (kind, words) => addEventListener(kind, event => log.push(words(event)));
                for (const kind of ['mousedown', 'mouseup', 'click', 'dblclick']) {
                    keep(kind, event => `${kind} ${event.button} ${event.clientX},${event.clientY}`);
                }
                keep('wheel', event => `wheel ${event.deltaX},${event.deltaY}`);
                keep('keydown', event => `keydown ${event.key} ${event.code} ${event.shiftKey} ${event.ctrlKey}`);
                keep('keyup', event => `keyup ${event.key}`);
                addEventListener('contextmenu', event => event.preventDefault());
            </script>",
        ),
    }
    })
}

fn press(button: Button, count: u32) -> [Input; 2] {
    [Input::Down(button, count), Input::Up(button, count)]
}

pub async fn the_mouse_moves_and_presses_and_turns_its_wheel(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let mut steps = vec![Input::Move(Point { x: 20.0, y: 30.0 })];
    steps.extend([press(Button::Left, 1), press(Button::Left, 2), press(Button::Right, 1)].concat());

    page.input(&steps).await.unwrap();

    until(&*page, "log.some(line => line.startsWith('mouseup 2'))").await;
    let log = value(&*page, "log.join('; ')").await;
    let press = "mousedown 0 20,30; mouseup 0 20,30; click 0 20,30";
    let expected = format!("{press}; {press}; dblclick 0 20,30; mousedown 2 20,30; mouseup 2 20,30");
    assert_eq!(log, expected);
    page.input(&[Input::Wheel(0.0, 120.0)]).await.unwrap();
    until(&*page, "log.at(-1) === 'wheel 0,120'").await;
    trial.browser.close().await;
}

pub async fn keys_are_pressed_with_modifiers_and_text_is_inserted(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/")).await;
    let mut steps = vec![Input::Move(Point { x: 250.0, y: 210.0 })];
    steps.extend(press(Button::Left, 1));
    page.input(&steps).await.unwrap();
    until(&*page, "document.activeElement === field").await;
    value(&*page, "void (log.length = 0)").await;

    let (shift, left) = (Key::modifier(Modifier::Shift), Key::named("ArrowLeft").unwrap());
    page.input(&[
        Input::KeyDown(Key::typing('a')),
        Input::KeyUp(Key::typing('a')),
        Input::Insert("ü😀".into()),
        Input::KeyDown(shift.clone()),
        Input::KeyDown(left.clone()),
        Input::KeyUp(left),
        Input::KeyUp(shift),
    ])
    .await
    .unwrap();

    until(&*page, "log.at(-1) === 'keyup Shift'").await;
    assert_eq!(value(&*page, "field.value").await, "aü😀");
    assert_eq!(value(&*page, "field.value.slice(field.selectionStart, field.selectionEnd)").await, "😀");
    let log = value(&*page, "log.join('; ')").await;
    let log = log.as_str().unwrap();
    assert!(log.starts_with("keydown a KeyA false false; keyup a"), "{log}");
    assert!(log.contains("keydown ArrowLeft ArrowLeft true false; keyup ArrowLeft"), "{log}");
    trial.browser.close().await;
}

pub async fn input_reaches_a_frame_of_another_site(driver: &Driver) {
    let (trial, site) = (Trial::start(driver).await, site());
    let page = trial.page_at(&*trial.browser.default_context(), &site.url("/outer")).await;
    let frame = trial.record.frame_at(&page.id(), "/").await;
    let mut steps = vec![Input::Move(Point { x: 20.0, y: 30.0 })];
    steps.extend(press(Button::Left, 1));
    // Until the frame is drawn, input goes to the page.
    let reached = tokio::time::timeout(crate::TIMEOUT, async {
        while value_in(&*page, &frame, "log.length").await == 0 {
            page.input(&steps).await.unwrap();
        }
    });
    reached.await.unwrap();
    assert_eq!(value_in(&*page, &frame, "log[0]").await, "mousedown 0 20,30");
    trial.browser.close().await;
}
