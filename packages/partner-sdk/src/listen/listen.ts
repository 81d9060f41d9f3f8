import { baseUrl, isLoopback } from "../base-url.ts";
import { systemClock } from "../clock.ts";
import { CursorExpired, InvalidRequest, PartnerConnectError } from "../errors/index.ts";
import { PartnerApi } from "../partner-api/partner-api.ts";
import { type RunSecrets, runSecrets } from "./run-secrets.ts";

export interface ListenOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** An http address of this machine. */
  readonly forward: string;
  /** What to verify with, once it listens. */
  begun(secrets: Pick<RunSecrets, "secret" | "publicKey">): void;
  /** What it does, a line each. */
  say(line: string): void;
  readonly signal?: AbortSignal;
}

const LEAST_PAUSE_MS = 1000;
const ATTEMPTS = 4;
const TIMEOUT_MS = 5000;

/**
 * Sends hints to a program on this machine, as the server's webhooks would: it waits for what is new in the client's feed. For developers,
 * whose machines no webhook reaches. @throws {PartnerConnectError} wrong credentials, or an address that is not this machine's
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { clientId, clientSecret, say, signal } = options;
  const forward = loopback(options.forward);
  const fetch: typeof globalThis.fetch = (input, init) => globalThis.fetch(input, init);
  const server = { baseUrl: baseUrl(options.baseUrl), clientId, clientSecret, fetch, clock: systemClock };
  const api = new PartnerApi(server);
  let cursor = await endOfFeed(api, signal);
  const secrets = await runSecrets();
  options.begun(secrets);
  for (;;) {
    try {
      const page = await api.changes({ after: cursor, limit: 1000, wait: 25, signal });
      cursor = page.cursor;
      const kinds = [...new Set(page.data.map(({ kind }) => kind))].sort();
      if (kinds.length > 0) await send(kinds);
      await systemClock.sleep(LEAST_PAUSE_MS, signal);
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof CursorExpired) cursor = await endOfFeed(api, signal);
      else if (!(error instanceof PartnerConnectError && error.isTemporary)) throw error;
      say(error.message);
      await systemClock.sleep(LEAST_PAUSE_MS, signal);
    }
  }

  /** Repeated as the server does, with the same id; the end of a run is the end of it. */
  async function send(kinds: readonly string[]): Promise<void> {
    const id = `msg_${crypto.randomUUID().replaceAll("-", "")}`;
    const timestamp = new Date().toISOString();
    const body = JSON.stringify({ type: "changes", timestamp, data: { client_id: clientId, kinds } });
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const outcome = await post(await secrets.headers(id, new Date(), body), body);
      say(`${timestamp} ${id} ${kinds.join(" ")}: ${outcome}`);
      if (/^2/.test(outcome)) return;
      if (attempt < ATTEMPTS) await systemClock.sleep(LEAST_PAUSE_MS * 2 ** attempt, signal);
    }
  }

  async function post(headers: Readonly<Record<string, string>>, body: string): Promise<string> {
    try {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const answer = await fetch(forward, { method: "POST", headers, body, redirect: "manual", signal: timeout });
      await answer.body?.cancel();
      return String(answer.status);
    } catch (error) {
      const { message, cause } = error as Error;
      return `no answer (${(cause as { readonly code?: string } | undefined)?.code ?? message})`;
    }
  }
}

/** Of all that was new before, nothing is told. */
async function endOfFeed(api: PartnerApi, signal: AbortSignal | undefined): Promise<string> {
  for (let after: string | null = null; ; ) {
    const page = await api.changes({ after, limit: 1000, signal });
    if (!page.has_more) return page.cursor;
    after = page.cursor;
  }
}

function loopback(forward: string): string {
  const url = URL.canParse(forward) ? new URL(forward) : null;
  if (url?.protocol === "http:" && isLoopback(url.hostname)) return url.href;
  throw new InvalidRequest(
    "forward must be an http address of this machine, such as http://localhost:3000/webhooks",
    "forward",
  );
}
