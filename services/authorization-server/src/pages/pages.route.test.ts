import { hash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { afterAll, expect, test } from "vitest";
import { expectPage } from "../testing/merchant-browser.ts";
import { PASSWORD, suiteFixture } from "../testing/merchant-fixture.ts";
import { partnerFixture } from "../testing/partner-fixture.ts";
import { pageAssets } from "./assets.ts";

const PRODUCT_LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';
const folder = temporaryFolder(afterAll);
writeFileSync(join(folder, "logo.svg"), PRODUCT_LOGO);

const brand = {
  PRODUCT_NAME: "Fieldnotes & Co",
  PRODUCT_COLOR: "#7a1f5c",
  PRODUCT_LOGO: join(folder, "logo.svg"),
};
const fixture = await suiteFixture({ env: brand });
const { sql } = fixture.replicas;
const image = Buffer.from("RIFF a logo WEBP");
const digest = hash("sha256", image, "base64url");

async function store(clientId: string, logo: Buffer): Promise<void> {
  await sql`
    UPDATE directory.clients SET logo = ${logo}, logo_digest = ${hash("sha256", logo, "base64url")}
    WHERE client_id = ${clientId}`;
}

await store(fixture.client.clientId, image);

/** As it comes over the wire. */
const get = (url: string, encoding = "identity") =>
  fixture.replicas.app().inject({ url, headers: { "accept-encoding": encoding } });

async function stylesheetPath(): Promise<string> {
  const { html } = await fixture.browser().open("/oauth/sign-in");
  return /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1] ?? "";
}

test("every page has the product's name and logo, and the logo can't run scripts", async () => {
  const header =
    /<header class="top">\s*<p class="product"><a><img src="(\/oauth\/assets\/logo-[0-9a-f]{16}\.svg)"[^>]*><span>Fieldnotes &amp; Co</;
  for (const path of ["/oauth/sign-in", "/oauth/nowhere"]) {
    const { html } = await fixture.browser().open(path);
    expect(html).toMatch(/<title>[^<]+ · Fieldnotes &amp; Co<\/title>/);
    expect(html).not.toContain("Partner Connect");
    const answer = await get(header.exec(html)?.[1] ?? "");
    expect(answer.headers["content-type"]).toBe("image/svg+xml");
    expect(answer.payload).toBe(PRODUCT_LOGO);
    expect(answer.headers["content-security-policy"]).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  }
});

test("the stylesheet with the product's colour is compressed in a format that the browser accepts", async () => {
  const path = await stylesheetPath();
  expect(path).not.toBe(pageAssets({ name: "", logo: null, color: null }).stylesheet.path);
  const plain = await get(path);
  expect(plain.payload).toMatch(/--accent: light-dark\(#7a1f5c, [^}]*}\s*$/);
  expect(plain.headers).toMatchObject({
    "content-type": "text/css; charset=utf-8",
    vary: "accept-encoding",
  });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  for (const [asked, encoding, decode] of [
    ["gzip, deflate, br", "br", brotliDecompressSync],
    ["gzip", "gzip", gunzipSync],
    ["br;q=0, gzip", "gzip", gunzipSync],
  ] as const) {
    const answer = await get(path, asked);
    expect([asked, answer.headers["content-encoding"]]).toEqual([asked, encoding]);
    expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(decode(answer.rawPayload).toString()).toBe(plain.payload);
  }
});

test("every page that sets a password refuses a password that contains the product's name", async () => {
  const ada = await fixture.registerMerchant();
  const browser = await fixture.signedIn(ada);
  const new_password = "Fieldnotes & Co 2026";
  const typed = { password: PASSWORD, new_password, new_password_again: new_password };
  for (const [path, button] of [
    ["/oauth/password", "Change password"],
    [await fixture.resetLink(ada), "Set password"],
  ] as const) {
    const refused = await browser.press(await browser.open(path), button, typed);
    expectPage(refused, 422, "It contains one of these names.");
  }
});

const path = (clientId: string, name = digest) => `/oauth/logos/${clientId}/${name}.webp`;

test("no page is compressed, because its length could reveal the content to another site", async () => {
  const { person, path } = await partnerFixture(fixture);
  for (const page of [path("connections?find=a"), path("nowhere"), "/oauth/password"]) {
    const { html, headers } = await person.browser.open(page, { "accept-encoding": "gzip, br" });
    const found = [html.slice(0, 15), headers["content-encoding"]];
    expect(found, page).toEqual(["<!doctype html>", undefined]);
  }
});

test("an app's logo is public and may be cached for a year", async () => {
  const answer = await get(path(fixture.client.clientId));
  expect([answer.statusCode, answer.rawPayload]).toEqual([200, image]);
  expect(answer.headers).toMatchObject({
    "content-type": "image/webp",
    "cache-control": "public, max-age=31536000, immutable",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
  });
  expect(answer.headers["set-cookie"]).toBeUndefined();
});

test("after an app's logo has changed, both its new and its old path serve the new logo", async () => {
  const { clientId } = await fixture.replicas.registerClient();
  await store(clientId, image);
  expect((await get(path(clientId))).rawPayload).toEqual(image);
  const next = Buffer.from("RIFF another WEBP");
  await store(clientId, next);
  for (const [name, cacheControl] of [
    [hash("sha256", next, "base64url"), "public, max-age=31536000, immutable"],
    ["x".repeat(43), "public, max-age=60"],
  ]) {
    const { rawPayload, headers } = await get(path(clientId, name));
    expect([rawPayload, headers["cache-control"]]).toEqual([next, cacheControl]);
  }
});

test.each([
  ["that a client lacks", async () => path((await fixture.replicas.registerClient()).clientId)],
  ["of an unknown client", () => path("client_none")],
  ["with a name that no logo has", () => `/oauth/logos/${fixture.client.clientId}/logo.svg`],
  ["outside the folder of logos", () => `/oauth/logos/..%2f..%2fassets/${digest}.webp`],
])("a request for a logo %s gets an uncached 404", async (_, url) => {
  const answer = await get(await url());
  expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([404, "no-store"]);
});

test("while Postgres doesn't respond, an app's logo gets 503, not 404", async () => {
  const { clientId } = await fixture.replicas.registerClient();
  await sql.begin(async (transaction) => {
    await transaction`LOCK TABLE directory.clients IN ACCESS EXCLUSIVE MODE`;
    const answer = await get(path(clientId));
    expect([answer.statusCode, answer.headers["cache-control"]]).toEqual([503, "no-store"]);
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
  });
});
