import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { misused, operatorOnOwnDatabase, refused, stderrOf } from "../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase();
const folder = temporaryFolder(afterAll);
const file = join(folder, "records.ndjson");
let shop: string;

await cli.json("merchant create --email a@shop.example --name A --password", "correct horse");

beforeEach(async () => {
  shop = (await cli.json("shop create --name Hats --owner a@shop.example")).id;
});

const line = (record: object) => `${JSON.stringify(record)}\n`;
const answered = (response: string, more: object = {}) =>
  line({ question: "How did you hear about us?", response, ...more });
const stored = async (): Promise<Record<string, unknown>[]> => {
  const rows = await sql<
    { doc: string }[]
  >`SELECT doc FROM survey.responses WHERE shop_id = ${shop} ORDER BY id`;
  return rows.map(({ doc }) => JSON.parse(doc));
};

test("response import imports a file, and counts new and unchanged records", async () => {
  await writeFile(file, answered("Podcast", { id: "r1" }) + answered("TV", { id: "r2" }));
  const none = { updated: 0, unchanged: 0, older: 0, superseded: 0, backfilled: 0 };
  const counts = { records: 2, inserted: 2, ...none };
  expect(await cli.json("response import --shop", shop, file)).toEqual(counts);
  expect((await cli("response import --shop", shop, file)).stdout).toBe(
    "Imported 2 responses: 0 new, 0 updated, 2 stored already.\n",
  );
});

test("response import resolves a relative path from the folder in which the operator called pnpm", async () => {
  await writeFile(file, answered("Podcast"));
  const there = cli.with({ npm_lifecycle_event: "partner-connect", INIT_CWD: folder });
  expect(await there.json("response import --shop", shop, "records.ndjson")).toMatchObject({
    inserted: 1,
  });
});

test("response import warns about records with an updated_at in the past, because partners may miss them", async () => {
  const past = answered("Podcast", {
    inserted_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  });
  const told = await cli.typing(past)("response import --shop", shop, "-", "--json");
  expect(told.stderr).toMatch(
    /note: 1 response kept the file's updated_at; .* won't see these changes\n$/,
  );
  expect(JSON.parse(told.stdout)).toMatchObject({ backfilled: 1 });
});

test("response import shows progress on stderr", async () => {
  const { stdout, stderr } = await cli.typing(answered("Podcast"))(
    "response import --shop",
    shop,
    "-",
  );
  expect(stderr).toEqual(stderrOf("response_import", /(?:.*\n)*storing: 100 % \(1 response\)\n/));
  expect(stdout).toMatch(/^Imported 1 /);
});

test("response import reports the number of the bad line, as text and as JSON", async () => {
  const bad = line({ question: "Q", response: "R", colour: "red" });
  expect(await cli.typing(bad)("response import --shop", shop, "-")).toEqual(
    refused(/line 1: .*colour/),
  );
  const { code, stderr } = await cli.typing("{\n")("response import --shop", shop, "-", "--json");
  const error = {
    error: "IMPORT_REFUSED",
    message: expect.stringMatching(/^line 1/),
    hint: null,
  };
  expect([code, JSON.parse(stderr)]).toEqual([1, error]);
});

test.each([
  ["none", /there is no file \/.*none/],
  [".", /is a folder/],
])("response import refuses the unreadable source %j", async (name, problem) => {
  expect(await cli("response import --shop", shop, join(folder, name))).toEqual(refused(problem));
});

test.each(["question", "response"])(
  "%s import of an empty source imports nothing",
  async (noun) => {
    for (const nothing of ["", "\n\n"]) {
      const { code, stdout } = await cli.typing(nothing)(noun, "import", "--shop", shop, "-");
      expect([code, stdout]).toEqual([
        0,
        `Imported 0 ${noun}s: 0 new, 0 updated, 0 stored already.\n`,
      ]);
    }
  },
);

const importTwo = () =>
  cli
    .typing(answered("Friend", { id: "r1" }) + answered("Web", { id: "r2" }))
    .json("response", "import", "--shop", shop, "-");

test("response recategorize accepts ids from options, a file or stdin, and its error lists at most ten unknown ids", async () => {
  await importTwo();
  await writeFile(file, "r1\r\n\nr2\nr1\n");
  const to = (response: string) => ["response recategorize --shop", shop, "--response", response];
  const changed = { shop_id: shop, response: "Podcast", changed: 2 };
  expect(await cli.json(...to("Podcast"), "--id", "r1", "--id", "r2")).toEqual(changed);
  expect((await stored()).map((record) => record["response"])).toEqual(["Podcast", "Podcast"]);
  expect((await cli(...to("TV"), "--ids-from", file)).stdout).toBe("Recategorized 2 of 2.\n");
  const many = `r1\n${Array.from({ length: 12 }, (_, index) => `x${index}\n`).join("")}`;
  expect(await cli.typing(many)(...to("TV"), "--ids-from", "-")).toEqual(
    refused(/has no response "x0", "x1", "x10", .* and 2 more \(0 recategorized\)/),
  );
  expect(await cli(...to(""), "--id", "r1")).toEqual(
    refused(/(?<!unexpected error: )response is empty/),
  );
});

test("response delete deletes only the responses with the given ids", async () => {
  await importTwo();
  const words = ["response delete --shop", shop, "--id", "r1"];
  expect(await cli.declined(...words)).toMatch(
    /1 response of Hats .* for good\.\nType Hats to continue/,
  );
  expect(await stored()).toHaveLength(2);
  expect(await cli.json(...words, "--yes")).toEqual({ shop_id: shop, deleted: 1 });
  expect((await stored()).map((record) => record["id"])).toEqual(["r2"]);
  const both = await cli.atTerminal().typing("Hats\n")(...words, "--id", "r2");
  expect([both.stdout, await stored()]).toEqual(["Deleted 1 of 2.\n", []]);
});

test("response delete is refused for an unknown response, and without any id", async () => {
  expect(await cli("response delete --shop", shop, "--id", "r9")).toEqual(
    refused(/has no response "r9"/),
  );
  expect(await cli("response delete --shop", shop)).toEqual(misused(/use --id, or --ids-from/));
});
