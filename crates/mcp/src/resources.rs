//! Resources and prompts in the protocol's types.

use base64::Engine as _;
use cicerone_engine::{Files, Session};
use cicerone_tools::{
    prompt::{PROMPTS, Prompt, PromptError},
    resource::{self, Content, ResourceError, ResourceListing, mime_of},
};
use rmcp::{
    ErrorData,
    model::{
        CompletionInfo, ContentBlock, ErrorCode, GetPromptRequestParams, GetPromptResult, ListPromptsResult,
        ListResourceTemplatesResult, ListResourcesResult, Prompt as ListedPrompt, PromptArgument,
        PromptMessage, ReadResourceResult, Resource, ResourceContents, ResourceTemplate, Role,
    },
};
use serde_json::{Map, Value, json};

/// The protocol's code for a resource that does not exist.
const RESOURCE_NOT_FOUND: ErrorCode = ErrorCode(-32002);

pub(crate) fn list(session: &Session) -> ListResourcesResult {
    ListResourcesResult::with_all_items(resource::list(session).into_iter().map(listed).collect())
}

pub(crate) fn templates() -> ListResourceTemplatesResult {
    let template = |listing: ResourceListing| {
        ResourceTemplate::new(listing.uri, listing.name)
            .with_description(listing.about)
            .with_mime_type(listing.mime)
    };
    ListResourceTemplatesResult::with_all_items(resource::templates().map(template).collect())
}

fn listed(listing: ResourceListing) -> Resource {
    Resource::new(listing.uri, listing.name).with_description(listing.about).with_mime_type(listing.mime)
}

pub(crate) async fn read(session: &Session, uri: &str) -> Result<ReadResourceResult, ErrorData> {
    let content = match resource::read(session, uri).await.map_err(|error| refused(&error, uri))? {
        Content::Text(text, mime) => ResourceContents::text(text, uri).with_mime_type(mime),
        Content::Bytes(bytes, mime) => {
            let blob = base64::engine::general_purpose::STANDARD.encode(bytes);
            ResourceContents::blob(blob, uri).with_mime_type(mime)
        }
    };
    Ok(ReadResourceResult::new(vec![content]))
}

fn refused(error: &ResourceError, uri: &str) -> ErrorData {
    let code = match error {
        ResourceError::BadElement(_) => ErrorCode::INVALID_PARAMS,
        ResourceError::Engine(_) | ResourceError::Io { .. } => ErrorCode::INTERNAL_ERROR,
        _ => RESOURCE_NOT_FOUND,
    };
    ErrorData::new(code, error.to_string(), Some(json!({ "uri": uri })))
}

pub(crate) fn prompts() -> ListPromptsResult {
    let prompt = |prompt: &Prompt| {
        let arguments = prompt.arguments.iter().map(|argument| {
            PromptArgument::new(argument.name)
                .with_description(argument.about)
                .with_required(argument.required)
        });
        ListedPrompt::new(prompt.name, Some(prompt.about), Some(arguments.collect()))
    };
    ListPromptsResult::with_all_items(PROMPTS.iter().map(prompt).collect())
}

pub(crate) fn prompt(request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let bad = |error: PromptError| ErrorData::invalid_params(error.to_string(), None);
    let prompt = Prompt::named(&request.name).map_err(bad)?;
    let text = prompt.text(request.arguments.as_ref().unwrap_or(&Map::new())).map_err(bad)?;
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(prompt.about))
}

pub(crate) fn completion(values: Vec<String>) -> CompletionInfo {
    let mut info = CompletionInfo::default();
    info.total = u32::try_from(values.len()).ok();
    info.has_more = Some(values.len() >= CompletionInfo::MAX_VALUES);
    info.values = values;
    info
}

/// Links to the files that a reply names and that this session saved.
pub(crate) fn links(files: &Files, facts: &Map<String, Value>) -> Vec<ContentBlock> {
    let mut texts = Vec::new();
    facts.values().for_each(|fact| collect_texts(fact, &mut texts));
    if texts.is_empty() {
        return Vec::new();
    }
    let saved = files.written().into_iter().filter(|path| texts.iter().any(|text| path.ends_with(text)));
    saved
        .filter_map(|path| {
            let name = path.file_name()?.to_string_lossy().into_owned();
            let uri = url::Url::from_file_path(&path).ok()?;
            let link = Resource::new(uri, name.clone()).with_mime_type(mime_of(&name));
            Some(ContentBlock::resource_link(link))
        })
        .collect()
}

/// The strings among the facts that may be file paths.
fn collect_texts<'a>(fact: &'a Value, texts: &mut Vec<&'a str>) {
    match fact {
        Value::String(text) if text.len() < 4_096 && text.contains('.') => {
            texts.push(text.trim_start_matches("./"))
        }
        Value::Object(facts) => facts.values().for_each(|fact| collect_texts(fact, texts)),
        _ => {}
    }
}
