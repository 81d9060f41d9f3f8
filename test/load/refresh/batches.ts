import { connectDatabase } from "@partner-connect/database";
import { connectByStatement } from "../connect-shops.ts";
import type { RefreshTarget } from "../peer-process.ts";
import { load } from "../refresh-load.ts";
import { cpuMs, type Served, serve } from "../served.ts";
import { type FloorRow, floorTable, spread, table } from "../table.ts";

/** Tokens of a batch. */
const BATCH = 1000;

/** Connects the client with as many shops as a batch has tokens. */
export async function connectBatch(databaseUrl: string, clientId: string): Promise<readonly string[]> {
  const sql = connectDatabase(databaseUrl, { name: "test", connections: 1 });
  const shops = await connectByStatement(sql, clientId, BATCH);
  await sql.end();
  return shops.map(({ refreshToken }) => refreshToken);
}

/** As few connections as one partner has. The floor is for these: a batch takes the place of his single refreshes. */
const FEW = 8;
const MANY = 32;

interface Round {
  readonly batches: Served;
  readonly few: Served;
  readonly many: Served;
  /** Single refreshes on few connections, while batches are sent one after the other. */
  readonly beside: Served;
}

/** What batches cost a token, against single refreshes of the same rounds; and what single refreshes wait beside them. */
export class Batches {
  readonly #target: RefreshTarget;
  readonly #tokens: readonly string[];

  constructor(target: RefreshTarget, tokens: readonly string[]) {
    this.#target = target;
    this.#tokens = tokens;
  }

  async report(rounds: number, seconds: number): Promise<string> {
    const all: Round[] = [];
    for (let round = 0; round <= rounds; round++) all.push(await this.#round(round === 0 ? 1 : seconds));
    const measured = all.slice(1);
    const ratio = (kind: "few" | "many", cost: (one: Served) => number) =>
      measured.map((round) => cost(round.batches) / BATCH / cost(round[kind]));
    const node = ({ nodeMs }: Served) => nodeMs;
    const floors: FloorRow[] = [
      [`CPU a token, batch / single refreshes, ${FEW}`, ratio("few", cpuMs), "≤ 0.333", "0.2"],
      [`Node's part of it, ${FEW}`, ratio("few", node)],
      [`CPU a token, batch / single refreshes, ${MANY}`, ratio("many", cpuMs)],
      [`Node's part of it, ${MANY}`, ratio("many", node)],
      [
        `p99 of single refreshes on ${FEW}, beside batches / without`,
        measured.map(({ few, beside }) => beside.p99 / few.p99),
        ...(["≤ 2", "1.2"] as const),
      ],
    ];
    const column = (pick: (one: Served) => number, digits: number) =>
      spread(
        measured.map(({ batches }) => pick(batches)),
        digits,
      );
    const figures = [
      "batches of 1,000",
      ...[column(({ perSecond }) => perSecond * BATCH, 0), column(({ p50 }) => p50, 0), column(({ p99 }) => p99, 0)],
      ...[node, ({ postgresMs }: Served) => postgresMs, ({ redisMs }: Served) => redisMs].map((pick) =>
        column((one) => pick(one) / BATCH, 4),
      ),
    ];
    const head = ["", "tokens/s", "p50 ms", "p99 ms", "CPU ms a token", "Postgres", "Redis"];
    return `${floorTable(floors)}\n\n${table(head, [figures])}`;
  }

  async #round(seconds: number): Promise<Round> {
    const target = { ...this.#target, url: `${this.#target.url}/batch` };
    const options = { connections: 1, seconds, headers: this.#headers };
    const batches = await serve(target, [this.#request()], options);
    const few = await load(this.#target, FEW, seconds);
    const many = await load(this.#target, MANY, seconds);
    const ended = Promise.withResolvers<void>();
    const sent = this.#sendUntil(ended.promise);
    const beside = await load(this.#target, FEW, seconds).finally(ended.resolve);
    await sent;
    return { batches, few, many, beside };
  }

  get #headers() {
    const { clientId, secret } = this.#target;
    return {
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString("base64")}`,
      "content-type": "application/json",
    };
  }

  #request() {
    const { pathname } = new URL(this.#target.url);
    return {
      method: "POST",
      path: `${pathname}/batch`,
      body: JSON.stringify({ refresh_tokens: this.#tokens }),
    } as const;
  }

  async #sendUntil(end: Promise<void>): Promise<void> {
    let isEnded = false;
    void end.then(() => {
      isEnded = true;
    });
    const { method, body } = this.#request();
    while (!isEnded) {
      const answer = await fetch(`${this.#target.url}/batch`, { method, body, headers: this.#headers });
      const { results } = (await answer.json()) as { readonly results: readonly object[] };
      if (!results.every((result) => "access_token" in result)) throw new Error("a batch was not answered whole");
    }
  }
}
