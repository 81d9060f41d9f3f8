import { connectDatabase } from "@partner-connect/database";
import type { SyncBatch, SyncState } from "@partner-connect/partner-sdk";
import { shopKeeper } from "@partner-connect/survey-data/testing";
import { afterAll } from "vitest";
import { callApi } from "../../harness/actors/partner.ts";
import type { StackUnderTest } from "../../harness/stack/stacks.ts";

/** A partner's copy of a shop in memory. */
export class Copy {
  readonly records = new Map<string, unknown>();
  state: SyncState | null = null;
  resets = 0;

  /** Applies the batch as one transaction. */
  apply({ reset, responses, deletedIds, state }: SyncBatch): void {
    if (reset) {
      this.records.clear();
      this.resets += 1;
    }
    for (const response of responses) this.records.set(response.id, response);
    for (const id of deletedIds) this.records.delete(id);
    // A partner's database would store JSON.
    this.state = JSON.parse(JSON.stringify(state));
  }

  async follow(batches: AsyncIterable<SyncBatch>): Promise<void> {
    for await (const batch of batches) this.apply(batch);
  }
}

/** The shop's current records by id, read without the SDK. */
export async function recordsOf(stack: StackUnderTest, authorization: string) {
  const records = new Map<string, unknown>();
  for (let url: string | null = `${stack.base_url}/api/responses?limit=1000`; url !== null; ) {
    const { data, next } = (await callApi(url, authorization)).json();
    for (const record of data) records.set(record.id, record);
    url = next;
  }
  return records;
}

/** Ids of records that only one of the two has, or that differ. */
export function differences(
  copy: ReadonlyMap<string, unknown>,
  truth: ReadonlyMap<string, unknown>,
): string[] {
  const ids = new Set([...copy.keys(), ...truth.keys()]);
  return [...ids].filter((id) => JSON.stringify(copy.get(id)) !== JSON.stringify(truth.get(id)));
}

/** Changes shops' responses as an operator does, in this process; for the tests of a file. */
export function suiteKeeper(stack: StackUnderTest) {
  const sql = connectDatabase(stack.database_url, { name: "sync test", connections: 2 });
  afterAll(() => sql.end());
  return { sql, ...shopKeeper(sql) };
}

/** A record of an import without our times: it is stamped when it is stored. */
export function withoutTimes({
  inserted_at,
  updated_at,
  ...record
}: Readonly<Record<string, unknown>>): object {
  return record;
}
