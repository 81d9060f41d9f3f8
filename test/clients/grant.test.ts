import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import grant from "grant";
import { expect, test } from "vitest";
import { basic } from "../harness/actors/partner.ts";
import { clientWorld, listAll } from "./world.ts";

test("grant connects and lists; what it obtained refreshes [clients.libraries]", async () => {
  const redirectPath = "/connect/partner/callback";
  const { stack, client, browser, shop, listUrl, ids } = await clientWorld(`http://localhost${redirectPath}`);
  const tokenUrl = `${stack.base_url}/oauth/api/token`;
  const site = createServer();
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const origin = `http://localhost:${(site.address() as AddressInfo).port}`;
  const handler = grant.default.node({
    config: {
      defaults: { origin, transport: "state", state: true, pkce: true, response: ["tokens", "profile"] },
      partner: {
        oauth: 2,
        authorize_url: `${stack.base_url}/oauth/api/authorize`,
        access_url: tokenUrl,
        profile_url: `${stack.base_url}/api/responses?limit=3`,
        key: client.clientId,
        secret: client.secret,
        scope: ["responses:read"],
        token_endpoint_auth_method: "client_secret_basic",
      },
    },
    session: { secret: "of the partner's own cookies" },
  });
  site.on("request", async (request, response) => {
    const { redirect, response: connected } = await handler(request, response);
    if (!redirect) response.end(JSON.stringify(connected));
  });

  const begun = await fetch(`${origin}/connect/partner`, { redirect: "manual" });
  const cookie = begun.headers
    .getSetCookie()
    .map((each) => each.split(";", 1)[0])
    .join("; ");
  const callback = await browser.approve(begun.headers.get("location") ?? "", shop);
  // biome-ignore lint/suspicious/noExplicitAny: whatever the library makes of the answers
  const connected = (await (await fetch(callback, { headers: { cookie } })).json()) as any;
  site.close();
  expect(connected.profile.data).toHaveLength(3);

  const get = (accessToken: string) => async (url: string) =>
    await (await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } })).json();
  expect(await listAll(listUrl, get(connected.access_token))).toEqual(ids);

  // Refreshing is left to the application.
  const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: connected.refresh_token });
  const refreshed = await fetch(tokenUrl, { method: "POST", headers: { authorization: basic(client) }, body });
  const { access_token } = (await refreshed.json()) as { access_token: string };
  expect(await listAll(listUrl, get(access_token))).toEqual(ids);
});
