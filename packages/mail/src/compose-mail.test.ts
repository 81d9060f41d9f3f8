import { LANGUAGES } from "@partner-connect/contract";
import { describe, expect, test } from "vitest";
import { composeMail, type MailFacts, type MailLinks } from "./compose-mail.ts";
import type { MailKind } from "./mail.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import es from "./texts/es.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

const FACTS: MailFacts = {
  product: "Survey Tool",
  color: "#7a1f5c",
  email: "anna@shop.example",
  name: "Anna",
  app: null,
  shop: null,
  scope: [],
  by: null,
  reason: null,
  isReplay: false,
  byRecipient: false,
  person: null,
  change: null,
  device: null,
  address: null,
  at: new Date("2026-11-23T15:07:00Z"),
};
const BASE = "https://connect.survey.example";
const LINKS: MailLinks = {
  action: `${BASE}/do?link=pcl_1`,
  newPassword: `${BASE}/oauth/password/forgot`,
  connectedApps: `${BASE}/oauth/connections`,
  partner: `${BASE}/partner/client_1`,
};
const ofApp = { app: "Lookout", shop: "Fern & Field", by: "Nora", scope: ["responses:read", "sources:write"] };

const EACH: Readonly<Record<Exclude<MailKind, "none">, { facts?: Partial<MailFacts>; links?: Partial<MailLinks> }>> = {
  new_account: {},
  reset_password: {},
  app_connected: { facts: { ...ofApp, byRecipient: true } },
  app_widened: { facts: ofApp },
  app_disconnected: { facts: { ...ofApp, scope: [], by: null } },
  member_added: { facts: { shop: "Fern & Field", person: "Max" } },
  member_removed: { facts: { shop: "Fern & Field", person: "Max" } },
  password_changed: {},
  second_factor_changed: { facts: { change: "passkey_added" } },
  new_device: { facts: { device: "Firefox on Linux", address: "203.0.113.7" } },
  client_secret_made: { facts: { app: "Lookout", by: "Nora" } },
  client_secret_ended: { facts: { app: "Lookout" } },
  client_member_added: { facts: { app: "Lookout", person: "Max" } },
  client_member_removed: { facts: { app: "Lookout", person: "Max" } },
};

function composed(kind: Exclude<MailKind, "none">, language: string | null) {
  const { facts, links } = EACH[kind];
  return composeMail(kind, { ...FACTS, ...facts }, { ...LINKS, ...links }, language);
}

const all = (Object.keys(EACH) as (keyof typeof EACH)[]).flatMap((kind) =>
  LANGUAGES.map((language) => ({ kind, language })),
);

describe("a mail", () => {
  test.each(all)(
    "$kind in $language says the same as text and as HTML, and nothing that is not known",
    ({ kind, language }) => {
      const { subject, text, html } = composed(kind, language);
      expect(subject).not.toMatch(/[\r\n]|null|undefined/);
      expect(`${text}${html}`).not.toMatch(/\bnull\b|undefined|\[object|NaN|\{\w+\}/);
      const { facts = {} } = EACH[kind];
      const { app, shop, person, device, address, by } = facts;
      for (const fact of [app, shop, person, device, by])
        if (fact) expect(text.replaceAll("\u200c", "")).toContain(fact);
      if (address) expect(text).toContain(address);
      const urls = text.match(/https:\S+/g) ?? [];
      for (const url of urls) expect(html).toContain(`href="${url}"`);
      expect(html.match(/href="/g) ?? []).toHaveLength(urls.length);
      expect(html).toContain(`<html lang="${language}">`);
      expect(html).not.toMatch(/<script|<img|<link/);
      expect(text).toContain("Survey Tool");
      expect(html.length).toBeLessThan(8000);
    },
  );

  test("tells the app, the shop, what is allowed, who, and when with its zone", () => {
    expect(composed("app_connected", "en").text).toBe(`Hello Anna,

Lookout now has access to Fern & Field. You can disconnect it anytime.

App: Lookout
Shop: Fern & Field
Allowed to: Read survey responses and questions; Add attribution sources
By: Nora
Time: 23 November 2026 at 15:07 UTC

See connected apps: ${BASE}/oauth/connections

If this wasn’t you, disconnect the app and choose a new password.
Choose a new password: ${BASE}/oauth/password/forgot

-- 
This is an automated email from Survey Tool. Its links lead to connect.survey.example. We never ask for your password by email.
`);
    expect(composed("app_connected", "de").text).toContain("Zeitpunkt: 23. November 2026 um 15:07 UTC");
    const ended = { ...FACTS, ...ofApp, scope: [], by: null, reason: "The app was sold." };
    expect(composeMail("app_disconnected", ended, LINKS, "en").text).toContain("By: us\nReason: The app was sold.\n");
    expect(composed("app_disconnected", "en").text).not.toContain("Reason");
    const replay = composeMail("app_disconnected", { ...FACTS, ...ofApp, by: null, isReplay: true }, LINKS, "en");
    expect(replay.text).toContain("the app sent a used code again");
  });

  test("has the product's colour and mark, or ours", () => {
    expect(composed("password_changed", "en").html).toMatch(
      /background:#7a1f5c.*<b aria-hidden="true">S<\/b>Survey Tool/s,
    );
    const ours = composeMail("password_changed", { ...FACTS, color: null }, LINKS, "en").html;
    expect(ours).toContain(".action{display:inline-block;padding:10px 18px;border-radius:6px;background:#12564b;");
  });

  const forgot = `Choose a new password: ${BASE}/oauth/password/forgot`;
  const apps = `See connected apps: ${BASE}/oauth/connections`;
  test.each<[keyof typeof EACH, Partial<MailFacts>, Partial<MailLinks>, string | null, string | null]>([
    ["app_connected", { byRecipient: true }, {}, "If this wasn’t you, disconnect the app and", forgot],
    ["app_widened", { by: null }, {}, "If this wasn’t you, disconnect the app and", forgot],
    ["app_connected", { byRecipient: false }, {}, "If you don’t expect this, disconnect the app.", null],
    [
      "app_connected",
      { byRecipient: true },
      { newPassword: null },
      "If you don’t expect this, disconnect the app",
      null,
    ],
    ["app_disconnected", {}, {}, null, null],
    ["password_changed", {}, {}, "If this wasn’t you, choose a new password. It signs you", forgot],
    ["second_factor_changed", {}, {}, "If this wasn’t you, choose a new password. It signs you", forgot],
    ["new_device", {}, {}, "If this wasn’t you, choose a new password. It signs you", forgot],
    ["new_device", {}, { newPassword: null }, "If this wasn’t you, sign out everywhere and secure", apps],
    ["client_secret_made", {}, {}, null, null],
  ])("%s, %j, %j says what to do if it is wrong: %s %s", (kind, facts, links, told, link) => {
    const given = { ...FACTS, ...EACH[kind].facts, ...facts };
    const { text } = composeMail(kind, given, { ...LINKS, ...links }, "en");
    const paragraph = text.split("\n\n").find((each) => each.startsWith("If ")) ?? null;
    expect(paragraph?.slice(0, told?.length) ?? null).toBe(told);
    expect(paragraph?.split("\n")[1] ?? null).toBe(link);
  });

  test("is in English where the language is not known, or not ours", () => {
    const english = composed("password_changed", "en");
    expect(composed("password_changed", null)).toEqual(english);
    expect(composed("password_changed", "xx")).toEqual(english);
  });

  test("has names as text: no markup, and nothing that a mail program makes a link of", () => {
    const name = "<b>Click</b> https://evil.example/x now";
    const { subject, text, html } = composeMail(
      "member_added",
      { ...FACTS, person: name, shop: "evil.example" },
      LINKS,
      "en",
    );
    expect(html).not.toContain("<b>");
    for (const part of [subject, text, html]) expect(part).not.toMatch(/https:\/\/evil|evil\.example/);
    expect(text.replaceAll("\u200c", "")).toContain(name);
  });
});

test.each([
  ["de", de],
  ["fr", fr],
  ["es", es],
] as const)(
  "the texts in %s are as many as in English, none is English's, and each has its facts",
  (language, texts) => {
    const facts = (text: string) => text.match(/\{\w+\}/g)?.toSorted() ?? [];
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const [place, text] of Object.entries(texts)) {
      const english = en[place as keyof typeof en];
      if (!/^fact\.(app|shop)$/.test(place)) expect(text, place).not.toBe(english);
      expect([...new Set(facts(text))], place).toEqual([...new Set(facts(english))]);
      expect(text, place).not.toMatch(/['"]| {2}/);
      if (language === "fr") expect(text, place).not.toMatch(/[^\u00a0][?!:;]/);
    }
  },
);
