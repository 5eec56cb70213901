//! Reading a page without changing it.

pub(crate) mod annotate;
pub(crate) mod changes;
pub(crate) mod content_size;
pub(crate) mod element_info;
pub(crate) mod evaluate;
pub(crate) mod hidden;
pub(crate) mod html;
pub(crate) mod next_change;
pub(crate) mod outline;
pub(crate) mod part;
pub(crate) mod peek;
pub(crate) mod pick;
pub(crate) mod print;
pub(crate) mod sandbox;
pub(crate) mod screenshot;
pub(crate) mod snapshot;
pub(crate) mod vision_image;
pub(crate) mod wait;
pub(crate) mod wait_condition;
pub(crate) mod written;
