//! The tools in use, by name.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use serde_json::{Map, Value};

use crate::{
    BadArguments, Call, Dialect, Effect, Reply,
    bad_arguments::nearest,
    capability,
    face::{AnyFace, Fit},
};

/// What `tools/list` says of one tool.
#[derive(Debug, Clone)]
pub struct Listing {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: Cow<'static, str>,
    /// The schema of its arguments.
    pub input: Map<String, Value>,
    /// The schema of its facts.
    pub output: Map<String, Value>,
    /// What it does to the world.
    pub effect: Effect,
    /// Whether it types secrets.
    pub types_secrets: bool,
}

/// No tool has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Unknown tool: {name}{}", .nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default())]
pub struct UnknownTool {
    /// The name.
    pub name: String,
    /// The tool that was most likely meant.
    pub nearest: Option<&'static str>,
}

/// What is there only when it is switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cap {
    /// Tools that take coordinates.
    Vision,
    /// Tools that print.
    Pdf,
    /// Refs on pictures.
    Annotate,
}

impl Cap {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Vision, Self::Pdf, Self::Annotate];
}

/// The faces of the dialects in use.
pub struct Toolbox {
    listed: Vec<Listing>,
    examples: Vec<(&'static str, &'static str)>,
    instructions: String,
    callable: Arc<Callable>,
    /// Names of old that still answer.
    renamed: BTreeMap<&'static str, Renamed>,
}

/// The faces of a name, those of the dialects in use first.
type Callable = BTreeMap<&'static str, Vec<Arc<dyn AnyFace>>>;

/// What a call by an old name is today: the name, and the arguments.
pub(crate) type Renamed = fn(Map<String, Value>) -> Result<(&'static str, Map<String, Value>), BadArguments>;

impl Toolbox {
    /// The tools of these dialects, with these switched on.
    pub fn new(dialects: &[&'static Dialect], caps: &[Cap]) -> Self {
        let on = |face: &Arc<dyn AnyFace>| face.cap().is_none_or(|cap| caps.contains(&cap));
        let with_caps = |mut face: Box<dyn AnyFace>| {
            face.keep_arguments_for(caps);
            Arc::from(face)
        };
        let faces: Vec<Arc<dyn AnyFace>> = capability::all().into_iter().map(with_caps).filter(on).collect();
        let of = |dialect: &'static Dialect| {
            let is_of = move |face: &&Arc<dyn AnyFace>| face.dialect().name == dialect.name;
            faces.iter().filter(is_of).cloned()
        };
        let in_use: Vec<_> = dialects.iter().flat_map(|dialect| of(dialect)).collect();
        let related = |other: &&'static Dialect| {
            dialects.iter().any(|used| used.family == other.family)
                && !dialects.iter().any(|used| used.name == other.name)
        };
        let others = Dialect::ALL.into_iter().filter(related);
        let mut callable = Callable::new();
        for face in in_use.iter().cloned().chain(others.flat_map(of)) {
            callable.entry(face.name()).or_default().push(face);
        }
        let renamed = dialects.iter().flat_map(|dialect| dialect.renamed.iter().copied()).collect();
        let examples = in_use.iter().map(|face| (face.name(), face.example())).collect();
        let mut instructions: Vec<&str> = Vec::new();
        for dialect in dialects {
            if !instructions.contains(&dialect.instructions) {
                instructions.push(dialect.instructions);
            }
        }
        let instructions = instructions.join("\n\n");
        Self { listed: list(&in_use), examples, instructions, callable: Arc::new(callable), renamed }
    }

    /// The same, where there are secrets of these names: the tools that type them say so.
    pub fn with_secrets<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<String> = names.into_iter().map(|name| format!("${name}")).collect();
        if !names.is_empty() {
            let known = format!(". Types the value of a secret for its name: {}", names.join(", "));
            self.listed
                .iter_mut()
                .filter(|listing| listing.types_secrets)
                .for_each(|listing| listing.about.to_mut().push_str(&known));
        }
        self
    }

    /// What a client is told of all of them.
    pub fn instructions(&self) -> &str {
        &self.instructions
    }

    /// What `tools/list` says.
    pub fn list(&self) -> Vec<Listing> {
        self.listed.clone()
    }

    /// A call of each tool that is listed: its name, and arguments as JSON. They can be made in this order.
    pub fn examples(&self) -> &[(&'static str, &'static str)] {
        &self.examples
    }

    /// The tool of this name.
    pub fn find(&self, name: &str) -> Result<Tool, UnknownTool> {
        let callable = Arc::clone(&self.callable);
        match (callable.get_key_value(name), self.renamed.get(name)) {
            (Some((name, _)), _) => Ok(Tool { callable: Arc::clone(&callable), called: Called::Now(name) }),
            (None, Some(renamed)) => Ok(Tool { callable, called: Called::Once(*renamed) }),
            (None, None) => {
                let listed = self.listed.iter().map(|listing| listing.name);
                let nearest = nearest(name, listed, "browser_");
                Err(UnknownTool { name: name.to_owned(), nearest })
            }
        }
    }
}

/// One listing a name: a name that several dialects share has all their arguments, and requires what all require.
fn list(faces: &[Arc<dyn AnyFace>]) -> Vec<Listing> {
    let mut listed: Vec<Listing> = Vec::new();
    for face in faces {
        let more = face.listing();
        match listed.iter_mut().find(|listing| listing.name == more.name) {
            Some(listing) => listing.widen(more),
            None => listed.push(more),
        }
    }
    listed
}

impl Listing {
    fn widen(&mut self, other: Self) {
        for (schema, more) in [(&mut self.input, &other.input), (&mut self.output, &other.output)] {
            let more = more.get("properties").and_then(Value::as_object);
            let known = schema.get_mut("properties").and_then(Value::as_object_mut);
            if let (Some(known), Some(more)) = (known, more) {
                for (name, property) in more {
                    known.entry(name.clone()).or_insert_with(|| property.clone());
                }
            }
        }
        let required = |schema: &Map<String, Value>| -> Vec<Value> {
            schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default()
        };
        let theirs = required(&other.input);
        let both: Vec<Value> =
            required(&self.input).into_iter().filter(|name| theirs.contains(name)).collect();
        if both.is_empty() {
            self.input.remove("required");
        } else {
            self.input.insert("required".into(), both.into());
        }
        self.types_secrets |= other.types_secrets;
        if self.effect == Effect::Looks {
            self.effect = other.effect;
        }
    }
}

/// A tool that was found.
pub struct Tool {
    callable: Arc<Callable>,
    called: Called,
}

/// How a tool was called.
enum Called {
    /// By its name.
    Now(&'static str),
    /// By a name that it had once.
    Once(Renamed),
}

impl Tool {
    /// Calls it by the first face whose own arguments these are; failing that, one that can borrow what it lacks.
    pub async fn call(&self, call: Call, arguments: Map<String, Value>) -> Result<Reply, BadArguments> {
        let (name, arguments) = match self.called {
            Called::Now(name) => (name, arguments),
            Called::Once(renamed) => renamed(arguments)?,
        };
        let faces = self.callable.get(name).map(Vec::as_slice).unwrap_or_default();
        let by = |wanted: Fit| faces.iter().find(|face| face.fit(&arguments) == wanted);
        // An old name always leads to a tool of its own dialect, which is in use.
        let face = by(Fit::Own).or_else(|| by(Fit::Borrowed));
        // Where none fits, the one that knows most of them tells what is wrong; the first of those that know as much.
        let face = face.or_else(|| faces.iter().rev().max_by_key(|face| face.knows(&arguments)));
        let face = face.ok_or(BadArguments::Together("This tool is not offered"))?;
        let session = call.session.clone();
        let mut reply = face.call(call, arguments).await?;
        session.answered();
        let secrets = session.secrets();
        if let Cow::Owned(text) = secrets.redact(&reply.text) {
            reply.text = text;
        }
        reply.facts.values_mut().for_each(|fact| secrets.redact_json(fact));
        Ok(reply)
    }
}
