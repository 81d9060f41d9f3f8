import type { Client } from "@partner-connect/directory";
import { describe, expect, test } from "vitest";
import {
  RedirectableError,
  UnredirectableError,
  validateAuthorizationRequest,
} from "./authorization-request.ts";

const CLIENT: Client = {
  clientId: "client_1",
  name: "Lookout",
  redirectUris: ["https://partner.example/callback?tenant=a", "http://127.0.0.1/callback"],
  scope: ["responses:read"],
  grantTypes: ["authorization_code", "refresh_token"],
  status: "active",
  publisher: null,
  website: null,
  privacyPolicy: null,
  contact: null,
  logoPath: null,
  secrets: [],
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

type Change = Partial<Record<keyof typeof VALID, string | string[] | undefined>> &
  Record<string, unknown>;

async function outcome(change: Change, client: Client = CLIENT) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...VALID, ...change })) {
    if (value !== undefined) for (const one of [value].flat()) query.append(name, String(one));
  }
  try {
    await validateAuthorizationRequest(query, async (id) =>
      id === client.clientId ? client : null,
    );
    return "valid";
  } catch (error) {
    if (error instanceof UnredirectableError) return `page: ${error.kind}`;
    if (error instanceof RedirectableError) {
      expect(error.redirectUri).toBe(VALID.redirect_uri);
      expect(error.parameters("https://connect.example")).toEqual({
        error: "invalid_request",
        error_description: error.message,
        state: VALID.state,
        iss: "https://connect.example",
      });
      return `redirect: ${error.message}`;
    }
    throw error;
  }
}

describe("authorization request", () => {
  test("is valid with the seven parameters, and ignores others", async () => {
    expect(await outcome({})).toBe("valid");
    const others = {
      prompt: "none",
      response_mode: "fragment",
      request: "x",
      request_uri: "y",
      claims: "{}",
      resource: "z",
    };
    expect(await outcome({ ...others, nonce: ["a", "b"] })).toBe("valid");
  });

  test("gets the error page for an unknown client_id", async () => {
    const ids = [undefined, "", "client_2", "CLIENT_1", ["client_1", "client_1"]];
    for (const client_id of ids)
      expect.soft(await outcome({ client_id }), String(client_id)).toBe("page: client");
  });

  test.each<[string, Partial<Client>, string]>([
    ["disabled", { status: "disabled" }, "page: client_disabled"],
    [
      "without the authorization code grant",
      { grantTypes: ["refresh_token"] },
      "redirect: this client may not use the authorization code flow",
    ],
  ])("a client that is %s is refused", async (_, change, expected) => {
    expect(await outcome({}, { ...CLIENT, ...change })).toBe(expected);
  });

  test("gets the error page for an unregistered redirect_uri", async () => {
    const uris = [
      undefined,
      "",
      ["https://partner.example/callback?tenant=a", "https://partner.example/callback?tenant=a"],
      "https://evil.example/callback?tenant=a",
    ];
    for (const uri of uris)
      expect.soft(await outcome({ redirect_uri: uri }), String(uri)).toBe("page: redirect_uri");
  });

  test("may have any port in a loopback redirect_uri", async () => {
    expect(await outcome({ redirect_uri: "http://127.0.0.1:50123/callback" })).toBe("valid");
  });

  test("gets the error page for a state that is missing, repeated, or not UTF-8, which would come back changed", async () => {
    for (const state of [
      undefined,
      "",
      ["a", "b"],
      ["a", "a"],
      new URLSearchParams("state=%E9").get("state") ?? "",
    ]) {
      expect.soft(await outcome({ state }), String(state)).toBe("page: state");
    }
  });

  test("may have a state of 2,048 bytes, and gets the error page for a longer one", async () => {
    expect(await outcome({ state: "x".repeat(2048) })).toBe("valid");
    expect(await outcome({ state: "€".repeat(682) })).toBe("valid");
    expect(await outcome({ state: "x".repeat(2049) })).toBe("page: state");
    expect(await outcome({ state: "€".repeat(683) })).toBe("page: state");
  });

  test("is redirected back with invalid_request, state and iss for any other mistake", async () => {
    const wrong: [string, string | string[] | undefined][] = [
      ["response_type", undefined],
      ["response_type", "token"],
      ["response_type", "Code"],
      ["response_type", ["code", "code"]],
      ["scope", undefined],
      ["scope", ""],
      ["scope", "openid"],
      ["scope", "responses:read sources:write"],
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
    for (const [name, value] of wrong) {
      expect
        .soft(await outcome({ [name]: value }), `${name} ${value}`)
        .toMatch(new RegExp(`^redirect: ${name} `));
    }
  });

  test("is refused by the first broken rule: client, redirect_uri, state, response_type, scope, challenge, method", async () => {
    const rest = { scope: "nope", code_challenge_method: "plain" };
    expect(await outcome({ ...rest, client_id: "x", redirect_uri: "y", state: "" })).toBe(
      "page: client",
    );
    expect(await outcome({ ...rest, redirect_uri: "y", state: "" })).toBe("page: redirect_uri");
    expect(await outcome({ ...rest, state: "" })).toBe("page: state");
    expect(await outcome({ ...rest, redirect_uri: "y", state: "x".repeat(2049) })).toBe(
      "page: redirect_uri",
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
});
