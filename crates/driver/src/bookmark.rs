use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::Result;

/// Reads and writes bookmarks, which all contexts share. Bookmarks and folders have stable ids, assigned by the
/// browser. Without a folder, a bookmark goes into the browser's "other bookmarks".
#[async_trait]
pub trait Bookmarks: Send + Sync {
    /// Finds bookmarks, newest first.
    async fn search(&self, wanted: &BookmarkSearch) -> Result<Vec<Bookmark>>;
    /// Adds a bookmark, in `folder` if given; returns its id.
    async fn add(&self, url: &str, title: &str, folder: Option<&str>) -> Result<String>;
    /// Deletes a bookmark or an empty folder; returns whether it existed. The browser's own root folders are refused.
    async fn delete(&self, id: &str) -> Result<bool>;
    /// All folders, parents before children.
    async fn folders(&self) -> Result<Vec<BookmarkFolder>>;
    /// Adds a folder, inside `folder` if given; returns its id.
    async fn add_folder(&self, title: &str, folder: Option<&str>) -> Result<String>;
}

/// Filters for a bookmark search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BookmarkSearch {
    /// Words that must all occur in the URL or the title; empty matches everything.
    pub text: String,
    /// Only bookmarks in this folder or its subfolders.
    pub folder: Option<String>,
    /// Maximum number of results.
    pub most: u32,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Bookmark {
    /// Assigned by the browser.
    pub id: String,
    /// The bookmarked URL.
    pub url: String,
    pub title: String,
    /// The id of its folder.
    pub folder: String,
    /// When it was added, in seconds since the Unix epoch.
    pub added: f64,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct BookmarkFolder {
    /// Assigned by the browser.
    pub id: String,
    pub title: String,
    /// The id of its parent; `None` for the browser's root folders.
    pub folder: Option<String>,
}
