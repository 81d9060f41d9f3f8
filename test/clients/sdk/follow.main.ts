// Keeps copies of the responses of all connected shops in SQLite (Node 22.13 or later), for as long as it runs. It may be killed at any
// point, and two may run at once: each write says what it replaces.
import { DatabaseSync } from "node:sqlite";
import { PartnerConnect } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";

const { BASE_URL = "", CLIENT_ID = "", CLIENT_SECRET = "", CONNECTIONS = "", MIRROR = "" } = process.env;
const partnerConnect = new PartnerConnect({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  store: new SqliteStore(CONNECTIONS), // it has the connections since `completeAuthorization`
});

const mirror = new DatabaseSync(MIRROR);
mirror.exec(`PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS responses (connection TEXT, id TEXT, record TEXT NOT NULL, PRIMARY KEY (connection, id));
  CREATE TABLE IF NOT EXISTS connections (connection TEXT PRIMARY KEY, status TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS states (id TEXT PRIMARY KEY, state TEXT NOT NULL);`);
const put = mirror.prepare("INSERT OR REPLACE INTO responses VALUES (?, ?, ?)");
const remove = mirror.prepare("DELETE FROM responses WHERE connection = ? AND id = ?");
const clear = mirror.prepare("DELETE FROM responses WHERE connection = ?");
const read = mirror.prepare("SELECT state FROM states WHERE id = ?");
const write = mirror.prepare("INSERT OR REPLACE INTO states VALUES (?, ?)");
const setStatus = mirror.prepare("INSERT OR REPLACE INTO connections VALUES (?, ?)");

function readState(id: string) {
  const row = read.get(id);
  return row === undefined ? null : JSON.parse(String(row["state"]));
}

/** Does `change` in one transaction with the new state, if the state is still `previous`. */
function replaceState(id: string, state: object, previous: object | null, change = () => {}): boolean {
  mirror.exec("BEGIN IMMEDIATE");
  const isSame = JSON.stringify(readState(id)) === JSON.stringify(previous);
  if (isSame) {
    change();
    write.run(id, JSON.stringify(state));
  }
  mirror.exec("COMMIT");
  return isSame;
}

await partnerConnect.follow({
  readState: () => readState("feed"),
  keepState: (state, previous) => replaceState("feed", state, previous),
  readCopyState: (connectionId) => readState(connectionId),
  apply: ({ reset, responses, deletedIds, state }, { connectionId, previous }) =>
    replaceState(connectionId, state, previous, () => {
      if (reset) clear.run(connectionId);
      for (const response of responses) put.run(connectionId, response.id, JSON.stringify(response));
      for (const id of deletedIds) remove.run(connectionId, id);
    }),
  connectionChanged: ({ connectionId, status }) => void setStatus.run(connectionId, status),
  trouble: (error, connectionId) => console.error(connectionId ?? "all connections", error),
});
