import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createResetLink, RESET_PASSWORD_PATH } from "@partner-connect/directory";
import { TEST_OPERATOR } from "@partner-connect/directory/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MerchantFixture, merchantFixture, PASSWORD } from "../testing/merchant-fixture.ts";

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>';

const folder = mkdtempSync(join(tmpdir(), "brand-"));
let fixture: MerchantFixture;

beforeAll(async () => {
  writeFileSync(join(folder, "logo.svg"), LOGO);
  const env = { PRODUCT_NAME: "Fieldnotes & Co", PRODUCT_COLOR: "#7a1f5c", PRODUCT_LOGO: join(folder, "logo.svg") };
  fixture = await merchantFixture({ env });
});
afterAll(async () => {
  await fixture?.replicas.stop();
  rmSync(folder, { recursive: true });
});

/** As it comes over the wire. */
async function get(url: string, encoding = "identity") {
  const answer = await fixture.replicas.apps[0]?.inject({ url, headers: { "accept-encoding": encoding } });
  if (!answer) throw new Error("no server");
  return answer;
}

async function pathOf(pattern: RegExp): Promise<string> {
  const { html } = await fixture.browser().open("/oauth/sign-in");
  return pattern.exec(html)?.[1] ?? "";
}

describe("what merchants know", () => {
  test("stands on each page and in its title: the product's name and logo", async () => {
    const browser = fixture.browser();
    const pages = [await browser.open("/oauth/sign-in"), await browser.open("/oauth/nowhere")];
    for (const { html } of pages) {
      expect(html).toMatch(/<title>[^<]+ · Fieldnotes &amp; Co<\/title>/);
      expect(html).toMatch(
        /<header class="top">\s*<p class="product"><img src="\/oauth\/assets\/logo-[0-9a-f]{16}\.svg"[^>]*><span>Fieldnotes &amp; Co</,
      );
      expect(html).not.toContain("Partner Connect");
    }
  });

  test("is the logo of the file, which runs no script if it is opened directly", async () => {
    const answer = await get(await pathOf(/<img src="([^"]+)"/));
    expect([answer.statusCode, answer.headers["content-type"], answer.payload]).toEqual([200, "image/svg+xml", LOGO]);
    expect(answer.headers["content-security-policy"]).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
  });

  test("is the colour; the stylesheet that has it has another name", async () => {
    const path = await pathOf(/<link rel="stylesheet" href="([^"]+)"/);
    const css = (await get(path)).payload;
    expect(css).toMatch(/--accent: light-dark\(#7a1f5c, [^}]*}\s*$/);
    const plain = await merchantFixture();
    expect((await plain.browser().open("/oauth/sign-in")).html).not.toContain(path);
    await plain.replicas.stop();
  });
});

test("the stylesheet comes compressed to browsers that take it so, and is the same", async () => {
  const path = await pathOf(/<link rel="stylesheet" href="([^"]+)"/);
  const plain = await get(path);
  expect(plain.headers).toMatchObject({ "content-type": "text/css; charset=utf-8", vary: "accept-encoding" });
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

test("the product's name is little more than a name in a password, on each page that sets one", async () => {
  const { sql } = fixture.replicas;
  const ada = await fixture.registerMerchant();
  const signedIn = fixture.browser();
  await fixture.signIn(signedIn, await signedIn.open("/oauth/sign-in"), ada);
  const resetPath = `${RESET_PASSWORD_PATH}?link=${(await createResetLink(sql, ada.email, TEST_OPERATOR)).token}`;
  const [new_password, stranger] = ["Fieldnotes & Co 2026", fixture.browser()];
  const typed = { password: PASSWORD, new_password, new_password_again: new_password };
  for (const [browser, path, button] of [
    [signedIn, "/oauth/password", "Change password"],
    [stranger, resetPath, "Set password"],
  ] as const) {
    const refused = await browser.press(await browser.open(path), button, typed);
    expect([refused.status, refused.html]).toEqual([422, expect.stringContaining("Don’t use a name or an email.")]);
  }
});
