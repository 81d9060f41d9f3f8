import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Answer, send } from "../../harness/actors/http.ts";
import type { Counts, Kind } from "./counts.ts";
import type { HeldConnection, SoakWorld } from "./world.ts";

const READS = ["/api/responses?limit=20", "/api/responses?limit=20&sort=updated_at_desc", "/api/responses?limit=50"];

/** Repetitions of a refresh or a write, as a partner makes them. A read is never repeated: none may fail. */
const ATTEMPTS = 40;
const PAUSE_MS = 250;

/** The calls that a soak makes, each counted. */
export class Calls {
  /** External ids of the sources that were acknowledged. */
  readonly acknowledged: string[] = [];
  readonly #world: SoakWorld;
  readonly #counts: Counts;
  #turn = 0;
  #refreshes = 0;

  constructor(world: SoakWorld, counts: Counts) {
    this.#world = world;
    this.#counts = counts;
  }

  /** One call of the mix: 80 % pages, 19 % refreshes, 1 % writes. `due`: when it should have started. */
  async next(due: number): Promise<void> {
    const turn = this.#turn++;
    const { connections } = this.#world;
    const nth = (count: number) => connections[count % connections.length] as HeldConnection;
    if (turn % 100 === 0) return await this.#write(due);
    // Each connection in its turn, so that nobody shows a token that has expired.
    if (turn % 100 < 20) return void (await this.refresh(nth(this.#refreshes++), due));
    await this.read(nth(turn * 7919), READS[turn % READS.length] ?? "", due);
  }

  async read({ accessToken }: HeldConnection, path: string, due = performance.now()): Promise<boolean> {
    return (await this.#call("read", 1, due, () => this.#world.app.call(path, accessToken), 200)) !== null;
  }

  async refresh(connection: HeldConnection, due = performance.now()): Promise<boolean> {
    const ask = () => this.#world.app.refresh(connection.refreshToken);
    const answer = await this.#call("refresh", ATTEMPTS, due, ask, 200);
    if (answer) connection.accessToken = answer.json().access_token;
    return answer !== null;
  }

  async #write(due: number): Promise<void> {
    const externalId = randomUUID();
    const key = randomUUID();
    const answer = await this.#call("write", ATTEMPTS, due, () => this.postSource(externalId, key), 201);
    if (answer) this.acknowledged.push(externalId);
  }

  postSource(externalId: string, idempotencyKey: string): Promise<Answer> {
    return send(`${this.#world.state.base_url}/api/sources`, {
      method: "POST",
      headers: {
        authorization: this.#world.written.apiKey,
        "content-type": "application/json",
        "idempotency-key": idempotencyKey,
      },
      body: JSON.stringify({ name: "Soak", type: "podcast", external_id: externalId }),
    });
  }

  /** The answer as asked, or null, which is counted as a failure. */
  async #call(kind: Kind, attempts: number, due: number, ask: () => Promise<Answer>, wanted: number) {
    for (let attempt = 1; ; attempt++) {
      const answer = await ask().catch((error: NodeJS.ErrnoException) => error);
      const status = answer instanceof Error ? 503 : answer.status;
      if (!(answer instanceof Error) && status === wanted) {
        this.#counts.answered(kind, performance.now() - due);
        return answer;
      }
      if (status !== 503 || attempt >= attempts) {
        this.#counts.fail(kind, answer instanceof Error ? (answer.code ?? answer.message) : String(status));
        return null;
      }
      this.#counts.repeated[kind] += 1;
      await sleep(PAUSE_MS);
    }
  }
}
