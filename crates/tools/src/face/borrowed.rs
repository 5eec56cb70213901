//! What a face takes of the same tool in other dialects.

use std::sync::Arc;

use super::{Check, Face, Row, Set};
use crate::{BadArguments, Capability};

/// An argument of the same tool in another dialect.
pub(super) struct Borrowed<C> {
    pub(super) name: &'static str,
    pub(super) set: Set<C>,
    /// What the face that has it checks.
    pub(super) check: Option<Arc<Check<C>>>,
    /// Whether it changes what the call does, so that a misspelt name may mean it.
    pub(super) suggested: bool,
    tool: &'static str,
    /// Which face has it.
    lender: usize,
}

impl<C> Clone for Borrowed<C> {
    fn clone(&self) -> Self {
        Self { set: self.set.clone(), check: self.check.clone(), ..*self }
    }
}

/// What these faces lend each other.
pub(super) fn lent<C: Capability>(faces: &[Face<C>]) -> Vec<Borrowed<C>> {
    let of = |(lender, face): (usize, &Face<C>)| {
        let (tool, check) = (face.name, face.check.clone());
        let rows = face.rows.iter().filter_map(|row| Some((row, lent_set(row)?)));
        let lent = |(row, set): (&Row<C>, _)| {
            let suggested = !matches!(row.set, Set::Taken);
            Borrowed { name: row.spec.name, set, check: check.clone(), suggested, tool, lender }
        };
        rows.map(lent).collect::<Vec<_>>()
    };
    faces.iter().enumerate().flat_map(of).collect()
}

fn lent_set<C>(row: &Row<C>) -> Option<Set<C>> {
    match &row.set {
        Set::Taken if row.spec.required => None,
        // It is read with what is required there, so without that it can only say what leaving it out says.
        Set::Taken => {
            let (name, default) = (row.spec.name, row.spec.schema.get("default")?.clone());
            Some(Set::On(Arc::new(move |_, value| match *value == default {
                true => Ok(()),
                false => {
                    let expected = format!("{default}, or left out, with these arguments");
                    Err(BadArguments::Wrong { name, expected })
                }
            })))
        }
        set => Some(set.clone()),
    }
}

impl<C: Capability> Face<C> {
    /// Lets a face take what the same tool takes in its other dialects. Of several that have an argument of one name,
    /// the first counts.
    pub(super) fn borrow_from(&mut self, lent: &[Borrowed<C>]) {
        for more in lent.iter().filter(|more| more.tool == self.name) {
            let own = self.rows.iter().any(|row| row.spec.name == more.name);
            let other =
                self.borrowed.iter().any(|known| known.name == more.name && known.lender != more.lender);
            if !own && !other {
                self.borrowed.push(more.clone());
            }
        }
    }
}
