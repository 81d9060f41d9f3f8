import { spawn } from "node:child_process";
import { once } from "node:events";
import type { BenchStack } from "./bench-stack.ts";
import { client } from "./client.ts";

/** Responses a second of one partner who copies the whole shop: by `next`, with limit 1000. */
export async function walkShop(stack: BenchStack): Promise<number> {
  const asker = client(stack.apiUrl, `Bearer ${stack.accessToken}`);
  const began = performance.now();
  let pages = 0;
  try {
    for (let path: string | null = "/api/responses?limit=1000"; path !== null; pages++) {
      const { chunks } = await asker.get(path);
      path = nextOf(chunks);
    }
  } finally {
    asker.close();
  }
  const responses = stack.size.responses / 3;
  if (pages !== responses / 1000) throw new Error(`${pages} pages of ${responses} responses`);
  return responses / ((performance.now() - began) / 1000);
}

/** The envelope ends with `"next":…}`; nothing before that is parsed. */
function nextOf(chunks: readonly Buffer[]): string | null {
  const end = Buffer.concat(chunks.slice(-2)).subarray(-2000).toString();
  const next = JSON.parse(end.slice(end.lastIndexOf('"next":') + 7, -1)) as string | null;
  return next === null ? null : next.slice(new URL(next).origin.length);
}

/** Rows a second of psql, for the same records in the same order. */
export async function copyShop(stack: BenchStack): Promise<number> {
  const statement = `COPY (SELECT doc FROM survey.responses WHERE shop_id = '${stack.shopId}'
    ORDER BY inserted_at DESC, id DESC) TO STDOUT`;
  const began = performance.now();
  const child = spawn("psql", ["--no-psqlrc", "--command", statement, stack.databaseUrl], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`psql: exit ${code}`);
  return stack.size.responses / 3 / ((performance.now() - began) / 1000);
}
