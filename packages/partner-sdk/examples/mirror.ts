// Keeps a copy of one shop's responses in SQLite (Node 22.13 or later). Run it whenever you like, one at a time for each copy. It may be
// killed at any point: each batch is written in one transaction, with the state from which the next run goes on.
import { DatabaseSync } from "node:sqlite";
import { PartnerConnect, type SyncState } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";

const {
  BASE_URL = "",
  CLIENT_ID = "",
  CLIENT_SECRET = "",
  CONNECTION_ID = "",
  CONNECTIONS = "",
  MIRROR = "",
} = process.env;
const partnerConnect = new PartnerConnect({
  baseUrl: BASE_URL,
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  store: new SqliteStore(CONNECTIONS), // it has the connection since `completeAuthorization`
});

const mirror = new DatabaseSync(MIRROR);
// The file is made for large rows. What a power failure takes, it takes with the state: the next run reads it again.
mirror.exec(`PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS responses (id TEXT PRIMARY KEY, record TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS sync (only INTEGER PRIMARY KEY CHECK (only = 1), state TEXT NOT NULL);`);
const put = mirror.prepare("INSERT OR REPLACE INTO responses VALUES (?, ?)");
const remove = mirror.prepare("DELETE FROM responses WHERE id = ?");
const save = mirror.prepare("INSERT OR REPLACE INTO sync VALUES (1, ?)");

const saved = mirror.prepare("SELECT state FROM sync").get()?.["state"];
const before: SyncState | null = saved === undefined ? null : JSON.parse(String(saved));
for await (const { reset, documents, deletedIds, state } of partnerConnect.shop(CONNECTION_ID).syncResponses(before)) {
  mirror.exec("BEGIN IMMEDIATE");
  if (reset) mirror.exec("DELETE FROM responses");
  for (const { id, json } of documents) put.run(id, json);
  for (const id of deletedIds) remove.run(id);
  save.run(JSON.stringify(state));
  mirror.exec("COMMIT");
}
