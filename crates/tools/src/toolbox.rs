//! The tools in use, by name.

use std::{borrow::Cow, collections::BTreeMap, sync::Arc};

use serde_json::{Map, Value};

use crate::{
    BadArguments, Call, Dialect, Effect, Reply,
    bad_arguments::nearest,
    capability,
    face::{AnyFace, Fit, Null},
};

/// One tool in `tools/list`.
#[derive(Debug, Clone)]
pub struct Listing {
    pub name: &'static str,
    /// What it does.
    pub about: Cow<'static, str>,
    /// The schema of its arguments.
    pub input: Arc<Map<String, Value>>,
    /// The schema of its facts.
    pub output: Arc<Map<String, Value>>,
    /// Its effect, for annotations.
    pub effect: Effect,
    /// Whether it types secrets.
    pub types_secrets: bool,
}

/// No tool has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Unknown tool: {name}{}", .nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default())]
pub struct UnknownTool {
    pub name: String,
    /// The tool that was most likely meant.
    pub nearest: Option<&'static str>,
}

/// An optional group of tools and arguments.
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

    /// What `--caps` calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vision => "vision",
            Self::Pdf => "pdf",
            Self::Annotate => "annotate",
        }
    }
}

/// A tool, or an argument of one, that is there only when something is switched on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    pub tool: &'static str,
    /// The argument; the tool itself if there is none.
    pub argument: Option<&'static str>,
    /// What must be switched on.
    pub cap: Cap,
}

/// The faces of the dialects in use.
pub struct Toolbox {
    listed: Vec<Listing>,
    examples: Vec<(&'static str, &'static str)>,
    needs: Vec<Needs>,
    instructions: String,
    callable: Arc<Callable>,
    /// Old names that still work.
    renamed: BTreeMap<&'static str, Renamed>,
}

/// The faces of a name, those of the dialects in use first.
type Callable = BTreeMap<&'static str, Vec<Arc<dyn AnyFace>>>;

/// Translates a call by an old name to today's name and arguments.
pub(crate) type Renamed = fn(Map<String, Value>) -> Result<(&'static str, Map<String, Value>), BadArguments>;

impl Toolbox {
    /// The tools of these dialects, with these caps.
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
        let needs = in_use.iter().flat_map(|face| face.needs()).collect();
        let mut instructions: Vec<&str> = Vec::new();
        for dialect in dialects {
            if !instructions.contains(&dialect.instructions) {
                instructions.push(dialect.instructions);
            }
        }
        let instructions = instructions.join("\n\n");
        Self { listed: list(&in_use), examples, needs, instructions, callable: Arc::new(callable), renamed }
    }

    /// Adds the names of secrets to the descriptions of the tools that type them.
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

    /// The instructions for clients.
    pub fn instructions(&self) -> &str {
        &self.instructions
    }

    /// The tools in `tools/list`.
    pub fn list(&self) -> &[Listing] {
        &self.listed
    }

    /// A call of each tool that is listed: its name, and arguments as JSON. They can be made in this order.
    pub fn examples(&self) -> &[(&'static str, &'static str)] {
        &self.examples
    }

    /// What is listed because something is switched on.
    pub fn needs(&self) -> &[Needs] {
        &self.needs
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
        let input = Arc::make_mut(&mut self.input);
        for (schema, more) in [(&mut *input, &other.input), (Arc::make_mut(&mut self.output), &other.output)]
        {
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
        let both: Vec<Value> = required(input).into_iter().filter(|name| theirs.contains(name)).collect();
        if both.is_empty() {
            input.remove("required");
        } else {
            input.insert("required".into(), both.into());
        }
        self.types_secrets |= other.types_secrets;
        if self.effect == Effect::Looks {
            self.effect = other.effect;
        }
    }
}

/// The arguments without nulls that say nothing, whichever face has them: a client that writes out all that is listed means
/// the face whose arguments have values.
fn without_idle_nulls(faces: &[Arc<dyn AnyFace>], mut arguments: Map<String, Value>) -> Map<String, Value> {
    arguments.retain(|name, value| {
        let mut meanings = faces.iter().filter_map(|face| face.null_for(name)).peekable();
        !value.is_null() || meanings.peek().is_none() || meanings.any(|null| null == Null::Value)
    });
    arguments
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
    /// Calls the first face that has all these arguments itself, or else one that can borrow the missing ones.
    pub async fn call(&self, call: Call, arguments: Map<String, Value>) -> Result<Reply, BadArguments> {
        let (face, arguments) = self.face(arguments)?;
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

    /// The reply to a call with these arguments that panicked.
    pub fn panicked(&self, arguments: Map<String, Value>) -> Result<Reply, BadArguments> {
        let (face, arguments) = self.face(arguments)?;
        Ok(face.panicked(&arguments))
    }

    /// The face for these arguments, and the arguments by their names of today.
    fn face(
        &self,
        arguments: Map<String, Value>,
    ) -> Result<(&dyn AnyFace, Map<String, Value>), BadArguments> {
        let (name, arguments) = match self.called {
            Called::Now(name) => (name, arguments),
            Called::Once(renamed) => renamed(arguments)?,
        };
        let faces = self.callable.get(name).map(Vec::as_slice).unwrap_or_default();
        let arguments = without_idle_nulls(faces, arguments);
        let by = |wanted: Fit| faces.iter().find(|face| face.fit(&arguments) == wanted);
        // An old name always leads to a tool of its own dialect, which is in use.
        let face = by(Fit::Own).or_else(|| by(Fit::Borrowed));
        // If none fits, the first face that knows the most arguments reports the error.
        let face = face.or_else(|| faces.iter().rev().max_by_key(|face| face.known_arguments(&arguments)));
        let face = face.ok_or(BadArguments::Together("This tool is not offered"))?;
        Ok((&**face, arguments))
    }
}
