import { ndjson, shopKeeper } from "@partner-connect/survey-data/testing";
import { expect, test } from "vitest";
import { disable, enable, refresher, revoke } from "../index.ts";
import type { ChangesCursor } from "./cursor.ts";
import { readChanges } from "./read-changes.ts";
import { OPERATOR, suiteFeed } from "./testing/test-feed.ts";

const feed = await suiteFeed();

/** A client with one connection; `news` reads its feed. */
async function connected() {
  const [clientId, shopId] = [await feed.newClient(), await feed.newShop()];
  const id = await feed.connect(shopId, clientId);
  let cursor: ChangesCursor | null = null;
  /** The kinds of the entries since the last call. */
  const news = async () => {
    await feed.relayAll();
    const page = await readChanges(feed.server, clientId, cursor, 100);
    cursor = page?.cursor ?? null;
    expect(page?.changes.every((change) => change.shopId === shopId)).toBe(true);
    return page?.changes
      .map(({ connectionId, kind }) => (connectionId === id ? kind : connectionId))
      .sort();
  };
  return { clientId, shopId, id, news };
}

const keeper = shopKeeper(feed.owner);
const answer = (id: string) => ({ id, question: "Who?", response: "TV" });

test("each change of a connection or its data adds feed entries of matching kinds, except a new last_used_at", async () => {
  const { shopId, clientId, id, news } = await connected();
  expect(await news()).toEqual(["connection", "deletions", "questions", "responses"]);
  expect(await news()).toEqual([]);
  await keeper.importInto(shopId, answer("a"));
  expect(await news()).toEqual(["responses"]);
  await keeper.recategorize(shopId, ["a"], "Radio");
  expect(await news()).toEqual(["responses"]);
  await keeper.remove(shopId, ["a"]);
  expect(await news()).toEqual(["deletions"]);
  await keeper.importInto(shopId, answer("a"));
  expect(await news()).toEqual(["responses"]);
  await keeper.importQuestions(shopId, ndjson({ id: 1, prompt: "Who?" }));
  expect(await news()).toEqual(["questions"]);
  await feed.owner`UPDATE oauth.connections SET last_used_at = now() - interval '10 days' WHERE shop_id = ${shopId}`;
  const [{ hash } = { hash: Buffer.of() }] = await feed.owner<{ hash: Buffer }[]>`
    SELECT refresh_token_hash AS hash FROM oauth.connections WHERE shop_id = ${shopId}`;
  const refresh = refresher(feed.server, 86_400 * 30);
  expect(await refresh({ shopId, clientId, refreshTokenHash: hash, isKnown: true })).toMatchObject({
    outcome: "refreshed",
  });
  expect(await news()).toEqual([]);
  await disable(feed.owner, { shopId, id }, OPERATOR);
  expect(await news()).toEqual(["connection"]);
  await enable(feed.owner, { shopId, id }, OPERATOR);
  expect(await news()).toEqual(["connection", "deletions", "questions", "responses"]);
  await revoke(feed.server, { shopId, id }, OPERATOR);
  expect(await news()).toEqual(["connection"]);
  await keeper.importInto(shopId, answer("b"));
  expect(await news()).toEqual([]);
  expect(await feed.connect(shopId, clientId)).toBe(id);
  expect(await news()).toEqual(["connection", "deletions", "questions", "responses"]);
});
