use std::io::Read;

use flate2::read::ZlibDecoder;

/// The pages of a PDF, as far as they can be read.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sheets {
    /// Their number.
    pub count: Option<usize>,
    /// Width and height of the first page in points (72 per inch).
    pub size: Option<(f64, f64)>,
}

/// Maximum unpacked size of one object stream.
const LARGEST_PART: u64 = 16 << 20;

/// Reads the pages of a PDF as browsers write it: plain, or in object streams.
pub fn sheets(pdf: &[u8]) -> Sheets {
    let mut text = String::from_utf8_lossy(pdf).into_owned();
    text.push_str(&unpacked(pdf));
    let of_type = |(at, key): &(usize, &str)| {
        let rest = text[at + key.len()..].trim_start().strip_prefix("/Page");
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    let count = text.match_indices("/Type").filter(of_type).count();
    let size = text.find("/MediaBox").and_then(|at| media_box(&text[at + "/MediaBox".len()..]));
    Sheets { count: (count > 0).then_some(count), size }
}

fn media_box(rest: &str) -> Option<(f64, f64)> {
    let inside = rest.trim_start().strip_prefix('[')?.split(']').next()?;
    let numbers: Vec<f64> = inside.split_whitespace().filter_map(|number| number.parse().ok()).collect();
    match numbers[..] {
        [left, bottom, right, top] => Some((right - left, top - bottom)),
        _ => None,
    }
}

/// The content of the object streams.
fn unpacked(pdf: &[u8]) -> String {
    let mut found = String::new();
    let mut rest = pdf;
    while let Some(at) = position(rest, b"/ObjStm") {
        rest = &rest[at + 1..];
        let Some(begin) = position(rest, b"stream") else { break };
        let packed = &rest[begin + b"stream".len()..];
        let packed = packed.strip_prefix(b"\r").unwrap_or(packed);
        let packed = packed.strip_prefix(b"\n").unwrap_or(packed);
        let mut bytes = Vec::new();
        if ZlibDecoder::new(packed).take(LARGEST_PART).read_to_end(&mut bytes).is_ok() {
            found.push_str(&String::from_utf8_lossy(&bytes));
        }
    }
    found
}

fn position(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn sheets_are_counted_and_measured() {
        let pdf =
            b"%PDF-1.4 <</Type /Pages /Count 2>> <</Type /Page\n/MediaBox [0 0 612 792]>> <</Type/Page>>";
        assert_eq!(sheets(pdf), Sheets { count: Some(2), size: Some((612.0, 792.0)) });
        assert_eq!(sheets(b"%PDF-1.4"), Sheets::default());
        let inner = b"1 0 <</Type /Page /MediaBox [0 0 100 200]>>";
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(inner).unwrap();
        let packed = encoder.finish().unwrap();
        let pdf = [b"%PDF-1.7 <</Type /ObjStm>> stream\n", &packed[..], b"\nendstream"].concat();
        assert_eq!(sheets(&pdf), Sheets { count: Some(1), size: Some((100.0, 200.0)) });
    }
}
