//! The parts of a page, by noun. Each is a view of one [`Page`] and borrows it.

use super::Page;

/// Declares the parts and their accessors on [`Page`].
macro_rules! parts {
    ($($(#[$doc:meta])* $vis:vis $part:ident, $name:ident;)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy)]
            $vis struct $part<'p> {
                pub(crate) page: &'p Page,
            }
        )*

        impl Page {
            $(
                $(#[$doc])*
                $vis fn $name(&self) -> $part<'_> {
                    $part { page: self }
                }
            )*
        }
    };
}

parts! {
    /// What this call says, and the options where it says nothing.
    pub(crate) Settings, settings;

    /// Calls of the injected script and of the driver, with deadlines and errors.
    pub(crate) Injected, injected;

    /// Finds elements: refs, queries, frames, readiness.
    pub(crate) Locator, locator;

    /// Points and sizes: of frames in the page, of the viewport, of the document.
    pub Geometry, geometry;

    /// Waits until the page has settled after an action.
    pub(crate) Settling, settling;

    /// Watches what an action changed, apart from what changes by itself.
    pub(crate) Effects, effects;

    /// Takes snapshots of the page or a part of it.
    pub Snapshots, snapshots;

    /// Writes snapshots for the client, and remembers what it saw.
    pub(crate) SnapshotWriter, writer;

    /// Screenshots and PDFs.
    pub Rendering, rendering;

    /// Reads properties of elements; lets the person pick one.
    pub Inspector, inspector;

    /// Runs scripts of the client.
    pub Scripts, scripts;

    /// Waits for a condition that the client names.
    pub Waits, waits;

    /// What every action does before and after its input.
    pub(crate) Actions, actions;

    /// Clicks, hovers, drags and scrolls.
    pub Mouse, mouse;

    /// Keys and focus.
    pub Keyboard, keyboard;

    /// Fills fields, checks boxes, selects options.
    pub Forms, forms;

    /// Gives files to file inputs.
    pub FileInputs, uploads;

    /// Goes to URLs and through the history.
    pub Navigator, navigation;

    /// How far the document has loaded, and whether the page responds.
    pub Loading, loading;

    /// JavaScript dialogs.
    pub Dialogs, dialogs;

    /// Console messages.
    pub Console, console;

    /// Routes: mocked, changed and aborted requests.
    pub Routing, routing;

    /// Overrides of what the page observes: viewport, locale, network.
    pub Emulator, emulator;

    /// Permissions of origins.
    pub Permissions, permissions;

    /// localStorage and sessionStorage.
    pub WebStorage, web_storage;

    /// Whether documents may be shown: local files, and those of refused addresses.
    pub(crate) FileAccess, file_access;
}
