//! The browser's bookmarks. Folders are named by path or id.

use std::sync::Arc;

use cicerone_driver::{Bookmark, BookmarkFolder, BookmarkSearch, Browser, DriverError};

use crate::{Error, Result, Session, Unsupported};

/// A failed bookmark operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BookmarkError {
    /// No folder has this path or id.
    UnknownFolder {
        /// The given path or id.
        name: String,
        /// The existing paths.
        known: Vec<String>,
    },
    /// Several folders have this path.
    AmbiguousFolder {
        /// The given path.
        name: String,
        ids: Vec<String>,
    },
    /// No bookmark has this id.
    Unknown(String),
    /// The browser rejected it.
    NotAdded(String),
    /// The browser refused to delete it.
    NotDeleted {
        id: String,
        /// The browser's message.
        reason: String,
    },
    /// No URL was given and no web page is open.
    NoPage,
}

/// A folder with its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderInfo {
    pub id: String,
    /// Its path: folder titles joined with slashes.
    pub path: String,
    /// Bookmarks directly in it.
    pub count: usize,
}

/// A bookmark with the path of its folder.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundBookmark {
    pub bookmark: Bookmark,
    /// The path of its folder.
    pub folder_path: String,
}

/// The result of adding a bookmark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedBookmark {
    pub id: String,
    /// The path of its folder, if one was given.
    pub folder_path: Option<String>,
    /// Folders created for it.
    pub created_folders: usize,
}

impl Session {
    /// Bookmarks with this text in the URL or title, newest first.
    pub async fn search_bookmarks(
        &self,
        text: &str,
        folder: Option<&str>,
        most: u32,
    ) -> Result<Vec<FoundBookmark>> {
        let store = BookmarkStore::of(self).await?;
        let folder = folder.map(|name| store.folders.get(name)).transpose()?.map(|folder| folder.id.clone());
        let found = store.search(BookmarkSearch { text: text.to_owned(), folder, most }).await?;
        let with_path = |bookmark: Bookmark| FoundBookmark {
            folder_path: store.folders.path_of(&bookmark.folder),
            bookmark,
        };
        Ok(found.into_iter().map(with_path).collect())
    }

    /// All folders.
    pub async fn bookmark_folders(&self) -> Result<Vec<FolderInfo>> {
        let store = BookmarkStore::of(self).await?;
        let all = BookmarkSearch { text: String::new(), folder: None, most: u32::MAX };
        let bookmarks = store.search(all).await?;
        let info = |Folder { id, path, .. }: &Folder| FolderInfo {
            id: id.clone(),
            path: path.clone(),
            count: bookmarks.iter().filter(|bookmark| bookmark.folder == *id).count(),
        };
        Ok(store.folders.0.iter().map(info).collect())
    }

    /// Adds a bookmark. `create` creates a missing folder; otherwise that is an error.
    pub async fn add_bookmark(
        &self,
        url: &str,
        title: &str,
        folder: Option<&str>,
        create: bool,
    ) -> Result<AddedBookmark> {
        let store = BookmarkStore::of(self).await?;
        let (folder, missing) = match folder {
            None => (None, Vec::new()),
            Some(name) => match store.folders.get(name) {
                Ok(folder) => (Some(folder.clone()), Vec::new()),
                Err(BookmarkError::UnknownFolder { .. }) if create => store.folders.nearest(name)?,
                Err(error) => return Err(error.into()),
            },
        };
        let mut id = folder.as_ref().map(|folder| folder.id.clone());
        for title in &missing {
            id = Some(store.add_folder(title, id.as_deref()).await?);
        }
        let added = store.add(url, title, id.as_deref()).await?;
        // The browser chose where to put new folders.
        let store = if missing.is_empty() { store } else { BookmarkStore::of(self).await? };
        let folder_path = id.map(|id| store.folders.path_of(&id));
        Ok(AddedBookmark { id: added, folder_path, created_folders: missing.len() })
    }

    /// Deletes a bookmark or an empty folder.
    pub async fn delete_bookmark(&self, id: &str) -> Result<()> {
        let store = BookmarkStore::of(self).await?;
        let there = store.delete(id).await?;
        if there { Ok(()) } else { Err(BookmarkError::Unknown(id.to_owned()).into()) }
    }
}

/// The running browser's bookmarks.
struct BookmarkStore {
    session: Session,
    browser: Arc<dyn Browser>,
    folders: Folders,
}

/// Calls the browser's bookmarks with a deadline.
macro_rules! ask {
    ($store:expr, $browser:expr, $bookmarks:ident => $question:expr) => {{
        let $bookmarks = $browser.bookmarks().ok_or(Error::Unsupported(Unsupported::Bookmarks))?;
        $store.asked($question).await
    }};
}

impl BookmarkStore {
    async fn of(session: &Session) -> Result<Self> {
        session.alive()?;
        let browser = session.browser().await?;
        let folders = ask!(session, browser, bookmarks => bookmarks.folders())?;
        Ok(Self { session: session.clone(), browser, folders: Folders::of(&folders) })
    }

    async fn search(&self, search: BookmarkSearch) -> Result<Vec<Bookmark>> {
        ask!(self.session, self.browser, bookmarks => bookmarks.search(&search))
    }

    async fn add(&self, url: &str, title: &str, folder: Option<&str>) -> Result<String> {
        let added = ask!(self.session, self.browser, bookmarks => bookmarks.add(url, title, folder));
        refused(added, BookmarkError::NotAdded)
    }

    async fn add_folder(&self, title: &str, folder: Option<&str>) -> Result<String> {
        let added = ask!(self.session, self.browser, bookmarks => bookmarks.add_folder(title, folder));
        refused(added, BookmarkError::NotAdded)
    }

    async fn delete(&self, id: &str) -> Result<bool> {
        let deleted = ask!(self.session, self.browser, bookmarks => bookmarks.delete(id));
        refused(deleted, |reason| BookmarkError::NotDeleted { id: id.to_owned(), reason })
    }
}

/// Turns a driver refusal into a bookmark error.
fn refused<T>(done: Result<T>, error: impl FnOnce(String) -> BookmarkError) -> Result<T> {
    done.map_err(|failed| match failed {
        Error::Driver(DriverError::Refused { message, .. }) => error(message).into(),
        other => other,
    })
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Folder {
    id: String,
    path: String,
    /// The path relative_path the browser's root folder; empty for a root folder.
    relative_path: String,
}

/// All folders, parents first.
struct Folders(Vec<Folder>);

impl Folders {
    fn of(folders: &[BookmarkFolder]) -> Self {
        let mut known: Vec<Folder> = Vec::new();
        for BookmarkFolder { id, title, folder } in folders {
            let parent = known.iter().find(|known| Some(&known.id) == folder.as_ref());
            let (path, relative_path) = match parent {
                None => (title.clone(), String::new()),
                Some(parent) if parent.relative_path.is_empty() => {
                    (format!("{}/{title}", parent.path), title.clone())
                }
                Some(parent) => {
                    (format!("{}/{title}", parent.path), format!("{}/{title}", parent.relative_path))
                }
            };
            known.push(Folder { id: id.clone(), path, relative_path });
        }
        Self(known)
    }

    fn path_of(&self, id: &str) -> String {
        let folder = self.0.iter().find(|folder| folder.id == id);
        folder.map(|folder| folder.path.clone()).unwrap_or_default()
    }

    /// The folder with this id or path; the root folder may be omitted.
    fn get(&self, name: &str) -> std::result::Result<&Folder, BookmarkError> {
        if let Some(folder) = self.0.iter().find(|folder| folder.id == name) {
            return Ok(folder);
        }
        let path = name.trim_matches('/');
        let mut found: Vec<&Folder> = self.0.iter().filter(|folder| folder.path == path).collect();
        if found.is_empty() && !path.is_empty() {
            found = self.0.iter().filter(|folder| folder.relative_path == path).collect();
        }
        match found[..] {
            [folder] => Ok(folder),
            [] => Err(BookmarkError::UnknownFolder {
                name: name.to_owned(),
                known: self.0.iter().map(|folder| folder.path.clone()).collect(),
            }),
            _ => Err(BookmarkError::AmbiguousFolder {
                name: name.to_owned(),
                ids: found.into_iter().map(|folder| folder.id.clone()).collect(),
            }),
        }
    }

    /// The deepest existing folder on this path, and the titles missing relative_path it.
    fn nearest(&self, path: &str) -> std::result::Result<(Option<Folder>, Vec<String>), BookmarkError> {
        let titles: Vec<String> =
            path.split('/').filter(|title| !title.is_empty()).map(str::to_owned).collect();
        for there in (1..titles.len()).rev() {
            match self.get(&titles[..there].join("/")) {
                Ok(folder) => return Ok((Some(folder.clone()), titles[there..].to_vec())),
                Err(BookmarkError::UnknownFolder { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok((None, titles))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders() -> Folders {
        let folder = |id: &str, title: &str, folder: Option<&str>| BookmarkFolder {
            id: id.into(),
            title: title.into(),
            folder: folder.map(str::to_owned),
        };
        Folders::of(&[
            folder("1", "Bar", None),
            folder("2", "Other", None),
            folder("3", "Work", Some("2")),
            folder("4", "Docs", Some("3")),
            folder("5", "Twice", Some("2")),
            folder("6", "Twice", Some("2")),
        ])
    }

    fn id(found: std::result::Result<&Folder, BookmarkError>) -> String {
        match found {
            Ok(folder) => folder.id.clone(),
            Err(BookmarkError::UnknownFolder { .. }) => "NotFound".into(),
            Err(BookmarkError::AmbiguousFolder { .. }) => "Ambiguous".into(),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn folders_are_named_by_id_and_by_path() {
        let folders = folders();
        for (name, expected) in [
            ("4", "4"),
            ("Bar", "1"),
            ("/Bar/", "1"),
            ("Other/Work", "3"),
            ("Other/Work/Docs", "4"),
            ("Work/Docs", "4"),
            ("Docs", "NotFound"),
            ("Work", "3"),
            ("work", "NotFound"),
            ("", "NotFound"),
            ("/", "NotFound"),
            ("Other/Twice", "Ambiguous"),
        ] {
            assert_eq!(id(folders.get(name)), expected, "{name:?}");
        }
    }

    #[test]
    fn what_is_missing_of_a_path_is_created_in_what_is_there() {
        let folders = folders();
        let nearest = |path: &str| {
            let (folder, missing) = folders.nearest(path).unwrap();
            (folder.map(|folder| folder.id).unwrap_or_default(), missing.join("|"))
        };
        assert_eq!(nearest("Bar/New"), ("1".into(), "New".into()));
        assert_eq!(nearest("Work/New/Deep"), ("3".into(), "New|Deep".into()));
        assert_eq!(nearest("New//Deep/"), (String::new(), "New|Deep".into()));
        assert!(folders.nearest("Twice/New").is_err());
    }
}
