//! Looking at a page without changing it.

pub(crate) mod annotate;
pub(crate) mod changes;
pub(crate) mod evaluate;
pub(crate) mod examine;
pub(crate) mod html;
pub(crate) mod outline;
pub(crate) mod part;
pub(crate) mod pick;
pub(crate) mod print;
pub(crate) mod sandbox;
pub(crate) mod screenshot;
pub(crate) mod snapshot;
pub(crate) mod until;
pub(crate) mod vision_image;
pub(crate) mod wait;
