import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, send, sendForm } from "../../harness/actors/http.ts";
import { type MerchantBrowser, merchantBrowser } from "../../harness/actors/merchant-browser.ts";
import {
  type Onboarded,
  onboard,
  onboardClient,
  type PartnerClient,
  REDIRECT_URI,
} from "../../harness/actors/onboarding.ts";
import { operator } from "../../harness/actors/operator.ts";
import { basic, type Partner, partner } from "../../harness/actors/partner.ts";
import { expectWithin } from "../../harness/actors/within.ts";
import { mainStack } from "../../harness/stack/stacks.ts";

const stack = mainStack();
const endpoint = `${stack.base_url}/oauth/api/token`;
let onboarded: Onboarded;
let app: Partner;
let other: Partner;
let browser: MerchantBrowser;
let refreshToken: string;

beforeAll(async () => {
  const [all, second] = await Promise.all([onboard(stack), onboardClient(stack)]);
  onboarded = all;
  app = partner(stack, onboarded.client);
  other = partner(stack, second);
  browser = merchantBrowser(onboarded.merchant);
  refreshToken = (await app.connect(browser, onboarded.shop)).refreshToken;
});

function expectError(answer: Answer, error: string): void {
  expect([answer.status, answer.json().error]).toEqual([error === "invalid_client" ? 401 : 400, error]);
  expect(Object.keys(answer.json()).filter((key) => !["error", "error_description"].includes(key))).toEqual([]);
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  expect(answer.headers["cache-control"]).toBe("no-store");
}

const refreshing = () => ({ grant_type: "refresh_token", refresh_token: refreshToken });

describe("invalid_client", () => {
  const cases: [string, () => { headers?: Record<string, string>; fields?: Record<string, string>; query?: string }][] =
    [
      ["no credentials", () => ({})],
      ["the right ones in the body", () => ({ fields: inBody(app.client) })],
      ["the right ones in the query", () => ({ query: `?${new URLSearchParams(inBody(app.client))}` })],
      ["both in the header and in the body", () => ({ headers: right(), fields: inBody(app.client) })],
      ["another client_id in the body", () => ({ headers: right(), fields: { client_id: other.client.clientId } })],
      ["a wrong secret", () => ({ headers: with_({ ...app.client, secret: "wrong" }) })],
      ["an empty secret", () => ({ headers: with_({ ...app.client, secret: "" }) })],
      ["another client's secret", () => ({ headers: with_({ ...app.client, secret: other.client.secret }) })],
      ["an unknown client", () => ({ headers: with_({ ...app.client, clientId: "client_nobody" }) })],
      ["Bearer", () => ({ headers: { authorization: `Bearer ${app.client.secret}` } })],
      ["Basic without a colon", () => ({ headers: { authorization: `Basic ${btoa(app.client.clientId)}` } })],
      ["Basic that is not base64", () => ({ headers: { authorization: "Basic §§§" } })],
      ["Basic with a stray escape", () => ({ headers: with_({ ...app.client, secret: "%zz" }) })],
      ["Basic with nothing", () => ({ headers: { authorization: "Basic" } })],
      ["Basic with a NUL", () => ({ headers: with_({ ...app.client, clientId: "client_\u0000" }) })],
    ];
  const inBody = ({ clientId, secret }: PartnerClient) => ({ client_id: clientId, client_secret: secret });
  const with_ = (client: PartnerClient) => ({ authorization: basic(client) });
  const right = () => with_(app.client);

  test.each(cases)("%s: 401, with WWW-Authenticate: Basic", async (_, make) => {
    const { headers = {}, fields = {}, query = "" } = make();
    const answer = await sendForm(`${endpoint}${query}`, { ...refreshing(), ...fields }, headers);
    expectError(answer, "invalid_client");
    expect(answer.headers["www-authenticate"]).toMatch(/^Basic /);
  });

  test("all refusals have the same body", async () => {
    const bodies = new Set<string>();
    for (const [, make] of cases) {
      const { headers = {}, fields = {}, query = "" } = make();
      bodies.add((await sendForm(`${endpoint}${query}`, { ...refreshing(), ...fields }, headers)).text);
    }
    expect(bodies.size).toBe(1);
  });

  test("two Authorization headers", async () => {
    const authorization = [basic(app.client), basic(app.client)];
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded" };
    expectError(await send(endpoint, { method: "POST", headers, body: "grant_type=refresh_token" }), "invalid_client");
  });

  test("it comes before everything that is wrong with the body", async () => {
    expectError(await sendForm(endpoint, { grant_type: "nothing" }, {}), "invalid_client");
    expectError(
      await send(endpoint, { method: "POST", headers: { "content-type": "application/json" }, body: "{" }),
      "invalid_client",
    );
  });

  test("a disabled client, within a second; enabled again, its connections still stand", async () => {
    const { refreshToken } = await other.connect(browser, onboarded.shop);
    // Of each replica: by the gateway another test's calls could have all of these come to one.
    const replicas = stack.authorization_server_urls.map((url) => partner({ ...stack, base_url: url }, other.client));
    const refreshes = async () =>
      (await Promise.all(replicas.map((replica) => replica.refresh(refreshToken)))).map(({ status }) => status);
    await operator(stack, ["client", "disable", other.client.clientId]);
    await expectWithin(
      1000,
      refreshes,
      replicas.map(() => 401),
    );
    expectError(await other.refresh(refreshToken), "invalid_client");
    await operator(stack, ["client", "enable", other.client.clientId]);
    await expectWithin(
      1000,
      refreshes,
      replicas.map(() => 200),
    );
  });
});

describe("HTTP Basic", () => {
  test("ids and secrets work raw and percent-encoded alike", async () => {
    const encode = (text: string) => [...text].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("");
    const { clientId, secret, name } = app.client;
    const encoded = { clientId: encode(clientId), secret: encode(secret), name };
    for (const client of [app.client, encoded]) {
      expect((await app.token(refreshing(), { authorization: basic(client) })).status).toBe(200);
    }
    expect((await app.token(refreshing(), { authorization: basic(app.client).replace("Basic", "basic") })).status).toBe(
      200,
    );
  });

  test("the same client_id in the body beside it changes nothing", async () => {
    expect((await app.token({ ...refreshing(), client_id: app.client.clientId })).status).toBe(200);
  });

  test("after a rotation with overlap both secrets work, and after a rotation without one only the new one", async () => {
    const client = await onboardClient(stack);
    const rotate = async (...how: string[]) =>
      (await operator(stack, ["client", "rotate-secret", client.clientId, ...how])).client_secret as string;
    const refusals = (secrets: string[]) => async () =>
      await Promise.all(
        secrets.flatMap((secret) =>
          [1, 2].map(async () => {
            const headers = { authorization: basic({ ...client, secret }) };
            return (await app.token({ grant_type: "nothing" }, headers)).json().error;
          }),
        ),
      );
    const known = ["unsupported_grant_type", "unsupported_grant_type"];
    const unknown = ["invalid_client", "invalid_client"];
    const second = await rotate("--overlap", "1h");
    await expectWithin(1000, refusals([client.secret, second]), [...known, ...known]);
    const third = await rotate("--now");
    await expectWithin(1000, refusals([client.secret, second, third]), [...unknown, ...unknown, ...known]);
  });
});

describe("invalid_request", () => {
  const code = {
    grant_type: "authorization_code",
    code: "c",
    redirect_uri: REDIRECT_URI,
    code_verifier: "v".repeat(43),
  };

  test.each(["grant_type", "code", "redirect_uri", "code_verifier"])(
    "an exchange with %s missing or empty",
    async (name) => {
      const { [name as keyof typeof code]: _, ...rest } = code;
      expectError(await app.token(rest), "invalid_request");
      expectError(await app.token({ ...rest, [name]: "" }), "invalid_request");
    },
  );

  test("a refresh with refresh_token missing or empty", async () => {
    expectError(await app.token({ grant_type: "refresh_token" }), "invalid_request");
    expectError(await app.token({ grant_type: "refresh_token", refresh_token: "" }), "invalid_request");
  });

  test.each(["grant_type", "code", "redirect_uri", "code_verifier"])("%s twice", async (name) => {
    const body = `${new URLSearchParams(code)}&${name}=x`;
    expectError(await sendForm(endpoint, body, { authorization: basic(app.client) }), "invalid_request");
  });

  test.each<[string, string, string]>([
    ["in JSON", "application/json", '{"grant_type":"refresh_token"}'],
    ["in broken JSON", "application/json", "{"],
    ["in plain text", "text/plain", "grant_type=refresh_token"],
    ["in parts", "multipart/form-data; boundary=x", "--x--"],
    ["of a content type that is none", ";", "grant_type=refresh_token"],
    ["of no content type", "", "grant_type=refresh_token"],
  ])("a body %s", async (_, contentType, body) => {
    const authorization = basic(app.client);
    const headers = contentType ? { authorization, "content-type": contentType } : { authorization };
    expectError(await send(endpoint, { method: "POST", headers, body }), "invalid_request");
  });

  test("no body at all", async () => {
    expectError(
      await send(endpoint, { method: "POST", headers: { authorization: basic(app.client) } }),
      "invalid_request",
    );
  });

  test("a body that is far too large", async () => {
    expectError(await app.token({ ...refreshing(), filler: "x".repeat(100_000) }), "invalid_request");
  });

  test("parameters in the query do not count", async () => {
    const query = new URLSearchParams(refreshing());
    expectError(await sendForm(`${endpoint}?${query}`, {}, { authorization: basic(app.client) }), "invalid_request");
  });

  test("a charset beside the content type is fine", async () => {
    const headers = {
      authorization: basic(app.client),
      "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    };
    expect((await sendForm(endpoint, refreshing(), headers)).status).toBe(200);
  });
});

describe("unsupported_grant_type and unauthorized_client", () => {
  test.each(["client_credentials", "password", "implicit", "AUTHORIZATION_CODE", "constructor", "refresh_token "])(
    "%j is no grant type here",
    async (grant_type) => expectError(await app.token({ grant_type }), "unsupported_grant_type"),
  );

  test("a client may use the grant types it was onboarded with, and no other", async () => {
    const client = await onboardClient(stack, { grantTypes: ["authorization_code"] });
    const limited = partner(stack, client);
    const { refreshToken } = await limited.connect(browser, onboarded.shop);
    expectError(await limited.refresh(refreshToken), "unauthorized_client");
  });
});

describe("invalid_scope", () => {
  test.each(["sources:write", "responses:read sources:write", "unknown", "openid", "responses:read,sources:write"])(
    "a refresh that asks for %j, which the connection does not have",
    async (scope) => expectError(await app.refresh(refreshToken, { scope }), "invalid_scope"),
  );
});

describe("invalid_grant for a refresh token", () => {
  test.each([
    ["unknown", () => `${refreshToken.slice(0, 10)}${"A".repeat(10)}${refreshToken.slice(20)}`],
    ["cut off", () => refreshToken.slice(0, -1)],
    ["junk", () => "junk"],
    ["with a space after it", () => `${refreshToken} `],
    ["in other letters", () => refreshToken.toUpperCase()],
    ["very long", () => "x".repeat(10_000)],
    ["with a NUL", () => `${refreshToken}\u0000`],
  ])("%s, and no reason to reconnect is given", async (_, token) => {
    const answer = await app.refresh(token());
    expectError(answer, "invalid_grant");
    expect(["refresh token expired", "grant revoked"]).not.toContain(answer.json().error_description);
  });

  test("another client's, which goes on working for its owner", async () => {
    const answer = await other.refresh(refreshToken);
    expectError(answer, "invalid_grant");
    expect(["refresh token expired", "grant revoked"]).not.toContain(answer.json().error_description);
    expect((await app.refresh(refreshToken)).status).toBe(200);
  });

  test("an access token or a code in its place", async () => {
    const { accessToken } = await app.connect(browser, onboarded.advancedShop);
    const { code } = await app.obtainCode(browser, onboarded.advancedShop);
    for (const wrong of [accessToken, code]) expectError(await app.refresh(wrong), "invalid_grant");
  });
});

describe("other methods", () => {
  test.each(["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])("%s is 405", async (method) => {
    const { status, headers } = await send(endpoint, { method, headers: { authorization: basic(app.client) } });
    expect([status, headers.allow]).toEqual([405, "POST"]);
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });
});

test("answers are JSON whatever Accept says, and every one has a request id", async () => {
  const wanting = { authorization: basic(app.client), accept: "text/html" };
  for (const answer of [await app.token(refreshing(), wanting), await app.token({}, wanting)]) {
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.headers["x-request-id"]).toMatch(/^[\w-]{8,}$/);
  }
});
