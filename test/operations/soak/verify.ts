import { callApi } from "../../harness/actors/partner.ts";
import type { Calls } from "./calls.ts";
import type { SoakWorld } from "./world.ts";

/** What stands at the end of a soak. */
export interface Verdict {
  /** Connections that refresh, and read with the token that they get. */
  readonly intact: number;
  /** Acknowledged writes that are gone. */
  readonly lost: number;
  readonly checkedWrites: number;
}

/** How many of the sources are looked for, evenly over the whole time. */
const SOURCES = 500;

export async function verify(world: SoakWorld, calls: Calls, imported: number): Promise<Verdict> {
  let intact = 0;
  for (const connection of world.connections) {
    const refreshed = await calls.refresh(connection);
    if (refreshed && (await calls.read(connection, "/api/responses?limit=1"))) intact += 1;
  }
  const step = Math.max(1, Math.floor(calls.acknowledged.length / SOURCES));
  const sources = calls.acknowledged.filter((_, index) => index % step === 0);
  let lost = 0;
  for (const externalId of sources) {
    // One that is there is answered with 200; 201 means that it is made now.
    const { status } = await calls.postSource(externalId, crypto.randomUUID());
    if (status !== 200) lost += 1;
  }
  const missing = Math.max(0, imported - (await countResponses(world)));
  return { intact, lost: lost + missing, checkedWrites: sources.length + imported };
}

/** Of the shop that is written to, by the API. */
async function countResponses({ state, written: { apiKey } }: SoakWorld): Promise<number> {
  let count = 0;
  let next: string | null = `${state.base_url}/api/responses?limit=500`;
  while (next) {
    const answer = await callApi(next, apiKey);
    if (answer.status !== 200) throw new Error(`the responses can't be counted: ${answer.status} ${answer.text}`);
    const page = answer.json();
    count += page.data.length;
    next = page.next;
  }
  return count;
}
