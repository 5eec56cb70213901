//! The bookmarks of the browser.

use crate::{Driver, Trial};
use cicerone_driver::BookmarkSearch;

pub async fn bookmarks_are_kept_in_folders(driver: &Driver) {
    let trial = Trial::with_all_powers(driver).await;
    let Some(bookmarks) = trial.browser.bookmarks() else { return trial.browser.close().await };
    let folder = bookmarks.add_folder("Folder ü", None).await.unwrap();
    let one = bookmarks.add("https://one.example/", "One", Some(&folder)).await.unwrap();
    let two = bookmarks.add("https://two.example/", "Two", None).await.unwrap();
    assert!(bookmarks.folders().await.unwrap().iter().any(|of| of.id == folder && of.title == "Folder ü"));

    let search = |text: &str, folder: Option<&str>| BookmarkSearch {
        text: text.into(),
        folder: folder.map(str::to_owned),
        most: 10,
    };
    let found = bookmarks.search(&search("", Some(&folder))).await.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        (&found[0].id, found[0].url.as_str(), &found[0].folder),
        (&one, "https://one.example/", &folder)
    );
    let found = bookmarks.search(&search("TWO example", None)).await.unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].id, two);

    assert!(bookmarks.delete(&two).await.unwrap());
    assert!(!bookmarks.delete(&two).await.unwrap());
    bookmarks.delete(&folder).await.expect_err("the folder is not empty");
    trial.browser.close().await;
}
