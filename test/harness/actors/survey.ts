import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { StackUnderTest } from "../stack/stacks.ts";
import type { ShopRecord } from "./onboarding.ts";
import { operator } from "./operator.ts";

const GENERATOR = fileURLToPath(
  new URL("../../../packages/survey-data/src/generated/generate-responses.main.ts", import.meta.url),
);

/** A record as it is imported and as the API returns it. */
export type SurveyRecord = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly inserted_at: string;
  readonly updated_at: string;
};

/** Made-up responses as `pnpm generate-responses` prints them; the same seed, the same responses. */
export async function generateResponses(count: number, seed: string): Promise<SurveyRecord[]> {
  const args = [GENERATOR, "--count", String(count), "--seed", seed];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 256 * 1024 * 1024 });
  return stdout.split("\n").flatMap((line) => (line ? [JSON.parse(line)] : []));
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
