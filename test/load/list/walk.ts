import { spawn } from "node:child_process";
import { once } from "node:events";
import type { BenchStack } from "./bench-stack.ts";
import { client } from "./client.ts";

/** The whole shop by `next` at limit 1000, as one partner copies it: responses a second. */
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

/** The envelope ends in `"next":…}`; what stands before it is not looked at. */
function nextOf(chunks: readonly Buffer[]): string | null {
  const end = Buffer.concat(chunks.slice(-2)).subarray(-2000).toString();
  const next = JSON.parse(end.slice(end.lastIndexOf('"next":') + 7, -1)) as string | null;
  return next === null ? null : next.slice(new URL(next).origin.length);
}

/** The same records in the same order as Postgres itself hands them out, to psql: rows a second. */
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
