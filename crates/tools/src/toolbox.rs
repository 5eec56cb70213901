//! The tools in use, by name.

use std::{collections::BTreeMap, sync::Arc};

use serde_json::{Map, Value};

use crate::{BadArguments, Call, Dialect, Effect, Reply, capability, face::AnyFace};

/// What `tools/list` says of one tool.
#[derive(Debug, Clone)]
pub struct Listing {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub about: &'static str,
    /// The schema of its arguments.
    pub input: Map<String, Value>,
    /// The schema of its facts.
    pub output: Map<String, Value>,
    /// What it does to the world.
    pub effect: Effect,
}

/// No tool has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("Unknown tool: {0}")]
pub struct UnknownTool(pub String);

/// The faces of the dialects in use.
pub struct Toolbox {
    listed: Vec<Arc<dyn AnyFace>>,
    callable: BTreeMap<&'static str, Arc<dyn AnyFace>>,
}

impl Toolbox {
    /// The tools of these dialects.
    pub fn new(dialects: &[&'static Dialect]) -> Self {
        let faces: Vec<Arc<dyn AnyFace>> = capability::all().into_iter().map(Arc::from).collect();
        let listed: Vec<_> = faces
            .iter()
            .filter(|face| dialects.iter().any(|dialect| dialect.name == face.dialect().name))
            .cloned()
            .collect();
        let callable = listed.iter().map(|face| (face.name(), Arc::clone(face))).collect();
        Self { listed, callable }
    }

    /// What `tools/list` says.
    pub fn list(&self) -> Vec<Listing> {
        self.listed.iter().map(|face| face.listing()).collect()
    }

    /// Whether a tool has this name.
    pub fn find(&self, name: &str) -> Result<Tool, UnknownTool> {
        let face = self.callable.get(name).ok_or_else(|| UnknownTool(name.to_owned()))?;
        Ok(Tool(Arc::clone(face)))
    }
}

/// A tool that was found.
pub struct Tool(Arc<dyn AnyFace>);

impl Tool {
    /// Calls it.
    pub async fn call(&self, call: Call, arguments: Map<String, Value>) -> Result<Reply, BadArguments> {
        self.0.call(call, arguments).await
    }
}
