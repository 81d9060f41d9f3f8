import { expect, test } from "vitest";
import { suiteFixture } from "../testing/merchant-fixture.ts";

const COOKIE = "__Host-merchant_language";

const fixture = await suiteFixture();

test("the language that a merchant chose takes precedence over Accept-Language on every later page", async () => {
  const browser = fixture.browser();
  const path = await fixture.begin(browser);
  const chosen = await browser.press(
    await browser.open(path, { "accept-language": "de" }),
    "Français",
  );
  expect([chosen.status, chosen.location]).toEqual([303, path]);
  const page = await browser.open(path, { "accept-language": "de" });
  expect(page.headers["content-language"]).toBe("fr");
  expect(page.headers["vary"]).toBe("accept-language, cookie");
  expect(page.html).toContain('<html lang="fr">');
  expect((await browser.open("/oauth/sign-in")).html).toContain("Mot de passe");
  expect((await browser.open("/oauth/nowhere", { accept: "text/html" })).html).toContain(
    "Page introuvable",
  );
  expect((await browser.open("/oauth/api/authorize")).html).toContain("Ce lien ne fonctionne pas");
  expect((await browser.press(page, "Español")).location).toBe(path);
  expect((await browser.open(path)).headers["content-language"]).toBe("es");
});

test("the language that a merchant chose is stored for a year in a host-only, HttpOnly cookie", async () => {
  const browser = fixture.browser();
  const { headers } = await browser.press(await browser.open("/oauth/sign-in"), "Deutsch");
  expect(headers["set-cookie"]).toEqual([
    `${COOKIE}=de; Max-Age=31536000; Path=/; HttpOnly; Secure; SameSite=Lax`,
  ]);
});

test.each([
  ["a page of another host", { page: "https://evil.example/" }],
  ["a page that is a script", { page: "javascript:alert(1)" }],
  ["no page", { page: "" }],
  ["a page of more than 12,000 characters", { page: `/oauth/sign-in?${"a".repeat(12_001)}` }],
  ["a language that we don't have", { language: "it" }],
  ["a language named like an Object property", { language: "constructor" }],
])("a language form with %s is refused, and no language is stored", async (_, fields) => {
  const browser = fixture.browser();
  const answer = await browser.press(
    await browser.open("/oauth/password/forgot"),
    "Deutsch",
    fields,
  );
  expect([answer.status, answer.location]).toEqual([400, null]);
  expect(answer.html).toContain("Request not accepted");
  expect(browser.cookies.has(COOKIE)).toBe(false);
});

test("a page whose path the language form would refuse offers no other language", async () => {
  for (const path of ["//evil.example/", `/oauth/${"a".repeat(12_001)}`]) {
    const page = await fixture.replicas.app().inject({
      url: path,
      headers: { accept: "text/html" },
    });
    expect(page.body).not.toContain("Deutsch");
  }
});
