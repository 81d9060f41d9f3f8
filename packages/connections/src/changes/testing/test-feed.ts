import { connectDatabase } from "@partner-connect/database";
import type { TestDatabase } from "@partner-connect/database/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { onboardClient, onboardMerchant, onboardShop } from "@partner-connect/directory/testing";
import { afterAll } from "vitest";
import { connect } from "../../testing.ts";
import { type Change, readChanges } from "../read-changes.ts";
import { noteRelay } from "../relay-notes.ts";

export const OPERATOR = { name: "operator:test" };

/** A database as each role sees it, for tests of the feed. */
export type TestFeed = ReturnType<typeof openFeed>;

/** Opens a feed on a new database for the tests of a file. */
export async function suiteFeed(): Promise<TestFeed> {
  const feed = openFeed(await suiteDatabase());
  afterAll(() => feed.close());
  return feed;
}

/** Opens a feed on an existing, migrated database. */
export function openFeed({
  url,
  workerUrl,
  authorizationServerUrl,
}: Pick<TestDatabase, "url" | "workerUrl" | "authorizationServerUrl">) {
  const open = (to: string) => connectDatabase(to, { name: "changes test", connections: 24 });
  const [owner, relay, server] = [open(url), open(workerUrl), open(authorizationServerUrl)];
  let merchant: Promise<{ id: string }> | undefined;
  const merchantId = async () => {
    merchant ??= onboardMerchant(owner);
    return (await merchant).id;
  };
  return {
    /** `relay` and `server` connect as the worker's and the authorization server's role. */
    ...{ url, workerUrl, authorizationServerUrl, owner, relay, server },
    newClient: async () => (await onboardClient(owner)).clientId,
    newShop: async () => onboardShop(owner, { merchants: [await merchantId()] }),
    /** Connects the shop and the client as in production, and returns the connection's id. */
    async connect(shopId: string, clientId: string) {
      const key = { shopId, clientId, merchantId: await merchantId() };
      return (await connect(server, key)).connectionId;
    },
    /** Relays until no note is left. */
    async relayAll() {
      const round = noteRelay(relay);
      while ((await round()).notes > 0);
    },
    /** All entries of a client, without the relay. */
    async read(clientId: string): Promise<readonly Change[]> {
      return (await readChanges(server, clientId, null, 1_000_000))?.changes ?? [];
    },
    async close() {
      await Promise.all([owner, relay, server].map((sql) => sql.end({ timeout: 1 })));
    },
  };
}
