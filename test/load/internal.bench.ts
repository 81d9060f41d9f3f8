import { setTimeout as sleep } from "node:timers/promises";
import { generateQuestions, generateResponses } from "@partner-connect/survey-data/generated";
import { onboardApiKey, onboardMerchant, onboardShop } from "../harness/actors/onboarding.ts";
import { operator } from "../harness/actors/operator.ts";
import { pidsOf, readersOf, withStack } from "./bench-stack.ts";
import { processTreeCpuMs, residentMb, WARM_UP_SECONDS } from "./measure.ts";
import { floorTable } from "./table.ts";

const CALLERS = 4;
const BATCH = 1000;
const HALF_RATE = 10_000;
const SIZE = { quick: { rounds: 1, seconds: 5 }, full: { rounds: 5, seconds: 20 } };

/** The line as a survey product sends it. */
function asProduct(line: string): string {
  const { updated_at: _, ...record } = JSON.parse(line);
  return `${JSON.stringify(record)}\n`;
}

/** Responses of four callers, each for its shop; and readers' waits beside half of the rate. */
export async function benchInternal({ quick }: { quick: boolean }): Promise<void> {
  const { rounds, seconds } = quick ? SIZE.quick : SIZE.full;
  await withStack(
    async (stack, sql, dataDir) => {
      const merchant = await onboardMerchant({ dataDir });
      const shops = await Promise.all(
        Array.from({ length: CALLERS }, () => onboardShop({ dataDir }, merchant)),
      );
      const { key: apiKey } = await onboardApiKey({ dataDir }, shops[0] as (typeof shops)[number]);
      const productKey = await operator({ dataDir }, ["product-key", "create", "--name", "bench"]);
      const headers = {
        authorization: `Bearer ${productKey["product_key"]}`,
        "content-type": "application/x-ndjson",
      };
      const call = (path: string, init: RequestInit = {}) =>
        fetch(`${stack.state.internal_api_url}/internal${path}`, { headers, ...init });
      const post = async (shopId: string, table: string, body: string): Promise<number> => {
        const answer = await call(`/shops/${shopId}/${table}`, { method: "POST", body });
        const { created } = (await answer.json()) as { created?: number };
        if (created === undefined) throw new Error(`the internal API answered ${answer.status}`);
        return created;
      };
      let seed = 0;
      const batch = () =>
        [...generateResponses({ count: BATCH, seed: `bench ${seed++}` })].map(asProduct).join("");
      const batches = (count: number): string[] => Array.from({ length: count }, batch);
      for (const { id } of shops)
        await post(id, "questions", [...generateQuestions()].map(asProduct).join(""));

      /** Callers send their batches at this rate or without pause. Returns responses a second. */
      const send = async (bodies: readonly string[], perSecond = Number.POSITIVE_INFINITY) => {
        const began = performance.now();
        const rest = bodies.values();
        let created = 0;
        const every = (1000 * BATCH * CALLERS) / perSecond; // the callers take turns
        const callers = shops.map(async ({ id }, index) => {
          const first = perSecond === Number.POSITIVE_INFINITY ? 0 : (index * every) / CALLERS;
          for (let due = performance.now() + first; ; due += every) {
            const { value: body } = rest.next();
            if (body === undefined) return;
            await sleep(Math.max(0, due - performance.now()));
            const stored = await post(id, "responses", body);
            created += stored;
          }
        });
        await Promise.all(callers);
        return created / ((performance.now() - began) / 1000);
      };

      /** The largest calls, sixteen at once: responses of 16 MB, and pages of sources as large. */
      const largestCalls = async (until: number) => {
        await sql`
          INSERT INTO survey.sources (shop_id, name, type, aliases)
          SELECT ${shops[0]?.id ?? ""}, 'source ' || source, 'other', (SELECT array_agg(repeat('é', 140) || alias) FROM generate_series(1, 60) AS alias)
          FROM generate_series(1, 1000) AS source`;
        const [bytes, text] = [16_000_000, "x".repeat(800)];
        const repeat = async (work: (turn: number) => Promise<Response>) => {
          for (let turn = 0; performance.now() < until; turn++) {
            const answer = await work(turn);
            await answer.text();
            const { status } = answer;
            if (status !== 200 && status !== 503)
              throw new Error(`the internal API answered ${status}`);
          }
        };
        const posts = [...shops, ...shops].map(({ id }, caller) =>
          repeat((turn) => {
            const record = (index: number) =>
              `${JSON.stringify({ id: `${caller}-${turn}-${index}`, question: text, response: text })}\n`;
            const body = Array.from({ length: bytes / record(10_000).length }, (_, index) =>
              record(index),
            ).join("");
            return call(`/shops/${id}/responses`, { method: "POST", body });
          }),
        );
        const pages = posts.map(() => repeat(() => call("/sources?limit=1000")));
        await Promise.all([...posts, ...pages]);
      };

      const { node: pid, postgres } = pidsOf(stack, "back-office", "redis");
      const read = readersOf(stack, apiKey);
      await send(batches(CALLERS * 20));
      await read(WARM_UP_SECONDS);

      const [rates, cpu, postgresCpu, slower]: number[][] = [[], [], [], []];
      for (let round = 0; round < rounds; round++) {
        const bodies = batches(20 * seconds);
        const before = [await processTreeCpuMs(pid), await processTreeCpuMs(postgres)] as const;
        rates?.push(await send(bodies));
        const records = (bodies.length * BATCH) / 1000;
        cpu?.push(((await processTreeCpuMs(pid)) - before[0]) / records);
        postgresCpu?.push(((await processTreeCpuMs(postgres)) - before[1]) / records);
        const half = batches((HALF_RATE / BATCH) * seconds);
        const alone = await read(seconds);
        const [beside] = await Promise.all([read(seconds), send(half, HALF_RATE)]);
        slower?.push(beside.p99 / alone.p99);
      }
      await largestCalls(performance.now() + 1000 * seconds * 2);
      console.log(
        `\n${CALLERS} callers, ${BATCH} responses a call; four readers of 50 in all sorts; ${rounds} rounds\n`,
      );
      console.log(
        floorTable([
          ["responses/s, nothing beside", rates ?? [], "≥ 20000", "", 0],
          ["CPU of the back office, µs a response", cpu ?? [], "", "", 1],
          ["CPU of Postgres, µs a response", postgresCpu ?? [], "", "", 1],
          [
            "memory of the back office beside its largest calls, MB",
            [await residentMb(pid, "VmHWM")],
            "≤ 250",
            "",
            0,
          ],
          [`p99 of a reader beside ${HALF_RATE} a second, ratio`, slower ?? [], "≤ 2", "", 1],
        ]),
      );
    },
    { INTERNAL_API_RATE_LIMIT: "100000000" },
  );
}
