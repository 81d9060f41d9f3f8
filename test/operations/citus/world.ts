import type { PartnerClient } from "../../harness/actors/onboarding.ts";
import { partner } from "../../harness/actors/partner.ts";
import { type LoadedShop, loadedShops, writeSource } from "../../harness/actors/shop-load.ts";
import { type CitusCluster, distributeDatabase, nodeOfShop, startCitus } from "../../harness/engines/citus-cluster.ts";
import { type OwnStack, startOwnStack } from "../../harness/stack/stacks.ts";

/** A Citus cluster with the services on its workers, and shops on each of them. */
export interface CitusWorld {
  readonly cluster: CitusCluster;
  readonly stack: OwnStack;
  readonly client: PartnerClient;
  readonly shops: readonly LoadedShop[];
  /** The ids of those whose rows the node has. */
  shopsOf(node: number): Promise<Set<string>>;
  /** Whether each of the shops reads a page, refreshes and writes. */
  areServed(): Promise<boolean>;
  stop(): Promise<void>;
}

const SHOPS = 6;

export async function citusWorld(): Promise<CitusWorld> {
  const cluster = await startCitus();
  let stack: OwnStack | undefined;
  const stop = async (): Promise<void> => {
    await stack?.stop();
    await cluster.remove();
  };
  try {
    await distributeDatabase(cluster.url);
    const env = { DATABASE_URL: cluster.url, SERVICES_DATABASE_URL: cluster.servicesUrl };
    const started = await startOwnStack({ env });
    stack = started;
    const { client, shops } = await loadedShops(started, SHOPS);
    return {
      ...{ cluster, stack, client, shops, stop },
      async shopsOf(node) {
        const found = new Set<string>();
        for (const { id } of shops) if ((await nodeOfShop(cluster, id)) === cluster.nodes[node]?.port) found.add(id);
        return found;
      },
      async areServed() {
        const app = partner(started.now, client);
        const answers = shops.flatMap((shop) => [
          app.call("/api/responses?limit=1", shop.accessToken),
          app.refresh(shop.refreshToken),
          writeSource(started, shop, "probe"),
        ]);
        return (await Promise.all(answers)).every(({ status }) => status === 200 || status === 201);
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
