import { expect, test } from "vitest";
import { authorizeLink, checkCallback, type PendingAuthorization } from "./authorization.ts";
import { digest } from "./network.ts";

const ISSUER = "https://connect.example";
const REDIRECT_URI = "https://partner.example/callback";

const { url, pending } = await authorizeLink(
  { baseUrl: ISSUER, clientId: "client", now: 0 },
  { redirectUri: REDIRECT_URI, scope: ["responses:read", "sources:write"] },
);

function callback(changes: Readonly<Record<string, string | null>> = {}): string {
  const query = new URLSearchParams({ code: "c", state: pending.state, iss: ISSUER });
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name);
    else query.set(name, value);
  }
  return `${REDIRECT_URI}?${query}`;
}

test("the authorization URL has each of the seven parameters once, with the verifier's challenge", async () => {
  const parameters = [...new URL(url).searchParams];
  expect(parameters).toEqual([
    ["response_type", "code"],
    ["client_id", "client"],
    ["redirect_uri", REDIRECT_URI],
    ["scope", "responses:read sources:write"],
    ["state", pending.state],
    ["code_challenge", await digest(pending.codeVerifier)],
    ["code_challenge_method", "S256"],
  ]);
  expect(url).not.toContain(pending.codeVerifier);
});

test("the verifier in RFC 7636, appendix B, yields the code challenge given there", async () => {
  const challenge = await digest("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk");
  expect(challenge).toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
});

test("each authorization has a new state and a new verifier of 256 bits", async () => {
  const options = { redirectUri: REDIRECT_URI, scope: ["responses:read"] };
  const others = await Promise.all(
    Array.from({ length: 50 }, () =>
      authorizeLink({ baseUrl: ISSUER, clientId: "client", now: 0 }, options),
    ),
  );
  const texts = others.flatMap((other) => [other.pending.state, other.pending.codeVerifier]);
  expect(new Set(texts).size).toBe(100);
  expect(texts.every((text) => /^[A-Za-z0-9_-]{43}$/.test(text))).toBe(true);
});

test("a pending authorization is plain JSON", () => {
  expect(JSON.parse(JSON.stringify(pending))).toEqual(pending);
});

test("a callback is accepted as a string, a URL object or a path with a query", () => {
  const checked = {
    state: pending.state,
    code: "c",
    codeVerifier: pending.codeVerifier,
    redirectUri: REDIRECT_URI,
  };
  const { pathname, search } = new URL(callback());
  for (const form of [callback(), new URL(callback()), `${pathname}${search}`]) {
    expect(checkCallback(form, pending, ISSUER)).toEqual(checked);
  }
});

const REFUSED: [code: string, url: string, given?: PendingAuthorization | null | undefined][] = [
  ["state_mismatch", callback({ state: "other" })],
  ["state_mismatch", callback({ state: null })],
  ["state_mismatch", `${callback()}&state=${pending.state}`],
  ["state_mismatch", callback({ state: "" }), { ...pending, state: "" }],
  ["state_mismatch", callback({ state: "x", error: "access_denied" })],
  ["state_mismatch", callback({ state: "x", iss: "x" })],
  ["missing_verifier", callback(), null],
  ["missing_verifier", callback(), undefined],
  ["missing_verifier", callback(), { ...pending, codeVerifier: "" }],
  ["missing_verifier", callback(), { ...pending, codeVerifier: "short" }],
  ["issuer_mismatch", callback({ iss: "https://other.example" })],
  ["issuer_mismatch", callback({ iss: `${ISSUER}/` })],
  ["issuer_mismatch", callback({ iss: null })],
  ["issuer_mismatch", callback({ iss: "x", error: "access_denied" })],
  ["authorization_denied", callback({ code: null, error: "access_denied" })],
  ["invalid_request", callback({ code: null, error: "invalid_request" })],
  ["invalid_request", callback({ code: null })],
  ["invalid_request", callback({ code: "" })],
  ["invalid_request", `${callback()}&code=d`],
];
test("if a callback has a wrong state or issuer, no verifier or an error, the refusal names the cause", () => {
  for (const [code, url, ...given] of REFUSED) {
    const session = given.length === 0 ? pending : given[0];
    const refusal = expect.objectContaining({ code });
    expect(() => checkCallback(url, session, ISSUER), `${code} ${url}`).toThrow(refusal);
  }
});

test("an error about a callback contains the server's message, but not the authorization code", () => {
  const refused = callback({ error: "invalid_request", error_description: "scope is unknown" });
  expect(() => checkCallback(refused, pending, ISSUER)).toThrow(/scope is unknown/);
  expect(() =>
    checkCallback(callback({ code: "secret-code", iss: "x" }), pending, ISSUER),
  ).not.toThrow(/secret-code/);
});
