import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connectDatabase } from "@partner-connect/database";
import { Authenticator } from "../../../services/resource-server/src/authentication/authenticate.ts";
import type { BenchStack } from "./bench-stack.ts";

export interface WarmAuthentication {
  readonly accessTokenUs: number;
  readonly apiKeyUs: number;
  /** How many connections and requests it opened while it was measured. */
  readonly networkUse: number;
}

const CALLS = 200_000;

/** The resource server's authenticator, in this process, when it has seen the token before: headers in, caller out. */
export async function warmAuthentication(stack: BenchStack): Promise<WarmAuthentication> {
  const sql = connectDatabase(stack.databaseUrl, { name: "bench", connections: 1 });
  const authenticator = new Authenticator({
    jwksUrl: `${stack.baseUrl}/oauth/api/jwks`,
    jwksRefreshSeconds: 60,
    issuer: stack.baseUrl,
    audience: `${stack.baseUrl}/api`,
    sql,
  });
  const headers = (authorization: string) => ["host", "localhost", "accept", "*/*", "authorization", authorization];
  const measure = async (authorization: string): Promise<number> => {
    const raw = headers(authorization);
    for (let i = 0; i < CALLS / 10; i++) await authenticator.authenticate(raw);
    const began = performance.now();
    for (let i = 0; i < CALLS; i++) await authenticator.authenticate(raw);
    return ((performance.now() - began) * 1000) / CALLS;
  };
  try {
    await authenticator.authenticate(headers(`Bearer ${stack.accessToken}`));
    await authenticator.authenticate(headers(stack.apiKey));
    await sql.end();
    let networkUse = 0;
    const count = (): void => {
      networkUse++;
    };
    const channels = ["net.client.socket", "undici:request:create"];
    for (const channel of channels) subscribe(channel, count);
    const accessTokenUs = await measure(`Bearer ${stack.accessToken}`);
    const apiKeyUs = await measure(stack.apiKey);
    for (const channel of channels) unsubscribe(channel, count);
    return { accessTokenUs, apiKeyUs, networkUse };
  } finally {
    authenticator.keys.stop();
    await sql.end();
  }
}
