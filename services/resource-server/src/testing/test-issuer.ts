import { createServer, type Server } from "node:http";
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWK, SignJWT } from "jose";

export type TestIssuer = Awaited<ReturnType<typeof testIssuer>>;

/** Serves an authorization server's keys on a real port, and signs tokens. */
export async function testIssuer() {
  let keys: JWK[] = [];
  let spoiled = (key: JWK): unknown => key;
  let active:
    | { kid: string; alg: string; privateKey: GenerateKeyPairResult["privateKey"] }
    | undefined;
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
  const issuer = {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/jwks`,
    get fetches() {
      return fetches;
    },
    /** Replaces the keys that are served. */
    async rotate(
      kid: string,
      { alg = "EdDSA", keep = false }: { alg?: "EdDSA" | "ES256"; keep?: boolean } = {},
    ) {
      const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
      keys = [...(keep ? keys : []), { ...(await exportJWK(publicKey)), kid, alg, use: "sig" }];
      active = { kid, alg, privateKey };
    },
    /** Applies `change` to each served key from now on. */
    spoil(change: (key: JWK) => unknown) {
      spoiled = change;
    },
    /** From now on closes each connection or, if 'silent', does not respond; false ends this. */
    away(away: boolean | "silent") {
      isAway = away;
    },
    async sign(claims: Record<string, unknown>, header: Record<string, unknown> = {}) {
      if (!active) throw new Error("no key");
      const { kid, alg, privateKey } = active;
      return await new SignJWT(claims)
        .setProtectedHeader({ alg, typ: "at+jwt", kid, ...header })
        .sign(privateKey);
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  await issuer.rotate("key-1");
  return issuer;
}
