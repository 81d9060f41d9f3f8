import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase } from "@partner-connect/database";
import { importResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";

// Imports responses in batches of one import step, with pauses as long as each took.
const [url = "", shopId = "", count] = process.argv.slice(2);
const sql = connectDatabase(url, { name: "half-rate import", connections: 1 });
let lines: string[] = [];
let rest = Promise.resolve();
for (const line of generateResponses({ count: Number(count), seed: "half rate" })) {
  if (lines.push(line) < 2000) continue;
  await rest;
  const began = performance.now();
  await importResponses(sql, { shopId, lines }, null);
  rest = sleep(performance.now() - began);
  lines = [];
}
await sql.end();
