// What only the browser's own process can do. It is evaluated once, in a global that no window takes with it when it
// closes; what it gives are functions, called with JSON by system.rs.
(() => {
  const load = (module) => ChromeUtils.importESModule(module);
  const { Marionette } = load("chrome://remote/content/components/Marionette.sys.mjs");
  const { NavigableManager } = load("chrome://remote/content/shared/NavigableManager.sys.mjs");
  const { NetworkThrottleManager } = load("resource://devtools/shared/network-observer/NetworkThrottleManager.sys.mjs");
  const { PlacesUtils } = load("resource://gre/modules/PlacesUtils.sys.mjs");
  const { setTimeout } = load("resource://gre/modules/Timer.sys.mjs");
  const { bookmarks, history } = PlacesUtils;

  // By the number of the tab, which stays when a navigation gives it another browsing context.
  const media = new Map();
  const networks = new Map();

  const THE_TRUTH = { medium: "", scheme: "none", motion: "none", colors: "none" };

  const show = (context, told) => {
    context.mediumOverride = told.medium;
    context.prefersColorSchemeOverride = told.scheme;
    context.prefersReducedMotionOverride = told.motion;
    context.forcedColorsOverride = told.colors;
  };

  // The network of the page that a request is of: of its main frame, another frame, or a worker.
  const networkOf = (channel) => {
    const { frameBrowsingContextID, browsingContextID, associatedBrowsingContextID } = channel.loadInfo;
    const id = frameBrowsingContextID || browsingContextID || associatedBrowsingContextID;
    const context = id ? BrowsingContext.get(id) : null;
    return context ? networks.get(context.browserId) : undefined;
  };

  const ON = {
    "browsing-context-attached"(context, why) {
      if (why === "replace" && !context.parent && media.has(context.browserId)) {
        show(context, media.get(context.browserId));
      }
    },
    "browsing-context-discarded"(context, why) {
      if (why === "discard" && !context.parent) {
        media.delete(context.browserId);
        networks.delete(context.browserId);
      }
    },
    "http-on-modify-request"(channel) {
      networkOf(channel)?.speed.manageUpload(channel);
    },
    "http-on-before-connect"(channel) {
      const latency = networkOf(channel)?.latency;
      if (latency) {
        channel.suspend();
        setTimeout(() => channel.resume(), latency);
      }
    },
    "http-on-examine-response"(channel) {
      networkOf(channel)?.speed.manage(channel.QueryInterface(Ci.nsITraceableChannel));
    },
  };

  const observer = {
    observe(subject, topic, why) {
      ON[topic](topic.startsWith("http") ? subject.QueryInterface(Ci.nsIHttpChannel) : subject, why);
    },
  };
  for (const topic of Object.keys(ON)) {
    Services.obs.addObserver(observer, topic);
  }

  const holds = (text) => {
    const words = text.toLowerCase().split(/\s+/);
    return ({ url, title }) => words.every((word) => `${url}\n${title}`.toLowerCase().includes(word));
  };

  // The bookmarks and folders in a folder, whole; those of the browser's own are in none. Tags look like folders, and are
  // none.
  const contents = async (folder) => {
    const found = { bookmarks: [], folders: [] };
    const add = (node, parent) => {
      const { guid: id, title = "", uri: url, dateAdded } = node;
      if (node.typeCode === bookmarks.TYPE_BOOKMARK) {
        found.bookmarks.push({ id, url, title, folder: parent, added: dateAdded / 1e6 });
      } else if (node.typeCode === bookmarks.TYPE_FOLDER && id !== bookmarks.tagsGuid) {
        if (id !== bookmarks.rootGuid) {
          found.folders.push({ id, title, folder: parent === bookmarks.rootGuid ? null : parent });
        }
        (node.children ?? []).forEach((child) => add(child, id));
      }
    };
    const tree = await PlacesUtils.promiseBookmarksTree(folder ?? bookmarks.rootGuid);
    if (!tree) {
      throw new Error(`There is no bookmark folder ${folder}`);
    }
    add(tree, null);
    return found;
  };

  const insert = async (what, folder) => {
    return (await bookmarks.insert({ ...what, parentGuid: folder ?? bookmarks.unfiledGuid })).guid;
  };

  return {
    // How many connections the session's port has. It takes no others from now on.
    async connections() {
      await Marionette.server.setAcceptConnections(false);
      return Marionette.server.conns.size;
    },

    // What style sheets were told before; nothing where there is no such page.
    media(page, told) {
      const context = NavigableManager.getBrowsingContextById(page);
      if (!context) {
        return null;
      }
      const before = media.get(context.browserId) ?? THE_TRUTH;
      media.set(context.browserId, told);
      show(context, told);
      return before;
    },

    throttle(page, wanted) {
      const context = NavigableManager.getBrowsingContextById(page);
      if (!context) {
        return null;
      }
      networks.get(context.browserId)?.speed.destroy();
      networks.delete(context.browserId);
      if (wanted) {
        const { latency, download, upload } = wanted;
        // The latency is ours: this one has it only after the head of the answer. No bytes at all stand for any number.
        const speed = new NetworkThrottleManager({
          latencyMean: 0,
          latencyMax: 0,
          downloadBPSMean: download ?? 0,
          downloadBPSMax: download ?? 0,
          uploadBPSMean: upload ?? 0,
          uploadBPSMax: upload ?? 0,
        });
        networks.set(context.browserId, { latency, speed });
      }
      return true;
    },

    visited({ text, from, to, most }) {
      const query = history.getNewQuery();
      query.searchTerms = text;
      if (from !== null) {
        query.beginTime = from * 1e6;
      }
      if (to !== null) {
        query.endTime = to * 1e6;
      }
      const options = history.getNewQueryOptions();
      options.sortingMode = options.SORT_BY_DATE_DESCENDING;
      options.maxResults = most;
      const { root } = history.executeQuery(query, options);
      root.containerOpen = true;
      const found = Array.from({ length: root.childCount }, (_, index) => {
        const { uri: url, title, time, accessCount: visits } = root.getChild(index);
        return { url, title: title ?? "", last: time / 1e6, visits };
      });
      root.containerOpen = false;
      return found;
    },

    async bookmarks({ text, folder, most }) {
      const found = (await contents(folder)).bookmarks.filter(holds(text));
      return found.sort((one, other) => other.added - one.added).slice(0, most);
    },

    async folders() {
      return (await contents(null)).folders;
    },

    addBookmark(url, title, folder) {
      return insert({ url, title }, folder);
    },

    addFolder(title, folder) {
      return insert({ title, type: bookmarks.TYPE_FOLDER }, folder);
    },

    async deleteBookmark(id) {
      const there = await contents(null);
      if (![...there.bookmarks, ...there.folders].some((node) => node.id === id)) {
        return false;
      }
      await bookmarks.remove(id, { preventRemovalOfNonEmptyFolders: true });
      return true;
    },
  };
})();
