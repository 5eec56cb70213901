//! Faces whose capabilities are out of sight: how a toolbox holds and calls them.

use cicerone_engine::View;
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::{Face, Knows, Row};
use crate::{
    BadArguments, Call, Cap, Capability, Dialect, Effect, Output, Reply, Scope,
    argument::given,
    dialect::{Envelope, Failed, Numbers},
    toolbox::Listing,
};

/// The faces of one capability, out of sight: each takes what the same tool takes in the other dialects.
pub(crate) fn family<C: Capability, const N: usize>(mut faces: [Face<C>; N]) -> [Box<dyn AnyFace>; N] {
    let all: Vec<_> = faces
        .iter()
        .flat_map(|face| face.rows.iter().map(|row| (face.name, row.spec.name, row.set.clone())))
        .collect();
    faces.iter_mut().for_each(|face| face.borrow_from(&all));
    faces.map(|face| Box::new(face) as Box<dyn AnyFace>)
}

/// Says of whole numbers only that they are numbers.
fn any_number(schema: &mut Value) {
    match schema {
        Value::Object(schema) => {
            for (name, part) in schema {
                match part {
                    Value::String(kind) if name == "type" && kind == "integer" => *kind = "number".into(),
                    part => any_number(part),
                }
            }
        }
        Value::Array(parts) => parts.iter_mut().for_each(any_number),
        _ => {}
    }
}

/// How well arguments fit a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// It does not know some of them, or misses one.
    Not,
    /// With what it borrows from other dialects.
    Borrowed,
    /// All of them are its own.
    Own,
}

/// A face whose capability is out of sight.
pub(crate) trait AnyFace: Send + Sync {
    fn name(&self) -> &'static str;
    fn dialect(&self) -> &'static Dialect;
    fn example(&self) -> &'static str;
    fn cap(&self) -> Option<Cap>;
    /// Drops the arguments that are there only when something is switched on that is not.
    fn keep_arguments_for(&mut self, caps: &[Cap]);
    fn listing(&self) -> Listing;
    fn fit(&self, arguments: &Map<String, Value>) -> Fit;
    /// How many of these arguments it knows.
    fn knows(&self, arguments: &Map<String, Value>) -> usize;
    fn call(&self, call: Call, arguments: Map<String, Value>) -> BoxFuture<'_, Result<Reply, BadArguments>>;
}

impl<C: Capability> Face<C> {
    /// Facts, or their schemas, by the words of this dialect.
    fn worded(&self, mut facts: Map<String, Value>) -> Map<String, Value> {
        for (fact, word) in &self.calls {
            if let Some(value) = facts.remove(*fact) {
                facts.insert((*word).to_owned(), value);
            }
        }
        facts.retain(|fact, _| self.tells.is_none_or(|told| told.contains(&fact.as_str())));
        facts
    }

    /// The facts of an output, in this dialect.
    fn facts(&self, output: &C::Output) -> Map<String, Value> {
        let mut facts = self.worded(output.facts());
        for Knows { name, tell, .. } in &self.knows {
            if let Some(fact) = tell(output) {
                facts.insert((*name).to_owned(), fact);
            }
        }
        if self.dialect.envelope == Envelope::Unified
            && let Some(View::Changes(changes)) =
                Output::outcome(output).and_then(|outcome| outcome.view.as_ref())
            && !changes.is_empty()
        {
            let lines: Vec<&str> = changes.lines().collect();
            facts.insert("changes".to_owned(), lines.into());
        }
        facts
    }
}

impl<C: Capability> AnyFace for Face<C> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    fn example(&self) -> &'static str {
        self.example
    }

    fn cap(&self) -> Option<Cap> {
        self.cap
    }

    fn keep_arguments_for(&mut self, caps: &[Cap]) {
        self.rows.retain(|row| row.cap.is_none_or(|cap| caps.contains(&cap)));
    }

    fn listing(&self) -> Listing {
        let mut properties = Map::new();
        for Row { spec, .. } in self.rows.iter().filter(|row| !row.unlisted) {
            let mut schema = spec.schema.clone();
            if self.dialect.counts_in == Numbers::Any {
                any_number(&mut schema);
            }
            if let (Some(schema), false) = (schema.as_object_mut(), spec.about.is_empty()) {
                schema.insert("description".into(), spec.about.into());
            }
            properties.insert(spec.name.into(), schema);
        }
        let required: Vec<&str> =
            self.rows.iter().filter(|row| row.spec.required).map(|row| row.spec.name).collect();
        let mut input = Map::from_iter([("type".to_owned(), json!("object"))]);
        input.insert("properties".into(), properties.into());
        if !required.is_empty() {
            input.insert("required".into(), required.into());
        }
        let mut facts = self.worded(self.dialect.envelope.facts_of::<C::Output>());
        facts.extend(self.knows.iter().map(|fact| (fact.name.to_owned(), json!({ "type": fact.kind }))));
        let output = self.dialect.envelope.schema(facts);
        Listing {
            name: self.name,
            about: self.about.into(),
            input,
            output,
            effect: C::EFFECT,
            types_secrets: self.types_secrets,
        }
    }

    fn knows(&self, arguments: &Map<String, Value>) -> usize {
        self.known_among(arguments)
    }

    fn fit(&self, arguments: &Map<String, Value>) -> Fit {
        let arguments = &*self.unaliased(arguments);
        let there = |row: &&Row<C>| given(arguments, row.spec.name).is_some();
        if !self.rows.iter().filter(|row| row.spec.required).all(|row| there(&row)) {
            return Fit::Not;
        }
        let own = |name: &String| self.rows.iter().any(|row| row.spec.name == name);
        match () {
            () if arguments.keys().all(own) => Fit::Own,
            () if arguments.keys().all(|name| !self.sets_of(name).is_empty()) => Fit::Borrowed,
            () => Fit::Not,
        }
    }

    fn call(
        &self,
        mut call: Call,
        arguments: Map<String, Value>,
    ) -> BoxFuture<'_, Result<Reply, BadArguments>> {
        Box::pin(async move {
            call.manner.shows = self.dialect.shows;
            call.manner.ref_sign = self.dialect.ref_sign;
            let arguments = self.unaliased(&arguments);
            let capability = self.read(&arguments, &mut call)?;
            let subject = self.subject.and_then(|name| Some((name, arguments.get(name)?.as_str()?)));
            let session = call.session.clone();
            // The one place where every action begins and ends: a recording of its tab hears of both.
            let acts = C::EFFECT == Effect::Acts;
            let recorded = if acts { session.begin_action(call.tab).await } else { None };
            let run = async {
                let scope = C::On::enter(call).await?;
                capability.run(scope).await
            };
            Ok(match run.await {
                Err(failure) => {
                    failure.told_to(&session);
                    let failure = self.dialect.envelope.worded(failure);
                    let Self { doing, advice, .. } = *self;
                    let failed = Failed { failure: &failure, doing, subject, advice };
                    let text = failure.in_words((self.dialect.failure)(&failed));
                    let verdict = (self.dialect.verdict)(&failure);
                    Reply {
                        text,
                        facts: self.dialect.envelope.bad(&failure, &verdict),
                        failed: true,
                        refused: verdict.refused.then_some((verdict.code, verdict.name)),
                        ..Reply::default()
                    }
                }
                Ok(output) => {
                    let sentence = (self.says)(subject.map_or("", |(_, given)| given), &output);
                    // What has no outcome was not done to the page.
                    if let Some(action) = recorded.filter(|_| Output::outcome(&output).is_some()) {
                        let label = sentence.lines().next().unwrap_or_default();
                        action.done(session.secrets().redact(label).into_owned());
                    }
                    Reply {
                        text: self.dialect.voice(&sentence, &output),
                        images: self.shows.as_ref().map(|shows| shows(&output)).unwrap_or_default(),
                        images_first: self.dialect.images_first,
                        facts: self.dialect.envelope.good(self.facts(&output)),
                        failed: false,
                        refused: None,
                    }
                }
            })
        })
    }
}
