import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isDeepStrictEqual } from "node:util";
import { PartnerConnect } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";

/**
 * A partner's program: it keeps copies of all connected shops in SQLite, and writes down each call that it makes. It may be
 * killed at any point: each write names the state that it replaces.
 */
const { FOLDER = "", BASE_URL = "", CLIENT_ID = "", CLIENT_SECRET = "" } = process.env;

const copy = new DatabaseSync(join(FOLDER, "copy.db"));
copy.exec(`PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS connections (id TEXT PRIMARY KEY, status TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS states (id TEXT PRIMARY KEY, state TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS responses (shop_id TEXT, id TEXT, record TEXT NOT NULL, PRIMARY KEY (shop_id, id))`);
const put = copy.prepare("INSERT OR REPLACE INTO responses VALUES (?, ?, ?)");
const remove = copy.prepare("DELETE FROM responses WHERE shop_id = ? AND id = ?");
const empty = copy.prepare("DELETE FROM responses WHERE shop_id = ?");
const read = copy.prepare("SELECT state FROM states WHERE id = ?");
const keep = copy.prepare("INSERT OR REPLACE INTO states VALUES (?, ?)");
const forget = copy.prepare("DELETE FROM states WHERE id = ?");
const setStatus = copy.prepare("INSERT OR REPLACE INTO connections VALUES (?, ?)");

function readState(id: string) {
  const row = read.get(id);
  return row ? JSON.parse(String(row["state"])) : null;
}

function transaction(work: () => boolean | undefined): boolean {
  copy.exec("BEGIN IMMEDIATE");
  const isDone = work() ?? true;
  copy.exec("COMMIT");
  return isDone;
}

/** Does `change` in one transaction with the new state, if the state is still `previous`. */
const replaceState = (id: string, state: object, previous: object | null, change = () => {}): boolean =>
  transaction(() => {
    if (!isDeepStrictEqual(readState(id), previous)) return false;
    change();
    keep.run(id, JSON.stringify(state));
    return true;
  });

const partnerConnect = new PartnerConnect({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  store: new SqliteStore(join(FOLDER, "connections.db")),
  async fetch(input, init) {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const note = (outcome: string | number) => appendFileSync(join(FOLDER, "calls.log"), `${pathname} ${outcome}\n`);
    try {
      const answer = await fetch(input, init);
      note(answer.status);
      return answer;
    } catch (error) {
      note((error as Error).name);
      throw error;
    }
  },
});

await partnerConnect.follow({
  readState: () => readState("feed"),
  keepState: (state, previous) => replaceState("feed", state, previous),
  readCopyState: readState,
  apply: ({ reset, responses, deletedIds, state }, { connectionId, shopId, previous }) =>
    replaceState(connectionId, state, previous, () => {
      if (reset) empty.run(shopId);
      for (const response of responses) put.run(shopId, response.id, JSON.stringify(response));
      for (const id of deletedIds) remove.run(shopId, id);
    }),
  connectionChanged: ({ connectionId, shopId, status }) =>
    void transaction(() => {
      setStatus.run(connectionId, status);
      if (status !== "revoked") return;
      empty.run(shopId);
      forget.run(connectionId);
    }),
  trouble(error, connectionId) {
    if (!(error as { readonly isTemporary?: boolean }).isTemporary) console.log(connectionId, String(error));
  },
});
