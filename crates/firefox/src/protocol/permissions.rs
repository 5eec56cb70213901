//! <https://www.w3.org/TR/permissions/#webdriver-bidi-module-permissions>

use cicerone_wire::Empty;
use serde::Serialize;

use super::commands;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetPermission<'a> {
    pub(crate) descriptor: PermissionDescriptor,
    pub(crate) state: &'static str,
    pub(crate) origin: &'a str,
    pub(crate) user_context: &'a str,
}

#[derive(Serialize)]
pub(crate) struct PermissionDescriptor {
    pub(crate) name: &'static str,
}

commands! {
    SetPermission<'_> => "permissions.setPermission", Empty;
}
