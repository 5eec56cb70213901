//! Everything that can be done, one file each. A new one is a file and two lines here.

use crate::{Effect, Output, Scope, face::AnyFace, reply::Failure};

mod click;
mod close;
mod console_messages;
mod drag;
mod evaluate;
mod file_upload;
mod fill_form;
mod handle_dialog;
mod hover;
mod install;
mod navigate;
mod navigate_back;
mod network_requests;
mod press_key;
mod resize;
mod scroll_into_view;
mod select_option;
mod snapshot;
mod tabs;
mod take_screenshot;
mod type_text;
mod wait_for;

/// One thing that can be done. Its fields are its arguments.
pub trait Capability: Sized + Send + 'static {
    /// What must be there before it runs.
    type On: Scope;
    /// What it puts out.
    type Output: Output;
    /// What it does to the world.
    const EFFECT: Effect;
    /// Does it.
    fn run(self, on: Self::On) -> impl Future<Output = Result<Self::Output, Failure>> + Send;
}

/// All faces, in the order in which they are listed.
pub(crate) fn all() -> Vec<Box<dyn AnyFace>> {
    let mut faces: Vec<Box<dyn AnyFace>> = Vec::new();
    fn add<C: Capability, const N: usize>(faces: &mut Vec<Box<dyn AnyFace>>, more: [crate::Face<C>; N]) {
        faces.extend(more.into_iter().map(|face| Box::new(face) as Box<dyn AnyFace>));
    }
    add(&mut faces, navigate::faces());
    add(&mut faces, navigate_back::faces());
    add(&mut faces, snapshot::faces());
    add(&mut faces, click::faces());
    add(&mut faces, type_text::faces());
    add(&mut faces, fill_form::faces());
    add(&mut faces, select_option::faces());
    add(&mut faces, hover::faces());
    add(&mut faces, drag::faces());
    add(&mut faces, press_key::faces());
    add(&mut faces, file_upload::faces());
    add(&mut faces, scroll_into_view::faces());
    add(&mut faces, take_screenshot::faces());
    add(&mut faces, evaluate::faces());
    add(&mut faces, wait_for::faces());
    add(&mut faces, handle_dialog::faces());
    add(&mut faces, console_messages::faces());
    add(&mut faces, network_requests::faces());
    add(&mut faces, tabs::faces());
    add(&mut faces, resize::faces());
    add(&mut faces, close::faces());
    add(&mut faces, install::faces());
    faces
}

#[cfg(test)]
mod tests {
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
