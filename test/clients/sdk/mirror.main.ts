// Keeps copies of all connected shops' responses in SQLite (Node 22.13 or later). Run it whenever you like, one at a time for each file. It
// may be killed at any point: each batch is written in one transaction, with the state from which the next run goes on.
import { DatabaseSync } from "node:sqlite";
import { PartnerConnect, PartnerConnectError, type SyncState } from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";

const { BASE_URL = "", CLIENT_ID = "", CLIENT_SECRET = "", CONNECTIONS = "", MIRROR = "" } = process.env;
const store = new SqliteStore(CONNECTIONS); // it has the connections since `completeAuthorization`
const options = { baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, store };
const partnerConnect = new PartnerConnect(options);

const mirror = new DatabaseSync(MIRROR);
// The file is made for large rows. What a power failure takes, it takes with the state: the next run reads it again.
mirror.exec(`PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS responses (connection TEXT, id TEXT, record TEXT NOT NULL, PRIMARY KEY (connection, id));
  CREATE TABLE IF NOT EXISTS sync (connection TEXT PRIMARY KEY, state TEXT NOT NULL);`);
const put = mirror.prepare("INSERT OR REPLACE INTO responses VALUES (?, ?, ?)");
const remove = mirror.prepare("DELETE FROM responses WHERE connection = ? AND id = ?");
const clear = mirror.prepare("DELETE FROM responses WHERE connection = ?");
const save = mirror.prepare("INSERT OR REPLACE INTO sync VALUES (?, ?)");

for await (const { id: of, shop } of partnerConnect.connections()) {
  const saved = mirror.prepare("SELECT state FROM sync WHERE connection = ?").get(of)?.["state"];
  const before: SyncState | null = saved === undefined ? null : JSON.parse(String(saved));
  try {
    for await (const { reset, responses, deletedIds, state } of partnerConnect.shop(of).syncResponses(before)) {
      mirror.exec("BEGIN IMMEDIATE");
      if (reset) clear.run(of);
      for (const response of responses) put.run(of, response.id, JSON.stringify(response));
      for (const id of deletedIds) remove.run(of, id);
      save.run(of, JSON.stringify(state));
      mirror.exec("COMMIT");
    }
  } catch (error) {
    if (!(error instanceof PartnerConnectError)) throw error;
    console.error(`${shop.name}: ${error.code}, ${error.message}`); // the other shops go on
    process.exitCode = 1;
  }
}
