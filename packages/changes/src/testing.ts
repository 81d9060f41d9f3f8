import { randomBytes } from "node:crypto";
import { approve, exchange } from "@partner-connect/connections";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { onboardClient, onboardMerchant, onboardShop } from "@partner-connect/directory/testing";
import { type Change, readChanges } from "./read-changes.ts";
import { relayRound } from "./relay-round.ts";

export const OPERATOR = { name: "operator:test" };

/** For this package's tests: a database of its own, as each role sees it. */
export interface TestFeed {
  readonly database: TestDatabase;
  readonly owner: Sql;
  /** As the notifier. */
  readonly relay: Sql;
  /** As the authorization server. */
  readonly server: Sql;
  newClient(): Promise<string>;
  newShop(): Promise<string>;
  /** Connects them, as a merchant and the client do; the connection's id. */
  connect(shopId: string, clientId: string): Promise<string>;
  /** Until no note is left. */
  relayAll(): Promise<void>;
  /** All entries of a client, without the relay. */
  read(clientId: string): Promise<readonly Change[]>;
  /** Relays all there is, and empties the feed of what was there: for what comes next. Returns the client's last number. */
  close(): Promise<void>;
}

export async function testFeed(): Promise<TestFeed> {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const open = (url: string) => connectDatabase(url, { name: "changes test", connections: 4 });
  const [owner, relay, server] = [
    open(database.url),
    open(database.notifierUrl),
    open(database.authorizationServerUrl),
  ];
  const merchant = await onboardMerchant(owner);
  return {
    database,
    owner,
    relay,
    server,
    newClient: async () => (await onboardClient(owner)).clientId,
    newShop: () => onboardShop(owner, { merchants: [merchant.id] }),
    async connect(shopId, clientId) {
      const key = { shopId, clientId, grantId: randomBytes(8).toString("hex") };
      await approve(server, { ...key, merchantId: merchant.id, scope: ["responses:read"] }, OPERATOR);
      const done = await exchange(server, { ...key, refreshTokenHash: randomBytes(32) }, OPERATOR);
      if (done.outcome !== "exchanged") throw new Error(`not exchanged: ${done.outcome}`);
      return done.grant.connectionId;
    },
    async relayAll() {
      while ((await relayRound(relay)).notes > 0);
    },
    async read(clientId) {
      return (await readChanges(server, clientId, null, 1_000_000))?.changes ?? [];
    },
    async close() {
      await Promise.all([owner, relay, server].map((sql) => sql.end()));
      await database.drop();
    },
  };
}
