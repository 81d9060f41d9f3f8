import { beforeAll, expect, test } from "vitest";
import { REDIRECT_URI, type RegisteredClient, suiteReplicas } from "./testing/replicas.ts";

const replicas = await suiteReplicas(1, { TOKEN_RATE_LIMIT: "1", TRUSTED_PROXIES: "127.0.0.1/32" });
let client: RegisteredClient;

beforeAll(async () => {
  client = await replicas.registerClient();
});

test("every answer over TLS is of the type that it says, and says that we speak TLS alone", async () => {
  const authorize = `/oauth/api/authorize?client_id=${client.clientId}&redirect_uri=${REDIRECT_URI}`;
  const answers: readonly [number, "GET" | "POST", string][] = [
    [200, "GET", "/oauth/api/jwks"],
    [200, "GET", "/.well-known/oauth-authorization-server"],
    [401, "POST", "/oauth/api/token"],
    [429, "POST", "/oauth/api/token"],
    [429, "GET", "/oauth/api/token"],
    [302, "GET", `${authorize}&state=x`],
    [400, "GET", authorize],
    [405, "POST", "/oauth/api/authorize"],
    [200, "GET", "/oauth/sign-in"],
    [404, "GET", "/oauth/interaction/none"],
    [404, "GET", "/oauth/elsewhere"],
    [404, "GET", "/oauth/%zz"],
  ];
  for (const [status, method, url] of answers) {
    const headers = { "x-forwarded-for": "198.51.100.7" };
    const answer = await replicas.apps[0]?.inject({ method, url, headers });
    expect([url, answer?.statusCode]).toEqual([url, status]);
    expect(answer?.headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "strict-transport-security": "max-age=31536000",
    });
  }
});
