import { generateResponses as generateLines } from "@partner-connect/survey-data/generated";
import type { StackUnderTest } from "../stack/stacks.ts";
import type { ShopRecord } from "./onboarding.ts";
import { operator } from "./operator.ts";

/** A record as it is imported and as the API returns it. */
export type SurveyRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly inserted_at: string;
  readonly updated_at: string;
};

/** Generated responses; the same seed gives the same ones. */
export function generateResponses(count: number, seed: string): SurveyRecord[] {
  return [...generateLines({ count, seed })].map((line) => JSON.parse(line));
}

export async function importRecords(
  stack: Pick<StackUnderTest, "dataDir">,
  noun: "response" | "question",
  shop: Pick<ShopRecord, "id">,
  records: readonly object[],
): Promise<void> {
  const stdin = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  await operator(stack, [noun, "import", "--shop", shop.id, "-"], { stdin });
}
