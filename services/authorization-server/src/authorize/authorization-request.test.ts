import type { Client } from "@partner-connect/directory";
import { expect, test } from "vitest";
import { TEST_CLIENT } from "../testing/client.ts";
import {
  RedirectableError,
  UnredirectableError,
  validateAuthorizationRequest,
} from "./authorization-request.ts";

const CLIENT = {
  ...TEST_CLIENT,
  redirectUris: ["https://partner.example/callback?tenant=a", "http://127.0.0.1/callback"],
};

const VALID = {
  response_type: "code",
  client_id: "client_1",
  redirect_uri: "https://partner.example/callback?tenant=a",
  scope: "responses:read",
  state: "s t&=ä",
  code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
  code_challenge_method: "S256",
};

const REQUEST = {
  clientId: "client_1",
  redirectUri: VALID.redirect_uri,
  state: VALID.state,
  scope: ["responses:read"],
  codeChallenge: VALID.code_challenge,
  hints: {},
};

type Change = Partial<Record<keyof typeof VALID, string | string[] | undefined>> &
  Record<string, unknown>;

async function outcome(change: Change, client: Client = CLIENT) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...VALID, ...change })) {
    if (value !== undefined) for (const one of [value].flat()) query.append(name, String(one));
  }
  try {
    return await validateAuthorizationRequest(query, async (id) =>
      id === client.clientId ? client : null,
    );
  } catch (error) {
    if (error instanceof UnredirectableError) {
      expect(error.detail).toBe(error.facts.detail);
      expect(error.facts.outcome).toBe("refused");
      return `${error.page}: ${error.facts.reason}`;
    }
    if (error instanceof RedirectableError) {
      expect(error.redirectUri).toBe(VALID.redirect_uri);
      expect(error.parameters("https://connect.example")).toEqual({
        error: "invalid_request",
        error_description: error.message,
        state: VALID.state,
        iss: "https://connect.example",
      });
      expect(error.facts).toEqual({
        reason: expect.stringMatching(/^invalid_|_not_allowed$/),
        detail: error.message,
        outcome: "refused",
        error: "invalid_request",
      });
      return `redirect: ${error.message}`;
    }
    throw error;
  }
}

test("an authorization request with the seven parameters is valid, and further parameters are ignored", async () => {
  expect(await outcome({})).toEqual(REQUEST);
  const others = {
    prompt: "none",
    response_mode: "fragment",
    request: "x",
    request_uri: "y",
    claims: "{}",
    resource: "z",
  };
  expect(await outcome({ ...others, nonce: ["a", "b"] })).toEqual(REQUEST);
});

test("an authorization request with a missing, unknown or repeated client_id gets the error page", async () => {
  const ids = [undefined, "", "client_2", "CLIENT_1", ["client_1", "client_1"]];
  for (const client_id of ids)
    expect
      .soft(await outcome({ client_id }), String(client_id))
      .toBe("invalid_link: invalid_client");
});

test.each<[string, Partial<Client>, string]>([
  ["disabled", { status: "disabled" }, "client_disabled: client_disabled"],
  [
    "without the authorization code grant",
    { grantTypes: ["refresh_token"] },
    "redirect: this client may not use the authorization code flow",
  ],
])("an authorization request of a client that is %s is refused", async (_, change, expected) => {
  expect(await outcome({}, { ...CLIENT, ...change })).toBe(expected);
});

test("an authorization request with a missing, repeated or unregistered redirect_uri gets the error page", async () => {
  const uris = [
    undefined,
    "",
    ["https://partner.example/callback?tenant=a", "https://partner.example/callback?tenant=a"],
    "https://evil.example/callback?tenant=a",
  ];
  for (const uri of uris)
    expect
      .soft(await outcome({ redirect_uri: uri }), String(uri))
      .toBe("invalid_link: invalid_redirect_uri");
});

test("an authorization request may have any port in a loopback redirect_uri", async () => {
  const redirectUri = "http://127.0.0.1:50123/callback";
  expect(await outcome({ redirect_uri: redirectUri })).toEqual({ ...REQUEST, redirectUri });
});

test("an authorization request whose state is missing, repeated or not UTF-8 gets the error page", async () => {
  for (const state of [
    undefined,
    "",
    ["a", "b"],
    ["a", "a"],
    new URLSearchParams("state=%E9").get("state") ?? "",
  ]) {
    expect.soft(await outcome({ state }), String(state)).toBe("invalid_link: invalid_state");
  }
});

test("an authorization request with a state of more than 2,048 bytes gets the error page", async () => {
  for (const state of ["x".repeat(2048), "€".repeat(682)])
    expect(await outcome({ state })).toEqual({ ...REQUEST, state });
  expect(await outcome({ state: "x".repeat(2049) })).toBe("invalid_link: invalid_state");
  expect(await outcome({ state: "€".repeat(683) })).toBe("invalid_link: invalid_state");
});

test("a mistake in response_type, scope or the PKCE parameters is redirected back with invalid_request, state and iss", async () => {
  const wrong: [string, string | string[] | undefined, RegExp?][] = [
    ["response_type", undefined, /is missing$/],
    ["response_type", "token"],
    ["response_type", "Code"],
    ["response_type", ["code", "code"]],
    ["scope", undefined],
    ["scope", "", /is empty$/],
    ["scope", "openid"],
    ["scope", "responses:read sources:write", / sources:write is not allowed; .* responses:read$/],
    ["scope", "responses:read ", /must be a list/],
    ["scope", "Responses:read"],
    ["scope", "constructor"],
    ["scope", ["responses:read", "responses:read"]],
    ["code_challenge", undefined],
    ["code_challenge", "a".repeat(42)],
    ["code_challenge", "a".repeat(44)],
    ["code_challenge", `${"a".repeat(42)}=`],
    ["code_challenge", ["a".repeat(43), "a".repeat(43)]],
    ["code_challenge_method", undefined],
    ["code_challenge_method", "plain"],
    ["code_challenge_method", "s256"],
    ["code_challenge_method", ["S256", "S256"]],
  ];
  for (const [name, value, problem = /./] of wrong) {
    const redirect = await outcome({ [name]: value });
    expect.soft(redirect, `${name} ${value}`).toMatch(new RegExp(`^redirect: ${name} `));
    expect.soft(redirect).toMatch(problem);
  }
});

test("an invalid or repeated login_hint or ui_locales is ignored, not refused", async () => {
  const hints = { login_hint: "anna+x@shop.example", ui_locales: "it de-AT es" };
  const kept = { loginHint: hints.login_hint, uiLocales: hints.ui_locales };
  expect(await outcome(hints)).toEqual({ ...REQUEST, hints: kept });
  const ignored = [
    ...["", "anna@", "a\0@b.example", `${"a".repeat(250)}@b.example`, ["a@b.c", "d@e.f"]],
    ...["de;q=0", "de,es", "\0", "d", "x".repeat(300), ["de", "de"], "de  es"],
  ];
  for (const hint of ignored)
    expect.soft(await outcome({ login_hint: hint, ui_locales: hint })).toEqual(REQUEST);
});

test("a request with several mistakes gets the first error in the order client, redirect_uri, state, response_type, scope, challenge, method", async () => {
  const rest = { scope: "nope", code_challenge_method: "plain" };
  expect(await outcome({ ...rest, client_id: "x", redirect_uri: "y", state: "" })).toBe(
    "invalid_link: invalid_client",
  );
  expect(await outcome({ ...rest, redirect_uri: "y", state: "" })).toBe(
    "invalid_link: invalid_redirect_uri",
  );
  expect(await outcome({ ...rest, state: "" })).toBe("invalid_link: invalid_state");
  expect(await outcome({ ...rest, redirect_uri: "y", state: "x".repeat(2049) })).toBe(
    "invalid_link: invalid_redirect_uri",
  );
  const order = ["response_type", "scope", "code_challenge", "code_challenge_method"];
  const wrong = { ...rest, response_type: "token", code_challenge: undefined };
  for (const [n, name] of order.entries()) {
    const right = Object.entries(VALID).filter(([each]) => order.slice(0, n).includes(each));
    expect(await outcome({ ...wrong, ...Object.fromEntries(right) })).toMatch(
      new RegExp(`^redirect: ${name} `),
    );
  }
});
