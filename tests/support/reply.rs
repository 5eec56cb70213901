use serde_json::Value;

/// What a call was answered with.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The whole JSON-RPC message.
    pub message: Value,
    /// How many bytes it had on the wire.
    pub bytes: usize,
}

impl Reply {
    /// All text, joined.
    pub fn text(&self) -> String {
        let content = self.message["result"]["content"].as_array();
        let texts = content.into_iter().flatten().filter_map(|item| item["text"].as_str());
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The typed facts.
    pub fn facts(&self) -> &Value {
        &self.message["result"]["structuredContent"]
    }

    /// The images: media type and bytes.
    pub fn images(&self) -> Vec<(String, Vec<u8>)> {
        use base64::Engine as _;
        let content = self.message["result"]["content"].as_array();
        let images = content.into_iter().flatten().filter(|item| item["type"] == "image");
        images
            .map(|image| {
                let data = image["data"].as_str().unwrap();
                let bytes = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
                (image["mimeType"].as_str().unwrap().to_owned(), bytes)
            })
            .collect()
    }

    /// Whether the tool says that it failed.
    pub fn failed(&self) -> bool {
        self.message["result"]["isError"] == true
    }

    /// It must have worked.
    #[track_caller]
    pub fn ok(&self) -> &Self {
        assert!(self.message.get("error").is_none(), "JSON-RPC error: {}", self.message["error"]);
        assert!(!self.failed(), "the tool failed: {}", self.text());
        self
    }

    /// It must have worked, and say this.
    #[track_caller]
    pub fn says(&self, words: &str) -> &Self {
        self.ok();
        assert!(self.text().contains(words), "{words:?} is not in:\n{}", self.text());
        self
    }

    /// It must have worked, and not say this.
    #[track_caller]
    pub fn says_not(&self, words: &str) -> &Self {
        self.ok();
        assert!(!self.text().contains(words), "{words:?} is in:\n{}", self.text());
        self
    }

    /// It must have failed with this in its words, and give a hint.
    #[track_caller]
    pub fn fails(&self, words: &str) -> &Self {
        assert!(self.failed(), "it did not fail: {}", self.message);
        let text = self.text();
        assert!(text.contains(words), "{words:?} is not in:\n{text}");
        assert!(text.contains("Hint: "), "no hint in:\n{text}");
        assert!(self.facts()["error"]["name"].is_string(), "no name in {}", self.facts());
        self
    }

    /// It must be a JSON-RPC error with this code and these words.
    #[track_caller]
    pub fn refused(&self, code: i64, words: &str) -> &Self {
        let error = &self.message["error"];
        assert_eq!(error["code"], code, "{}", self.message);
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(words), "{words:?} is not in {message:?}");
        self
    }

    /// The ref on the first line that has these words.
    #[track_caller]
    pub fn reference(&self, words: &str) -> String {
        self.ok();
        let text = self.text();
        let line = text.lines().find(|line| line.contains(words) && line.contains("[ref="));
        let line = line.unwrap_or_else(|| panic!("no ref beside {words:?} in:\n{text}"));
        let (_, rest) = line.split_once("[ref=").unwrap();
        rest.split_once(']').unwrap().0.to_owned()
    }
}

/// It must have worked, and say this and nothing else, to the letter.
#[track_caller]
pub fn tells(reply: &Reply, text: &str) {
    reply.ok();
    assert_eq!(reply.text(), text);
}

/// It must have failed, in words that begin so.
#[track_caller]
pub fn fails_with(reply: &Reply, words: &str) {
    reply.fails(words);
    assert!(reply.text().starts_with(words), "{}", reply.text());
}
