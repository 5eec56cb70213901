//! Bookmarks. All user contexts share them.

use async_trait::async_trait;
use cicerone_driver::{Bookmark, BookmarkFolder, BookmarkSearch, Bookmarks, Result};
use serde::{Deserialize, Serialize};

use crate::helper::Helper;

#[derive(Serialize)]
struct Wanted<'a> {
    text: &'a str,
    folder: Option<&'a str>,
    most: u32,
}

#[derive(Deserialize)]
struct Found {
    id: String,
    url: String,
    title: String,
    folder: String,
    added: f64,
}

#[derive(Deserialize)]
struct Folder {
    id: String,
    title: String,
    folder: Option<String>,
}

#[async_trait]
impl Bookmarks for Helper {
    async fn search(&self, wanted: &BookmarkSearch) -> Result<Vec<Bookmark>> {
        let BookmarkSearch { text, folder, most } = wanted;
        let wanted = Wanted { text, folder: folder.as_deref(), most: *most };
        let found: Vec<Found> = self.call("bookmarks", [wanted]).await?;
        let bookmark = |Found { id, url, title, folder, added }| Bookmark { id, url, title, folder, added };
        Ok(found.into_iter().map(bookmark).collect())
    }

    async fn add(&self, url: &str, title: &str, folder: Option<&str>) -> Result<String> {
        self.call("addBookmark", (url, title, folder)).await
    }

    async fn delete(&self, id: &str) -> Result<bool> {
        self.call("deleteBookmark", [id]).await
    }

    async fn folders(&self) -> Result<Vec<BookmarkFolder>> {
        let found: Vec<Folder> = self.call("folders", [(); 0]).await?;
        let folder = |Folder { id, title, folder }| BookmarkFolder { id, title, folder };
        Ok(found.into_iter().map(folder).collect())
    }

    async fn add_folder(&self, title: &str, folder: Option<&str>) -> Result<String> {
        self.call("addFolder", (title, folder)).await
    }
}
