import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { suiteDatabase } from "../testing/suite.ts";
import { migrate } from "./migrate.ts";

const database = await suiteDatabase();
const sql = database.connect(database.url, { name: "stored documents test", connections: 1 });

const insert = (table: string, doc: string) => sql`
  INSERT INTO ${sql(`survey.${table}`)} (shop_id, id, inserted_at, updated_at, doc)
  VALUES ('shop', ${table === "questions" ? 1 : randomBytes(8).toString("hex")}, now(), now(), ${doc})
  ON CONFLICT (shop_id, id) DO UPDATE SET doc = excluded.doc`;

/** An error of another node has only the message, with a shard's number behind the name. */
const broken = (constraint: string) => expect.stringContaining(`constraint "${constraint}`);

describe.each([
  ["responses", 144 * 1024],
  ["questions", 5 * 1024 * 1024],
])("a stored document in %s", (table, size) => {
  test("a document with a raw line break is refused", async () => {
    await expect(insert(table, '{"a":1,\n"b":2}')).rejects.toMatchObject({
      message: broken(`${table}_doc_is_one_line`),
    });
    await insert(table, '{"a":"1\\n2"}');
  });

  test(`a document has at most ${size} bytes`, async () => {
    await insert(table, "é".repeat(size / 2));
    await expect(insert(table, `${"é".repeat(size / 2)}!`)).rejects.toMatchObject({
      message: broken(`${table}_doc_size`),
    });
  });
});

test("the next migrate validates a constraint left NOT VALID, and fails if rows violate it", async () => {
  const isValid = async (): Promise<unknown> =>
    (await sql`SELECT convalidated FROM pg_constraint WHERE conname = 'broken'`)[0]?.[
      "convalidated"
    ];
  await insert("responses", "{}");
  await sql`ALTER TABLE survey.responses ADD CONSTRAINT broken CHECK (doc <> '{}') NOT VALID`;
  await expect(migrate(database.url)).rejects.toMatchObject({
    code: "23514",
    message: broken("broken"),
  });
  expect(await isValid()).toBe(false);
  await sql`DELETE FROM survey.responses WHERE doc = '{}'`;
  await migrate(database.url);
  expect(await isValid()).toBe(true);
});
