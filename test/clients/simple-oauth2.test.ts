import { createHash, randomBytes } from "node:crypto";
import { AuthorizationCode } from "simple-oauth2";
import { expect, test } from "vitest";
import { REDIRECT_URI } from "../harness/actors/onboarding.ts";
import { clientWorld, listAll } from "./world.ts";

test("simple-oauth2 connects, lists and refreshes [clients.libraries]", async () => {
  const { stack, client: registered, browser, shop, listUrl, ids } = await clientWorld();
  const client = new AuthorizationCode({
    client: { id: registered.clientId, secret: registered.secret },
    auth: { tokenHost: stack.base_url, tokenPath: "/oauth/api/token", authorizePath: "/oauth/api/authorize" },
    options: { authorizationMethod: "header" },
  });
  // It has no PKCE of its own, and passes on what it is given.
  const codeVerifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const pkce = {
    code_challenge: createHash("sha256").update(codeVerifier).digest("base64url"),
    code_challenge_method: "S256",
  };
  const url = client.authorizeURL({ redirect_uri: REDIRECT_URI, scope: "responses:read", state, ...pkce });
  const callback = new URL(await browser.approve(url, shop)).searchParams;
  expect(callback.get("state")).toBe(state);
  const exchange = { code: callback.get("code") ?? "", redirect_uri: REDIRECT_URI, code_verifier: codeVerifier };
  const tokens = await client.getToken(exchange);

  const get = (accessToken: unknown) => async (page: string) =>
    await (await fetch(page, { headers: { authorization: `Bearer ${accessToken}` } })).json();
  expect(await listAll(listUrl, get(tokens.token["access_token"]))).toEqual(ids);

  expect(tokens.expired(890)).toBe(false);
  const refreshed = await tokens.refresh();
  expect(refreshed.token["access_token"]).not.toBe(tokens.token["access_token"]);
  expect(await listAll(listUrl, get(refreshed.token["access_token"]))).toEqual(ids);
});
