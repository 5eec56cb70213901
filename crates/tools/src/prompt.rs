//! Prompts: tasks that a person can start from the client's menu. Their texts name no tool, so they hold in every dialect.

use serde_json::{Map, Value};

#[derive(Debug, Clone, Copy)]
pub struct Prompt {
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    pub arguments: &'static [PromptArgument],
    text: &'static str,
}

/// An argument of a prompt.
#[derive(Debug, Clone, Copy)]
pub struct PromptArgument {
    pub name: &'static str,
    /// What it says.
    pub about: &'static str,
    /// Whether it must be given.
    pub required: bool,
}

/// Why a prompt cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// There is none of this name.
    #[error("Unknown prompt: {name}; known: {}", names())]
    Unknown { name: String },
    /// An argument is missing.
    #[error("Missing required argument: {0}")]
    Missing(&'static str),
    /// An argument is not text.
    #[error("{0} must be a string")]
    NotText(&'static str),
    /// An argument is unknown.
    #[error("Unknown argument: {0}")]
    UnknownArgument(String),
}

const URL: PromptArgument =
    PromptArgument { name: "url", about: "Page to open; the open page if omitted", required: false };

/// All prompts.
pub const PROMPTS: [Prompt; 3] = [
    Prompt {
        name: "test_page",
        about: "Test a page like a user and report what is broken",
        arguments: &[
            URL,
            PromptArgument { name: "focus", about: "What to test first, e.g. checkout", required: false },
        ],
        text: "Test {url} as a user would.{focus}\n\
            1. Read the page. List its main functions: links, forms, buttons, menus.\n\
            2. Try each one: valid input, missing input, wrong input. Read what changed after each action.\n\
            3. Check console messages and network requests for errors.\n\
            4. Repeat the main path in a viewport of 390x844.\n\
            Report each problem with the steps that show it, what you expected and what happened. Do not buy anything, \
            send anything or delete data that you did not create.",
    },
    Prompt {
        name: "fill_form",
        about: "Fill in a form from given data",
        arguments: &[
            PromptArgument { name: "data", about: "What to enter, as text or JSON", required: true },
            URL,
            PromptArgument { name: "submit", about: "yes to submit at the end", required: false },
        ],
        text: "Fill in the form on {url} with this data:\n\n{data}\n\n\
            1. Read the page and match each value to a field by its label.\n\
            2. Fill in all fields, then read back what they contain and correct what differs.\n\
            3. List fields that stay empty and data that has no field.\n\
            {submit}",
    },
    Prompt {
        name: "extract_table",
        about: "Extract a table as CSV",
        arguments: &[
            URL,
            PromptArgument { name: "table", about: "Which table, by heading or caption", required: false },
        ],
        text: "Extract {table} from {url} as CSV.\n\
            1. Find the table. If it has several pages or loads rows while scrolling, go through all of them.\n\
            2. Write one header line, then one line per row. Quote values that contain commas, quotes or line breaks.\n\
            3. Compare the number of rows with the count that the page states, if it states one.\n\
            Answer with the CSV and the number of rows. Do not guess values that you did not see.",
    },
];

fn names() -> String {
    PROMPTS.map(|prompt| prompt.name).join(", ")
}

impl Prompt {
    /// The one of this name.
    pub fn named(name: &str) -> Result<&'static Self, PromptError> {
        static ALL: &[Prompt] = &PROMPTS;
        ALL.iter()
            .find(|prompt| prompt.name == name)
            .ok_or_else(|| PromptError::Unknown { name: name.to_owned() })
    }

    /// Its text with these arguments.
    pub fn text(&self, arguments: &Map<String, Value>) -> Result<String, PromptError> {
        let known = |name: &str| self.arguments.iter().any(|argument| argument.name == name);
        if let Some(unknown) = arguments.keys().find(|name| !known(name)) {
            return Err(PromptError::UnknownArgument(unknown.clone()));
        }
        let mut text = self.text.to_owned();
        for argument in self.arguments {
            let given = match arguments.get(argument.name) {
                Some(Value::String(given)) if !given.trim().is_empty() => Some(given.as_str()),
                None | Some(Value::Null | Value::String(_)) => None,
                Some(_) => return Err(PromptError::NotText(argument.name)),
            };
            if given.is_none() && argument.required {
                return Err(PromptError::Missing(argument.name));
            }
            text = text.replace(&format!("{{{}}}", argument.name), &phrase(argument.name, given));
        }
        Ok(text)
    }
}

/// The placeholder of an argument in the text.
fn phrase(name: &str, given: Option<&str>) -> String {
    match (name, given) {
        ("url", None) => "the open page".to_owned(),
        ("table", None) => "the main table".to_owned(),
        ("table", Some(table)) => format!("the table \"{table}\""),
        ("focus", None) => String::new(),
        ("focus", Some(focus)) => format!(" Test this first: {focus}."),
        ("submit", Some(yes)) if ["yes", "true", "1"].contains(&yes.trim().to_lowercase().as_str()) => {
            "4. Submit the form and report what the page answered.".to_owned()
        }
        ("submit", _) => "Do not submit the form.".to_owned(),
        (_, given) => given.unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn text(name: &str, arguments: &Value) -> Result<String, PromptError> {
        Prompt::named(name)?.text(arguments.as_object().unwrap())
    }

    #[test]
    fn arguments_are_put_into_the_text() {
        let form = text("fill_form", &json!({ "data": "name: {url}", "url": "http://a.test/" })).unwrap();
        assert!(form.starts_with("Fill in the form on http://a.test/ with this data:\n\nname: "), "{form}");
        assert!(form.ends_with("Do not submit the form."), "{form}");
        assert!(text("test_page", &json!({})).unwrap().starts_with("Test the open page as a user would.\n"));
    }

    #[test]
    fn wrong_arguments_are_named() {
        assert_eq!(text("fill_form", &json!({})), Err(PromptError::Missing("data")));
        assert_eq!(text("test_page", &json!({ "url": 1 })), Err(PromptError::NotText("url")));
        assert_eq!(text("test_page", &json!({ "uri": "" })), Err(PromptError::UnknownArgument("uri".into())));
        assert!(text("nothing", &json!({})).unwrap_err().to_string().contains("known: test_page"));
    }
}
