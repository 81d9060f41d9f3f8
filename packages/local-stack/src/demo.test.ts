import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@partner-connect/database";
import { freshDatabase } from "@partner-connect/database/testing";
import { findClient } from "@partner-connect/directory";
import { expect, test } from "vitest";
import { loadDemoData } from "./demo.ts";

test("a start that was interrupted after it had made the client is completed by the next one", async () => {
  const database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  const dataDir = await mkdtemp(join(tmpdir(), "partner-connect-demo-"));
  await mkdir(join(dataDir, "logs"));
  const load = () => loadDemoData(dataDir, database.url, () => {});
  const first = await load();
  expect(await load()).toEqual({ ...first, fresh: false });
  const file = join(dataDir, "demo.json");
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), client: null, api_key: null }));

  const second = await load();
  expect(second).toMatchObject({ fresh: true, client: { name: first.client?.name } });
  const sql = connectDatabase(database.url, { name: "test" });
  expect(await findClient(sql, second.client?.client_id ?? "")).toMatchObject({
    website: "https://insights.example/",
    logoPath: expect.stringContaining(".webp"),
  });
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true });
});
