use async_trait::async_trait;

use crate::Result;

/// The power to read and write bookmarks, which all contexts share. They and their folders have ids, which the browser
/// gives and which stay; what has no place of its own is among those that the browser calls others.
#[async_trait]
pub trait Bookmarks: Send + Sync {
    /// Bookmarks, the newest first.
    async fn search(&self, wanted: &BookmarkSearch) -> Result<Vec<Bookmark>>;
    /// Adds one, in this folder; its id.
    async fn add(&self, url: &str, title: &str, folder: Option<&str>) -> Result<String>;
    /// Deletes one, or a folder that has nothing in it; whether it was there. Those that the browser cannot be without are
    /// refused.
    async fn delete(&self, id: &str) -> Result<bool>;
    /// All folders, those that hold others first.
    async fn folders(&self) -> Result<Vec<BookmarkFolder>>;
    /// Adds a folder, in this one; its id.
    async fn add_folder(&self, title: &str, folder: Option<&str>) -> Result<String>;
}

/// Which bookmarks are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookmarkSearch {
    /// Words that are all in the URL or the title; none for everything.
    pub text: String,
    /// Only those in this folder and the folders in it.
    pub folder: Option<String>,
    /// How many at most.
    pub most: u32,
}

/// A bookmark.
#[derive(Debug, Clone, PartialEq)]
pub struct Bookmark {
    /// Its id.
    pub id: String,
    /// Where it leads.
    pub url: String,
    /// What it is called.
    pub title: String,
    /// The folder that it is in.
    pub folder: String,
    /// When it was added, in seconds since 1970.
    pub added: f64,
}

/// A folder of bookmarks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookmarkFolder {
    /// Its id.
    pub id: String,
    /// What it is called.
    pub title: String,
    /// The folder that it is in; nothing for those of the browser.
    pub folder: Option<String>,
}
