//! The `agent` dialect's pictures, prints and recordings.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use cicerone_media::Picture;
use serde_json::{Value, json};

use crate::{
    life::{kill_renderers, list_with_a_crash},
    support::{
        Reply, Tab,
        agent::{data, fails, open},
        open_with,
    },
};

const PAGE: &str = "<!doctype html><title>Media</title><style>
    body { margin: 0; font: 16px sans-serif; height: 2000px }
    #red { position: absolute; left: 100px; top: 50px; width: 200px; height: 100px; background: rgb(255, 0, 0) }
    #box { position: absolute; left: 400px; top: 300px; width: 60px; height: 60px; background: rgb(0, 0, 255) }
    button { position: absolute; left: 100px; top: 400px; width: 120px; height: 40px }
</style><div id=red></div><div id=box></div>
<button onclick=\"red.style.background = ['rgb(0, 255, 0)', 'rgb(255, 255, 0)', 'rgb(0, 255, 255)'][n++ % 3]\">Next</button>
<script>n = 0</script>";

fn shot(tab: &mut Tab, arguments: Value) -> (Reply, Vec<u8>) {
    let reply = tab.call("screenshot", arguments);
    data(&reply);
    let bytes = match reply.images().as_slice() {
        [(_, bytes)] => bytes.clone(),
        [] => {
            let path = reply.facts()["data"]["path"].as_str().unwrap();
            std::fs::read(tab.working_directory().join(path)).unwrap()
        }
        more => panic!("{} images", more.len()),
    };
    (reply, bytes)
}

#[test]
fn screenshots_have_the_part_size_and_format_that_are_asked_for() {
    let mut tab = open(PAGE);
    let (reply, bytes) = shot(&mut tab, json!({}));
    assert_eq!(reply.images()[0].0, "image/png");
    let viewport = Picture::decode(&bytes).unwrap();
    assert_eq!((viewport.width(), viewport.height()), (1280, 720));
    assert_eq!(viewport.pixel(150, 100), [255, 0, 0, 255]);
    for (arguments, width, height) in [
        (json!({ "full_page": true }), 1280, 2000),
        (json!({ "selector": "#red" }), 200, 100),
        (json!({ "selector": "#red", "scale": 2 }), 400, 200),
        (json!({ "scale": 0.5 }), 640, 360),
        (json!({ "clip": { "x": 90, "y": 40, "width": 20, "height": 30 } }), 20, 30),
        (json!({ "clip": { "x": 0, "y": 1500, "width": 50, "height": 60 }, "full_page": true }), 50, 60),
        (json!({ "format": "jpeg", "quality": 30 }), 1280, 720),
    ] {
        let (reply, bytes) = shot(&mut tab, arguments.clone());
        let picture = Picture::decode(&bytes).unwrap();
        assert_eq!((picture.width(), picture.height()), (width, height), "{arguments}");
        let told = &reply.facts()["data"];
        assert_eq!((&told["width"], &told["height"]), (&json!(width), &json!(height)), "{arguments}");
    }
    let (_, clip) = shot(&mut tab, json!({ "clip": { "x": 90, "y": 40, "width": 20, "height": 30 } }));
    let clip = Picture::decode(&clip).unwrap();
    assert_eq!((clip.pixel(5, 5), clip.pixel(15, 15)), ([255; 4], [255, 0, 0, 255]));
    let (reply, webp) = shot(&mut tab, json!({ "format": "webp", "quality": 50 }));
    assert_eq!(
        (reply.images()[0].0.as_str(), &webp[..4], &webp[8..12]),
        ("image/webp", &b"RIFF"[..], &b"WEBP"[..])
    );
    for format in ["jpeg", "webp"] {
        let (_, good) = shot(&mut tab, json!({ "format": format, "quality": 95, "full_page": true }));
        let (_, poor) = shot(&mut tab, json!({ "format": format, "quality": 5, "full_page": true }));
        assert!(poor.len() < good.len(), "{format}: {} and {} bytes", poor.len(), good.len());
    }
}

#[test]
fn a_page_that_is_too_long_is_scaled_down_and_that_is_said() {
    let mut tab = open("<body style='margin: 0'><div style='height: 20000px'></div>");
    let reply = tab.call("screenshot", json!({ "full_page": true, "save_path": "long.png" }));
    reply.says("1024x16000, scaled down from 1280x20000");
    assert_eq!(data(&reply)["height"], 16_000);
    tab.call("screenshot", json!({})).says_not("scaled down");
}

#[test]
fn a_background_can_be_left_out() {
    let mut tab = open(PAGE);
    let (_, clear) = shot(&mut tab, json!({ "omit_background": true }));
    let picture = Picture::decode(&clear).unwrap();
    assert_eq!((picture.pixel(5, 5), picture.pixel(150, 100)), ([0; 4], [255, 0, 0, 255]));
    let (_, after) = shot(&mut tab, json!({}));
    assert_eq!(Picture::decode(&after).unwrap().pixel(5, 5), [255; 4], "only for that picture");
}

#[test]
fn what_an_engine_cannot_do_is_said() {
    let mut tab = open(PAGE);
    for (tool, arguments, words) in [
        ("screenshot", json!({ "omit_background": true }), "take screenshots with a transparent background"),
        ("pdf", json!({ "save_path": "h.pdf", "display_header_footer": true }), "print headers and footers"),
        (
            "pdf",
            json!({ "save_path": "c.pdf", "prefer_css_page_size": true }),
            "take the paper size from the page's CSS",
        ),
    ] {
        let reply = tab.call(tool, arguments);
        if reply.failed() {
            fails(&reply, "Unsupported", &format!("this browser cannot {words}"));
            assert!(!tab.working_directory().join("h.pdf").exists());
        }
    }
}

#[test]
fn a_saved_screenshot_is_not_in_the_reply() {
    let mut tab = open(PAGE);
    for (path, format) in [("a.png", "png"), ("new/b.jpg", "jpeg"), ("c.jpeg", "jpeg"), ("d.WEBP", "webp")] {
        let reply = tab.call("screenshot", json!({ "save_path": path, "format": format }));
        assert_eq!(data(&reply)["path"], path);
        assert!(reply.images().is_empty());
        assert!(reply.text().contains("1280x720") && reply.text().contains(path), "{}", reply.text());
        assert!(tab.working_directory().join(path).exists());
    }
    fails(&tab.call("screenshot", json!({ "save_path": "../out.png" })), "Forbidden", "outside of");
    assert!(!tab.working_directory().join("../out.png").exists());
}

#[test]
fn wrong_arguments_of_screenshots_are_refused() {
    let mut tab = open(PAGE);
    for (arguments, words) in [
        (json!({ "format": "gif" }), "format"),
        (json!({ "quality": 50 }), "quality"),
        (json!({ "format": "jpeg", "quality": 101 }), "quality"),
        (json!({ "format": "jpeg", "quality": "best" }), "quality"),
        (json!({ "format": "jpeg", "omit_background": true }), "omit_background"),
        (json!({ "clip": { "x": 1, "y": 2 } }), "clip"),
        (json!({ "clip": { "x": 1, "y": 2, "width": 0, "height": 5 } }), "clip"),
        (json!({ "selector": "#red", "full_page": true }), "selector"),
        (json!({ "scale": 0 }), "scale"),
        (json!({ "scale": 100 }), "scale"),
        (json!({ "save_path": "a.jpg" }), "save_path"),
        (json!({ "save_path": "a.gif" }), "save_path"),
        (json!({ "save_path": "" }), "save_path"),
        (json!({ "full_page": "yes" }), "full_page"),
        (json!({ "annotate": true }), "annotate"),
        (json!({ "tabId": "one" }), "tabId"),
    ] {
        tab.call("screenshot", arguments).refused(-32602, words);
    }
    fails(&tab.call("screenshot", json!({ "selector": "#none" })), "NotFound", "no element matches");
    let outside = json!({ "clip": { "x": 3000, "y": 0, "width": 10, "height": 10 } });
    fails(&tab.call("screenshot", outside), "OffViewport", "outside of the visible 1280x720");
}

#[test]
fn a_page_is_printed_on_every_paper() {
    let mut tab = open(PAGE);
    let sizes = [
        ("Letter", 8.5, 11.0),
        ("Legal", 8.5, 14.0),
        ("Tabloid", 11.0, 17.0),
        ("Ledger", 17.0, 11.0),
        ("A0", 33.1, 46.8),
        ("A1", 23.4, 33.1),
        ("A2", 16.54, 23.4),
        ("A3", 11.7, 16.54),
        ("A4", 8.27, 11.7),
        ("A5", 5.83, 8.27),
        ("A6", 4.13, 5.83),
    ];
    let inches = |told: &Value| told.as_str().unwrap().trim_end_matches("in").parse::<f64>().unwrap();
    for (format, width, height) in sizes {
        let reply = tab.call("pdf", json!({ "save_path": "page.pdf", "format": format }));
        let told = data(&reply).clone();
        assert!((inches(&told["width"]) - width).abs() < 0.05, "{format}: {told}");
        assert!((inches(&told["height"]) - height).abs() < 0.05, "{format}: {told}");
        assert!(told["pages"].as_u64().unwrap() >= 1, "{told}");
        let bytes = std::fs::read(tab.working_directory().join("page.pdf")).unwrap();
        assert!(bytes.starts_with(b"%PDF-"));
        assert_eq!(told["bytes"], bytes.len());
    }
    let reply = tab.call("pdf", json!({ "save_path": "page.pdf", "landscape": true }));
    assert_eq!((&data(&reply)["width"], &data(&reply)["height"]), (&json!("11.00in"), &json!("8.50in")));
}

#[test]
fn margins_scale_and_backgrounds_change_what_is_printed() {
    let mut tab = open(PAGE);
    let mut pages = |arguments: Value| {
        let mut all = json!({ "save_path": "page.pdf" });
        all.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
        let reply = tab.call("pdf", all);
        let bytes = data(&reply)["bytes"].as_u64().unwrap();
        (data(&reply)["pages"].as_u64().unwrap(), bytes)
    };
    let (usual, _) = pages(json!({}));
    let (more, _) =
        pages(json!({ "margin": { "top": "3in", "bottom": "7.62cm", "left": "10mm", "right": "48px" } }));
    assert!(more > usual, "{more} pages with wide margins, {usual} without");
    let (larger, _) = pages(json!({ "scale": 2 }));
    assert!(larger > usual, "{larger} pages twice as large, {usual} usually");
    let (_, with) = pages(json!({ "print_background": true }));
    let (_, without) = pages(json!({ "print_background": false }));
    assert_ne!(with, without);
    let (_, usual) = pages(json!({}));
    assert!(usual.abs_diff(with) < usual.abs_diff(without), "{usual}, {with} with and {without} without");
}

/// A margin of four inches in each unit leaves room for fewer of the squares on a page.
#[test]
fn a_margin_is_as_wide_in_every_unit() {
    let mut tab = open(
        "<style>body { margin: 0; font-size: 0 } i { display: inline-block; width: 90px; height: 90px }</style>
         <script>document.write('<i></i>'.repeat(480))</script>",
    );
    for (side, expected) in [("top", 8), ("bottom", 8), ("left", 11), ("right", 11)] {
        for margin in ["4in", "10.16cm", "101.6mm", "384px"] {
            let mut all = json!({ "top": "0in", "bottom": "0cm", "left": "0mm", "right": "0px" });
            all[side] = json!(margin);
            let reply =
                tab.call("pdf", json!({ "save_path": "page.pdf", "format": "Letter", "margin": all }));
            assert_eq!(data(&reply)["pages"], expected, "{side} {margin}");
        }
    }
}

const SIZED: &str = "<style>@page { size: 4in 5in }</style><title>Headed</title><p>Text</p>";

#[test]
fn headers_and_footers_are_printed() {
    let mut tab = open(SIZED);
    let headed = json!({
        "save_path": "h.pdf", "display_header_footer": true,
        "header_template": "<span class=title style='font-size: 12px'></span>",
        "footer_template": "<span class=pageNumber style='font-size: 12px'></span>",
    });
    let (with, plain) = (tab.call("pdf", headed), tab.call("pdf", json!({ "save_path": "p.pdf" })));
    assert!(data(&with)["bytes"].as_u64() > data(&plain)["bytes"].as_u64());
}

#[test]
fn the_paper_size_of_the_page_is_preferred_where_asked_for() {
    let mut tab = open(SIZED);
    let size = |reply: &Reply| (data(reply)["width"].clone(), data(reply)["height"].clone());
    let own = tab.call("pdf", json!({ "save_path": "c.pdf", "prefer_css_page_size": true }));
    assert_eq!(size(&own), (json!("4.00in"), json!("5.00in")));
    let letter = tab.call("pdf", json!({ "save_path": "c.pdf" }));
    assert_eq!(size(&letter), (json!("8.50in"), json!("11.00in")));
}

#[test]
fn wrong_arguments_of_prints_are_refused() {
    let mut tab = open(PAGE);
    tab.call("pdf", json!({})).refused(-32602, "Missing required argument: save_path");
    for (arguments, words) in [
        (json!({ "format": "A7" }), "format"),
        (json!({ "scale": 0.05 }), "scale"),
        (json!({ "scale": 2.5 }), "scale"),
        (json!({ "margin": { "top": "1furlong" } }), "margin"),
        (json!({ "margin": { "top": "-1cm" } }), "margin"),
        (json!({ "margin": { "above": "1cm" } }), "margin"),
        (json!({ "margin": { "left": "9in" } }), "margin"),
        (json!({ "header_template": "<b>x</b>" }), "display_header_footer"),
        (json!({ "landscape": "yes" }), "landscape"),
        (json!({ "print_background": 1 }), "print_background"),
        (json!({ "save_path": "page.txt" }), "save_path"),
    ] {
        let mut all = json!({ "save_path": "page.pdf" });
        all.as_object_mut().unwrap().extend(arguments.as_object().unwrap().clone());
        tab.call("pdf", all).refused(-32602, words);
    }
    fails(&tab.call("pdf", json!({ "save_path": "/etc/page.pdf" })), "Forbidden", "outside of");
    assert!(!tab.working_directory().join("page.pdf").exists());
}

/// A frame as it is shown: its pixels, and how many hundredths of a second it stays.
type ShownFrame = (Vec<u8>, u16);

/// The size of a GIF, and its frames.
fn frames(path: &Path) -> ((u16, u16), Vec<ShownFrame>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
    let (width, height) = (decoder.width(), decoder.height());
    let mut canvas = vec![0; usize::from(width) * usize::from(height) * 4];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        for (y, row) in frame.buffer.chunks_exact(usize::from(frame.width) * 4).enumerate() {
            for (x, pixel) in row.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                let left = usize::from(frame.left) + x;
                let at = ((usize::from(frame.top) + y) * usize::from(width) + left) * 4;
                canvas[at..at + 4].copy_from_slice(pixel);
            }
        }
        frames.push((canvas.clone(), frame.delay));
    }
    ((width, height), frames)
}

/// The colour at a point of an 800x600 frame of a 1280x720 page, given in CSS pixels of the page.
fn colour(frame: &[u8], x: usize, y: usize) -> [u8; 3] {
    let at = ((75 + y * 800 / 1280) * 800 + x * 800 / 1280) * 4;
    [frame[at], frame[at + 1], frame[at + 2]]
}

#[track_caller]
fn near(colour: [u8; 3], wanted: [u8; 3]) {
    let off = colour.iter().zip(wanted).map(|(one, other)| one.abs_diff(other)).max().unwrap();
    assert!(off < 40, "{colour:?} is not {wanted:?}");
}

#[test]
fn each_action_is_a_frame_that_shows_what_it_did() {
    let mut tab = open(PAGE);
    let started = tab.call("record", json!({ "action": "start" }));
    assert_eq!(
        (&data(&started)["recording"], &data(&started)["mode"]),
        (&json!(true), &json!("auto_capture"))
    );
    assert!(
        started.text().contains("800x600") && started.text().contains("100 frames and 30 s"),
        "{}",
        started.text()
    );
    for _ in 0..3 {
        data(&tab.call("click", json!({ "selector": "role:button" })));
    }
    data(&tab.call("snapshot", json!({})));
    data(&tab.call("record", json!({ "action": "capture_frame", "annotation": "Seen here" })));
    let status = tab.call("record", json!({ "action": "status" }));
    assert_eq!((&data(&status)["frames"], &data(&status)["recording"]), (&json!(4), &json!(true)));
    let stopped = tab.call("record", json!({ "action": "stop", "save_path": "out/clicks.gif" }));
    assert_eq!((&data(&stopped)["frames"], &data(&stopped)["path"]), (&json!(4), &json!("out/clicks.gif")));
    assert_eq!(data(&stopped)["mode"], "auto_capture");
    let (size, frames) = frames(&tab.working_directory().join("out/clicks.gif"));
    assert_eq!((size, frames.len()), ((800, 600), 4));
    for (frame, wanted) in frames.iter().zip([[0, 255, 0], [255, 255, 0], [0, 255, 255], [0, 255, 255]]) {
        near(colour(&frame.0, 200, 60), wanted);
    }
    // The click's mark, which is not on the page itself.
    near(colour(&frames[0].0, 160, 420), [234, 67, 53]);
    // The label's bar below the page; the annotation's above it.
    near(colour(&frames[3].0, 1270, 720 - 1), [255; 3]);
    let top = [frames[3].0[0], frames[3].0[1], frames[3].0[2]];
    near(top, [255, 214, 10]);
    assert_eq!(
        tab.evaluate("() => document.body.children.length"),
        json!(4),
        "nothing is drawn into the page"
    );
    fails(&tab.call("record", json!({ "action": "stop" })), "NotRecording", "no recording was started");
}

#[test]
fn overlays_can_be_switched_off_and_drags_are_shown() {
    let mut tab = open(PAGE);
    let off = json!({ "click_indicators": false, "action_labels": false });
    data(&tab.call("record", json!({ "action": "start", "overlays": off })));
    data(&tab.call("click", json!({ "coordinates": { "x": 150, "y": 100 } })));
    let drag =
        json!({ "source_coordinates": { "x": 700, "y": 200 }, "target_coordinates": { "x": 900, "y": 200 } });
    data(&tab.call("drag", drag));
    let stopped = tab.call("record", json!({ "action": "stop" }));
    let path = data(&stopped)["path"].as_str().unwrap().to_owned();
    assert!(path.starts_with(".viewpoint-mcp-screenshots/recording-") && path.ends_with(".gif"), "{path}");
    let (_, frames) = frames(&tab.working_directory().join(path));
    near(colour(&frames[0].0, 150, 100), [255, 0, 0]);
    near(colour(&frames[1].0, 800, 200), [234, 67, 53]);
}

#[test]
fn paths_of_drags_can_be_switched_off() {
    let mut tab = open(PAGE);
    data(&tab.call("record", json!({ "action": "start", "overlays": { "drag_paths": false } })));
    data(&tab.call("click", json!({ "coordinates": { "x": 160, "y": 420 } })));
    let drag =
        json!({ "source_coordinates": { "x": 700, "y": 200 }, "target_coordinates": { "x": 900, "y": 200 } });
    data(&tab.call("drag", drag));
    data(&tab.call("record", json!({ "action": "stop", "save_path": "drag.gif" })));
    let (_, frames) = frames(&tab.working_directory().join("drag.gif"));
    assert_eq!(frames.len(), 2);
    near(colour(&frames[0].0, 160, 420), [234, 67, 53]);
    for x in (680..=920).step_by(20) {
        near(colour(&frames[1].0, x, 200), [255; 3]);
    }
}

/// Waits for a recording to end by itself.
#[track_caller]
fn ended(tab: &mut Tab) -> Reply {
    let by = Instant::now() + Duration::from_secs(30);
    loop {
        let status = tab.call("record", json!({ "action": "status" }));
        if data(&status)["recording"] == false {
            return status;
        }
        assert!(Instant::now() < by, "{}", status.text());
    }
}

#[test]
fn a_fixed_rate_has_its_frames_whatever_happens() {
    let mut tab = open(PAGE);
    let start = json!({
        "action": "start", "mode": "fixed_fps", "fps": 5, "max_frames": 10, "width": 320, "height": 200,
    });
    data(&tab.call("record", start));
    data(&tab.call("click", json!({ "selector": "role:button" })));
    let status = ended(&mut tab);
    assert_eq!(
        (&data(&status)["frames"], &data(&status)["ended"]),
        (&json!(10), &json!("max_frames is reached"))
    );
    fails(
        &tab.call("record", json!({ "action": "capture_frame" })),
        "RecordingEnded",
        "max_frames is reached",
    );
    let stopped = tab.call("record", json!({ "action": "stop", "save_path": "fixed.gif" }));
    assert_eq!(data(&stopped)["ended"], "max_frames is reached");
    let (size, frames) = frames(&tab.working_directory().join("fixed.gif"));
    assert_eq!((size, frames.len()), ((320, 200), 10));
}

#[test]
fn a_fixed_rate_is_five_frames_a_second_unless_told() {
    let mut tab = open(PAGE);
    let started = tab.call("record", json!({ "action": "start", "mode": "fixed_fps", "max_frames": 6 }));
    started.says("5 frames per second");
    ended(&mut tab);
    data(&tab.call("record", json!({ "action": "stop", "save_path": "five.gif" })));
    let (_, frames) = frames(&tab.working_directory().join("five.gif"));
    // In hundredths of a second. A busy machine may skip some.
    let shown: u16 = frames[..5].iter().map(|(_, delay)| delay).sum();
    assert!((90..400).contains(&shown), "{shown}");
}

#[test]
fn max_duration_ends_a_recording_that_can_still_be_stopped() {
    let mut tab = open(PAGE);
    data(&tab.call("record", json!({ "action": "start", "max_duration": 500 })));
    data(&tab.call("wait", json!({ "for": "timeout", "duration": 700 })));
    let status = tab.call("record", json!({ "action": "status" }));
    assert_eq!(data(&status)["ended"], "max_duration is reached");
    fails(&tab.call("record", json!({ "action": "stop" })), "NoFrames", "no frames");
    assert_eq!(data(&tab.call("record", json!({ "action": "status" })))["recording"], false);
}

/// What a WebM says of itself: its codec, and how many blocks it has.
fn webm(bytes: &[u8]) -> (&'static str, usize) {
    assert_eq!(&bytes[..4], [0x1A, 0x45, 0xDF, 0xA3], "no EBML");
    let has = |words: &[u8]| bytes.windows(words.len()).any(|window| window == words);
    assert!(has(b"webm"));
    let blocks = bytes.windows(2).filter(|pair| pair == &[0xA3, 0x01]).count();
    (if has(b"V_VP9") { "vp9" } else { "vp8" }, blocks)
}

/// Where ffprobe is installed, it must find one video of this size, without a complaint.
#[track_caller]
fn probe(video: &Path, (width, height): (u32, u32)) {
    let mut ffprobe = std::process::Command::new("ffprobe");
    ffprobe
        .args(["-v", "warning", "-count_frames", "-of", "json", "-show_streams", "-show_format"])
        .arg(video);
    let found = match ffprobe.output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("skipped: ffprobe is not installed");
            return;
        }
        found => found.unwrap(),
    };
    assert!(found.status.success() && found.stderr.is_empty(), "{}", String::from_utf8_lossy(&found.stderr));
    let found: Value = serde_json::from_slice(&found.stdout).unwrap();
    let streams = found["streams"].as_array().unwrap();
    assert_eq!(streams.len(), 1, "{found}");
    assert!(["vp8", "vp9"].contains(&streams[0]["codec_name"].as_str().unwrap()), "{found}");
    assert_eq!((&streams[0]["width"], &streams[0]["height"]), (&json!(width), &json!(height)));
    assert!(streams[0]["nb_read_frames"].as_str().unwrap().parse::<u32>().unwrap() >= 3, "{found}");
    assert!(found["format"]["format_name"].as_str().unwrap().contains("webm"), "{found}");
}

#[test]
fn a_video_plays_in_the_browser_that_made_it() {
    let mut tab = open(PAGE);
    data(&tab.call("record", json!({ "action": "start", "format": "webm", "width": 640, "height": 480 })));
    for _ in 0..3 {
        data(&tab.call("click", json!({ "selector": "role:button" })));
    }
    let stopped = tab.call("record", json!({ "action": "stop", "save_path": "clicks.webm" }));
    assert_eq!(data(&stopped)["frames"], 3);
    let played = played(&mut tab, "clicks.webm", (640, 480));
    assert_eq!(played[0], 3);
    // The second frame: the box at 100,50 is yellow then.
    near([played[1], played[2], played[3]].map(|part| u8::try_from(part).unwrap()), [255, 255, 0]);
}

#[test]
fn a_video_has_odd_sides_where_they_are_asked_for() {
    let mut tab = open(PAGE);
    let start = json!({
        "action": "start", "mode": "fixed_fps", "fps": 5, "format": "webm", "max_frames": 8, "width": 641, "height": 479,
    });
    data(&tab.call("record", start));
    data(&tab.call("click", json!({ "selector": "role:button" })));
    ended(&mut tab);
    let stopped = tab.call("record", json!({ "action": "stop", "save_path": "odd.webm" }));
    assert_eq!((&data(&stopped)["width"], &data(&stopped)["height"]), (&json!(641), &json!(479)));
    assert_eq!(data(&stopped)["frames"], 8);
    let played = played(&mut tab, "odd.webm", (641, 479));
    near([played[1], played[2], played[3]].map(|part| u8::try_from(part).unwrap()), [0, 255, 0]);
}

/// Plays a saved video of this size: its seconds, and the colour of the point 100,100 after the first of them.
#[track_caller]
fn played(tab: &mut Tab, name: &str, size: (u32, u32)) -> Vec<u64> {
    let path = tab.working_directory().join(name);
    let bytes = std::fs::read(&path).unwrap();
    assert!(webm(&bytes).1 >= 3);
    probe(&path, size);
    use base64::Engine as _;
    let base64 = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let script = format!(
        "async () => {{
            const video = document.createElement('video');
            video.muted = true;
            video.src = URL.createObjectURL(await (await fetch('data:video/webm;base64,{base64}')).blob());
            await new Promise((resolve, reject) => {{ video.oncanplaythrough = resolve; video.onerror = () => reject(video.error); }});
            video.currentTime = 1;
            await new Promise((resolve) => video.onseeked = resolve);
            const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
            const context = canvas.getContext('2d');
            context.drawImage(video, 0, 0);
            return [video.videoWidth, video.videoHeight, Math.round(video.duration), ...context.getImageData(100, 100, 1, 1).data];
        }}"
    );
    let played = tab.evaluate(&script);
    let numbers: Vec<u64> =
        played.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect();
    assert_eq!((numbers[0], numbers[1]), (size.0.into(), size.1.into()));
    numbers[2..].to_vec()
}

#[test]
fn what_was_caught_is_saved_though_the_tab_is_closed() {
    let mut tab = open(PAGE);
    data(&tab.call("record", json!({ "action": "start" })));
    data(&tab.call("click", json!({ "selector": "role:button" })));
    data(&tab.call("tab_new", json!({})));
    data(&tab.call("tab_close", json!({ "tabId": 1 })));
    let stopped = tab.call("record", json!({ "action": "stop", "save_path": "closed.gif" }));
    assert_eq!(
        (&data(&stopped)["frames"], &data(&stopped)["ended"]),
        (&json!(1), &json!("the tab was closed"))
    );
    assert_eq!(frames(&tab.working_directory().join("closed.gif")).1.len(), 1);
}

#[test]
fn what_was_caught_is_saved_though_the_page_crashes() {
    let mut tab = open(PAGE);
    data(&tab.call("record", json!({ "action": "start" })));
    data(&tab.call("click", json!({ "selector": "role:button" })));
    data(&tab.call("record", json!({ "action": "capture_frame" })));
    kill_renderers(&tab);
    list_with_a_crash(&mut tab);
    let stopped = tab.call("record", json!({ "action": "stop", "save_path": "crashed.gif" }));
    assert_eq!(
        (&data(&stopped)["frames"], &data(&stopped)["ended"]),
        (&json!(2), &json!("the page crashed"))
    );
    assert_eq!(frames(&tab.working_directory().join("crashed.gif")).1.len(), 2);
    fails(&tab.call("record", json!({ "action": "stop" })), "NotRecording", "no recording was started");
}

#[test]
fn what_was_caught_is_saved_though_the_browser_is_killed() {
    for format in ["gif", "webm"] {
        let mut tab = open(PAGE);
        data(&tab.call("record", json!({ "action": "start", "format": format })));
        for _ in 0..2 {
            data(&tab.call("click", json!({ "selector": "role:button" })));
        }
        // All of them have been taken by then.
        data(&tab.call("record", json!({ "action": "capture_frame" })));
        data(&tab.call("wait", json!({ "for": "timeout", "duration": 1500 })));
        for pid in tab.descendants() {
            // Some are gone with their parents.
            let _ = rustix::process::kill_process(
                rustix::process::Pid::from_raw(pid.try_into().unwrap()).unwrap(),
                rustix::process::Signal::KILL,
            );
        }
        let stopped =
            tab.call("record", json!({ "action": "stop", "save_path": format!("killed.{format}") }));
        let count = |name: &str| data(&stopped)[name].as_u64().unwrap_or_default();
        assert_eq!(count("frames") + count("lost"), 3, "{format}: {}", stopped.text());
        // A video is encoded by the browser, which may have been behind.
        assert!(count("frames") >= if format == "gif" { 3 } else { 1 }, "{}", stopped.text());
        assert!(tab.working_directory().join(format!("killed.{format}")).exists());
    }
}

#[test]
fn a_file_that_cannot_be_written_loses_no_recording() {
    let mut tab = open(PAGE);
    data(&tab.call("record", json!({ "action": "start" })));
    data(&tab.call("click", json!({ "selector": "role:button" })));
    fails(
        &tab.call("record", json!({ "action": "stop", "save_path": "../out.gif" })),
        "Forbidden",
        "outside of",
    );
    fails(
        &tab.call("record", json!({ "action": "stop", "save_path": "out.webm" })),
        "BadArguments",
        "ends in .gif",
    );
    std::fs::create_dir(tab.working_directory().join("folder.gif")).unwrap();
    fails(
        &tab.call("record", json!({ "action": "stop", "save_path": "folder.gif" })),
        "FileError",
        "folder.gif",
    );
    let saved = tab.call("record", json!({ "action": "stop", "save_path": "saved.gif" }));
    assert_eq!(data(&saved)["frames"], 1);
    let parts = std::fs::read_dir(tab.working_directory()).unwrap().flatten();
    assert!(!parts.map(|file| file.file_name()).any(|name| name.to_string_lossy().ends_with(".part")));
}

#[test]
fn starting_twice_and_stopping_none_are_errors() {
    let mut tab = open(PAGE);
    for action in ["stop", "capture_frame"] {
        fails(&tab.call("record", json!({ "action": action })), "NotRecording", "no recording was started");
    }
    let status = tab.call("record", json!({ "action": "status" }));
    assert_eq!((&data(&status)["recording"], &data(&status)["frames"]), (&json!(false), &json!(0)));
    data(&tab.call("record", json!({ "action": "start" })));
    fails(
        &tab.call("record", json!({ "action": "start" })),
        "AlreadyRecording",
        "a recording is already running in tab 1",
    );
    data(&tab.call("record", json!({ "action": "capture_frame" })));
    assert_eq!(data(&tab.call("record", json!({ "action": "stop" })))["frames"], 1);
    data(&tab.call("record", json!({ "action": "start" })));
}

#[test]
fn of_two_starts_at_once_one_records() {
    let mut tab = open(PAGE);
    let start = json!({ "action": "start", "mode": "fixed_fps", "fps": 10 });
    let both = [tab.begin_call("record", start.clone()), tab.begin_call("record", start)];
    let replies = both.map(|id| tab.finish(id));
    let failed: Vec<&Reply> = replies.iter().filter(|reply| reply.failed()).collect();
    assert_eq!(failed.len(), 1);
    fails(failed[0], "AlreadyRecording", "a recording is already running in tab 1");
    // The one that was started goes on: it shows what happens now.
    data(&tab.call("click", json!({ "selector": "role:button" })));
    data(&tab.call("wait", json!({ "for": "timeout", "duration": 1000 })));
    data(&tab.call("record", json!({ "action": "stop", "save_path": "one.gif" })));
    let (_, frames) = frames(&tab.working_directory().join("one.gif"));
    near(colour(&frames.last().unwrap().0, 200, 60), [0, 255, 0]);
}

#[test]
fn wrong_arguments_of_recordings_are_refused() {
    let mut tab = open(PAGE);
    tab.call("record", json!({})).refused(-32602, "Missing required argument: action");
    for (arguments, words) in [
        (json!({ "action": "pause" }), "action"),
        (json!({ "action": "start", "mode": "always" }), "mode"),
        (json!({ "action": "start", "format": "mp4" }), "format"),
        (json!({ "action": "start", "fps": 0 }), "fps"),
        (json!({ "action": "start", "fps": 100 }), "fps"),
        (json!({ "action": "start", "max_duration": 0 }), "max_duration"),
        (json!({ "action": "start", "max_frames": 0 }), "max_frames"),
        (json!({ "action": "start", "width": 0 }), "width"),
        (json!({ "action": "start", "height": 100_000 }), "height"),
        (json!({ "action": "start", "overlays": { "arrows": true } }), "overlays"),
        (json!({ "action": "start", "annotation": "x" }), "annotation"),
        (json!({ "action": "start", "save_path": "a.webm" }), "save_path"),
        (json!({ "action": "status", "save_path": "a.gif" }), "save_path"),
    ] {
        tab.call("record", arguments).refused(-32602, words);
    }
    fails(&tab.call("record", json!({ "action": "start", "tabId": 99 })), "NoTab", "99");
}

#[test]
fn refs_are_drawn_onto_pictures_only_where_that_is_switched_on() {
    let flags = ["--dialect", "agent,browser", "--caps", "annotate"];
    let mut tab = open_with(&flags, PAGE);
    let (_, plain) = shot(&mut tab, json!({}));
    let reply = tab.call("screenshot", json!({ "annotate": true }));
    data(&reply);
    let text = reply.text();
    let line = text.lines().find(|line| line.contains("button \"Next\"")).unwrap_or_else(|| panic!("{text}"));
    let reference = line.split(' ').next().unwrap().to_owned();
    assert!(reference.starts_with("@e"), "{line}");
    let (plain, drawn) = (Picture::decode(&plain).unwrap(), Picture::decode(&reply.images()[0].1).unwrap());
    assert_eq!((drawn.width(), drawn.height()), (1280, 720));
    // The edge of the button's box; and the page beside it, which is as it was.
    assert_ne!(drawn.pixel(100, 420), plain.pixel(100, 420));
    assert_eq!(drawn.pixel(150, 100), [255, 0, 0, 255]);
    data(&tab.call("click", json!({ "selector": reference })));
    let part =
        json!({ "annotate": true, "clip": { "x": 90, "y": 390, "width": 200, "height": 100 }, "scale": 2 });
    let part = Picture::decode(&tab.call("screenshot", part).images()[0].1).unwrap();
    assert_eq!((part.width(), part.height()), (400, 200));
    let jpeg = tab.call("screenshot", json!({ "annotate": true, "format": "jpeg" }));
    assert_eq!(jpeg.images()[0].0, "image/jpeg");
    tab.call("screenshot", json!({ "annotate": true, "full_page": true })).refused(-32602, "annotate");
    tab.call("screenshot", json!({ "annotate": true, "format": "webp" })).refused(-32602, "annotate");
    let taken = tab.call("browser_take_screenshot", json!({ "annotate": true }));
    taken.says("button \"Next\"").says(".viewpoint-mcp-screenshots/page-");
    tab.call("browser_take_screenshot", json!({ "annotate": true, "fullPage": true }))
        .refused(-32602, "annotate");
    assert_eq!(
        tab.evaluate("() => document.body.children.length"),
        json!(4),
        "nothing is drawn into the page"
    );
    let mut off = open(PAGE);
    off.call("browser_take_screenshot", json!({ "annotate": true })).refused(-32602, "annotate");
}

#[test]
fn old_names_take_pictures_and_record() {
    let mut tab = open(PAGE);
    let reply = tab.call("chrome_screenshot", json!({ "storeBase64": true }));
    assert_eq!((data(&reply)["width"].as_u64(), reply.images().len()), (Some(1280), 1));
    let reply = tab.call("chrome_screenshot", json!({ "savePng": true, "name": "old", "fullPage": true }));
    assert_eq!(data(&reply)["path"], "old.png");
    assert_eq!(tab.call("chrome_computer", json!({ "action": "screenshot" })).images().len(), 1);
    data(&tab.call("chrome_gif_recorder", json!({ "action": "auto_start", "width": 400, "height": 300 })));
    data(
        &tab.call(
            "chrome_computer",
            json!({ "action": "left_click", "coordinates": { "x": 150, "y": 420 } }),
        ),
    );
    let stopped = tab.call("chrome_gif_recorder", json!({ "action": "stop", "filename": "old" }));
    assert_eq!((&data(&stopped)["path"], &data(&stopped)["frames"]), (&json!("old.gif"), &json!(1)));
    assert_eq!(frames(&tab.working_directory().join("old.gif")).0, (400, 300));
}

#[test]
fn the_old_recorder_has_its_own_actions_and_names() {
    let mut tab = open(PAGE);
    let recorder =
        |tab: &mut Tab, arguments: Value| data(&tab.call("chrome_gif_recorder", arguments)).clone();
    let started =
        recorder(&mut tab, json!({ "action": "start", "fps": 5, "durationMs": 60_000, "maxFrames": 3 }));
    assert_eq!((&started["mode"], &started["format"]), (&json!("fixed_fps"), &json!("gif")));
    assert_eq!((&started["width"], &started["recording"]), (&json!(800), &json!(true)));
    ended(&mut tab);
    let status = recorder(&mut tab, json!({ "action": "status" }));
    assert_eq!((&status["frames"], &status["ended"]), (&json!(3), &json!("max_frames is reached")));
    assert_eq!(recorder(&mut tab, json!({ "action": "stop", "filename": "fixed.gif" }))["frames"], 3);

    for (enhanced, marked) in [(true, true), (false, false)] {
        recorder(&mut tab, json!({ "action": "auto_start", "enhancedRendering": enhanced }));
        data(&tab.call("click", json!({ "coordinates": { "x": 160, "y": 420 } })));
        recorder(&mut tab, json!({ "action": "capture", "captureAnnotation": "Seen here" }));
        assert_eq!(recorder(&mut tab, json!({ "action": "status" }))["frames"], 2);
        let stopped = recorder(&mut tab, json!({ "action": "stop", "filename": "marked" }));
        let (_, frames) = frames(&tab.working_directory().join(stopped["path"].as_str().unwrap()));
        let [red, green, blue] = colour(&frames[0].0, 160, 420);
        let is_mark = red > 200 && green < 110 && blue < 110;
        assert_eq!(is_mark, marked, "{enhanced}: {:?}", [red, green, blue]);
        // The annotation's bar.
        near([frames[1].0[0], frames[1].0[1], frames[1].0[2]], [255, 214, 10]);
    }
    assert_eq!(recorder(&mut tab, json!({ "action": "status" }))["recording"], false);
}

#[test]
fn a_hundred_frames_are_saved_within_two_seconds() {
    let mut tab = open(PAGE);
    data(&tab.call("record", json!({ "action": "start", "max_duration": 300_000 })));
    for _ in 0..100 {
        data(&tab.call("record", json!({ "action": "capture_frame" })));
    }
    let begun = Instant::now();
    let stopped = tab.call("record", json!({ "action": "stop", "save_path": "hundred.gif" }));
    let took = begun.elapsed();
    assert_eq!(data(&stopped)["frames"], 100);
    assert!(took < Duration::from_secs(2), "{took:?}");
}
