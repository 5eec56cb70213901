//! Which of some reordered things have moved: as few as possible.

/// Whether each has moved, given the old positions. The longest increasing subsequence has not.
pub(crate) fn moved(before: &[usize]) -> Vec<bool> {
    // For each length, the subsequence with the lowest end; for each thing, its predecessor.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(before.len());
    for (at, place) in before.iter().enumerate() {
        let length = ends.partition_point(|end| before[*end] < *place);
        previous.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut moved = vec![true; before.len()];
    let mut at = ends.last().copied();
    while let Some(kept) = at {
        moved[kept] = false;
        at = previous[kept];
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn as_few_as_possible_have_moved() {
        let check = |before: &[usize], expected: &[usize]| {
            let all = moved(before);
            let at: Vec<usize> = (0..before.len()).filter(|at| all[*at]).collect();
            assert_eq!(at, expected, "{before:?}");
        };
        check(&[], &[]);
        check(&[0, 1, 2], &[]);
        check(&[1, 2, 3, 0], &[3]);
        check(&[3, 0, 1, 2], &[0]);
        check(&[0, 2, 1, 3], &[1]);
    }
}
