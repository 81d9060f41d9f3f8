import { expect, test } from "vitest";
import { suiteReplicas } from "./testing/replicas.ts";

const { app } = await suiteReplicas(1);

test.each(["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"])(
  "the metadata at %s describes the server by its public URL, whatever the Host header",
  async (url) => {
    const headers = {
      host: "evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "http",
    };
    const response = await app().inject({ url, headers });
    expect(response.json()).toEqual({
      issuer: "https://connect.example",
      authorization_endpoint: "https://connect.example/oauth/api/authorize",
      token_endpoint: "https://connect.example/oauth/api/token",
      revocation_endpoint: "https://connect.example/oauth/api/revoke",
      jwks_uri: "https://connect.example/oauth/api/jwks",
      scopes_supported: ["responses:read", "sources:write"],
      ui_locales_supported: ["en", "de", "fr", "es"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: ["authorization_code", "refresh_token"],
      token_endpoint_auth_methods_supported: ["client_secret_basic"],
      revocation_endpoint_auth_methods_supported: ["client_secret_basic"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
  },
);

test("the JWKS is cacheable and contains no private key", async () => {
  const response = await app().inject({ url: "/oauth/api/jwks" });
  expect(response.headers["cache-control"]).toBe("public, max-age=300");
  expect(response.json()).toEqual({
    keys: [
      {
        kty: "OKP",
        crv: "Ed25519",
        x: expect.any(String),
        kid: expect.any(String),
        alg: "EdDSA",
        use: "sig",
      },
    ],
  });
});

test("unsupported endpoints, such as userinfo, registration and introspection, get 404", async () => {
  for (const name of ["userinfo", "introspect", "register", "par", "device", "session/end"]) {
    for (const method of ["GET", "POST"] as const) {
      const { statusCode } = await app().inject({ method, url: `/oauth/api/${name}` });
      expect([name, method, statusCode]).toEqual([name, method, 404]);
    }
  }
});
