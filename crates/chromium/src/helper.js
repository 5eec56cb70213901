// History and bookmarks, in the page of the helper extension. What it gives calls functions by name, with JSON from helper.rs.
(() => {
  const { bookmarks, history } = chrome;

  const holds = (text) => {
    const words = text.toLowerCase().split(/\s+/);
    return ({ url, title }) => words.every((word) => `${url}\n${title}`.toLowerCase().includes(word));
  };

  // The bookmarks and folders in a folder, whole; those of the browser's own are in none.
  const contents = async (folder) => {
    const found = { bookmarks: [], folders: [] };
    const [tree] = await (folder === null ? bookmarks.getTree() : bookmarks.getSubTree(folder));
    const root = folder === null ? tree.id : null;
    const add = (node, parent) => {
      const { id, url, title, dateAdded = 0 } = node;
      if (url !== undefined) {
        found.bookmarks.push({ id, url, title, folder: parent, added: dateAdded / 1e3 });
        return;
      }
      if (id !== root) {
        found.folders.push({ id, title, folder: parent === root ? null : parent });
      }
      (node.children ?? []).forEach((child) => add(child, id));
    };
    add(tree, null);
    return found;
  };

  const create = async (what, folder) => (await bookmarks.create({ ...what, parentId: folder ?? undefined })).id;

  const functions = {
    async visited({ text, from, to, most }) {
      // The browser's own search finds only the beginnings of words.
      const found = await history.search({
        text: "",
        startTime: (from ?? 0) * 1e3,
        endTime: to === null ? undefined : to * 1e3,
        maxResults: 0,
      });
      const visited = found.map(({ url, title, lastVisitTime, visitCount }) => {
        return { url, title: title ?? "", last: lastVisitTime / 1e3, visits: visitCount };
      });
      return visited.filter(holds(text)).sort((one, other) => other.last - one.last).slice(0, most);
    },

    async bookmarks({ text, folder, most }) {
      const found = (await contents(folder)).bookmarks.filter(holds(text));
      return found.sort((one, other) => other.added - one.added).slice(0, most);
    },

    async folders() {
      return (await contents(null)).folders;
    },

    addBookmark(url, title, folder) {
      return create({ url, title }, folder);
    },

    addFolder(title, folder) {
      return create({ title }, folder);
    },

    async deleteBookmark(id) {
      const there = await contents(null);
      if (![...there.bookmarks, ...there.folders].some((node) => node.id === id)) {
        return false;
      }
      await bookmarks.remove(id);
      return true;
    },
  };

  return async (name, args) => {
    // Where no page is open this one is in a tab, and its visit is not one of the person's.
    await history.deleteUrl({ url: location.href });
    return functions[name](...args);
  };
})()
