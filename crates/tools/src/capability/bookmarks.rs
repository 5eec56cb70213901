//! Searching, adding and deleting bookmarks.

use cicerone_engine::{
    AddedBookmark, Address, BookmarkError, Error, FolderInfo, FoundBookmark, News, NewsItem,
};
use serde_json::{Map, Value, json};

use crate::{
    BadArguments, Call, Capability, Effect, Face, Output,
    argument::{Argument, MaxResults, choices},
    dialect::AGENT,
    face::must,
    output::{facts, of},
    reply::Failure,
    scope::OnSession,
};

pub(super) struct Bookmarks {
    action: BookmarksAction,
    query: String,
    folder: Option<Named>,
    most: u32,
    url: Option<String>,
    title: Option<String>,
    parent_folder: Option<Named>,
    create_folder: bool,
    bookmark_id: Option<Named>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BookmarksAction {
    Search,
    Add,
    Delete,
    ListFolders,
}

choices! {
    BookmarksAction {
        "search" => BookmarksAction::Search,
        "add" => BookmarksAction::Add,
        "delete" => BookmarksAction::Delete,
        "list_folders" => BookmarksAction::ListFolders,
    }
}

/// How many are found unless told.
const MOST: u32 = 50;

/// A path or an id, which is not empty.
struct Named(String);

impl Argument for Named {
    fn schema() -> Value {
        String::schema()
    }

    fn parse(value: &Value) -> Result<Self, String> {
        let text = value.as_str().filter(|text| !text.trim_matches('/').trim().is_empty());
        text.map(|text| Self(text.to_owned())).ok_or_else(|| "a string that is not empty".into())
    }
}

/// A URL that can be bookmarked.
fn page_url(text: &str) -> Result<Address, Error> {
    Address::absolute(text, &["http", "https", "file"])
}

/// What was found or done, and what happened by it.
pub(super) struct BookmarksResult {
    what: What,
    news: News,
}

/// What was found or done.
enum What {
    Found(Vec<FoundBookmark>),
    Added { added: AddedBookmark, url: String, title: String },
    Deleted(String),
    Folders(Vec<FolderInfo>),
}

impl Bookmarks {
    fn new(action: BookmarksAction) -> Self {
        Self {
            action,
            query: String::new(),
            folder: None,
            most: MOST,
            url: None,
            title: None,
            parent_folder: None,
            create_folder: false,
            bookmark_id: None,
        }
    }

    async fn add(self, call: &Call) -> Result<What, Failure> {
        let tabs = call.context()?.list().await;
        let page = tabs.into_iter().find(|tab| tab.active);
        let url = match &self.url {
            Some(url) => page_url(url)?,
            None => {
                let own = page.as_ref().and_then(|page| page_url(&page.url).ok());
                own.ok_or(Error::from(BookmarkError::NoPage))?
            }
        };
        let url = url.to_string();
        let own_title = page.filter(|page| page.url == url && !page.title.is_empty()).map(|page| page.title);
        let title = self.title.or(own_title).unwrap_or_else(|| url.clone());
        let folder = self.parent_folder.as_ref().map(|Named(name)| name.as_str());
        let added = call.session.add_bookmark(&url, &title, folder, self.create_folder).await?;
        Ok(What::Added { added, url, title })
    }
}

impl Capability for Bookmarks {
    type On = OnSession;
    type Output = BookmarksResult;
    const EFFECT: Effect = Effect::Controls;

    fn begin(&self, _call: &mut Call) -> Result<(), Failure> {
        self.url.as_deref().map(page_url).transpose()?;
        Ok(())
    }

    async fn run(self, on: OnSession) -> Result<BookmarksResult, Failure> {
        let news = on.call.gain_system_access().await?;
        Ok(BookmarksResult { what: self.done(&on.call).await?, news })
    }
}

impl Bookmarks {
    async fn done(self, call: &Call) -> Result<What, Failure> {
        let session = &call.session;
        match self.action {
            BookmarksAction::Search => {
                let folder = self.folder.as_ref().map(|Named(name)| name.as_str());
                Ok(What::Found(session.search_bookmarks(&self.query, folder, self.most).await?))
            }
            BookmarksAction::Add => self.add(call).await,
            BookmarksAction::Delete => {
                let id = self.bookmark_id.map(|Named(id)| id).unwrap_or_default();
                session.delete_bookmark(&id).await?;
                Ok(What::Deleted(id))
            }
            BookmarksAction::ListFolders => Ok(What::Folders(session.bookmark_folders().await?)),
        }
    }
}

impl Output for BookmarksResult {
    fn facts(&self) -> Map<String, Value> {
        match &self.what {
            What::Found(found) => {
                let told = |FoundBookmark { bookmark, folder_path }: &FoundBookmark| {
                    json!({
                        "bookmark_id": bookmark.id, "url": bookmark.url, "title": bookmark.title,
                        "folder": folder_path,
                    })
                };
                let found: Vec<Value> = found.iter().map(told).collect();
                facts! { "count" => found.len(), "bookmarks" => found }
            }
            What::Added { added: AddedBookmark { id, folder_path, .. }, url, title } => {
                let mut facts =
                    facts! { "bookmark_id" => id.clone(), "url" => url.clone(), "title" => title.clone() };
                if let Some(path) = folder_path {
                    facts.extend(facts! { "folder" => path.clone() });
                }
                facts
            }
            What::Deleted(id) => facts! { "bookmark_id" => id.clone() },
            What::Folders(folders) => {
                let told = |FolderInfo { id, path, count }: &FolderInfo| json!({ "id": id, "path": path, "count": count });
                let folders: Vec<Value> = folders.iter().map(told).collect();
                facts! { "count" => folders.len(), "folders" => folders }
            }
        }
    }

    fn news(&self) -> &[NewsItem] {
        &self.news
    }

    fn schema() -> Map<String, Value> {
        facts! {
            "bookmark_id" => of("string"), "url" => of("string"), "title" => of("string"),
            "folder" => of("string"), "bookmarks" => of("array"), "folders" => of("array"),
            "count" => of("integer"),
        }
    }
}

fn words(done: &BookmarksResult) -> String {
    match &done.what {
        What::Found(found) if found.is_empty() => "No bookmark matches".into(),
        What::Found(found) => {
            let line = |FoundBookmark { bookmark, folder_path }: &FoundBookmark| {
                format!("\n- {} {} ({folder_path}, id {})", bookmark.title, bookmark.url, bookmark.id)
            };
            let lines: String = found.iter().map(line).collect();
            format!("{} bookmark{}{lines}", found.len(), if found.len() == 1 { "" } else { "s" })
        }
        What::Added { added, url, .. } => {
            let folder = added.folder_path.as_ref().map(|path| format!(" in {path}")).unwrap_or_default();
            let created = match added.created_folders {
                0 => "",
                1 => "; the folder was created",
                _ => "; the folders were created",
            };
            format!("Bookmarked {url}{folder} (id {}){created}", added.id)
        }
        What::Deleted(id) => format!("Deleted bookmark {id}"),
        What::Folders(folders) => {
            let line = |FolderInfo { id, path, count }: &FolderInfo| format!("\n- {path} (id {id}): {count}");
            let lines: String = folders.iter().map(line).collect();
            format!("{} folders{lines}", folders.len())
        }
    }
}

pub(super) fn faces() -> [Face<Bookmarks>; 1] {
    [AGENT
        .tool("bookmarks", "Search, add or delete bookmarks")
        .takes(must("action", ""), Bookmarks::new)
        .example(r#"{"action": "add", "url": "https://example.com/", "parent_folder": "Reading", "create_folder": true}"#)
        .opt("query", "", |bookmarks, query| bookmarks.query = query)
        .opt("folder", "", |bookmarks, folder| bookmarks.folder = Some(folder))
        .opt("max_results", "", |bookmarks, MaxResults(most)| bookmarks.most = most)
        .default(MOST)
        .opt("url", "Else the page's", |bookmarks, url| bookmarks.url = Some(url))
        .opt("title", "", |bookmarks, title| bookmarks.title = Some(title))
        .opt("parent_folder", "", |bookmarks, folder| bookmarks.parent_folder = Some(folder))
        .opt("create_folder", "", |bookmarks, create| bookmarks.create_folder = create)
        .default(false)
        .opt("bookmark_id", "", |bookmarks, id| bookmarks.bookmark_id = Some(id))
        .validate(|bookmarks| match bookmarks {
            Bookmarks { action: BookmarksAction::Delete, bookmark_id: None, .. } => {
                Err(BadArguments::Missing("bookmark_id"))
            }
            _ => Ok(()),
        })
        .says(words)]
}
