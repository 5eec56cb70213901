use cicerone_engine::{FetchFailure, FileError, UploadError, snapshot::quoted};

use super::{ErrorName, Message, Refs, seconds};

pub(super) fn message(error: &FileError) -> Message {
    match error {
        FileError::Outside(path) => Message::new(
            ErrorName::Forbidden,
            format!("{} is outside of the directories that may be used", path.display()),
            "use a relative path, or start the server with --allow-path",
        ),
        FileError::Repository(path) => Message::new(
            ErrorName::Forbidden,
            format!("{} is in a .git directory", path.display()),
            "use another directory",
        ),
        FileError::Exists(path) => Message::new(
            ErrorName::Forbidden,
            format!("{} already exists", path.display()),
            "use another name: only files that were saved before are replaced",
        ),
        FileError::Io { path, reason } => {
            Message::new(ErrorName::FileError, format!("{}: {reason}", path.display()), "check the path")
        }
        FileError::UrlsOff(url) => Message::new(
            ErrorName::Forbidden,
            format!("{} cannot be opened: file: URLs are off", quoted(url, 200)),
            "start the server with --allow-file-urls, or open it from a root of the client",
        ),
        FileError::Withheld(url) => Message::new(
            ErrorName::Forbidden,
            format!(
                "the page shows {}, which is outside of the directories whose files may be opened",
                quoted(url, 200)
            ),
            "navigate to another URL",
        ),
        FileError::DownloadWithheld(url) => Message::new(
            ErrorName::Forbidden,
            format!("the page shows the download {} as a local file, with its rights", quoted(url, 200)),
            "navigate to that URL: it then opens without these rights",
        ),
    }
}

const FIELD: &str = "click what opens the file chooser first, or give the field's ref";

pub(super) fn upload_message(error: &UploadError, refs: Refs) -> Message {
    match error {
        UploadError::NoFileField => Message::new(
            ErrorName::FileField,
            "the page has no file field, and no file chooser is open",
            FIELD,
        ),
        UploadError::NotForFiles(element) => Message::new(
            ErrorName::FileField,
            format!("{} is not a file field", refs.element(element)),
            FIELD,
        ),
        UploadError::SeveralFileFields { count, fields } => Message::new(
            ErrorName::FileField,
            format!("the page has {count} file fields: {}", refs.elements(fields)),
            "give the ref of the field that is meant",
        ),
        UploadError::OneFileOnly(element) => {
            let field = element.as_ref().map_or_else(|| "the field".into(), |element| refs.element(element));
            Message::new(ErrorName::FileField, format!("{field} takes only one file"), "give one path")
        }
        UploadError::TooLarge { most } => Message::new(
            ErrorName::TooLarge,
            format!("the files are larger than {} MB, the limit for a page", most >> 20),
            "save them below the working directory and give their paths",
        ),
        UploadError::NotFetched { url, reason } => {
            let reason = match reason {
                FetchFailure::Timeout(after) => format!("timed out after {}", seconds(*after)),
                FetchFailure::Status(status) => format!("the server answered {status}"),
                FetchFailure::Failed(reason) => reason.clone(),
            };
            Message::new(
                ErrorName::FetchFailed,
                format!("{url} could not be fetched: {reason}"),
                "check the URL, and that the browser may see it (log in first); or give a path",
            )
        }
    }
}
