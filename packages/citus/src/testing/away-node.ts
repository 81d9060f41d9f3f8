import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sql } from "@partner-connect/database";

/** The Citus group of the shop's node. */
export async function nodeOf(owner: Sql, shopId: string): Promise<number> {
  const [row] = await owner<{ groupid: number }[]>`
    SELECT groupid FROM pg_dist_placement
    WHERE shardid = get_shard_id_for_distribution_column('survey.responses', ${shopId}::text)`;
  return row?.groupid ?? 0;
}

/** Runs `work` while the node is away for this database: it looks for the node where nobody listens. */
export async function whileAway<T>(owner: Sql, node: number, work: () => Promise<T>): Promise<T> {
  return await whileElsewhere(owner, node, "/nowhere", work);
}

/** Runs `work` while the node takes connections and says nothing, as a machine does that hangs. */
export async function whileSilent<T>(owner: Sql, node: number, work: () => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "silent-node-"));
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket));
  const [{ nodeport } = { nodeport: 0 }] = await owner<{ nodeport: number }[]>`
    SELECT nodeport FROM pg_dist_node WHERE groupid = ${node}`;
  const path = join(folder, `.s.PGSQL.${nodeport}`);
  await once(server.listen(path), "listening");
  await Promise.all([chmod(folder, 0o755), chmod(path, 0o777)]); // Postgres is another user
  try {
    return await whileElsewhere(owner, node, folder, work);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
    await rm(folder, { recursive: true });
  }
}

async function whileElsewhere<T>(owner: Sql, node: number, place: string, work: () => Promise<T>): Promise<T> {
  const [was] = await owner<{ nodename: string }[]>`SELECT nodename FROM pg_dist_node WHERE groupid = ${node}`;
  const move = (name: string | undefined) =>
    owner`UPDATE pg_dist_node SET nodename = ${name ?? ""} WHERE groupid = ${node}`;
  await move(place);
  try {
    return await work();
  } finally {
    await move(was?.nodename);
  }
}
