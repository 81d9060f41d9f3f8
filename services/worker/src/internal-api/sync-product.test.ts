import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, onTestFinished, test } from "vitest";
import { suiteInternalApi } from "./testing.ts";

const EXAMPLE = fileURLToPath(new URL("../../example/", import.meta.url));
const GUIDE = `${EXAMPLE}../../../deploy/operations/connect-your-product.md`;
const guide = await readFile(GUIDE, "utf8");

const DEFAULTS =
  "search_path=public standard_conforming_strings=on array_nulls=on datestyle=iso lock_timeout=0 extra_float_digits=1";

const { app, key, owner, call } = await suiteInternalApi();
/** Delays a page of sources after it was read. */
let delayPage: (() => Promise<unknown>) | undefined;
app.addHook("onSend", async ({ url: path }) => {
  if (path.startsWith("/internal/sources")) await delayPage?.();
});
const url = await app.listen({ host: "127.0.0.1", port: 0 });
const database = await suiteDatabase();
/** The survey product's own database, with Postgres's default settings, which the run changes. */
const product = database.connect(database.url, { name: "product", connections: 1 });
const name = new URL(database.url).pathname.slice(1);
for (const setting of DEFAULTS.split(" "))
  await product.unsafe(`ALTER DATABASE ${name} SET ${setting}`);
await product.unsafe(await readFile(`${EXAMPLE}product.sql`, "utf8"));
const outbox = () => product`SELECT id, is_erasure, refused FROM outbox ORDER BY position`;

/** Starts the example program, which is killed after the test. */
function startProgram(internalApiUrl: string) {
  const program = spawn(process.execPath, [`${EXAMPLE}sync-product.mjs`], {
    env: {
      PATH: process.env["PATH"],
      PRODUCT_DATABASE_URL: database.url,
      INTERNAL_API_URL: internalApiUrl,
      PRODUCT_KEY: key,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(program, "exit");
  const printed = text(program.stderr);
  const stop = async () => {
    program.kill("SIGKILL");
    await ended;
  };
  onTestFinished(stop);
  return { stop, printed, ended };
}

test("the example program keeps an erasure in its outbox until the API accepts or refuses it", async () => {
  await product`INSERT INTO shops VALUES ('gone', 'Gone', NULL, 'standard')`;
  await product`INSERT INTO sources VALUES ('gone', 'src', NULL, '{}')`;
  await product`DELETE FROM shops`;
  await product`INSERT INTO merchants VALUES ('a b', 'a@product.example', 'A'), ('m-2', 'b@product.example', 'B')`;
  await product`DELETE FROM merchants WHERE id = 'a b'`;

  const [code] = await startProgram(`${url}/elsewhere`).ended;
  expect([code, (await outbox()).at(-1)]).toEqual([
    1,
    { id: "a b", is_erasure: true, refused: null },
  ]);

  await product`UPDATE outbox SET refused = NULL`;
  const { stop, printed } = startProgram(url);
  await expect.poll(outbox, { timeout: 20_000 }).toEqual([]);
  await stop();
  expect(await product`SELECT FROM sources`).toEqual([]);
  expect(await printed).toMatch(/^the erasure of merchants\/a%20b is refused: 400 .+$/m);
  expect(await owner`SELECT id FROM directory.merchants WHERE from_product`).toEqual([
    { id: "m-2" },
  ]);
});

test("the example program drops sources whose shop is being erased, also if it read them before, or that a restore has lost", async () => {
  for (const shop of ["gone", "again", "kept", "kept lost"]) {
    const [id = ""] = shop.split(" ");
    await call("PUT", `/internal/shops/${id}`, { name: id, domain: null, plan: "standard" });
    await owner`INSERT INTO survey.sources (shop_id, name, type) VALUES (${id}, ${shop}, 'tv')`;
    await product`INSERT INTO shops VALUES (${id}, ${id}, NULL, 'standard') ON CONFLICT DO NOTHING`;
  }
  const { body } = await call("GET", "/internal/sources");
  await product`UPDATE sync_state SET cursor = ${body.cursor}`;
  await product`INSERT INTO sources VALUES ('kept', 'lost', NULL, '{"name": "kept lost"}')`;
  await owner`DELETE FROM survey.sources WHERE name = 'kept lost'`;
  await owner`UPDATE survey.source_position SET number = number - 1`; // as a restore does
  await product`DELETE FROM shops WHERE id IN ('gone', 'again')`;
  await product`INSERT INTO shops VALUES ('again', 'again', NULL, 'standard')`;
  const sources = async () =>
    (await product`SELECT source ->> 'name' AS name FROM sources ORDER BY name`).flatMap(
      Object.values,
    );
  await owner.begin(async (holder) => {
    await holder`SELECT FROM directory.shops WHERE id = 'again' FOR UPDATE`;
    const { stop, printed } = startProgram(url);
    await expect.poll(sources, { timeout: 20_000 }).toEqual(["again", "kept"]);
    await stop();
    expect(await printed).toMatch(/^Partner Connect has lost the source .*"kept lost"/m);
    startProgram(url);
  });
  await expect.poll(sources, { timeout: 20_000 }).toEqual(["kept"]);
  const [state] = await product`SELECT cursor, lost_at FROM sync_state`;
  expect(state?.["lost_at"]).toEqual(expect.any(Date));

  delayPage = async () => {
    delayPage = undefined;
    await product`DELETE FROM shops WHERE id = 'kept'`;
    await product`INSERT INTO shops VALUES ('kept', 'kept', NULL, 'standard')`;
    await expect.poll(sources, { timeout: 20_000 }).toEqual([]);
  };
  await owner`UPDATE survey.sources SET number = NULL WHERE name = 'kept'`;
  const cursor = async () => (await product`SELECT cursor FROM sync_state`)[0]?.["cursor"];
  await expect.poll(cursor, { timeout: 20_000 }).not.toBe(state?.["cursor"]);
  expect(await sources()).toEqual([]);
});

test("the example program sends a merchant while another process sends 1,000 older changes of a shop", async () => {
  await product`INSERT INTO outbox (kind, shop_id, id) SELECT 'responses', 'held', n FROM generate_series(1, 1000) AS n`;
  await product`INSERT INTO merchants VALUES ('m-3', 'c@product.example', 'C', 'disabled')`;
  await product.begin(async (caller) => {
    await caller`SELECT pg_advisory_xact_lock(hashtextextended('shop held', 0))`;
    startProgram(url);
    const sent = () => owner`SELECT status FROM directory.merchants WHERE id = 'm-3'`;
    await expect.poll(sent, { timeout: 20_000 }).toEqual([{ status: "disabled" }]);
  });
});

test("the guide's refill of the outbox waits for an uncommitted change of a response", async () => {
  const [refill] = /^INSERT INTO outbox .+ FROM responses\b.*$/m.exec(guide) ?? [];
  await product`INSERT INTO shops VALUES ('hats', 'Hats', NULL, 'standard')`;
  await product`INSERT INTO questions VALUES ('hats', 1, 'How?')`;
  await product`INSERT INTO responses (shop_id, id, question_id, response) VALUES ('hats', 'r', 1, 'A')`;
  const other = database.connect(database.url, { name: "refill", connections: 1 });
  await product.begin(async (open) => {
    await open`UPDATE responses SET response = 'B'`;
    const refilling = other.unsafe(`SET lock_timeout = '100ms'; ${refill}`);
    await expect(refilling).rejects.toMatchObject({ code: "55P03" });
  });
});

test("if a membership's or response's key is updated, the example program replaces the row with the old key", async () => {
  await product`INSERT INTO members VALUES ('hats', 'm-2')`;
  await product`UPDATE questions SET prompt = 'How then?'`;
  startProgram(url);
  const sent = () => owner`
    SELECT merchant_id, id, doc::json ->> 'question' AS question
    FROM directory.memberships JOIN survey.responses USING (shop_id)`;
  const wait = { timeout: 20_000 };
  await expect.poll(sent, wait).toEqual([{ merchant_id: "m-2", id: "r", question: "How?" }]);
  await product`UPDATE members SET merchant_id = 'm-3'`;
  await product`UPDATE responses SET id = 's'`;
  await expect.poll(sent, wait).toEqual([{ merchant_id: "m-3", id: "s", question: "How?" }]);
});

test("the example program counts changes that lost to a higher version, and the guide's SQL moves versions on after each restore of the same backup", async () => {
  await product`DELETE FROM outbox`; // what the last test's program was still sending
  await product`ALTER SEQUENCE outbox_position_seq RESTART`; // as a restore does
  await product`UPDATE responses SET response = 'B'`;
  startProgram(url);
  const older = () => product`SELECT older_versions::integer AS count FROM sync_state`;
  await expect.poll(older, { timeout: 20_000 }).toEqual([{ count: 1 }]);
  const restore = `ALTER SEQUENCE outbox_position_seq RESTART; ${/SELECT setval[^`]+/.exec(guide)}`;
  const moved = async () =>
    Number((await product.unsafe<{ setval: string }[]>(restore)).flat().at(-1)?.setval);
  const first = await moved();
  expect(await moved()).toBeGreaterThan(first);
});

test("the example program sends refused data once its shop or merchant is accepted and its time isn't in the future", async () => {
  await product`INSERT INTO merchants VALUES ('m-5', 'none', 'E')`;
  await product`INSERT INTO shops VALUES ('cups', 'Cups', 'https://cups.example', 'standard')`;
  await product`INSERT INTO members VALUES ('cups', 'm-5')`;
  await product`INSERT INTO questions VALUES ('cups', 1, 'How?')`;
  await product`INSERT INTO responses VALUES ('cups', 'r', now(), 1, 'A')`;
  startProgram(url);
  const refused = () => product`SELECT left(refused, 3) AS status FROM outbox ORDER BY 1`;
  const statuses = ["400", "400", "404", "404", "404"].map((status) => ({ status }));
  await expect.poll(refused, { timeout: 20_000 }).toEqual(statuses);
  await product`UPDATE responses SET inserted_at = now() + interval '5 s' WHERE shop_id = 'cups'`;
  await product`UPDATE shops SET domain = NULL WHERE id = 'cups'`;
  await product`UPDATE merchants SET email = 'e@product.example' WHERE id = 'm-5'`;
  await expect.poll(refused, { timeout: 20_000 }).toEqual([]);
});

test.for([
  "UPDATE shops SET id = 'caps' WHERE id = 'kept'",
  "UPDATE merchants SET id = 'm-4' WHERE id = 'm-2'",
  "TRUNCATE responses",
  "TRUNCATE shops CASCADE",
  "DELETE FROM questions",
])("the example's tables refuse %s", async (change) => {
  await product`INSERT INTO shops VALUES ('kept', 'Kept', NULL, 'standard') ON CONFLICT DO NOTHING`;
  const refusal = /INSERT new rows and DELETE the old ones|violates foreign key constraint/;
  await expect(product.unsafe(change)).rejects.toThrow(refusal);
});

test("after Partner Connect is restored, the guide's SQL sends deletions again, but a shop that was created again is kept and nothing of it is refused", async () => {
  await product`INSERT INTO shops VALUES ('lost', 'Lost', NULL, 'standard'), ('caps', 'Caps', NULL, 'standard')`;
  await product`INSERT INTO questions VALUES ('caps', 1, 'How?')`;
  await product`INSERT INTO responses SELECT 'caps', n, now(), 1, 'A' FROM generate_series(1, 1000) AS n`;
  await product`DELETE FROM shops WHERE id <> 'hats'`;
  await product`INSERT INTO shops VALUES ('caps', 'Caps', NULL, 'standard')`;
  await product`DELETE FROM outbox`;
  for (const id of ["caps", "lost"])
    await call("PUT", `/internal/shops/${id}`, { name: id, domain: null, plan: "standard" });
  await call("PUT", "/internal/shops/hats/members/m-2");
  const old = { id: "r", question_id: 1, response: "A" };
  await call("POST", "/internal/shops/hats/responses", [old]);

  await product.unsafe((guide.match(/^INSERT INTO outbox .+/gm) ?? []).join("\n"));
  const { stop, printed } = startProgram(url);
  const erased = () =>
    owner`DELETE FROM directory.shops WHERE id = 'caps' AND erase_requested_at IS NOT NULL RETURNING id`;
  await expect.poll(erased, { timeout: 20_000 }).toHaveLength(1);
  await expect.poll(outbox, { timeout: 20_000 }).toEqual([]);
  const left = owner`SELECT id FROM directory.shops WHERE erase_requested_at IS NULL ORDER BY id`;
  expect(await left).toEqual([{ id: "caps" }, { id: "hats" }]);
  const ids = owner`SELECT merchant_id, id FROM directory.memberships JOIN survey.responses USING (shop_id)`;
  expect(await ids).toEqual([{ merchant_id: "m-3", id: "s" }]);
  await stop();
  expect(await printed).not.toMatch(/^refused: \w+ caps/m);
});
