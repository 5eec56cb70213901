//! The browser's bookmarks, whose folders are named by path or by id.

use std::sync::Arc;

use cicerone_driver::{Bookmark, BookmarkFolder, BookmarkSearch, Browser, DriverError};

use crate::{Error, Result, Session};

/// Why nothing was done with a bookmark.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookmarkError {
    /// There is no such folder.
    #[error("unknown bookmark folder {name:?}; known: {}", listed(.known))]
    UnknownFolder {
        /// The path or id that was given.
        name: String,
        /// The paths that there are.
        known: Vec<String>,
    },
    /// Several folders have this path.
    #[error("{name:?} is the path of {} bookmark folders: {}", .ids.len(), .ids.join(", "))]
    AmbiguousFolder {
        /// The path that was given.
        name: String,
        /// Their ids.
        ids: Vec<String>,
    },
    /// There is no such bookmark.
    #[error("bookmark not found: {0:?}")]
    Unknown(String),
    /// The browser did not take it.
    #[error("the bookmark was not added: {0}")]
    NotAdded(String),
    /// The browser keeps it.
    #[error("{id:?} was not deleted: {reason}")]
    NotDeleted {
        /// Its id.
        id: String,
        /// The browser's words.
        reason: String,
    },
    /// No URL was given, and no page of the web is open.
    #[error("there is no page to bookmark")]
    NoPage,
}

impl BookmarkError {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::UnknownFolder { .. } | Self::Unknown(_) => "NotFound",
            Self::AmbiguousFolder { .. } => "Ambiguous",
            Self::NotAdded(_) | Self::NotDeleted { .. } => "BookmarkRefused",
            Self::NoPage => "NoPage",
        }
    }

    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::UnknownFolder { .. } => "use one of these paths, or have it created when adding",
            Self::AmbiguousFolder { .. } => "give one of these ids",
            Self::Unknown(_) => "search for the bookmark to see its id",
            Self::NotAdded(_) => "check the URL and the folder",
            Self::NotDeleted { .. } => "delete what is in it first; the browser's own folders stay",
            Self::NoPage => "give a URL, or navigate to the page first",
        }
    }
}

/// How many folders an error names.
const MOST_NAMED: usize = 20;

fn listed(paths: &[String]) -> String {
    let mut list = paths.iter().take(MOST_NAMED).cloned().collect::<Vec<_>>().join(", ");
    if paths.len() > MOST_NAMED {
        list.push_str(&format!(", … truncated, {} in total", paths.len()));
    }
    list
}

/// A folder with its path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderInfo {
    /// Its id.
    pub id: String,
    /// The titles of the folders that lead to it, with slashes in between.
    pub path: String,
    /// How many bookmarks are in it, without those in its folders.
    pub count: usize,
}

/// A bookmark with the path of its folder.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundBookmark {
    /// It.
    pub bookmark: Bookmark,
    /// Where it is.
    pub folder_path: String,
}

/// A bookmark that was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedBookmark {
    /// Its id.
    pub id: String,
    /// The path of its folder, where one was asked for.
    pub folder_path: Option<String>,
    /// How many folders were created for it.
    pub created_folders: usize,
}

impl Session {
    /// Bookmarks with these words in the URL or title, the newest first.
    pub async fn search_bookmarks(
        &self,
        text: &str,
        folder: Option<&str>,
        most: u32,
    ) -> Result<Vec<FoundBookmark>> {
        let shelf = Shelf::of(self).await?;
        let folder = folder.map(|name| shelf.folders.get(name)).transpose()?.map(|folder| folder.id.clone());
        let found = shelf.search(BookmarkSearch { text: text.to_owned(), folder, most }).await?;
        let with_path = |bookmark: Bookmark| FoundBookmark {
            folder_path: shelf.folders.path_of(&bookmark.folder),
            bookmark,
        };
        Ok(found.into_iter().map(with_path).collect())
    }

    /// All folders.
    pub async fn bookmark_folders(&self) -> Result<Vec<FolderInfo>> {
        let shelf = Shelf::of(self).await?;
        let all = BookmarkSearch { text: String::new(), folder: None, most: u32::MAX };
        let bookmarks = shelf.search(all).await?;
        let info = |Folder { id, path, .. }: &Folder| FolderInfo {
            id: id.clone(),
            path: path.clone(),
            count: bookmarks.iter().filter(|bookmark| bookmark.folder == *id).count(),
        };
        Ok(shelf.folders.0.iter().map(info).collect())
    }

    /// Adds a bookmark, in this folder; where the folder is missing, it is created or an error.
    pub async fn add_bookmark(
        &self,
        url: &str,
        title: &str,
        folder: Option<&str>,
        create: bool,
    ) -> Result<AddedBookmark> {
        let shelf = Shelf::of(self).await?;
        let (folder, missing) = match folder {
            None => (None, Vec::new()),
            Some(name) => match shelf.folders.get(name) {
                Ok(folder) => (Some(folder.clone()), Vec::new()),
                Err(BookmarkError::UnknownFolder { .. }) if create => shelf.folders.nearest(name)?,
                Err(error) => return Err(error.into()),
            },
        };
        let mut id = folder.as_ref().map(|folder| folder.id.clone());
        for title in &missing {
            id = Some(shelf.add_folder(title, id.as_deref()).await?);
        }
        let added = shelf.add(url, title, id.as_deref()).await?;
        // Where the new ones are, the browser decided.
        let shelf = if missing.is_empty() { shelf } else { Shelf::of(self).await? };
        let folder_path = id.map(|id| shelf.folders.path_of(&id));
        Ok(AddedBookmark { id: added, folder_path, created_folders: missing.len() })
    }

    /// Deletes a bookmark, or a folder with nothing in it.
    pub async fn delete_bookmark(&self, id: &str) -> Result<()> {
        let shelf = Shelf::of(self).await?;
        let there = shelf.delete(id).await?;
        if there { Ok(()) } else { Err(BookmarkError::Unknown(id.to_owned()).into()) }
    }
}

/// The bookmarks of the running browser, with their folders.
struct Shelf {
    session: Session,
    browser: Arc<dyn Browser>,
    folders: Folders,
}

/// Asks the browser's bookmarks, by a deadline.
macro_rules! ask {
    ($shelf:expr, $browser:expr, $bookmarks:ident => $question:expr) => {{
        let $bookmarks = $browser.bookmarks().ok_or(Error::Unsupported("use its bookmarks"))?;
        $shelf.asked($question).await
    }};
}

impl Shelf {
    async fn of(session: &Session) -> Result<Self> {
        session.alive()?;
        let browser = session.browser().await?;
        let folders = ask!(session, browser, bookmarks => bookmarks.folders())?;
        Ok(Self { session: session.clone(), browser, folders: Folders::of(&folders) })
    }

    async fn search(&self, wanted: BookmarkSearch) -> Result<Vec<Bookmark>> {
        ask!(self.session, self.browser, bookmarks => bookmarks.search(&wanted))
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

/// With what the browser refused as an error of bookmarks.
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
    /// The path without the browser's own folder at its beginning; empty for that one.
    below: String,
}

/// All folders, those that hold others first.
struct Folders(Vec<Folder>);

impl Folders {
    fn of(folders: &[BookmarkFolder]) -> Self {
        let mut known: Vec<Folder> = Vec::new();
        for BookmarkFolder { id, title, folder } in folders {
            let parent = known.iter().find(|known| Some(&known.id) == folder.as_ref());
            let (path, below) = match parent {
                None => (title.clone(), String::new()),
                Some(parent) if parent.below.is_empty() => {
                    (format!("{}/{title}", parent.path), title.clone())
                }
                Some(parent) => (format!("{}/{title}", parent.path), format!("{}/{title}", parent.below)),
            };
            known.push(Folder { id: id.clone(), path, below });
        }
        Self(known)
    }

    fn path_of(&self, id: &str) -> String {
        let folder = self.0.iter().find(|folder| folder.id == id);
        folder.map(|folder| folder.path.clone()).unwrap_or_default()
    }

    /// The folder of this id or path; the browser's own folder at the beginning of a path may be left out.
    fn get(&self, name: &str) -> std::result::Result<&Folder, BookmarkError> {
        if let Some(folder) = self.0.iter().find(|folder| folder.id == name) {
            return Ok(folder);
        }
        let path = name.trim_matches('/');
        let mut found: Vec<&Folder> = self.0.iter().filter(|folder| folder.path == path).collect();
        if found.is_empty() && !path.is_empty() {
            found = self.0.iter().filter(|folder| folder.below == path).collect();
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

    /// The folder that is as far along this path as there are any, and the titles of those that are missing in it.
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
        found.map_or_else(|error| error.name().to_owned(), |folder| folder.id.clone())
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

    #[test]
    fn errors_name_so_many_folders_and_no_more() {
        let known: Vec<String> = (0..25).map(|number| format!("F{number}")).collect();
        let error = BookmarkError::UnknownFolder { name: "x".into(), known }.to_string();
        assert!(error.starts_with("unknown bookmark folder \"x\"; known: F0, F1, "), "{error}");
        assert!(error.ends_with("F19, … truncated, 25 in total"), "{error}");
    }
}
