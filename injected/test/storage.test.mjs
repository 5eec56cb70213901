// Web storage and IndexedDB: export and import.

import assert from "node:assert/strict";
import { suite } from "./check.mjs";

/** Creates a database in the page's main world, with values that JSON cannot represent. */
const make = () => new Promise((resolve, reject) => {
  const request = indexedDB.open("shop", 3);
  request.onupgradeneeded = () => {
    const db = request.result;
    const items = db.createObjectStore("items", { keyPath: "id", autoIncrement: true });
    items.createIndex("by tag", "tags", { multiEntry: true });
    items.createIndex("by both", ["name", "price"], { unique: true });
    items.add({ name: "Tea", price: 3, tags: ["hot", "green"] });
    items.add({ name: "Ice", price: 0, tags: [] });
    const odd = db.createObjectStore("odd");
    const circle = { name: "circle" };
    circle.self = circle;
    const values = {
      date: new Date(86400000), invalid: new Date(NaN), big: 12345678901234567890n, nan: NaN, minus: -0, nothing: undefined, none: null, zero: 0, empty: "",
      no: false, expression: /a"b/gi, circle, map: new Map([["k", { deep: new Set([1, "two"]) }]]), bytes: new Uint8Array([0, 1, 255]), floats: new Float64Array([1.5, -2]),
      buffer: new Uint8Array([9, 8]).buffer, part: new Uint8Array([1, 2, 3, 4]).subarray(1, 3), view: new DataView(new Uint8Array([5, 6]).buffer), error: new RangeError("off"),
      lone: "a\ud800b", twice: [circle, circle], holes: [1, , 3], proto: JSON.parse('{"__proto__": {"x": 1}, "d": 1}'), boxed: Object("str"),
    };
    for (const [key, value] of Object.entries(values)) odd.add(value, key);
    odd.add("by number", 7);
    odd.add("by date", new Date(5));
    odd.add("by list", ["a", 1]);
    odd.add("by bytes", new Uint8Array([1, 2]));
    odd.add(new Blob(["blob text"], { type: "text/plain" }), "blob");
    odd.add(new File(["file text"], "f.txt", { type: "text/plain", lastModified: 42 }), "file");
    db.createObjectStore("paths", { keyPath: ["a", "b"] }).add({ a: 1, b: 2, c: new Date(1) });
  };
  request.onsuccess = () => { request.result.close(); resolve(); };
  request.onerror = () => reject(request.error);
});

/** Describes the content of all databases, in the page's main world. */
const describe = async () => {
  const said = async (value) => {
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    if (kind === "Blob" || kind === "File") return `${kind} ${value.type} ${value.name ?? ""} ${value.lastModified ?? ""} ${await value.text()}`;
    if (kind === "Object" && value.self) return `circle ${value.self === value}`;
    if (kind === "Array" && value[0]?.self) return `twice ${value[0] === value[1]}`;
    if (kind === "Array") return `[${(await Promise.all(Array.from(value, said))).join()}] ${Object.keys(value)}`;
    if (kind === "Map") return `Map ${await said([...value])}`;
    if (kind === "Set") return `Set ${await said([...value])}`;
    if (kind === "Date") return `Date ${value.getTime()}`;
    if (kind === "Error") return `${value.name}: ${value.message}`;
    if (kind === "ArrayBuffer") return `ArrayBuffer ${[...new Uint8Array(value)]}`;
    if (ArrayBuffer.isView(value)) return `${kind} ${[...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)]}`;
    if (kind === "Object") return `{${(await Promise.all(Object.keys(value).map(async (key) => `${key}: ${await said(value[key])}`))).join()}} ${Object.getPrototypeOf(value) === Object.prototype}`;
    if (kind === "String" && typeof value === "string") return JSON.stringify(value);
    return `${typeof value} ${kind} ${Object.is(value, -0) ? "-0" : String(value)}`;
  };
  const all = [];
  for (const { name, version } of await indexedDB.databases()) {
    const done = (request) => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
    const db = await done(indexedDB.open(name));
    for (const at of db.objectStoreNames) {
      const store = db.transaction(at).objectStore(at);
      const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
      const indexes = [...store.indexNames].map((index) => { const { name, keyPath, unique, multiEntry } = store.index(index); return [name, keyPath, unique, multiEntry]; });
      all.push(JSON.stringify([name, version, at, store.keyPath, store.autoIncrement, indexes]));
      for (let i = 0; i < keys.length; i++) all.push(`${await said(keys[i])} = ${await said(values[i])}`);
    }
    db.close();
  }
  return all;
};

const clear = () => new Promise((resolve) => { indexedDB.deleteDatabase("shop").onsuccess = resolve; });

suite("storage", [
  {
    name: "local and session storage are read, set, cleared and removed from",
    html: "<script>localStorage.setItem('a', '1'); localStorage.setItem('getItem', 'ä \"q\"'); sessionStorage.s = 'x'</script>",
    run: async (tab) => {
      assert.deepEqual(await tab.call("storageRead", { kind: "local" }), [["a", "1"], ["getItem", 'ä "q"']]);
      assert.deepEqual(await tab.call("storageRead", { kind: "session" }), [["s", "x"]]);
      await tab.call("storageWrite", { kind: "local", items: [["b", "2"], ["a", "3"]] });
      assert.deepEqual(await tab.call("storageRead", { kind: "local" }), [["a", "3"], ["b", "2"], ["getItem", 'ä "q"']]);
      await tab.call("storageRemove", { kind: "local", keys: ["a", "never"] });
      assert.equal(await tab.page.evaluate(() => localStorage.a ?? null), null, "the page sees it");
      await tab.call("storageWrite", { kind: "local", items: [["c", "4"]], clear: true });
      assert.equal(await tab.page.evaluate(() => JSON.stringify(localStorage)), '{"c":"4"}');
      await tab.call("storageWrite", { kind: "local", items: [], clear: true });
    },
  },
  {
    name: "what was set can be waited for until it has arrived, also where it was there before",
    html: "<p>Here</p>",
    run: async (tab) => {
      for (const value of ["1", "1", "2"]) await tab.call("storageWrite", { kind: "local", items: [["a", value]], arrive: true });
      assert.equal(await tab.page.evaluate(() => localStorage.a), "2");
      assert.equal(await tab.page.evaluate(() => document.querySelectorAll("iframe").length), 0);
      await tab.call("storageWrite", { kind: "local", items: [], clear: true, arrive: true });
    },
  },
  {
    name: "storage that is too large, or too small, says so",
    html: "<script>localStorage.setItem('a', 'x'.repeat(1000))</script>",
    run: async (tab) => {
      const { error } = await tab.call("storageRead", { kind: "local", limit: 1000 });
      assert.equal(error.kind, "misfit");
      assert.match(error.message, /more than 1000 characters in local storage of http:/);
      const full = await tab.call("storageWrite", { kind: "local", items: [["big", "x".repeat(11_000_000)]] });
      assert.match(full.error.message, /does not take "big".*quota/);
      await tab.call("storageWrite", { kind: "local", items: [], clear: true });
    },
  },
  {
    name: "a document without an origin has no storage",
    html: "",
    run: async (tab) => {
      await tab.page.goto("data:text/html,x");
      for (const [name, args] of [["storageRead", { kind: "local" }], ["storageRead", { kind: "session" }], ["databasesRead", {}]]) {
        const { error } = await tab.call(name, args);
        assert.equal(error?.kind, "misfit", name);
      }
    },
  },
  {
    name: "databases come back as they were, through JSON",
    html: "<p>Shop</p>",
    run: async (tab) => {
      await tab.page.evaluate(make);
      const before = await tab.page.evaluate(describe);
      assert.equal(before.length, 3 + 2 + 30 + 1, before.join("\n"));
      const { databases, left } = await tab.call("databasesRead", {});
      assert.deepEqual(left, []);
      await tab.page.evaluate(clear);
      await tab.call("databasesWrite", { databases });
      assert.deepEqual(await tab.page.evaluate(describe), before);
      await tab.call("databasesWrite", { databases });
      assert.deepEqual(await tab.page.evaluate(describe), before, "one of that name is replaced");
      await tab.page.evaluate(clear);
    },
  },
  {
    name: "databases have the shape of storage state files",
    html: "<p>Shop</p>",
    run: async (tab) => {
      await tab.page.evaluate(make);
      const { databases: [shop] } = await tab.call("databasesRead", {});
      assert.deepEqual([shop.name, shop.version, shop.stores.map(({ name }) => name)], ["shop", 3, ["items", "odd", "paths"]]);
      const [items, odd, paths] = shop.stores;
      assert.deepEqual(items.indexes, [
        { name: "by both", keyPathArray: ["name", "price"], multiEntry: false, unique: true },
        { name: "by tag", keyPath: "tags", multiEntry: true, unique: false },
      ]);
      assert.deepEqual(items.records[0], { value: { name: "Tea", price: 3, tags: ["hot", "green"], id: 1 } });
      assert.deepEqual([items.keyPath, items.autoIncrement, paths.keyPathArray], ["id", true, ["a", "b"]]);
      const of = (key) => odd.records.find((record) => record.key === key);
      assert.deepEqual(of("date"), { key: "date", valueEncoded: { d: "1970-01-02T00:00:00.000Z" } });
      assert.deepEqual(of("bytes"), { key: "bytes", valueEncoded: { ta: { b: "AAH/", k: "ui8" } } });
      assert.deepEqual(of("zero"), { key: "zero", value: 0 });
      assert.deepEqual(odd.records.find(({ value }) => value === "by date").keyEncoded, { d: "1970-01-01T00:00:00.005Z" });
      await tab.page.evaluate(clear);
    },
  },
  {
    name: "thousands of records, and too many",
    html: "<p>Many</p>",
    run: async (tab) => {
      const records = Array.from({ length: 2_300 }, (_, key) => ({ key, value: `value ${key}` }));
      await tab.call("databasesWrite", { databases: [{ name: "many", version: 1, stores: [{ name: "s", autoIncrement: false, indexes: [], records }] }] });
      const { databases } = await tab.call("databasesRead", {});
      assert.deepEqual(databases.find(({ name }) => name === "many").stores[0].records, records);
      const { error } = await tab.call("databasesRead", { limit: 10_000 });
      assert.match(error.message, /more than 10000 characters in the databases of http:/);
      await tab.page.evaluate(() => new Promise((resolve) => { indexedDB.deleteDatabase("many").onsuccess = resolve; }));
    },
  },
  {
    name: "what cannot leave the browser is left out, and said",
    html: "<p>Keys</p>",
    run: async (tab) => {
      await tab.page.evaluate(async () => {
        const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 128 }, false, ["encrypt"]);
        await new Promise((resolve) => {
          const request = indexedDB.open("keys", 1);
          request.onupgradeneeded = () => { const s = request.result.createObjectStore("s"); s.add({ key }, 1); s.add("kept", 2); };
          request.onsuccess = () => { request.result.close(); resolve(); };
        });
      });
      const { databases, left } = await tab.call("databasesRead", {});
      assert.deepEqual(left, ["a record of keys/s: it has a CryptoKey"]);
      assert.deepEqual(databases[0].stores[0].records, [{ key: 2, value: "kept" }]);
      await tab.page.evaluate(() => new Promise((resolve) => { indexedDB.deleteDatabase("keys").onsuccess = resolve; }));
    },
  },
  {
    name: "a database that the page has open, and one that is wrong, are failures",
    html: "<p>Busy</p>",
    run: async (tab) => {
      await tab.page.evaluate(() => new Promise((resolve) => { indexedDB.open("busy", 1).onsuccess = ({ target }) => { window.db = target.result; resolve(); }; }));
      const busy = await tab.call("databasesWrite", { databases: [{ name: "busy", version: 1, stores: [] }] });
      assert.match(busy.error.message, /cannot be made: busy: the page has it open/);
      await tab.page.evaluate(() => db.close());
      const stores = [{ name: "s", autoIncrement: false, indexes: [], records: [{ key: 1, valueEncoded: { zz: 1 } }] }];
      const wrong = await tab.call("databasesWrite", { databases: [{ name: "wrong", version: 1, stores }] });
      assert.match(wrong.error.message, /encoded in an unknown way/);
      assert.deepEqual(await tab.page.evaluate(async () => (await indexedDB.databases()).filter(({ name }) => name === "wrong")), [], "nothing half made stays");
      const twice = [{ name: "s", autoIncrement: false, indexes: [], records: [{ key: 1, value: 1 }, { key: 1, value: 2 }] }];
      const clash = await tab.call("databasesWrite", { databases: [{ name: "clash", version: 1, stores: twice }] });
      assert.equal(clash.error.kind, "misfit");
    },
  },
]);
