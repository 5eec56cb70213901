//! Elements that are held on to: by their frame, their document and the injected script's number. And what is done with them.

use std::{path::PathBuf, sync::atomic::Ordering, time::Duration};

use cicerone_driver::{DriverError, FrameId, NodeHandle, Result};
use serde_json::Value;

use crate::{
    page::{WebKitPage, lock},
    protocol::{
        dom::{RequestNode, ResolveNode},
        host::ChooseFiles,
        runtime::{CallArgument, CallFunctionOn},
    },
};

/// Objects that were asked for one by one live in this group.
pub(crate) const GROUP: &str = "cicerone";

/// The field of a file chooser that the page opened: which one that is, nobody tells.
pub(crate) const CHOOSER: &str = "chooser";

/// How long it may take until a file field that we click asks for files.
const CHOOSER_OPENS: Duration = Duration::from_secs(5);

/// What names an element that is held.
struct Held<'a> {
    number: u32,
    document: &'a str,
    frame: FrameId,
}

fn parts(node: &NodeHandle) -> Result<Held<'_>> {
    let mut words = node.as_str().splitn(3, ' ');
    let (number, document, frame) = (words.next(), words.next(), words.next());
    match (number.and_then(|number| number.parse().ok()), document, frame) {
        (Some(number), Some(document), Some(frame)) => Ok(Held { number, document, frame: frame.into() }),
        _ => Err(DriverError::Gone),
    }
}

impl WebKitPage {
    fn document_of(&self, frame: &FrameId) -> String {
        let frames = lock(&self.frames);
        frames
            .get(frame)
            .and_then(|place| place.document.as_ref())
            .map(ToString::to_string)
            .unwrap_or_default()
    }

    pub(crate) async fn node(&self, frame: &FrameId, number: u32) -> Result<NodeHandle> {
        let document = self.document_of(frame);
        self.injected_object(frame, number).await?;
        Ok(NodeHandle::from(format!("{number} {document} {frame}").as_str()))
    }

    /// An element as an object of the injected script's world.
    async fn injected_object(&self, frame: &FrameId, number: u32) -> Result<String> {
        let arguments = [CallArgument::Value(Value::from(number))];
        let answer =
            self.in_injected_world(frame, "function(n){return cicerone.node(n)}", &arguments, false).await?;
        answer.result.object_id.filter(|_| !answer.was_thrown).ok_or(DriverError::Gone)
    }

    async fn held_object(&self, node: &NodeHandle) -> Result<(FrameId, String)> {
        let Held { number, document, frame } = parts(node)?;
        if self.document_of(&frame) != document {
            return Err(DriverError::Gone);
        }
        let object = self.injected_object(&frame, number).await?;
        Ok((frame, object))
    }

    /// An element that is held, as an object of the page's own world.
    pub(crate) async fn pages_object(&self, node: &NodeHandle) -> Result<String> {
        let (_, object) = self.held_object(node).await?;
        let _numbering = self.numbering.lock().await;
        self.number_nodes().await?;
        let node_id = self.send(&RequestNode { object_id: &object }).await?.node_id;
        let resolved = self.send(&ResolveNode { node_id, object_group: GROUP }).await?;
        resolved.object.object_id.ok_or(DriverError::Gone)
    }

    /// The injected script's number, in the parent frame, of the element that holds a frame.
    pub(crate) async fn owner(&self, frame: &FrameId, parent: &FrameId) -> Result<u32> {
        let position = "function(){for(let i=0;i<parent.length;i++)if(parent[i]===window)return i;return -1}";
        let position = self.in_injected_world(frame, position, &[], true).await?.result.value;
        let holder =
            "function(i){for(const [n,w] of cicerone.frameWindows())if(w===window[i])return n;return null}";
        let arguments = [CallArgument::Value(position.ok_or(DriverError::Gone)?)];
        let number = self.in_injected_world(parent, holder, &arguments, true).await?.result.value;
        let number = number.and_then(|number| number.as_f64()).ok_or(DriverError::Gone)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the injected script counts elements, and casts saturate"
        )]
        Ok(number as u32)
    }

    /// Puts files into a field. Only the browser can, when the field asks for them; so it is made to ask.
    pub(crate) async fn attach_files(&self, field: &NodeHandle, files: &[PathBuf]) -> Result<()> {
        if field.as_str() != CHOOSER {
            let (_, object) = self.held_object(field).await?;
            self.attaching.store(true, Ordering::Relaxed);
            let opened = self.open_chooser(&object).await;
            self.attaching.store(false, Ordering::Relaxed);
            self.chooser_open.store(false, Ordering::Relaxed);
            opened?;
        }
        self.send(&ChooseFiles { files }).await.map(drop)
    }

    async fn open_chooser(&self, object: &str) -> Result<()> {
        let click = CallFunctionOn {
            object_id: object,
            // A page may have overwritten the method, but not in our world.
            function_declaration: "function(){HTMLInputElement.prototype.click.call(this)}",
            arguments: &[],
            return_by_value: true,
            await_promise: false,
            emulate_user_gesture: true,
            do_not_pause_on_exceptions_and_mute_console: true,
        };
        self.send(&click).await?;
        let opened = self.lifecycle.until(|| self.chooser_open.load(Ordering::Relaxed).then_some(()));
        tokio::time::timeout(CHOOSER_OPENS, opened).await.map_err(|_| DriverError::Refused {
            command: "Runtime.callFunctionOn",
            message: "the field does not ask for files".into(),
        })?
    }
}
