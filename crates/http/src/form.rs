//! `multipart/form-data`, as browsers encode it.

use std::fmt::Write as _;

use crate::HttpError;

/// One field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub name: String,
    /// The file name, if it is a file.
    pub file: Option<String>,
    /// The media type, if it is a file.
    pub mime: Option<String>,
    /// The value.
    pub bytes: Vec<u8>,
}

/// Encodes a form: the value of `Content-Type` and the body.
pub fn multipart(parts: &[Part]) -> Result<(String, Vec<u8>), HttpError> {
    let boundary = boundary()?;
    let mut body = Vec::new();
    for part in parts {
        body.extend(head(part, &boundary).into_bytes());
        body.extend(&part.bytes);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{boundary}--\r\n").into_bytes());
    Ok((format!("multipart/form-data; boundary={boundary}"), body))
}

fn head(part: &Part, boundary: &str) -> String {
    let mut head =
        format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"", escaped(&part.name));
    if let Some(file) = &part.file {
        let mime = part.mime.as_deref().unwrap_or("application/octet-stream").replace(['\r', '\n'], "");
        // Writing to a string cannot fail.
        let _ = write!(head, "; filename=\"{}\"\r\nContent-Type: {mime}", escaped(file));
    }
    head + "\r\n\r\n"
}

/// Escapes a name as browsers do.
fn escaped(name: &str) -> String {
    name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A")
}

/// A random boundary that no value is likely to contain.
fn boundary() -> Result<String, HttpError> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(HttpError::Random)?;
    let digits: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("----cicerone{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_its_fields_and_files() {
        let field = Part { name: "a\"b".into(), file: None, mime: None, bytes: b"1".to_vec() };
        let file = Part {
            name: "f".into(),
            file: Some("x.png".into()),
            mime: Some("image/png".into()),
            bytes: vec![0, 255],
        };
        let (kind, body) = multipart(&[field, file]).unwrap();
        let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
        let mut expected = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n1\r\n\
             --{boundary}\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.png\"\r\nContent-Type: image/png\r\n\r\n"
        )
        .into_bytes();
        expected.extend([0, 255]);
        expected.extend(format!("\r\n--{boundary}--\r\n").into_bytes());
        assert_eq!(body, expected);
    }
}
