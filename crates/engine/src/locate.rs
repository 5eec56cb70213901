//! Where elements are looked for: in the document of every frame of the page.

use std::time::Duration;

use cicerone_driver::FrameId;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Deadline, Error, Page, Result, TabId, Target,
    agent::Sketch,
    query::Query,
    refs::{Document, Lead, RefName},
    state::Frame,
};

/// A place to look for an element.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) frame: FrameId,
    pub(crate) number: u32,
    pub(crate) document: Document,
}

/// How long one frame may take to say whether it has an element.
pub(crate) const FRAME_PATIENCE: Duration = Duration::from_secs(2);

/// All that matches in one document.
#[derive(Deserialize)]
struct Found {
    count: usize,
    /// How many of them can be seen.
    #[serde(default)]
    visible: usize,
    #[serde(default)]
    matches: Vec<Match>,
}

#[derive(Deserialize)]
struct Match {
    #[serde(flatten)]
    sketch: Sketch,
    #[serde(default)]
    visible: bool,
}

impl Page {
    /// The frame to look in, and what to ask there.
    pub(crate) async fn place(&self, target: &Target, deadline: Deadline) -> Result<(Place, Value)> {
        match target {
            Target::Ref(name) => {
                let (place, local) = self.follow(*name)?;
                Ok((place, json!({ "ref": local })))
            }
            Target::Query(Query::Css { css }) if css == ":focus" => {
                let holder = self.focus_holder(deadline).await?;
                let located = holder.ok_or_else(|| Error::NoMatch { target: target.clone() })?;
                let (number, document) = self.numbers(&located.frame);
                let place = Place { frame: located.frame, number, document };
                Ok((place, json!({ "ref": located.number })))
            }
            Target::Query(query) => self.frame_with(target, query, deadline).await,
        }
    }

    /// Where a ref leads.
    pub(crate) fn follow(&self, name: RefName) -> Result<(Place, u32)> {
        let lead = self.refs().lead(name);
        match lead {
            Lead::Never => Err(Error::UnknownRef(name)),
            Lead::Past => Err(Error::Stale { reference: name, replaced: true }),
            Lead::Element { tab, .. } if tab != self.id() => {
                Err(Error::ForeignRef { reference: name, tab, context: self.other_context_of(tab) })
            }
            Lead::Element { document, local, .. } => {
                let state = self.state();
                let frame = state.frames.iter().find(|frame| frame.document == document);
                let frame = frame.ok_or(Error::Stale { reference: name, replaced: true })?;
                Ok((Place { frame: frame.id.clone(), number: frame.number, document }, local))
            }
        }
    }

    /// The name of the context that a tab is in, where it is another one.
    fn other_context_of(&self, tab: TabId) -> Option<String> {
        let ours = self.context()?;
        let (theirs, _) = ours.session().ok()?.tab(tab).ok()?;
        (theirs != ours).then(|| theirs.name().to_owned())
    }

    /// Where elements may be: the page's own document first.
    pub(crate) fn places(&self) -> Vec<Place> {
        let state = self.state();
        let place =
            |frame: &Frame| Place { frame: frame.id.clone(), number: frame.number, document: frame.document };
        let meant = |frame: &&Frame| self.only_frame().is_none_or(|only| frame.number == only);
        state.frames.iter().filter(meant).map(place).collect()
    }

    /// The frame that has what is asked for, and what to ask there; the main one if none has it yet.
    async fn frame_with(&self, target: &Target, query: &Query, deadline: Deadline) -> Result<(Place, Value)> {
        let whole = serde_json::to_value(query).unwrap_or_default();
        let places = self.places();
        if places.len() > 1 {
            // One of several is counted through the whole page, not in each frame.
            let choice = query.last_choice();
            let asked = choice.as_ref().map_or(query, |(all, _)| all);
            let patience = deadline.or_after(FRAME_PATIENCE);
            let args = json!({ "target": asked, "all": true });
            let asking = places.iter().map(|place| self.ask::<Found>(&place.frame, "find", &args, patience));
            let answers = futures::future::join_all(asking).await;
            let mut found: Vec<(Place, Found)> = places
                .into_iter()
                .zip(answers)
                .filter_map(|(place, answer)| Some((place, answer.ok()?)))
                .collect();
            found.retain(|(_, found)| found.count > 0);
            // Hidden matches count only where no frame has a visible one.
            if choice.is_none() && found.iter().any(|(_, found)| found.visible > 0) {
                found.retain(|(_, found)| found.visible > 0);
            }
            if let Some((all, nth)) = choice {
                let counts: Vec<usize> = found.iter().map(|(_, found)| found.count).collect();
                if let Some((at, local)) = nth_of(&counts, nth) {
                    let query = serde_json::to_value(all.nth(local)).unwrap_or_default();
                    return Ok((found.swap_remove(at).0, query));
                }
            } else if found.len() > 1 {
                let matching = |found: &Found| if found.visible > 0 { found.visible } else { found.count };
                let count = found.iter().map(|(_, found)| matching(found)).sum();
                let matches = found
                    .into_iter()
                    .flat_map(|(place, found)| {
                        let all = found.visible == 0;
                        let matches = found.matches.into_iter().filter(move |found| found.visible || all);
                        matches.map(move |found| (place.clone(), found.sketch))
                    })
                    .take(5)
                    .map(|(place, sketch)| self.element(place.number, place.document, sketch))
                    .collect();
                return Err(Error::Ambiguous { target: target.clone(), count, matches });
            } else if let Some((place, _)) = found.pop() {
                return Ok((place, whole));
            }
        }
        let frame = self.chosen_frame()?;
        let (number, document) = self.numbers(&frame);
        Ok((Place { frame, number, document }, whole))
    }
}

/// Where the nth of all comes to stand, given how many each frame has: in which of them, and which there.
pub(crate) fn nth_of(counts: &[usize], nth: i32) -> Option<(usize, i32)> {
    let all: usize = counts.iter().sum();
    let back = usize::try_from(nth.unsigned_abs()).ok()?;
    let mut left = if nth < 0 { all.checked_sub(back)? } else { back };
    for (at, &count) in counts.iter().enumerate() {
        if left < count {
            return Some((at, i32::try_from(left).ok()?));
        }
        left -= count;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::nth_of;

    #[test]
    fn one_of_several_is_counted_through_all_frames() {
        let counts = [2, 0, 3];
        let found: Vec<_> = (-6..6).map(|nth| nth_of(&counts, nth)).collect();
        let (first, last) = (|n| Some((0, n)), |n| Some((2, n)));
        let forward = [first(0), first(1), last(0), last(1), last(2), None];
        let backward = [None, first(0), first(1), last(0), last(1), last(2)];
        assert_eq!(found, [backward, forward].concat());
    }
}
