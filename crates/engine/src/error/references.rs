//! The refs that an error names, for those who write them in another way.

use super::{Error, Obstacle};
use crate::ready::Element;

impl Error {
    /// The refs that its words name.
    pub fn references(&self) -> Vec<String> {
        let of = |element: &Element| element.reference.to_string();
        match self {
            Self::Stale { reference, .. }
            | Self::UnknownRef(reference)
            | Self::NotInside { reference }
            | Self::ForeignRef { reference, .. } => {
                vec![reference.to_string()]
            }
            Self::Ambiguous { matches: elements, .. } | Self::SeveralFileFields { fields: elements, .. } => {
                elements.iter().map(of).collect()
            }
            Self::NotReady {
                element,
                obstacle: Obstacle::Covered(Some(by)) | Obstacle::LetsPointerThrough(Some(by)),
            } => [&**element, &by.element].into_iter().chain(&by.has).map(of).collect(),
            Self::Missed { element, by } => {
                std::iter::once(of(element)).chain(by.as_deref().map(of)).collect()
            }
            Self::NotReady { element, .. }
            | Self::Misfit { element, .. }
            | Self::NotTaken { element, .. }
            | Self::HitAnotherFrame(element)
            | Self::OneFileOnly(Some(element))
            | Self::NotForFiles(element) => vec![of(element)],
            _ => Vec::new(),
        }
    }
}
