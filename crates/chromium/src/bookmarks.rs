//! Bookmarks. All user contexts share them.

use async_trait::async_trait;
use cicerone_driver::{Bookmark, BookmarkFolder, BookmarkSearch, Bookmarks, Result};

use crate::helper::Helper;

#[async_trait]
impl Bookmarks for Helper {
    async fn search(&self, wanted: &BookmarkSearch) -> Result<Vec<Bookmark>> {
        self.call("bookmarks", [wanted]).await
    }

    async fn add(&self, url: &str, title: &str, folder: Option<&str>) -> Result<String> {
        self.call("addBookmark", (url, title, folder)).await
    }

    async fn delete(&self, id: &str) -> Result<bool> {
        self.call("deleteBookmark", [id]).await
    }

    async fn folders(&self) -> Result<Vec<BookmarkFolder>> {
        self.call("folders", [(); 0]).await
    }

    async fn add_folder(&self, title: &str, folder: Option<&str>) -> Result<String> {
        self.call("addFolder", (title, folder)).await
    }
}
