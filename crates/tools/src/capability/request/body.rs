//! What a reply shows of a response's body.

use std::path::PathBuf;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use cicerone_engine::{Context, HttpResponse};

use crate::{
    Call,
    question::{Consent, NoAnswer},
    reply::Failure,
};

/// How many characters of a body a reply has. Longer ones are saved.
const MOST: usize = 50_000;

/// What a reply has of a body.
pub(super) enum Shown {
    Text {
        text: String,
        truncated: bool,
    },
    Base64(String),
    /// Nothing: it is in a file.
    Nothing,
}

impl Shown {
    /// Whether the body is more than that.
    pub(super) fn truncated(&self) -> bool {
        matches!(self, Self::Text { truncated: true, .. } | Self::Nothing)
    }
}

/// What a reply shows of a response.
pub(super) fn shown(response: &HttpResponse) -> Shown {
    match text(response) {
        Some(text) => match text.char_indices().nth(MOST) {
            None if response.complete => Shown::Text { text, truncated: false },
            end => {
                let text = end.map_or(text.as_str(), |(end, _)| &text[..end]).to_owned();
                Shown::Text { text, truncated: true }
            }
        },
        None if response.complete && response.body.len() <= MOST / 4 * 3 => {
            Shown::Base64(STANDARD.encode(&response.body))
        }
        None => Shown::Nothing,
    }
}

/// Saves a body that the reply does not show whole; where to, or why the person does not want it.
pub(super) async fn saved(
    call: &Call,
    context: &Context,
    response: &HttpResponse,
) -> Result<Result<PathBuf, NoAnswer>, Failure> {
    let message = || format!("Save the response of {}, {} bytes?", response.url, response.body.len());
    Ok(match call.consent(Consent::Downloads, message).await {
        Ok(()) => Ok(context.save_body(extension(media_type(response)), &response.body)?),
        Err(none) => Err(none),
    })
}

fn content_type(response: &HttpResponse) -> &str {
    let header = response.headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    header.map_or("", |(_, value)| value.as_str())
}

pub(super) fn media_type(response: &HttpResponse) -> &str {
    content_type(response).split(';').next().unwrap_or_default().trim()
}

/// The body as text, if it is one: UTF-8, or Latin-1 where it says so.
fn text(response: &HttpResponse) -> Option<String> {
    let kind = content_type(response).to_ascii_lowercase();
    let latin = ["iso-8859-1", "latin1", "windows-1252", "us-ascii"].iter().any(|name| kind.contains(name));
    let text = match std::str::from_utf8(&response.body) {
        Ok(text) => text.to_owned(),
        // The last character may be cut in two where the body is.
        Err(error) if !response.complete && error.error_len().is_none() => {
            String::from_utf8_lossy(&response.body[..error.valid_up_to()]).into_owned()
        }
        Err(_) if latin => response.body.iter().map(|byte| char::from(*byte)).collect(),
        Err(_) => return None,
    };
    // Bytes that happen to be UTF-8 are no text.
    (!text.contains('\0')).then_some(text)
}

/// What a file with a body of this type is called.
fn extension(media_type: &str) -> &'static str {
    match media_type {
        "application/json" => "json",
        "text/html" => "html",
        "text/css" => "css",
        "text/csv" => "csv",
        "application/javascript" | "text/javascript" => "js",
        "application/xml" | "text/xml" => "xml",
        "application/pdf" => "pdf",
        "application/zip" => "zip",
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        kind if kind.ends_with("+json") => "json",
        kind if kind.starts_with("text/") => "txt",
        _ => "bin",
    }
}
