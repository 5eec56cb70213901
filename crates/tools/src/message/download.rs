//! Why a download was not saved.

use cicerone_engine::DownloadFailure;

use super::Message;

pub(super) fn why_not_saved(failure: &DownloadFailure) -> String {
    match failure {
        DownloadFailure::Incomplete => "it did not complete".into(),
        DownloadFailure::Declined => "the person declined it".into(),
        DownloadFailure::TooLarge { bytes, limit } => {
            format!("it is too large: {bytes} bytes, the limit is {limit}")
        }
        DownloadFailure::TooMany { limit } => {
            format!("{limit} downloads were kept since the last action, the most that are")
        }
        DownloadFailure::QuotaExceeded { limit } => {
            format!("all downloads of the session would be larger than {limit} bytes")
        }
        DownloadFailure::NotSaved(error) => Message::of(&error.0).text,
    }
}

pub(super) fn failed_download_hint(failure: &DownloadFailure) -> String {
    match failure {
        DownloadFailure::Incomplete => "start it again".into(),
        DownloadFailure::Declined => "do not try again unless the person asks for it".into(),
        DownloadFailure::TooMany { .. } => "start it again by an action".into(),
        DownloadFailure::QuotaExceeded { .. } => {
            "it is four times the server's option --max-download-size".into()
        }
        DownloadFailure::TooLarge { .. } => "the limit is the server's option --max-download-size".into(),
        DownloadFailure::NotSaved(error) => Message::of(&error.0).hint,
    }
}
