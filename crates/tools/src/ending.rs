//! The endings of files that are written: one that belongs to another type is refused.

use std::path::Path;

use crate::BadArguments;

/// Refuses a name whose ending is not one of these. A name without an ending is used as it is.
pub(crate) fn check_ending(
    argument: &'static str,
    path: Option<&Path>,
    endings: &[&'static str],
) -> Result<(), BadArguments> {
    let given = path.and_then(Path::extension).map(|given| given.to_string_lossy().to_lowercase());
    if given.is_none_or(|given| endings.contains(&given.as_str())) {
        return Ok(());
    }
    let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    Err(BadArguments::Wrong {
        name: argument,
        expected: format!("a file name that ends in {}, as its type does", endings.join(" or ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ending_fits_its_type() {
        let check = |name: &str| check_ending("filename", Some(Path::new(name)), &["jpg", "jpeg"]);
        for good in ["a.jpg", "dir.d/a.JPEG", "a.b.jpg", "bare", "dir.d/bare"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in ["a.png", "a.jpg.txt", "v1.2"] {
            let said = check(bad).unwrap_err().to_string();
            assert_eq!(
                said,
                "Invalid argument filename: it must be a file name that ends in .jpg or .jpeg, as its type does"
            );
        }
        assert_eq!(check_ending("filename", None, &["jpg"]), Ok(()));
    }
}
