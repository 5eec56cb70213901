//! Type-erased faces, as a toolbox holds and calls them.

use std::sync::Arc;

use cicerone_engine::{Outcome, Session, TabId, View};
use futures::future::BoxFuture;
use serde_json::{Map, Value, json};

use super::{Face, Fact, Row, Set, borrowed::lent};
use crate::{
    BadArguments, Call, Cap, Capability, Dialect, Effect, Output, Reply, Scope,
    argument::given,
    dialect::{Envelope, Failed, Numbers, since_lines, tell_news, tell_since},
    message,
    output::append,
    reply::Failure,
    toolbox::{Listing, Needs},
};

/// The faces of one capability, type-erased: each accepts the arguments that its tool has in other dialects.
pub(crate) fn family<C: Capability, const N: usize>(mut faces: [Face<C>; N]) -> [Box<dyn AnyFace>; N] {
    let all = lent(&faces);
    faces.iter_mut().for_each(|face| face.borrow_from(&all));
    faces.map(|face| Box::new(face) as Box<dyn AnyFace>)
}

/// Replaces the type integer with number.
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

/// What `null` means for an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Null {
    /// The same as leaving it out.
    Absent,
    /// A value of the argument.
    Value,
}

/// A face with its capability type-erased.
pub(crate) trait AnyFace: Send + Sync {
    fn name(&self) -> &'static str;
    fn dialect(&self) -> &'static Dialect;
    fn example(&self) -> &'static str;
    fn cap(&self) -> Option<Cap>;
    /// What depends on a capability that is not switched on by default.
    fn needs(&self) -> Vec<Needs>;
    /// Drops arguments whose cap is not switched on.
    fn keep_arguments_for(&mut self, caps: &[Cap]);
    fn listing(&self) -> Listing;
    fn fit(&self, arguments: &Map<String, Value>) -> Fit;
    /// How many of these arguments it knows.
    fn known_arguments(&self, arguments: &Map<String, Value>) -> usize;
    /// What `null` says for this argument; nothing where there is no argument of this name.
    fn null_for(&self, name: &str) -> Option<Null>;
    fn call(&self, call: Call, arguments: Map<String, Value>) -> BoxFuture<'_, Result<Reply, BadArguments>>;
    /// The reply to a call that panicked.
    fn panicked(&self, arguments: &Map<String, Value>) -> Reply;
}

impl<C: Capability> Face<C> {
    /// Facts, or their schemas, by the words of this dialect.
    fn worded(&self, mut facts: Map<String, Value>) -> Map<String, Value> {
        for (fact, word) in &self.renamed_facts {
            if let Some(value) = facts.remove(*fact) {
                facts.insert((*word).to_owned(), value);
            }
        }
        facts.retain(|fact, _| self.only_facts.is_none_or(|told| told.contains(&fact.as_str())));
        facts
    }

    /// The facts of an output, in this dialect.
    fn facts(&self, output: &C::Output) -> Map<String, Value> {
        let mut facts = self.worded(output.facts());
        for Fact { name, read, .. } in &self.facts {
            if let Some(fact) = read(output) {
                facts.insert((*name).to_owned(), fact);
            }
        }
        let outcome = Output::outcome(output);
        let news = outcome.map_or(Output::news(output), |outcome| &outcome.news);
        let refs = self.dialect.envelope.refs();
        append(&mut facts, "news", news.iter().map(|item| message::news(item, refs)));
        if let Some(outcome) = outcome {
            self.add_views(&mut facts, outcome);
        }
        facts
    }

    /// What came of an action, where the facts are all that is read.
    fn add_views(&self, facts: &mut Map<String, Value>, outcome: &Outcome) {
        if self.dialect.envelope != Envelope::Unified {
            return;
        }
        if let Some(since) = &outcome.since {
            append(facts, "since", since_lines(since));
        }
        match &outcome.view {
            Some(View::Page(page)) => {
                facts.insert("snapshot".to_owned(), page.clone().into());
            }
            Some(View::Changes(changes)) if !changes.is_empty() => append(facts, "changes", changes.lines()),
            Some(View::Changes(_)) | None => {}
        }
    }

    /// The argument that names the subject, and what it says.
    fn subject_of<'a>(&self, arguments: &'a Map<String, Value>) -> Option<(&'static str, &'a str)> {
        self.subject.and_then(|name| Some((name, arguments.get(name)?.as_str()?)))
    }

    /// The reply to a call that failed.
    fn failed(&self, failure: &Failure, subject: Option<(&'static str, &str)>) -> Reply {
        let message = &failure.message(self.dialect.envelope.refs());
        let Self { operation, advice, .. } = *self;
        let failed = Failed { tool: self.name, error: failure.error(), message, operation, subject, advice };
        let text = failure.in_words((self.dialect.failure)(&failed));
        let verdict = (self.dialect.verdict)(&failed);
        Reply {
            text,
            facts: self.dialect.envelope.bad(message, &verdict),
            failed: true,
            refused: verdict.refused.then_some((verdict.code, verdict.name)),
            ..Reply::default()
        }
    }

    /// Adds what no reply has told yet: whichever tool is called next, and whether it fails or not.
    async fn tell_rest(&self, reply: &mut Reply, session: &Session, tab: Option<TabId>) {
        // Errors of the protocol are not read as replies.
        if reply.refused.is_some() {
            return;
        }
        let news = session.take_news(tab).await;
        // No `await` from here on: a cancelled call would lose what it took.
        let envelope = self.dialect.envelope;
        let refs = envelope.refs();
        tell_news(&mut reply.text, &news, refs);
        envelope.append(&mut reply.facts, "news", news.iter().map(|item| message::news(item, refs)));
        // An action that worked has told them.
        if reply.failed
            && self.dialect.shows.is_none()
            && let Some(since) = session.take_short_changes(tab)
        {
            tell_since(&mut reply.text, &since);
            if envelope == Envelope::Unified {
                envelope.append(&mut reply.facts, "since", since_lines(&since));
            }
        }
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

    fn needs(&self) -> Vec<Needs> {
        let of_tool = self.cap.map(|cap| Needs { tool: self.name, argument: None, cap });
        let of_row =
            |row: &Row<C>| row.cap.map(|cap| Needs { tool: self.name, argument: Some(row.spec.name), cap });
        of_tool.into_iter().chain(self.rows.iter().filter_map(of_row)).collect()
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
        facts.extend(self.facts.iter().map(|fact| (fact.name.to_owned(), json!({ "type": fact.kind }))));
        let output = self.dialect.envelope.schema(facts);
        Listing {
            name: self.name,
            about: self.about.into(),
            input: Arc::new(input),
            output: Arc::new(output),
            effect: C::EFFECT,
            types_secrets: self.types_secrets,
        }
    }

    fn known_arguments(&self, arguments: &Map<String, Value>) -> usize {
        self.known_among(arguments)
    }

    fn null_for(&self, name: &str) -> Option<Null> {
        let alias = self.aliases.iter().find(|(alias, _)| *alias == name);
        let name = alias.map_or(name, |(_, argument)| argument);
        let mut own = self.rows.iter().filter(|row| row.spec.name == name).peekable();
        own.peek()?;
        Some(if own.any(|row| matches!(row.set, Set::OrNull(_))) { Null::Value } else { Null::Absent })
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
            call.options.shows = self.dialect.shows;
            call.options.notation = self.dialect.notation;
            let arguments = self.unaliased(&arguments);
            let capability = self.read(&arguments, &mut call)?;
            let subject = self.subject_of(&arguments);
            let (session, tab) = (call.session.clone(), call.tab);
            // Every action begins and ends here: a recording of its tab is notified of both.
            let acts = C::EFFECT == Effect::Acts;
            let recorded = if acts { session.begin_action(call.tab).await } else { None };
            let run = async {
                capability.begin(&mut call)?;
                let scope = C::On::enter(call).await?;
                capability.run(scope).await
            };
            let mut reply = match run.await {
                Err(failure) => {
                    failure.told_to(&session);
                    self.failed(&failure, subject)
                }
                Ok(output) => {
                    let sentence = (self.says)(subject.map_or("", |(_, given)| given), &output);
                    // What has no outcome was not done to the page.
                    if let (Some(action), Some(outcome)) = (recorded, Output::outcome(&output)) {
                        let label = sentence.lines().next().unwrap_or_default();
                        let label = session.secrets().redact(label).into_owned();
                        action.done(label, outcome.unchanged_for.is_some());
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
            };
            self.tell_rest(&mut reply, &session, tab).await;
            Ok(reply)
        })
    }

    fn panicked(&self, arguments: &Map<String, Value>) -> Reply {
        self.failed(&Failure::panicked(), self.subject_of(&self.unaliased(arguments)))
    }
}
