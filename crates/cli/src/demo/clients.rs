//! What to paste where, for the common clients.

use std::path::Path;

use serde_json::{Value, json};

/// How one client learns of the server.
pub(super) struct ClientSetup {
    pub(super) name: &'static str,
    pub(super) what_to_do: &'static str,
    pub(super) configuration: String,
}

/// The common clients, with this program's own path.
pub(super) fn all(program: &Path) -> Vec<ClientSetup> {
    let command = program.display().to_string();
    // Without it the model would get the path of a picture instead of the picture.
    let args = ["--image-responses", "inline"];
    let server = json!({ "command": command, "args": args });
    let under = |key: &str, server: &Value| format!("{:#}", json!({ key: { "cicerone": server } }));
    let setup = |name, what_to_do, configuration| ClientSetup { name, what_to_do, configuration };
    vec![
        setup(
            "Claude Code",
            "run",
            format!("claude mcp add cicerone -- {} {}", quoted(&command), args.join(" ")),
        ),
        setup(
            "Claude Desktop",
            "in claude_desktop_config.json (Settings, Developer, Edit Config)",
            under("mcpServers", &server),
        ),
        setup("Cursor", "in .cursor/mcp.json", under("mcpServers", &server)),
        setup(
            "VS Code",
            "in .vscode/mcp.json",
            under("servers", &json!({ "type": "stdio", "command": command, "args": args })),
        ),
        setup("Any other client", "a server on standard input and output", format!("{server:#}")),
    ]
}

/// A path for a shell.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-:".contains(c);
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_survive_the_shell_and_json() {
        assert_eq!(quoted("/usr/bin/cicerone"), "/usr/bin/cicerone");
        assert_eq!(quoted("/my tools/it's"), r"'/my tools/it'\''s'");
        let setups = all(Path::new(r"C:\tools\cicerone.exe"));
        let desktop = &setups.iter().find(|setup| setup.name == "Claude Desktop").unwrap().configuration;
        let read: Value = serde_json::from_str(desktop).unwrap();
        assert_eq!(read["mcpServers"]["cicerone"]["command"], r"C:\tools\cicerone.exe");
        for setup in setups {
            let words: Vec<&str> =
                setup.configuration.split(['"', ' ', ',']).filter(|word| !word.trim().is_empty()).collect();
            let at = words.iter().position(|word| *word == "--image-responses");
            assert!(at.is_some_and(|at| words[at + 1].trim() == "inline"), "{}", setup.configuration);
        }
    }
}
