//! Finds the request id in a line that is too long to keep.

use serde_json::Value;

/// Maximum length of an id.
const LONGEST_ID: usize = 4096;

/// Scans a JSON object incrementally and keeps only its top-level `id`.
#[derive(Debug, Default)]
pub(crate) struct RequestId {
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// Whether a top-level value comes next.
    in_value: bool,
    /// The last top-level key, as written.
    key: Vec<u8>,
    id: Vec<u8>,
    has_method: bool,
}

impl RequestId {
    /// Scans more bytes.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.step(*byte));
    }

    /// The id, if this is a request with one. A response has another request's id.
    pub(crate) fn found(&self) -> Value {
        let id = serde_json::from_slice::<Value>(&self.id).ok();
        id.filter(|id| self.has_method && (id.is_string() || id.is_number())).unwrap_or_default()
    }

    fn step(&mut self, byte: u8) {
        let at_top = self.depth == 1;
        if self.in_string {
            self.keep(byte);
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                if at_top && !self.in_value {
                    self.key.clear();
                }
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.keep(byte);
                self.depth += 1;
            }
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            b':' if at_top && !self.in_value => {
                self.in_value = true;
                self.has_method |= self.key == br#""method""#;
                if self.key == br#""id""# {
                    self.id.clear();
                }
            }
            b',' if at_top => self.in_value = false,
            // White space between tokens.
            _ if byte.is_ascii_whitespace() => {}
            _ => self.keep(byte),
        }
    }

    /// Keeps a byte of a key, or of the id.
    fn keep(&mut self, byte: u8) {
        let kept = match (self.depth, self.in_value) {
            (1, false) => &mut self.key,
            (1, true) if self.key == br#""id""# => &mut self.id,
            _ => return,
        };
        if kept.len() <= LONGEST_ID {
            kept.push(byte);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn found(line: &str) -> Value {
        // In pieces, as it arrives.
        let mut id = RequestId::default();
        line.as_bytes().chunks(3).for_each(|piece| id.read(piece));
        id.found()
    }

    #[test]
    fn the_id_is_that_of_the_request_itself() {
        for (line, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"x"}"#, json!(7)),
            (r#" { "id" : "a\"},b" , "method": "x" }"#, json!("a\"},b")),
            (r#"{"method":"x","params":{"id":1,"a":[{"id":2}],"b":"\"id\":3"},"id":-4.5}"#, json!(-4.5)),
            (r#"{"id":7,"method":"x","params":{"text":"cut off"#, json!(7)),
            (r#"{"method":"x","params":{"id":1}}"#, Value::Null),
            (r#"{"method":"id","params":["id"]}"#, Value::Null),
            (r#"{"id":null,"method":"x"}"#, Value::Null),
            (r#"{"id":{"id":5},"method":"x"}"#, Value::Null),
            (r#"{"id":7,"result":{"method":"x"}}"#, Value::Null),
            (r#"[{"id":7,"method":"x"}]"#, Value::Null),
            ("no JSON", Value::Null),
        ] {
            assert_eq!(found(line), id, "{line}");
        }
    }
}
