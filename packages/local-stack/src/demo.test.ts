import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { findClient } from "@partner-connect/directory";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { loadDemoData } from "./demo.ts";

const database = await suiteDatabase();

test("if the first start is interrupted after creating the demo client, the next start completes the demo data", async () => {
  const dataDir = temporaryFolder(onTestFinished);
  await mkdir(join(dataDir, "logs"));
  const load = () => loadDemoData(dataDir, database.url, () => {});
  const first = await load();
  expect(await load()).toEqual({ ...first, fresh: false });
  const file = join(dataDir, "demo.json");
  await writeFile(
    file,
    JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), client: null, api_key: null }),
  );

  const second = await load();
  expect(second).toMatchObject({ fresh: true, client: { name: first.client?.name } });
  const sql = database.connect(database.url, { name: "test" });
  expect(await findClient(sql, second.client?.client_id ?? "")).toMatchObject({
    website: "https://insights.example/",
    logoPath: expect.stringContaining(".webp"),
  });
});
