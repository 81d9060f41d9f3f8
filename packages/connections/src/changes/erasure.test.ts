import { deleteShop } from "@partner-connect/directory";
import { expect, test } from "vitest";
import { forgetConnections, revokeAll } from "../index.ts";
import { appendChanges } from "./append-changes.ts";
import { readChanges } from "./read-changes.ts";
import { OPERATOR, suiteFeed } from "./testing/test-feed.ts";

const feed = await suiteFeed();

const forget = async () => {};

test("when a connection is forgotten, only the feed entry that reports its end remains", async () => {
  const [clientId, shopId, other] = [
    await feed.newClient(),
    await feed.newShop(),
    await feed.newShop(),
  ];
  const id = await feed.connect(shopId, clientId);
  const kept = await feed.connect(other, clientId);
  await feed.relayAll();
  const seen = (await readChanges(feed.server, clientId, null, 100))?.cursor ?? null;
  await revokeAll(feed.owner, { shopId }, OPERATOR);
  await feed.owner`UPDATE directory.shops SET erase_requested_at = now() WHERE id = ${shopId}`;
  await forgetConnections(feed.owner, { shopId }, OPERATOR, forget);
  await feed.relayAll();
  const news = await readChanges(feed.server, clientId, seen, 100);
  expect(news?.changes.map(({ connectionId, kind }) => [connectionId, kind])).toEqual([
    [id, "connection"],
  ]);
  // A note from before the connection's end, which a slow relay appends after that end.
  const late = { clientId, connectionId: id, shopId, kind: "connection", at: new Date() } as const;
  await appendChanges(feed.relay, [late]);
  const isGone = await feed.owner`SELECT gone FROM oauth.changes WHERE connection_id = ${id}`;
  expect(isGone).toEqual([{ gone: true }]);
  const all = await feed.read(clientId);
  expect(all.filter(({ connectionId }) => connectionId === id)).toHaveLength(1);
  expect(all.filter(({ connectionId }) => connectionId === kept)).toHaveLength(4);
  expect(await feed.owner`SELECT FROM oauth.change_notes WHERE shop_id = ${shopId}`).toHaveLength(
    0,
  );
});

test("an erasure that resumes late changes neither a new shop with the same id nor its connections", async () => {
  const [clientId, shopId] = [await feed.newClient(), await feed.newShop()];
  await feed.connect(shopId, clientId);
  await forgetConnections(feed.owner, { shopId }, OPERATOR, forget);
  await deleteShop(feed.owner, shopId);
  const [next] = await feed.owner`
    SELECT c.status FROM directory.shops s JOIN oauth.connections c ON c.shop_id = s.id WHERE s.id = ${shopId}`;
  expect(next?.["status"]).toBe("connected");
});
