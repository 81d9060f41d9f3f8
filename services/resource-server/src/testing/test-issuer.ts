import { createServer, type Server } from "node:http";
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, SignJWT } from "jose";

/** An authorization server's keys on a real port, and tokens that they sign. */
export interface TestIssuer {
  readonly url: string;
  /** How often the keys were fetched. */
  readonly fetches: number;
  /** Keys served from now on. */
  rotate(kid: string, options?: { readonly alg?: "EdDSA" | "ES256"; readonly keep?: boolean }): Promise<void>;
  /** Makes something else of each key that is served from now on. */
  spoil(change: (key: JWK) => unknown): void;
  /** Whether it closes each connection from now on, or answers nothing. */
  away(away: boolean | "silent"): void;
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export async function testIssuer(): Promise<TestIssuer> {
  let keys: JWK[] = [];
  let spoiled = (key: JWK): unknown => key;
  let active: { kid: string; alg: string; privateKey: GenerateKeyPairResult["privateKey"] } | undefined;
  let fetches = 0;
  let isAway: boolean | "silent" = false;
  const server: Server = createServer((_request, response) => {
    fetches++;
    if (isAway === "silent") return;
    if (isAway) return void response.destroy();
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ keys: keys.map((key) => spoiled(key)) }));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const issuer: TestIssuer = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/jwks`,
    get fetches() {
      return fetches;
    },
    async rotate(kid, { alg = "EdDSA", keep = false } = {}) {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      keys = [...(keep ? keys : []), { ...(await exportJWK(publicKey)), kid, alg, use: "sig" }];
      active = { kid, alg, privateKey };
    },
    spoil(change) {
      spoiled = change;
    },
    away(away) {
      isAway = away;
    },
    async sign(claims, header = {}) {
      if (!active) throw new Error("no key");
      const { kid, alg, privateKey } = active;
      return await new SignJWT(claims).setProtectedHeader({ alg, typ: "at+jwt", kid, ...header }).sign(privateKey);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await issuer.rotate("key-1");
  return issuer;
}
