import type { Queries } from "@partner-connect/database";
import {
  createProductKey,
  createShop,
  listProductKeys,
  revokeProductKey,
} from "@partner-connect/directory";
import { onboardClient, onboardMerchant, TEST_OPERATOR } from "@partner-connect/directory/testing";
import { beforeEach, expect, test } from "vitest";
import { callerOf, internalApi, suiteInternalApi } from "./testing.ts";

const api = await suiteInternalApi();
const { owner, call } = api;

interface Page {
  readonly data: readonly {
    readonly shop_id: string;
    readonly source: { readonly name: string };
  }[];
  readonly cursor: string;
  readonly has_more: boolean;
}

/** Stores a source as the resource server does for a partner. */
const write = (
  sql: Queries,
  name: string,
  { shop = "shop", client = "client" as string | null } = {},
) => sql`
  INSERT INTO survey.sources (shop_id, client_id, external_id, name, type) VALUES (${shop}, ${client}, ${name}, ${name}, 'tv')
  ON CONFLICT (shop_id, client_id, external_id) WHERE external_id IS NOT NULL
    DO UPDATE SET updated_at = now(), url = 'https://x.example/', number = NULL`;

async function read(after = "", query = ""): Promise<Page> {
  const answer = await call("GET", `/internal/sources?${after && `after=${after}`}${query}`);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body;
}
const namesOf = ({ data }: Page) => data.map(({ source }) => source.name);

/** The cursor after everything that earlier tests wrote. */
let cursor: string;
beforeEach(async () => {
  ({ cursor } = await read("", "&limit=1000"));
});

test("pages of sources list each source with its shop and client, oldest change first", async () => {
  await write(owner, "one");
  await write(owner, "two", { shop: "shop_2", client: null });
  await write(owner, "three");
  const first = await read(cursor, "&limit=2");
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const id = expect.stringMatching(/^src_/);
  const source = { id, name: "one", type: "tv", external_id: "one", url: null, aliases: [] };
  const stored = { ...source, inserted_at: time, updated_at: time };
  expect(first.data[0]).toEqual({ shop_id: "shop", client_id: "client", at: time, source: stored });
  expect(first.data[1]).toMatchObject({ shop_id: "shop_2", client_id: null });
  expect(first.has_more).toBe(true);
  const second = await read(first.cursor, "&limit=2");
  expect([namesOf(second), second.has_more]).toEqual([["three"], false]);
  expect(await read(second.cursor)).toEqual({ data: [], cursor: second.cursor, has_more: false });
});

test("a page of sources ends at 16 MB", async () => {
  await owner`
    INSERT INTO survey.sources (shop_id, client_id, name, type, aliases)
    SELECT 'shop', 'client', n::text, 'tv', ARRAY[repeat('é', 16 * 1024)] FROM generate_series(1, 600) AS n`;
  const pages = [await read(cursor, "&limit=1000")];
  for (let page = pages[0]; page?.has_more; pages.push(page))
    page = await read(page.cursor, "&limit=1000");
  expect(pages.map(({ data }) => data.length)).toEqual([507, 93]);
  expect(pages.flatMap(namesOf)).toEqual(
    Array.from({ length: 600 }, (_, index) => String(index + 1)),
  );
  expect((await read(pages.at(-1)?.cursor)).data).toEqual([]);
  await owner`DELETE FROM survey.sources WHERE external_id IS NULL`;
});

test("the sources of a test shop or a shop that is being erased aren't listed", async () => {
  const [{ email }, { clientId }] = [await onboardMerchant(owner), await onboardClient(owner)];
  const testShop = { name: "Try", plan: "standard", ownerEmail: email, testOf: clientId };
  await write(owner, "of a test shop", {
    shop: (await createShop(owner, testShop, TEST_OPERATOR)).id,
  });
  await call("PUT", "/internal/shops/ending", { name: "Ending", domain: null, plan: "standard" });
  await write(owner, "of the ending shop", { shop: "ending" });
  expect(namesOf(await read(cursor))).toEqual(["of the ending shop"]);
  await call("DELETE", "/internal/shops/ending");
  expect(namesOf(await read(cursor))).toEqual([]);
});

test("a source that changed several times is listed once more, in its new state", async () => {
  await write(owner, "changed");
  await write(owner, "other");
  const seen = await read(cursor);
  for (let change = 0; change < 3; change++) await write(owner, "changed");
  expect((await read(seen.cursor)).data).toMatchObject([
    { source: { name: "changed", url: "https://x.example/" } },
  ]);
  expect(namesOf(await read(cursor))).toEqual(["other", "changed"]);
});

test("a write that commits late is listed on the next page, and doesn't delay later writes", async () => {
  await write(owner, "changed later");
  let seen: Page | undefined;
  await owner.begin(async (early) => {
    for (const name of ["changed later", "early"]) await write(early, name);
    await write(owner, "late");
    seen = await read(cursor);
    expect(namesOf(seen)).toEqual(["late"]);
  });
  expect(namesOf(await read(seen?.cursor)).toSorted()).toEqual(["changed later", "early"]);
});

test("concurrent readers get the last state of each source in the same order", async () => {
  const writers = Array.from({ length: 6 }, async (_, writer) => {
    for (let turn = 0; turn < 15; turn++) {
      await owner.begin(async (tx) => {
        await write(tx, `race ${(writer * 7 + turn) % 20}`);
        await tx`SELECT pg_sleep(random() / 100)`;
      });
    }
  });
  let isDone = false;
  const readers = Array.from({ length: 4 }, async () => {
    const last = new Map<string, object>();
    for (let after = cursor, over = false; !over; ) {
      const isLast = isDone; // before the read, which may miss what is committed during it
      const page = await read(after, "&limit=3");
      for (const { source } of page.data) {
        last.delete(source.name);
        last.set(source.name, source);
      }
      after = page.cursor;
      over = isLast && page.data.length === 0;
    }
    return [...last];
  });
  await Promise.all(writers);
  isDone = true;
  const whole = (await read(cursor)).data.map(({ source }) => [source.name, source]);
  expect(whole).toHaveLength(20);
  expect(await Promise.all(readers)).toEqual(Array(4).fill(whole));
});

test("a long poll returns when a source is written, its time is over or the API closes", async () => {
  const waiting = [read(cursor, "&wait=25"), read(cursor, "&wait=25")];
  expect(await read(cursor, "&wait=1")).toEqual({ data: [], cursor, has_more: false });
  await write(owner, "awaited");
  for (const page of await Promise.all(waiting)) expect(namesOf(page)).toEqual(["awaited"]);
  expect(namesOf(await read(cursor, "&wait=25"))).toEqual(["awaited"]);

  const other = await internalApi(api.sql);
  const { cursor: end } = await read(cursor);
  await other.ready();
  const closed = callerOf(other, api.key)("GET", `/internal/sources?wait=25&after=${end}`);
  await new Promise((resolve) => setImmediate(resolve));
  await other.close();
  expect((await closed).body).toMatchObject({ data: [], cursor: end });
});

test("if a product key is revoked during a long poll, the response is 401", async () => {
  const { id, key } = await createProductKey(owner, "other", TEST_OPERATOR);
  const waiting = callerOf(api.app, key)("GET", `/internal/sources?wait=25&after=${cursor}`);
  await expect
    .poll(async () => (await listProductKeys(owner)).find((one) => one.id === id)?.lastUsedAt)
    .toBeTruthy();
  await revokeProductKey(owner, id, TEST_OPERATOR);
  await write(owner, "secret");
  expect((await waiting).status).toBe(401);
});

test("a cursor that is newer than a restored database gets 410", async () => {
  await write(owner, "lost");
  const { cursor: lost } = await read(cursor);
  await owner`DELETE FROM survey.sources WHERE name = 'lost'`;
  await owner`UPDATE survey.source_position SET number = number - 1`; // as a restore does
  const expired = await call("GET", `/internal/sources?after=${lost}`);
  expect([expired.status, expired.body.error]).toEqual([410, "cursor_expired"]);
  expect(await read(cursor)).toMatchObject({ data: [], cursor });
  expect(namesOf(await read("", "&limit=1000"))).toContain("one");
});

test("a restore that lost over 25 s gets 410 even if no source was written in that time", async () => {
  const [restored] = await owner`
    UPDATE survey.source_position SET moved_at = moved_at - interval '25 s' RETURNING number`;
  const idle = await read(cursor, "&wait=1");
  expect([idle.data, await read(idle.cursor)]).toEqual([[], idle]);
  await owner`UPDATE survey.source_position SET number = ${restored?.["number"] as string}`;
  expect((await call("GET", `/internal/sources?after=${idle.cursor}`)).status).toBe(410);
});

test("an invalid cursor, limit or wait is refused", async () => {
  for (const query of ["after=MS4w", "limit=0", "limit=1001", "wait=26", "wait=-1"]) {
    const { status, body } = await call("GET", `/internal/sources?${query}`);
    expect([query, status, body]).toMatchObject([
      query,
      400,
      { error: "invalid_request", field: query.split("=")[0] },
    ]);
  }
});
