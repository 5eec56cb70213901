//! Finds the frame that has an element.

use std::time::Duration;

use cicerone_driver::FrameId;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Deadline, ElementError, Error, Result, TabError, TabId, Target,
    injected::ElementSummary,
    page::parts::Locator,
    query::Query,
    refs::{Document, RefName, Resolved},
    state::Frame,
};

/// A document to search.
#[derive(Clone)]
pub(crate) struct DocumentInFrame {
    pub(crate) frame: FrameId,
    pub(crate) number: u32,
    pub(crate) document: Document,
}

/// Time limit for one frame to search an element.
pub(crate) const FRAME_TIMEOUT: Duration = Duration::from_secs(2);

/// All matches in one document.
#[derive(Deserialize)]
struct FrameMatches {
    count: usize,
    /// How many are visible.
    #[serde(default)]
    visible: usize,
    #[serde(default)]
    matches: Vec<Match>,
}

#[derive(Deserialize)]
struct Match {
    #[serde(flatten)]
    summary: ElementSummary,
    #[serde(default)]
    visible: bool,
}

impl Locator<'_> {
    /// The frame that scripts run in: the main one unless told.
    pub(crate) fn chosen_frame(self) -> Result<FrameId> {
        let Some(number) = self.page.settings().only_frame() else { return Ok(self.page.main_frame()) };
        let state = self.page.state();
        let frame = state.frames.iter().find(|frame| frame.number == number);
        frame.map(|frame| frame.id.clone()).ok_or_else(|| {
            let known = state.frames.iter().map(|frame| frame.number).collect();
            Error::Tab(TabError::NoFrame { number, known })
        })
    }

    /// The frame to search, and the query for it.
    pub(crate) async fn place(self, target: &Target, deadline: Deadline) -> Result<(DocumentInFrame, Value)> {
        match target {
            Target::Ref(name) => {
                let (place, local) = self.follow(*name)?;
                Ok((place, json!({ "ref": local })))
            }
            Target::Query(Query::Css { css }) if css == ":focus" => {
                let holder = self.page.keyboard().focus_holder(deadline).await?;
                let located =
                    holder.ok_or_else(|| Error::Element(ElementError::NoMatch { target: target.clone() }))?;
                let (number, document) = self.numbers(&located.frame);
                let place = DocumentInFrame { frame: located.frame, number, document };
                Ok((place, json!({ "ref": located.number })))
            }
            Target::Query(query) => self.frame_with(target, query, deadline).await,
        }
    }

    /// Resolves a ref.
    pub(crate) fn follow(self, name: RefName) -> Result<(DocumentInFrame, u32)> {
        let resolved = self.page.refs().resolve(name);
        match resolved {
            Resolved::Never => Err(Error::Element(ElementError::UnknownRef(name))),
            Resolved::Past => Err(Error::Element(ElementError::Stale { reference: name, replaced: true })),
            Resolved::Element { tab, .. } if tab != self.page.id() => {
                Err(Error::Element(ElementError::ForeignRef {
                    reference: name,
                    tab,
                    context: self.other_context_of(tab),
                }))
            }
            Resolved::Element { document, local, .. } => {
                let state = self.page.state();
                let frame = state.frames.iter().find(|frame| frame.document == document);
                let frame =
                    frame.ok_or(Error::Element(ElementError::Stale { reference: name, replaced: true }))?;
                Ok((DocumentInFrame { frame: frame.id.clone(), number: frame.number, document }, local))
            }
        }
    }

    /// The name of a tab's context, if it is another one.
    fn other_context_of(self, tab: TabId) -> Option<String> {
        let ours = self.page.context()?;
        let (theirs, _) = ours.session().ok()?.tab(tab).ok()?;
        (theirs != ours).then(|| theirs.name().to_owned())
    }

    /// The documents to search, the main frame first.
    pub(crate) fn documents(self) -> Vec<DocumentInFrame> {
        let state = self.page.state();
        let place = |frame: &Frame| DocumentInFrame {
            frame: frame.id.clone(),
            number: frame.number,
            document: frame.document,
        };
        let selected =
            |frame: &&Frame| self.page.settings().only_frame().is_none_or(|only| frame.number == only);
        state.frames.iter().filter(selected).map(place).collect()
    }

    /// The frame with the match and the query for it; the main frame if there is no match yet.
    async fn frame_with(
        self,
        target: &Target,
        query: &Query,
        deadline: Deadline,
    ) -> Result<(DocumentInFrame, Value)> {
        let query_json = serde_json::to_value(query).unwrap_or_default();
        let documents = self.documents();
        if documents.len() > 1 {
            // `nth` counts over the whole page, not per frame.
            let choice = query.last_choice();
            let counted = choice.as_ref().map_or(query, |(all, _)| all);
            let timeout = deadline.or_after(FRAME_TIMEOUT);
            let args = json!({ "target": counted, "all": true });
            let pending = documents
                .iter()
                .map(|place| self.page.injected().ask::<FrameMatches>(&place.frame, "find", &args, timeout));
            let answers = futures::future::join_all(pending).await;
            let mut found: Vec<(DocumentInFrame, FrameMatches)> = documents
                .into_iter()
                .zip(answers)
                .filter_map(|(place, answer)| Some((place, answer.ok()?)))
                .collect();
            found.retain(|(_, found)| found.count > 0);
            // Hidden matches count only if no frame has a visible one.
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
                let matching =
                    |found: &FrameMatches| if found.visible > 0 { found.visible } else { found.count };
                let count = found.iter().map(|(_, found)| matching(found)).sum();
                let matches = found
                    .into_iter()
                    .flat_map(|(place, found)| {
                        let all = found.visible == 0;
                        let matches = found.matches.into_iter().filter(move |found| found.visible || all);
                        matches.map(move |found| (place.clone(), found.summary))
                    })
                    .take(5)
                    .map(|(place, summary)| self.element(place.number, place.document, summary))
                    .collect();
                return Err(Error::Element(ElementError::Ambiguous {
                    target: target.clone(),
                    count,
                    matches,
                }));
            } else if let Some((place, _)) = found.pop() {
                return Ok((place, query_json));
            }
        }
        let frame = self.chosen_frame()?;
        let (number, document) = self.numbers(&frame);
        Ok((DocumentInFrame { frame, number, document }, query_json))
    }
}

/// Maps an index over all frames to a frame and the index in it.
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
