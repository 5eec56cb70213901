//! Everything that can be done, one file each. A new one is a file and two lines here.

use crate::{
    Call, Effect, Output, Scope,
    face::{AnyFace, family},
    reply::Failure,
};

mod auth_state;
mod bookmarks;
mod capture;
mod check;
mod click;
mod close;
mod close_session;
mod console;
pub(crate) mod console_messages;
mod context_close;
mod context_create;
mod context_list;
mod context_save_storage;
mod context_switch;
mod cookies;
mod device;
mod dialog;
mod drag;
mod emulate;
mod evaluate;
mod file_upload;
mod fill_form;
mod find;
mod focus;
mod geolocation;
mod handle_dialog;
mod history;
mod hover;
mod install;
mod launch;
mod locator;
mod mouse;
mod navigate;
pub(crate) mod network_requests;
mod page_info;
mod pdf;
mod pdf_save;
mod permissions;
mod press_key;
mod query;
mod quit;
mod record;
mod request;
mod resize;
mod route;
mod sandboxed_evaluate;
mod screenshot;
mod scroll;
mod scroll_into_view;
mod select_option;
mod snapshot;
mod storage;
mod tabs;
mod take_screenshot;
mod type_keys;
mod type_text;
mod viewport;
mod vision_screenshot;
mod wait;
mod wait_for;

/// One thing that can be done. Its fields are its arguments.
pub trait Capability: Sized + Send + 'static {
    /// What must be there before it runs.
    type On: Scope;
    /// What it puts out.
    type Output: Output;
    /// What it does to the world.
    const EFFECT: Effect;
    /// Runs before the scope is entered: checks what needs no page, and says what its scope is to be.
    fn begin(&self, _call: &mut Call) -> Result<(), Failure> {
        Ok(())
    }
    /// Does it.
    fn run(self, on: Self::On) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// All faces, in the order in which they are listed.
pub(crate) fn all() -> Vec<Box<dyn AnyFace>> {
    let mut faces: Vec<Box<dyn AnyFace>> = Vec::new();
    faces.extend(family(launch::faces()));
    faces.extend(family(navigate::faces()));
    faces.extend(family(snapshot::faces()));
    faces.extend(family(page_info::faces()));
    faces.extend(family(find::faces()));
    faces.extend(family(query::faces()));
    faces.extend(family(locator::faces()));
    faces.extend(family(click::faces()));
    faces.extend(family(type_text::faces()));
    faces.extend(family(type_keys::faces()));
    faces.extend(family(fill_form::faces()));
    faces.extend(family(check::faces()));
    faces.extend(family(select_option::faces()));
    faces.extend(family(hover::faces()));
    faces.extend(family(drag::faces()));
    faces.extend(family(press_key::faces()));
    faces.extend(family(focus::faces()));
    faces.extend(family(file_upload::faces()));
    faces.extend(family(scroll_into_view::faces()));
    faces.extend(family(scroll::faces()));
    faces.extend(family(take_screenshot::faces()));
    faces.extend(family(vision_screenshot::faces()));
    faces.extend(family(evaluate::faces()));
    faces.extend(family(sandboxed_evaluate::faces()));
    faces.extend(family(wait::faces()));
    faces.extend(family(wait_for::faces()));
    faces.extend(family(handle_dialog::faces()));
    faces.extend(family(dialog::faces()));
    faces.extend(family(console_messages::faces()));
    faces.extend(family(console::faces()));
    faces.extend(family(network_requests::faces()));
    faces.extend(family(request::faces()));
    faces.extend(family(route::faces()));
    faces.extend(family(capture::faces()));
    faces.extend(family(tabs::faces()));
    faces.extend(family(resize::faces()));
    faces.extend(family(close::faces()));
    faces.extend(family(close_session::faces()));
    faces.extend(family(install::faces()));
    faces.extend(family(context_create::faces()));
    faces.extend(family(context_switch::faces()));
    faces.extend(family(context_list::faces()));
    faces.extend(family(context_close::faces()));
    faces.extend(family(context_save_storage::faces()));
    faces.extend(family(mouse::faces()));
    faces.extend(family(pdf_save::faces()));
    faces.extend(family(screenshot::faces()));
    faces.extend(family(pdf::faces()));
    faces.extend(family(record::faces()));
    faces.extend(family(quit::faces()));
    faces.extend(family(cookies::faces()));
    faces.extend(family(storage::faces()));
    faces.extend(family(auth_state::faces()));
    faces.extend(family(viewport::faces()));
    faces.extend(family(device::faces()));
    faces.extend(family(geolocation::faces()));
    faces.extend(family(permissions::faces()));
    faces.extend(family(emulate::faces()));
    faces.extend(family(history::faces()));
    faces.extend(family(bookmarks::faces()));
    faces
}

#[cfg(test)]
mod tests {
    use crate::face::Fit;

    #[test]
    fn every_face_has_an_example_that_fits_it() {
        for face in &super::all() {
            let example = serde_json::from_str(face.example()).ok();
            let fits = example.is_some_and(|arguments| face.fit(&arguments) == Fit::Own);
            let (dialect, name) = (face.dialect().name, face.name());
            assert!(fits, "the example of {name} in {dialect} is {:?}", face.example());
        }
    }

    #[test]
    fn every_file_is_in_the_index() {
        let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/capability");
        let index = std::fs::read_to_string(directory.join("mod.rs")).unwrap();
        for file in std::fs::read_dir(&directory).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            let Some(name) = name.strip_suffix(".rs").filter(|name| *name != "mod") else { continue };
            assert!(index.contains(&format!("mod {name};")), "{name} has no mod line");
            assert!(index.contains(&format!("{name}::faces()")), "{name} is not in the list");
        }
    }
}
