import { routesOf } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";
import { partnerFixture } from "../testing/partner-fixture.ts";

/** Names of the parameters and fields that pages read. */
const NAMES =
  `account after again by chosen code connection credential days decision done email endpoint error field find language link
  login_hint name new_password new_password_again page passkey password request request_id return scope shop state status step
  token ui_locales url webhook what where why`.split(/\s+/);

const fixture = await suiteFixture();
const partner = await partnerFixture(fixture);

test("a NUL in the path, query or body of any route never causes a 5xx response", async () => {
  const app = fixture.replicas.app();
  const cookie = [...partner.person.browser.cookies]
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
  const nul = NAMES.map((name) => `${name}=a%00b`).join("&");
  const routes = routesOf(app).filter(
    ({ method, path }) => /^(GET|POST)$/.test(method) && path !== "*",
  );
  expect(routes.length).toBeGreaterThan(60);
  const answered = new Map<string, number>();
  for (const { method, path } of routes) {
    const own = path.replace(":clientId", partner.client.clientId);
    const inPath = own.replace(/:\w+/g, "a%00b");
    const urls = [`${own.replace(/:\w+/g, "x")}?${nul}`, ...(inPath === own ? [] : [inPath])];
    for (const url of urls) {
      const headers = { cookie, "content-type": "application/x-www-form-urlencoded" };
      const post = { method: "POST", payload: nul } as const;
      const { statusCode } = await app.inject({ url, headers, ...(method === "POST" && post) });
      if (statusCode >= 500) answered.set(`${method} ${url.split("?")[0]}`, statusCode);
    }
  }
  expect([...answered]).toEqual([]);
});
