import * as http from "node:http";
import * as https from "node:https";
import type { LookupFunction } from "node:net";
import { type Address, type Egress, publicAddresses } from "@partner-connect/connections/webhooks";

/** Time limit of an attempt: DNS, connection, TLS and response. */
const ATTEMPT_MS = 5000;
const MAX_ANSWER_BYTES = 8192;
const SHOWN_BYTES = 256;

// Our own agents, because Node's may use the environment's proxies (NODE_USE_ENV_PROXY), which
// would choose the address.
const plain = new http.Agent({ keepAlive: false });
const encrypted = new https.Agent({ keepAlive: false });

export interface WebhookEgress extends Egress {
  /** Certificates (PEM) to trust in addition to Node's; for tests. */
  readonly ca?: string;
}

export interface EndpointAnswer {
  readonly status: number;
  /** The first bytes of the body, as one line. */
  readonly body: string;
  /** `Retry-After` in seconds, at most a day; 0 if the response has none. */
  readonly retryAfterSeconds: number;
}

/**
 * Sends a webhook once. All addresses of the host are checked before connecting; redirects are not
 * followed. Only the first 8 KB of the response are read. @throws {WebhookError} for the URL and
 * its addresses; Node's network errors
 */
export async function postWebhook(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  egress: WebhookEgress,
): Promise<EndpointAnswer> {
  const signal = AbortSignal.timeout(ATTEMPT_MS);
  const addresses = await publicAddresses(url, egress, signal);
  const isPlain = new URL(url).protocol === "http:";
  return await new Promise((resolve, reject) => {
    const request = (isPlain ? http : https).request(url, {
      method: "POST",
      agent: isPlain ? plain : encrypted,
      lookup: lookupOf(addresses),
      headers: {
        ...headers,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      },
      maxHeaderSize: MAX_ANSWER_BYTES,
      signal,
      ...(egress.ca !== undefined && { ca: egress.ca }),
    });
    request.on("response", (response) => resolve(read(response)));
    request.on("error", (error) =>
      reject(signal.aborted ? new Error("no answer within 5 s") : error),
    );
    request.on("close", () => reject(new Error("no answer")));
    request.end(body);
  });
}

/** Reads the start of the body. Errors are ignored, because only the status matters. */
async function read(response: http.IncomingMessage): Promise<EndpointAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_ANSWER_BYTES) break;
    }
  } catch {
    // The endpoint or the time limit cut the body off.
  }
  const shown = Buffer.concat(chunks).subarray(0, SHOWN_BYTES).toString("utf8");
  const retryAfterSeconds = secondsOf(response.headers["retry-after"]);
  return {
    status: response.statusCode ?? 0,
    body: shown.replace(/\p{Cc}+/gu, " ").trim(),
    retryAfterSeconds,
  };
}

const DAY_SECONDS = 24 * 3600;

/** `Retry-After` is in seconds, or a date (RFC 9110 §10.2.3). */
function secondsOf(retryAfter = ""): number {
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), DAY_SECONDS);
}

/** Replaces the DNS lookup by the addresses that were checked. */
function lookupOf(addresses: readonly Address[]): LookupFunction {
  return (_host, options, done) => {
    const [first] = addresses;
    if (options.all || !first) done(null, [...addresses]);
    else done(null, first.address, first.family);
  };
}
