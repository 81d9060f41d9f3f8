import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import passport from "passport";
import OAuth2Strategy from "passport-oauth2";
import { expect, test } from "vitest";
import { basic } from "../harness/actors/partner.ts";
import { clientWorld, listAll } from "./world.ts";

interface Connected {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A strategy as its documentation has them written: a subclass, which may use the OAuth client inside. */
class PartnerConnectStrategy extends OAuth2Strategy {
  getJson(url: string, accessToken: string): Promise<unknown> {
    this._oauth2.useAuthorizationHeaderforGET(true);
    return new Promise((resolve, reject) => {
      this._oauth2.get(url, accessToken, (error, body) => (error ? reject(error) : resolve(JSON.parse(String(body)))));
    });
  }

  refresh(refreshToken: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const parameters = { grant_type: "refresh_token" };
      this._oauth2.getOAuthAccessToken(refreshToken, parameters, (error, accessToken) =>
        error ? reject(error) : resolve(accessToken ?? ""),
      );
    });
  }
}

test("passport-oauth2 connects, lists and refreshes [clients.libraries]", async () => {
  const { stack, client, browser, shop, listUrl, ids } = await clientWorld("http://localhost/callback");
  const session = {};
  const site = createServer((request: IncomingMessage, response: ServerResponse) => {
    const query = Object.fromEntries(new URL(request.url ?? "", "http://localhost").searchParams);
    const done = (error: unknown, user?: unknown) =>
      response.end(JSON.stringify(error ? { error: String(error) } : user));
    passport.authenticate("partner-connect", { session: false }, done)(
      Object.assign(request, { query, session }),
      response,
      done,
    );
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const origin = `http://localhost:${(site.address() as AddressInfo).port}`;

  const strategy = new PartnerConnectStrategy(
    {
      authorizationURL: `${stack.base_url}/oauth/api/authorize`,
      tokenURL: `${stack.base_url}/oauth/api/token`,
      clientID: client.clientId,
      // It sends its secret in the body, where the server doesn't take one; the header is its own way to HTTP Basic.
      clientSecret: "",
      customHeaders: { authorization: basic(client) },
      callbackURL: `${origin}/callback`,
      scope: ["responses:read"],
      state: true,
      pkce: true,
    },
    (accessToken: string, refreshToken: string, _profile: unknown, verified: OAuth2Strategy.VerifyCallback) =>
      verified(null, { accessToken, refreshToken }),
  );
  passport.use("partner-connect", strategy);

  const begun = await fetch(`${origin}/connect`, { redirect: "manual" });
  const callback = await browser.approve(begun.headers.get("location") ?? "", shop);
  const { accessToken, refreshToken } = (await (await fetch(callback)).json()) as Connected;
  site.close();

  expect(await listAll(listUrl, (url) => strategy.getJson(url, accessToken))).toEqual(ids);
  const refreshed = await strategy.refresh(refreshToken);
  expect(refreshed).not.toBe(accessToken);
  expect(await listAll(listUrl, (url) => strategy.getJson(url, refreshed))).toEqual(ids);
});
