//! Telling a result in a shell: text to standard output, pictures as files.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::{config::ReplyFormat, print::print};

/// Why a result cannot be printed.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotShown {
    #[error("the result cannot be printed: {0}")]
    Print(io::Error),
    #[error("{} cannot be written: {source}", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the server sent a picture that cannot be read: {0}")]
    Picture(#[from] base64::DecodeError),
}

/// Tells it. What a failed tool says goes to standard error; pictures go into the directory, and are named.
pub(super) fn show(result: &Value, format: ReplyFormat, directory: &Path) -> Result<(), NotShown> {
    let failed = result["isError"].as_bool().unwrap_or_default();
    let text = match format {
        ReplyFormat::Json => json(result),
        ReplyFormat::Text => lines(result, directory)?,
    };
    match format {
        ReplyFormat::Text if failed => eprint!("{text}"),
        _ => print(text).map_err(NotShown::Print)?,
    }
    Ok(())
}

/// As JSON, with the control characters escaped that JSON itself leaves: terminals obey them, too. Outside of strings it has none.
fn json(result: &Value) -> String {
    let mut text = String::new();
    for character in format!("{result:#}\n").chars() {
        match character {
            '\u{7f}'..='\u{9f}' => text.push_str(&format!("\\u{:04x}", u32::from(character))),
            other => text.push(other),
        }
    }
    text
}

fn lines(result: &Value, directory: &Path) -> Result<String, NotShown> {
    let mut lines = String::new();
    for block in result["content"].as_array().into_iter().flatten() {
        if let Some(text) = block["text"].as_str() {
            lines.extend(text.chars().map(visible));
            lines.push('\n');
        } else if let Some(data) = block["data"].as_str() {
            let kind = block["mimeType"].as_str().and_then(|kind| kind.split_once('/'));
            let path = save(&STANDARD.decode(data)?, kind.map_or("bin", |(_, kind)| kind), directory)?;
            lines.push_str(&format!("Picture: {}\n", path.display()));
        }
    }
    Ok(lines)
}

/// A character as a terminal may get it: a page's text must not move the cursor, or set the clipboard.
fn visible(character: char) -> char {
    let harmless = matches!(character, '\n' | '\t') || !character.is_control();
    if harmless { character } else { char::REPLACEMENT_CHARACTER }
}

/// Writes it under the first name that is free.
fn save(bytes: &[u8], extension: &str, directory: &Path) -> Result<PathBuf, NotShown> {
    let failed = |path: &Path, source| NotShown::Write { path: path.to_owned(), source };
    std::fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
    let mut number = 1;
    loop {
        let path = directory.join(format!("call-{number}.{extension}"));
        match File::create_new(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(failed(&path, error)),
            Ok(mut file) => {
                return match file.write_all(bytes) {
                    Ok(()) => Ok(path),
                    Err(error) => {
                        // Half a picture is none.
                        let _ = std::fs::remove_file(&path);
                        Err(failed(&path, error))
                    }
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pictures_become_files_that_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let picture = json!({ "type": "image", "data": "AQID", "mimeType": "image/png" });
        let result = json!({ "content": [{ "type": "text", "text": "Taken" }, picture, picture] });
        let into = directory.path().join("new");
        let first = into.join("call-1.png");
        let expected =
            format!("Taken\nPicture: {}\nPicture: {}\n", first.display(), into.join("call-2.png").display());
        assert_eq!(lines(&result, &into).unwrap(), expected);
        assert_eq!(std::fs::read(first).unwrap(), [1, 2, 3]);
    }
}
