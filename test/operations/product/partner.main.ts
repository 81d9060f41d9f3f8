import { setTimeout as sleep } from "node:timers/promises";
import {
  PartnerConnect,
  PartnerConnectError,
  ReconnectRequired,
  type ShopClient,
  type SyncBatch,
} from "@partner-connect/partner-sdk";
import { SqliteStore } from "@partner-connect/partner-sdk/sqlite";
import { openCopy } from "./copy.ts";

/**
 * A partner's program, which may be killed at any point. It keeps a copy of each connected shop in
 * a SQLite file, and notes which connections have ended. `WAY` is how it learns of changes: `feed`,
 * `updated_at`, or `lists`, which reads every list again and again.
 */
const { WAY = "", FILE = "", BASE_URL = "", CLIENT_ID = "", CLIENT_SECRET = "" } = process.env;

const db = openCopy(FILE);
const partner = new PartnerConnect({
  ...{ baseUrl: BASE_URL, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
  ...{ store: new SqliteStore(FILE), tokenCallsPerMinute: 6000 },
});

type Kind = "response" | "question";
type Records = readonly { readonly id: string | number }[];

const load = (key: string) =>
  JSON.parse(
    String(db.prepare("SELECT state FROM states WHERE key = ?").get(key)?.["state"] ?? "null"),
  );
const save = (key: string, state: unknown) =>
  db.prepare("INSERT OR REPLACE INTO states VALUES (?, ?)").run(key, JSON.stringify(state));
const setStatus = (id: string, status: string) =>
  db.prepare("INSERT OR REPLACE INTO statuses VALUES (?, ?)").run(id, status);
const hasEnded = (id: string) =>
  db.prepare("SELECT 1 FROM statuses WHERE connection = ? AND status = 'revoked'").get(id);
const clear = (kind: Kind, id: string) =>
  db.prepare("DELETE FROM records WHERE connection = ? AND kind = ?").run(id, kind);

function put(kind: Kind, connection: string, records: Records): void {
  const insert = db.prepare("INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)");
  for (const record of records)
    insert.run(connection, kind, String(record.id), JSON.stringify(record));
}

/** An error of SQLite ends the program, and so the transaction. */
function atOnce(work: () => void): void {
  db.exec("BEGIN IMMEDIATE");
  work();
  db.exec("COMMIT");
}

const replace = (kind: Kind, connection: string, records: Records) =>
  atOnce(() => {
    clear(kind, connection);
    put(kind, connection, records);
  });

const apply = ({ reset, responses, deletedIds, state }: SyncBatch, connection: string) =>
  atOnce(() => {
    if (reset) clear("response", connection);
    put("response", connection, responses);
    const forget = db.prepare(
      "DELETE FROM records WHERE connection = ? AND kind = 'response' AND id = ?",
    );
    for (const id of deletedIds) forget.run(connection, id);
    save(connection, state);
  });

/** Rethrows an error that is not of the SDK, which ends the program. */
function onlyOfSdk(error: unknown): void {
  if (!(error instanceof PartnerConnectError)) throw error;
}

const byFeed = () =>
  partner.follow({
    loadState: () => load("feed"),
    saveState: (state) => save("feed", state),
    loadCopyState: load,
    apply: (batch, { connectionId }) => apply(batch, connectionId),
    applyQuestions: (questions, { connectionId }) => replace("question", connectionId, questions),
    onConnectionChange: ({ connectionId, status }) => void setStatus(connectionId, status),
    onError: onlyOfSdk,
  });

async function readShop(id: string, shop: ShopClient): Promise<void> {
  replace("question", id, await Array.fromAsync(shop.listQuestions()));
  if (WAY === "lists") replace("response", id, await Array.fromAsync(shop.listResponses()));
  else for await (const batch of shop.syncResponses(load(id))) apply(batch, id);
}

async function readAll(): Promise<void> {
  if (WAY === "lists")
    for await (const { id, status } of partner.listConnections()) setStatus(id, status);
  for await (const { id } of partner.connections()) {
    if (hasEnded(id)) continue;
    await readShop(id, partner.shop(id)).catch((error) => {
      onlyOfSdk(error);
      const isEnd = error instanceof ReconnectRequired && error.reason === "grant revoked";
      if (isEnd && WAY === "updated_at") setStatus(id, "revoked");
    });
  }
}

if (WAY === "feed") await byFeed();
else
  for (;;)
    await readAll()
      .catch(onlyOfSdk)
      .then(() => sleep(200));
