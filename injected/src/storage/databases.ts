// IndexedDB databases of the frame's origin, in the format of Playwright's storage state files.

import { Failure } from "../failure";
import { unveiled } from "../page/worlds";
import { Allowance } from "./allowance";
import { toBase64 } from "./bytes";
import { decode } from "./decode";
import { Encoder, NotExportable, type Encoded } from "./encode";
import { wordsOf } from "./web";

export interface Database {
  name: string;
  version: number;
  stores: Store[];
}

interface Store extends KeyPath {
  name: string;
  autoIncrement: boolean;
  indexes: Index[];
  records: Row[];
}

interface Index extends KeyPath {
  name: string;
  multiEntry: boolean;
  unique: boolean;
}

interface KeyPath {
  keyPath?: string;
  keyPathArray?: string[];
}

interface Row {
  key?: unknown;
  keyEncoded?: Encoded;
  value?: unknown;
  valueEncoded?: Encoded;
}

/** `left` lists the omitted records, which cannot be exported from the browser. */
export async function databasesRead(args: { limit?: number }): Promise<{ databases: Database[]; left: string[] }> {
  const reading = new Reading(new Allowance("the databases", args.limit));
  const databases: Database[] = [];
  try {
    for (const { name, version } of unveiled(await indexedDB.databases())) {
      if (name !== undefined && version) databases.push(await reading.database(name));
    }
    await reading.readBlobs();
  } catch (error) {
    throw error instanceof Failure ? error : misfit("cannot be read", error);
  }
  return { databases, left: reading.left };
}

/** Records read at once. */
const BATCH = 500;

class Reading {
  readonly left: string[] = [];
  private readonly encoder: Encoder;

  constructor(allowance: Allowance) {
    this.encoder = new Encoder(allowance);
  }

  async database(name: string): Promise<Database> {
    const db = await opened(indexedDB.open(name));
    try {
      const stores: Store[] = [];
      const names = Array.from(db.objectStoreNames);
      const transaction = names.length > 0 ? db.transaction(names, "readonly") : null;
      for (const store of names) stores.push(await this.store(transaction!.objectStore(store), name));
      return { name, version: db.version, stores };
    } finally {
      db.close();
    }
  }

  private async store(store: IDBObjectStore, database: string): Promise<Store> {
    const { name, autoIncrement } = store;
    const indexes = Array.from(store.indexNames, (index) => {
      const { name, keyPath, multiEntry, unique } = store.index(index);
      return { name, ...pathOf(keyPath), multiEntry, unique };
    });
    const records: Row[] = [];
    let range: IDBKeyRange | null = null;
    for (;;) {
      const [keys, values] = await Promise.all([done(store.getAllKeys(range, BATCH)), done(store.getAll(range, BATCH))]);
      unveiled(keys).forEach((key, at) => this.add(records, store, key, unveiled(values)[at], database));
      if (keys.length < BATCH) break;
      range = IDBKeyRange.lowerBound(keys.at(-1)!, true);
    }
    return { name, autoIncrement, ...pathOf(store.keyPath), indexes, records };
  }

  private add(records: Row[], store: IDBObjectStore, key: IDBValidKey, value: unknown, database: string): void {
    const row: Row = {};
    try {
      if (store.keyPath === null) {
        const told = this.encoder.record(key);
        if ("plain" in told) row.key = told.plain;
        else row.keyEncoded = told.encoded;
      }
      const told = this.encoder.record(value);
      if ("plain" in told) row.value = told.plain;
      else row.valueEncoded = told.encoded;
      records.push(row);
    } catch (error) {
      if (!(error instanceof NotExportable)) throw error;
      this.left.push(`a record of ${database}/${store.name}: it has a ${error.what}`);
    }
  }

  async readBlobs(): Promise<void> {
    for (const { blob, into } of this.encoder.blobs) into.b = toBase64(new Uint8Array(unveiled(await blob.arrayBuffer())));
  }
}

/** Creates databases; replaces those with the same name. */
export async function databasesWrite(args: { databases: Database[] }): Promise<object> {
  for (const database of args.databases) {
    try {
      await opened(indexedDB.deleteDatabase(database.name));
      (await opened(indexedDB.open(database.name, database.version), (db, transaction) => fill(db, transaction, database))).close();
    } catch (error) {
      throw error instanceof Failure ? error : misfit(`cannot be made: ${database.name}`, error);
    }
  }
  return {};
}

/** Fills the database in its upgrade transaction, so that it is complete or absent. */
function fill(db: IDBDatabase, transaction: IDBTransaction, database: Database): void {
  for (const { name, autoIncrement, keyPath, keyPathArray, indexes, records } of database.stores) {
    const store = db.createObjectStore(name, { autoIncrement, keyPath: keyPathArray ?? keyPath ?? null });
    for (const index of indexes) {
      const { multiEntry, unique } = index;
      store.createIndex(index.name, index.keyPathArray ?? index.keyPath ?? "", { multiEntry, unique });
    }
    for (const row of records) put(transaction.objectStore(name), row);
  }
}

function put(store: IDBObjectStore, row: Row): void {
  const value = "value" in row ? row.value : decode(row.valueEncoded);
  const key = "key" in row ? row.key : decode(row.keyEncoded);
  if (key === undefined) store.add(value);
  else store.add(value, key as IDBValidKey);
}

function pathOf(path: string | string[] | null): KeyPath {
  if (path === null) return {};
  return typeof path === "string" ? { keyPath: path } : { keyPathArray: Array.from(path) };
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Opens or deletes a database. Does not create a missing one unless `make` is given. */
function opened(request: IDBOpenDBRequest, make?: (db: IDBDatabase, transaction: IDBTransaction) => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    request.onupgradeneeded = () => {
      try {
        if (make) make(request.result, request.transaction!);
        else request.transaction!.abort();
      } catch (error) {
        request.transaction!.abort();
        reject(error);
      }
    };
    request.onblocked = () => reject(new Error("the page has it open and does not let go of it"));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function misfit(what: string, error: unknown): Failure {
  return new Failure({ kind: "misfit", message: `the databases of ${location.origin} ${what}: ${wordsOf(error)}` });
}
