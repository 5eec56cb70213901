//! The command line: options and where they come from, help, `doctor`, `tools`, completions.

use serde_json::{Value, json};

use crate::support::{CommandOutput, Server, Shell};

/// A program that is not there, so that no check starts a browser.
const NO_BROWSER: &str = "--executable-path=/nowhere/chromium";

/// Where screenshots go in a shell, which the doctor tells.
#[track_caller]
fn screenshots(shell: &Shell, flags: &[&str]) -> String {
    let report = shell.run(&[&["doctor", "--format", "json", NO_BROWSER], flags].concat()).json();
    finding(&report, "screenshots")["says"].as_str().unwrap().trim_end_matches(" can be made").to_owned()
}

#[track_caller]
fn finding<'a>(report: &'a Value, check: &str) -> &'a Value {
    let findings = report.as_array().unwrap();
    findings.iter().find(|finding| finding["check"] == check).unwrap_or_else(|| panic!("{check}: {report:#}"))
}

/// What the server says instead of starting.
fn started(shell: &Shell, flags: &[&str]) -> CommandOutput {
    shell.run(flags)
}

#[test]
fn a_flag_beats_a_variable_beats_the_file_beats_the_default() {
    let plain = Shell::new();
    assert_eq!(screenshots(&plain, &[]), ".viewpoint-mcp-screenshots");
    let with_file =
        Shell::new().file("c.toml", "screenshot-dir = 'of-file'").set("CICERONE_CONFIG", "c.toml");
    assert_eq!(screenshots(&with_file, &[]), "of-file");
    let with_variable = with_file.set("CICERONE_SCREENSHOT_DIR", "of-variable");
    assert_eq!(screenshots(&with_variable, &[]), "of-variable");
    assert_eq!(screenshots(&with_variable, &["--screenshot-dir", "of-flag"]), "of-flag");
    let with_empty = Shell::new().set("CICERONE_SCREENSHOT_DIR", "");
    assert_eq!(screenshots(&with_empty, &[]), ".viewpoint-mcp-screenshots");
}

#[test]
fn the_file_may_be_named_by_a_flag_or_a_variable() {
    let shell = Shell::new()
        .file("cicerone.toml", "viewport = '1x1'")
        .file("one.toml", "screenshot_dir = 'one'")
        .file("two.toml", "screenshot_dir = 'two'");
    assert_eq!(screenshots(&shell, &["--config", "one.toml"]), "one");
    let shell = shell.set("CICERONE_CONFIG", "two.toml");
    assert_eq!(screenshots(&shell, &[]), "two");
    assert_eq!(screenshots(&shell, &["--config", "one.toml"]), "one");
    let report = shell.run(&["doctor", "--format", "json", NO_BROWSER]).json();
    assert_eq!(finding(&report, "configuration")["says"], "two.toml is in use");
    shell.run(&["--config", "three.toml"]).fails(1, "three.toml cannot be read");
}

#[test]
fn a_tilde_in_a_path_is_the_home_directory() {
    let shell = Shell::new();
    let home = shell.temporary_directory().join("home");
    std::fs::create_dir(&home).unwrap();
    let shell = shell.set("HOME", home.to_str().unwrap());
    let shots = home.join("shots").display().to_string();
    assert_eq!(screenshots(&shell, &["--screenshot-dir=~/shots"]), shots);
    std::fs::write(home.join("mine.toml"), "screenshot-dir = '~/shots'\nuser-data-dir = '~/profile'")
        .unwrap();
    assert_eq!(screenshots(&shell, &["--config=~/mine.toml"]), shots);
    let shell = shell.set("CICERONE_CONFIG", "~/mine.toml");
    assert_eq!(screenshots(&shell, &[]), shots);
    let report = shell.run(&["doctor", "--format", "json", "--executable-path=~/browser"]).json();
    assert!(finding(&report, "profile")["says"].to_string().contains(home.join("profile").to_str().unwrap()));
    assert!(finding(&report, "engine")["says"].to_string().contains(home.join("browser").to_str().unwrap()));
    let shell = shell.set("CICERONE_SCREENSHOT_DIR", "~");
    assert_eq!(screenshots(&shell, &[]), format!("{} can be written", home.display()));
    shell.run(&["tools", "--secrets=~/none.env"]).fails(1, home.join("none.env").to_str().unwrap());
}

#[test]
fn flags_that_the_file_switched_on_can_be_switched_off() {
    let shell = Shell::new().file("cicerone.toml", "headed = true");
    let display = |flags: &[&str]| {
        let report = shell.run(&[&["doctor", "--format", "json", NO_BROWSER], flags].concat()).json();
        report.as_array().unwrap().iter().any(|finding| finding["check"] == "display")
    };
    assert!(display(&[]) && display(&["--headed"]) && !display(&["--headed=false"]));
    assert!(!Shell::new().run(&["doctor", NO_BROWSER]).out.contains("display"));
}

#[test]
fn a_key_that_is_unknown_is_refused_with_the_nearest() {
    let shell = Shell::new().file("cicerone.toml", "viewprot = '1x1'");
    let said = "unknown key `viewprot` in cicerone.toml; did you mean `viewport`?";
    started(&shell, &[]).fails(1, said);
    for command in [&["doctor"][..], &["tools"], &["call", "browser_tabs"]] {
        assert!(shell.run(command).err.contains(said));
    }
    let shell = Shell::new().set("CICERONE_DAILECT", "browser");
    started(&shell, &[]).fails(1, "unknown variable CICERONE_DAILECT; did you mean `CICERONE_DIALECT`?");
    started(&Shell::new(), &["--viewprot", "1x1"]).fails(2, "'--viewport'");
    started(&Shell::new(), &["isntall"]).fails(2, "'install'");
}

#[test]
fn variables_of_the_installation_are_no_options() {
    let shell = Shell::new().set("CICERONE_CACHE_DIR", "/x").set("CICERONE_DOWNLOAD_BASE", "http://x");
    shell.run(&["tools"]).ok();
}

#[test]
fn a_bad_value_names_where_it_was_given_and_what_is_expected() {
    let bad = [
        ("viewport", "big", "a size has the form 1280x720"),
        ("image-responses", "blue", "file, inline, omit"),
        ("action-timeout", "5", "a duration has a unit"),
        ("snapshot-limit", "many", "invalid digit"),
        ("log", "loud", "a level is error, warn"),
        ("dialect", "klingon", "browser"),
        ("browser", "netscape", "chromium, firefox, webkit"),
        ("caps", "flying", "vision, pdf"),
        ("profile-lock", "break", "copy, fail"),
        ("headed", "perhaps", "perhaps"),
    ];
    for (key, value, expected) in bad {
        let shell = Shell::new().file("cicerone.toml", &format!("{key} = '{value}'"));
        let done = started(&shell, &["--config", "cicerone.toml"]);
        done.fails(1, &format!("bad value `{value}` for the key `{key}` in cicerone.toml: "));
        done.fails(1, expected);
        let variable = format!("CICERONE_{}", key.replace('-', "_").to_uppercase());
        let done = started(&Shell::new().set(&variable, value), &[]);
        done.fails(1, &format!("bad value `{value}` for the variable {variable}: "));
        done.fails(1, expected);
        started(&Shell::new(), &[&format!("--{key}={value}")])
            .fails(2, expected)
            .fails(2, &format!("--{key}"));
    }
}

#[test]
fn a_proxy_is_checked_without_telling_its_password() {
    let shell = Shell::new().file("c.toml", "proxy = 'ftp://user:hunter2@proxy'");
    let done = started(&shell, &["--config", "c.toml"]);
    done.fails(1, "unknown proxy scheme \"ftp\"");
    assert!(!done.err.contains("hunter2"));
    started(&Shell::new(), &["--proxy-bypass", "localhost"])
        .fails(1, "proxy-bypass requires the option proxy");
}

#[test]
fn secrets_that_cannot_be_read_end_the_start_and_are_not_told() {
    let shell = Shell::new().file("env", "A=1\nhunter2 hunter2\n");
    let done = started(&shell, &["--secrets", "env"]);
    done.fails(1, "env, line 2: a line has the form NAME=value");
    assert!(!done.err.contains("hunter2"));
    started(&shell, &["--secrets", "nowhere"]).fails(1, "nowhere cannot be read");
}

#[test]
fn help_fits_on_a_screen_and_the_rest_is_under_help_all() {
    let shell = Shell::new();
    for command in ["", "install", "doctor", "tools", "call", "completions", "demo"] {
        for flag in ["-h", "--help"] {
            let arguments: Vec<&str> = [command, flag].into_iter().filter(|word| !word.is_empty()).collect();
            let help = shell.run(&arguments);
            let lines: Vec<&str> = help.ok().out.lines().collect();
            assert!(lines.len() <= 24, "{command}: {} lines", lines.len());
            assert!(lines.iter().all(|line| line.chars().count() <= 80), "{command}: {lines:#?}");
            assert!(!help.out.contains("--snapshot-limit"));
        }
    }
    let all = shell.run(&["--help-all"]);
    for option in ["--caps", "--snapshot-limit", "--session-timeout", "--profile-lock", "--proxy-bypass"] {
        all.prints(option);
    }
    shell.run(&["call", "--help-all"]).prints("--navigation-timeout");
    shell.run(&["--help-all"]).prints("doctor");
}

#[test]
fn help_is_a_command_too() {
    let shell = Shell::new();
    assert_eq!(shell.run(&["help"]).ok().out, shell.run(&["--help"]).out);
    for command in ["install", "doctor", "tools", "call", "completions", "demo"] {
        shell.run(&["help"]).prints(&format!("  {command} "));
        assert_eq!(shell.run(&["help", command]).ok().out, shell.run(&[command, "--help"]).out);
    }
    shell.run(&["help", "fly"]).fails(1, "unknown command `fly`; known: install, doctor, tools, call");
    shell.run(&["help", "janitor"]).fails(1, "unknown command `janitor`");
}

#[test]
fn a_command_refuses_the_options_that_it_does_not_take() {
    let shell = Shell::new();
    for (arguments, option) in [
        (&["install", "--browser", "firefox"][..], "--browser"),
        (&["--viewport=1x1", "install"], "--viewport"),
        (&["doctor", "--dialect", "all"], "--dialect"),
        (&["tools", "--headed"], "--headed"),
        (&["--browser", "firefox", "tools"], "--browser"),
        (&["demo", "--dialect", "agent"], "--dialect"),
        (&["demo", "--proxy", "http://proxy"], "--proxy"),
        (&["completions", "bash", "--dialect", "all"], "--dialect"),
        (&["help", "--caps", "pdf"], "--caps"),
    ] {
        let refused = shell.run(arguments);
        refused.fails(2, &format!("` does not take {option}; it takes "));
        assert!(
            arguments.iter().any(|word| refused.err.contains(&format!("`cicerone {word}`"))),
            "{refused:?}"
        );
    }
    // Configured for other commands, they are none of its business.
    let shell = Shell::new().file("cicerone.toml", "viewport = '800x600'").set("CICERONE_HEADED", "true");
    shell.run(&["tools"]).ok();
    let help = shell.run(&["tools", "--help-all"]);
    help.prints("--caps");
    assert!(!help.out.contains("--viewport") && !help.out.contains("--browser"), "{}", help.out);
    shell.run(&["call", "--help-all"]).prints("--viewport");
}

#[test]
fn the_demonstration_uses_the_browser_that_is_named() {
    let shell = Shell::new().file("cicerone.toml", "dialect = 'agent'");
    let engine = crate::support::engine().unwrap_or_else(|| "chromium".into());
    let demo =
        shell.run(&["demo", "--browser", &engine, "--screenshot-dir", "shots", "--viewport", "900x600"]);
    demo.prints("Done").prints("--image-responses").prints("900x600");
    let browser = demo.out.lines().find(|line| line.starts_with("The browser: ")).unwrap();
    assert!(browser.contains(&engine), "{browser}");
    assert!(shell.path("shots/booked.png").is_file());
    let firefox = ["demo", "--browser", "firefox", "--executable-path=/nowhere/firefox"];
    shell.run(&firefox).fails(1, "/nowhere/firefox");
}

#[test]
fn on_a_terminal_the_server_says_what_it_waits_for() {
    use std::process::{Command, Stdio};
    let shell = Shell::new();
    let program = env!("CARGO_BIN_EXE_cicerone");
    let typed = shell.path("typed");
    let mut command = Command::new("script");
    // The terminal's end is the server's.
    command.args(["-qec", &format!("'{program}' 2> said"), "/dev/null"]).current_dir(shell.path(""));
    let mut child =
        command.stdin(Stdio::piped()).stdout(std::fs::File::create(typed).unwrap()).spawn().unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), &[4]).unwrap();
    let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
    let said = || std::fs::read_to_string(shell.path("said")).unwrap_or_default();
    while !said().contains("Ctrl+C") {
        assert!(std::time::Instant::now() < until, "{}", said());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    drop(child.stdin.take());
    child.wait().unwrap();
    assert!(said().contains("This is an MCP server, waiting for a client's messages"), "{}", said());
    // A client is told nothing of it.
    assert_eq!(Shell::new().run::<&str>(&[]).err, "");
}

/// What bash offers for the last word of a line.
fn offered(shell: &Shell, line: &str) -> Vec<String> {
    let script = shell.path("completions.bash");
    if !script.exists() {
        std::fs::write(&script, shell.run(&["completions", "bash"]).ok().out.as_bytes()).unwrap();
    }
    // As bash takes the line apart: the sign ends a word.
    let ask = r#"source completions.bash; compopt() { :; }
        COMP_LINE=$1; COMP_POINT=${#1}; COMP_WORDS=(); COMP_CWORD=0
        for word in ${1//=/ = }; do COMP_WORDS+=("$word"); done
        [[ $1 == *' ' ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _cicerone_call cicerone "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_cicerone")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let asked = std::process::Command::new("bash")
        .args(["-c", ask, "bash", line])
        .env("PATH", path)
        .current_dir(shell.path(""))
        .output()
        .unwrap();
    let out = String::from_utf8(asked.stdout).unwrap();
    assert!(asked.stderr.is_empty(), "{}", String::from_utf8_lossy(&asked.stderr));
    out.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn a_shell_completes_tools_and_their_arguments() {
    let shell = Shell::new();
    assert_eq!(offered(&shell, "cicerone call browser_cl"), ["browser_click", "browser_close"]);
    assert!(offered(&shell, "cicerone call ").len() > 20);
    assert_eq!(offered(&shell, "cicerone call browser_tabs "), ["action=", "index="]);
    assert_eq!(offered(&shell, "cicerone call browser_tabs action=list "), ["index="]);
    assert_eq!(offered(&shell, "cicerone call browser_tabs action="), ["list", "new", "close", "select"]);
    assert_eq!(offered(&shell, "cicerone call browser_tabs action=l"), ["list"]);
    assert_eq!(offered(&shell, "cicerone call browser_click doubleClick="), ["true", "false"]);
    assert_eq!(offered(&shell, "cicerone call --headed browser_press_key "), ["key="]);
    assert_eq!(offered(&shell, "cicerone call --dialect agent tab_cl"), ["tab_close"]);
    assert_eq!(offered(&shell, "cicerone call --dialect=agent --viewport 1x1 reloa"), ["reload"]);
    assert_eq!(offered(&shell, "cicerone call no_such_tool "), [""; 0]);
    assert_eq!(offered(&shell, "cicerone doct"), ["doctor"]);
    assert_eq!(offered(&shell, "cicerone tools --c"), ["--caps", "--config"]);
    assert!(offered(&shell, "cicerone call --snapshot").contains(&"--snapshot-limit".to_owned()));
    let shell = Shell::new().file("cicerone.toml", "dialect = 'launch'");
    assert_eq!(offered(&shell, "cicerone call browser_fi"), ["browser_find"]);
    for name in ["fish", "zsh"] {
        Shell::new().run(&["completions", name]).prints("cicerone complete");
    }
}

#[test]
fn shells_complete_the_options() {
    let shell = Shell::new();
    for name in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = shell.run(&["completions", name]);
        script.prints("snapshot-limit").prints("doctor");
        assert!(!script.out.contains("call-server"), "{name} offers what is hidden");
    }
    shell.run(&["completions", "tcsh"]).fails(2, "bash");
}

#[test]
fn the_doctor_finds_what_is_there() {
    let shell = Shell::new().file("cicerone.toml", "viewport = '800x600'").file("env", "TOKEN=abcdef");
    std::os::unix::fs::symlink("elsewhere-1", shell.path("SingletonLock")).unwrap();
    set_mode(&shell, "", 0o700);
    set_mode(&shell, "env", 0o600);
    let flags = ["doctor", "--secrets", "env", "--user-data-dir", "."];
    let told = shell.run(&flags);
    let lines: Vec<&str> = told.ok().out.lines().collect();
    let begins = [
        "✓ configuration: cicerone.toml is in use",
        "✓ engine: /",
        "✓ version: ",
        "✓ start: ",
        "",
        "! profile: . is in use by process 1 on elsewhere; a temporary copy will be used. Fix: ",
        "✓ screenshots: .viewpoint-mcp-screenshots can be made",
        "✓ temporary files: ",
        "✓ secrets: 1 in env",
    ];
    assert_eq!(lines.len(), begins.len(), "{lines:#?}");
    for (line, begin) in lines.iter().zip(begins) {
        assert!(line.starts_with(begin), "{line:?} does not begin with {begin:?}");
    }
    assert!(lines[3].contains("started and ended in"), "{}", lines[3]);
    assert!(lines[4].contains("sandbox: "), "{}", lines[4]);
    assert!(!told.out.contains("abcdef"));
    let left: Vec<_> = std::fs::read_dir(shell.temporary_directory()).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn the_doctor_tells_where_files_go_when_started_in_the_root_directory() {
    let shell = Shell::new();
    let data = shell.path("data");
    let shell = shell.set("XDG_DATA_HOME", data.to_str().unwrap());
    for (directory, why) in [
        ("/", "the working directory / is too wide to be allowed"),
        ("/proc", "the working directory /proc cannot be written"),
    ] {
        let mut doctor = shell.command(&["doctor", "--format", "json", NO_BROWSER]);
        let report = doctor.current_dir(directory).output().unwrap().stdout;
        let report: Value = serde_json::from_slice(&report).unwrap();
        let found = finding(&report, "screenshots");
        assert_eq!(found["verdict"], "fine");
        let expected = format!("{}/cicerone/files can be made ({why})", data.display());
        assert_eq!(found["says"], expected);
    }
}

#[test]
fn the_doctor_fails_where_something_needed_is_missing() {
    let shell = Shell::new().file("env", "TOKEN=abcdef").file("bad-env", "?").file("file", "");
    set_mode(&shell, "env", 0o644);
    std::os::unix::fs::symlink("elsewhere-1", shell.path("SingletonLock")).unwrap();
    set_mode(&shell, "", 0o700);
    let bad = |flags: &[&str], check: &str, says: &str| {
        let done = shell.run(&[&["doctor", "--format", "json"], flags].concat());
        assert_eq!(done.code, Some(1), "{done:#?}");
        let report = done.json();
        let finding = finding(&report, check);
        assert_eq!(finding["verdict"], "bad", "{finding}");
        assert!(finding["says"].as_str().unwrap().contains(says), "{finding}");
        assert!(finding["fix"].is_string(), "{finding}");
    };
    bad(&[NO_BROWSER], "engine", "/nowhere/chromium");
    bad(&["--executable-path=/bin/false"], "version", "--version ended with");
    bad(&["--executable-path=/bin/false"], "start", "did not start");
    bad(&[NO_BROWSER, "--secrets=env"], "secrets", "others can read env");
    bad(&[NO_BROWSER, "--secrets=bad-env"], "secrets", "bad-env, line 1");
    bad(&[NO_BROWSER, "--screenshot-dir=file/below"], "screenshots", "cannot be written");
    bad(&[NO_BROWSER, "--user-data-dir=.", "--profile-lock=fail"], "profile", "is in use by");
    bad(&[NO_BROWSER, "--user-data-dir=file"], "profile", "file is not a directory");
    let shell = Shell::new().set("DISPLAY", "").set("WAYLAND_DISPLAY", "");
    let report = shell.run(&["doctor", "--format", "json", NO_BROWSER, "--headed"]).json();
    assert_eq!(finding(&report, "display")["verdict"], "bad");
}

#[test]
fn tools_are_told_as_the_server_lists_them() {
    let mut server = Server::start(&[]);
    let listed = server.request("tools/list", json!({})).message["result"]["tools"].take();
    let names: Vec<&str> =
        listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let shell = Shell::new();
    assert_eq!(shell.run(&["tools", "--format", "json"]).json(), listed);
    let text = shell.run(&["tools"]);
    let told: Vec<&str> = text.ok().out.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(told, names);
    let markdown = shell.run(&["tools", "--format", "markdown", "--dialect", "browser"]);
    for name in names {
        markdown.prints(&format!("| `{name}` |"));
    }
    shell.run(&["tools", "--dialect", "klingon"]).fails(2, "klingon");
}

#[test]
fn a_reader_that_has_read_enough_is_no_failure() {
    let shell = Shell::new();
    let program = env!("CARGO_BIN_EXE_cicerone");
    let script = format!("set -o pipefail; '{program}' tools --format json | head -c 1");
    let done = std::process::Command::new("bash").args(["-c", &script]).current_dir(shell.path("")).output();
    let done = done.unwrap();
    assert!(done.status.success() && done.stderr.is_empty(), "{done:?}");
}

fn set_mode(shell: &Shell, name: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(shell.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
}
