import { randomUUID } from "node:crypto";
import { withDatabase } from "@partner-connect/database/testing";
import { createApiKey } from "@partner-connect/directory";
import { importResponses } from "@partner-connect/survey-data";
import { generateResponses } from "@partner-connect/survey-data/generated";
import { keepAsking, type LoadCall, withRetries } from "../stack/processes.ts";
import type { StackUnderTest } from "../stack/stacks.ts";
import type { Answer } from "./http.ts";
import { connectShops } from "./many-connections.ts";
import type { PartnerClient } from "./onboarding.ts";
import { callApi, partner } from "./partner.ts";

/** A stack whose URLs may change while a test runs. */
export interface Place {
  readonly now: StackUnderTest;
}

/** A connected shop with some responses, and its API key. */
export interface LoadedShop {
  readonly id: string;
  readonly connectionId: string;
  readonly refreshToken: string;
  readonly accessToken: string;
  readonly key: string;
}

const RECORDS = 30;

const ACTOR = { name: "operator:test" };
/** Milliseconds between two calls of a caller. */
const PAUSE = 20;

/** Creates shops that are connected with one partner, each with 30 responses and an API key. */
export async function createLoadedShops(
  stack: Place,
  count: number,
): Promise<{ client: PartnerClient; shops: LoadedShop[] }> {
  const { client, connections } = await connectShops(stack.now, count);
  const app = partner(stack.now, client);
  const shops = await withDatabase(stack.now.database_url, async (sql) => {
    await sql`UPDATE directory.shops SET plan = 'advanced_attribution' WHERE id = ANY (${connections.map(({ shop }) => shop.id)})`;
    const made: LoadedShop[] = [];
    for (const { id: connectionId, shop, refreshToken } of connections) {
      const lines = generateResponses({ count: RECORDS, seed: shop.id });
      await importResponses(sql, { shopId: shop.id, lines }, ACTOR);
      const { key } = await createApiKey(sql, shop.id, ACTOR);
      const { access_token: accessToken } = (
        await withRetries(() => app.refresh(refreshToken))
      ).json();
      made.push({ id: shop.id, connectionId, refreshToken, accessToken, key });
    }
    return made;
  });
  return { client, shops };
}

export interface Call extends LoadCall<Pick<Answer, "status">> {
  readonly what: "page" | "refresh" | "source";
  readonly shop: string;
}

export type ShopLoad = ReturnType<typeof keepShopsBusy>;

/** Starts callers for each shop, which read, refresh and write until `stop`. */
export function keepShopsBusy(place: Place, client: PartnerClient, shops: readonly LoadedShop[]) {
  const acknowledged: { shop: LoadedShop; id: string }[] = [];
  const tokens = new Map(shops.map(({ id, accessToken }) => [id, accessToken]));
  let wrong = 0;
  const page = async (shop: LoadedShop) => {
    const answer = await partner(place.now, client).call(
      `/api/responses?limit=${RECORDS + 1}`,
      tokens.get(shop.id) ?? "",
    );
    if (answer.status === 200 && answer.json().data.length !== RECORDS) wrong++;
    return answer;
  };
  const refresh = async ({ id, refreshToken }: LoadedShop) => {
    const answer = await partner(place.now, client).refresh(refreshToken);
    if (answer.status === 200) tokens.set(id, answer.json().access_token);
    return answer;
  };
  const source = async (shop: LoadedShop) => {
    const id = randomUUID();
    const answer = await writeSource(place, shop, id);
    if (answer.status === 201) acknowledged.push({ shop, id });
    return answer;
  };
  const loads = shops.flatMap((shop) =>
    Object.entries({ page, refresh, source }).map(([what, send]) => {
      const load = keepAsking(async () => ({ status: (await send(shop)).status }), 1, PAUSE);
      return { what: what as Call["what"], shop: shop.id, load };
    }),
  );
  return {
    get calls(): Call[] {
      return loads.flatMap(({ what, shop, load }) =>
        load.calls.map((call) => ({ ...call, what, shop })),
      );
    },
    acknowledged,
    /** How many pages didn't have the expected number of records. */
    get wrong() {
      return wrong;
    },
    async stop() {
      await Promise.all(loads.map(({ load }) => load.stop()));
    },
  };
}

/** True if the partner reads a page, refreshes and writes for each of the shops. */
export async function areServed(place: Place, client: PartnerClient, shops: readonly LoadedShop[]) {
  const app = partner(place.now, client);
  const answers = shops.flatMap((shop) => [
    app.call("/api/responses?limit=1", shop.accessToken),
    app.refresh(shop.refreshToken),
    writeSource(place, shop, "probe"),
  ]);
  return (await Promise.all(answers)).every(({ status }) => status === 200 || status === 201);
}

/** Writes a source. The status is 201 if it was created, 200 if it existed. */
function writeSource(place: Place, { key }: Pick<LoadedShop, "key">, external_id: string) {
  return callApi(`${place.now.base_url}/api/sources`, key, {
    name: "Hats",
    type: "podcast",
    external_id,
  });
}

/** Repeats the acknowledged writes, and returns the number of those that were lost. */
export async function countLost(place: Place, { acknowledged }: Pick<ShopLoad, "acknowledged">) {
  let lost = 0;
  const byShop = Map.groupBy(acknowledged, ({ shop }) => shop);
  const check = async ([shop, writes]: [LoadedShop, { id: string }[]]) => {
    for (const { id } of writes) {
      if ((await withRetries(() => writeSource(place, shop, id))).status !== 200) lost++;
    }
  };
  await Promise.all([...byShop].map(check));
  return lost;
}
