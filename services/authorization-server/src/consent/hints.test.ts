import { expect, test } from "vitest";
import { PASSWORD, suiteFixture } from "../testing/merchant-fixture.ts";
import { authorizationUrl } from "../testing/replicas.ts";

const fixture = await suiteFixture();

const authorize = (hints: string) => `${authorizationUrl(fixture.client.clientId)}&${hints}`;

/** The prefilled email and the language of the first page. */
async function shown(hints: string, browser = fixture.browser(), headers = {}) {
  const path = (await browser.open(authorize(hints))).location ?? "";
  const { html } = await browser.open(path, headers);
  const email = /id="email" name="email"[^>]* value="([^"]*)"/.exec(html)?.[1];
  return { email, language: /<html lang="([^"]*)"/.exec(html)?.[1] };
}

test("the parameter login_hint fills in the email, unless the browser remembers an email", async () => {
  const browser = fixture.browser();
  expect((await shown("login_hint=anna%2Bx@shop.example", browser)).email).toBe(
    "anna+x@shop.example",
  );
  const form = await browser.open("/oauth/sign-in");
  await browser.press(form, "Sign in", { email: "eve@shop.example", password: PASSWORD });
  expect((await shown("login_hint=anna@shop.example", browser)).email).toBe("eve@shop.example");
});

test("the parameter ui_locales takes precedence over the browser's languages, but not over the merchant's choice", async () => {
  const french = { "accept-language": "fr-CA, fr" };
  expect((await shown("ui_locales=it%20de-AT%20es", fixture.browser(), french)).language).toBe(
    "de-AT",
  );
  expect((await shown("ui_locales=it", fixture.browser(), french)).language).toBe("fr-CA");
  const browser = fixture.browser();
  await browser.press(await browser.open("/oauth/sign-in"), "Español");
  expect((await shown("ui_locales=de", browser)).language).toBe("es");
});

test("ui_locales applies to the forgotten-password pages too, until the browser begins another authorization", async () => {
  const browser = fixture.browser();
  const detours = ["/oauth/password/forgot", "/oauth/password/reset"];
  const languages = async (headers = {}) =>
    await Promise.all(
      detours.map(async (path) => (await browser.open(path, headers)).headers["content-language"]),
    );
  await shown("ui_locales=de-AT", browser);
  expect(await languages({ "accept-language": "fr" })).toEqual(["de", "de"]);
  expect((await shown("", browser)).language).toBe("en");
  expect(await languages()).toEqual(["en", "en"]);
  await shown("ui_locales=de", browser);
  await browser.press(await browser.open("/oauth/sign-in"), "Español");
  expect(await languages()).toEqual(["es", "es"]);
});
