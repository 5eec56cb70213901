//! Bookmarks. All user contexts share them.

use async_trait::async_trait;
use cicerone_driver::{Bookmark, BookmarkFolder, BookmarkSearch, Bookmarks, Feature, Result};

use crate::browser::FirefoxBrowser;

#[async_trait]
impl Bookmarks for FirefoxBrowser {
    async fn search(&self, wanted: &BookmarkSearch) -> Result<Vec<Bookmark>> {
        self.system(Feature::Bookmarks)?.call("bookmarks", [wanted]).await
    }

    async fn add(&self, url: &str, title: &str, folder: Option<&str>) -> Result<String> {
        self.system(Feature::Bookmarks)?.call("addBookmark", (url, title, folder)).await
    }

    async fn delete(&self, id: &str) -> Result<bool> {
        self.system(Feature::Bookmarks)?.call("deleteBookmark", [id]).await
    }

    async fn folders(&self) -> Result<Vec<BookmarkFolder>> {
        self.system(Feature::Bookmarks)?.call("folders", [(); 0]).await
    }

    async fn add_folder(&self, title: &str, folder: Option<&str>) -> Result<String> {
        self.system(Feature::Bookmarks)?.call("addFolder", (title, folder)).await
    }
}
