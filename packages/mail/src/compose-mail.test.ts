import { LANGUAGES } from "@partner-connect/contract";
import { expect, test } from "vitest";
import { composeMail, type MailNames, type MailSite } from "./compose-mail.ts";
import type { MailKind } from "./mail.ts";
import de from "./texts/de.json" with { type: "json" };
import en from "./texts/en.json" with { type: "json" };
import es from "./texts/es.json" with { type: "json" };
import fr from "./texts/fr.json" with { type: "json" };

const BASE = "https://connect.survey.example";
const site: MailSite = { base: BASE, product: "Survey Tool", color: "#7a1f5c", hasPasswords: true };
const AT = new Date("2026-11-23T15:07:00Z");
const ANNA = { email: "anna@shop.example", name: "Anna", language: "en" };
const NOBODY = { ...ANNA, app: null, shop: null, by: null, person: null };

interface Given {
  readonly names?: Partial<MailNames>;
  readonly about?: Readonly<Record<string, unknown>>;
}
const names = { app: "Lookout", shop: "Fern & Field", by: "Nora" };
const ofApp = {
  names,
  about: { by: "mer_1", connection_id: "con_1", scope: ["responses:read", "sources:write"] },
};
const ofMember = { names: { shop: "Fern & Field", person: "Max" } };
const ofPerson = { names: { app: "Lookout", person: "Max" }, about: { client_id: "client_1" } };

const EACH: Readonly<Record<Exclude<MailKind, "none">, Given>> = {
  new_account: {},
  reset_password: {},
  app_connected: ofApp,
  app_widened: ofApp,
  app_disconnected: { names: { ...names, by: null }, about: { by: "operator" } },
  member_added: ofMember,
  member_removed: ofMember,
  password_changed: {},
  address_changed: { about: { former: ANNA.email } },
  second_factor_changed: { about: { change: "passkey_added" } },
  new_device: { about: { device: "Firefox, Linux", address: "203.0.113.7" } },
  password_entered: { about: { address: "203.0.113.7" } },
  client_secret_made: { names: { app: "Lookout", by: "Nora" }, about: { client_id: "client_1" } },
  client_secret_ended: { names: { app: "Lookout" }, about: { client_id: "client_1" } },
  client_member_added: ofPerson,
  client_member_removed: ofPerson,
};

function composed(
  kind: keyof typeof EACH,
  given: Given & { readonly site?: Partial<MailSite> } = {},
) {
  const { names, about } = EACH[kind];
  return composeMail({
    kind,
    job: { merchant_id: "mer_1", shop_id: "shop_1", about: { ...about, ...given.about } },
    queuedAt: AT,
    names: { ...NOBODY, ...names, ...given.names },
    site: { ...site, ...given.site },
    resetUrl: `${BASE}/do?link=pcl_1`,
  });
}

const all = (Object.keys(EACH) as (keyof typeof EACH)[]).flatMap((kind) =>
  LANGUAGES.map((language) => ({ kind, language })),
);

test.each(all)(
  "the mail $kind in $language has no empty fact, and the same links as text and as HTML",
  ({ kind, language }) => {
    const { subject, text, html } = composed(kind, { names: { language } });
    expect(subject).not.toMatch(/[\r\n]|null|undefined/);
    expect(`${text}${html}`).not.toMatch(/\bnull\b|undefined|\[object|NaN|\{\w+\}/);
    const { names = {}, about = {} } = EACH[kind];
    const facts = [...Object.values(names), about["device"], about["address"]].filter(Boolean);
    for (const fact of facts) expect(text.replaceAll("\u200c", "")).toContain(fact);
    const urls = text.match(/https:\S+/g) ?? [];
    for (const url of urls) expect(html).toContain(`href="${url}"`);
    expect(html.match(/href="/g) ?? []).toHaveLength(urls.length);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).not.toMatch(/<script|<img|<link/);
    expect(text).toContain("Survey Tool");
    expect(html.length).toBeLessThan(8000);
  },
);

test("a mail about a connection names the app, shop, permissions, actor and time", () => {
  expect(composed("app_connected").text).toBe(`Hello Anna,

Lookout now has access to Fern & Field. You can disconnect it anytime.

App: Lookout
Shop: Fern & Field
Allowed to: Read survey responses and questions; Add attribution sources
By: Nora
Time: 23 November 2026 at 15:07 UTC

See Lookout: ${BASE}/oauth/connections/shop_1/con_1

If this wasn’t you, disconnect the app and choose a new password. Then tell us.
Choose a new password: ${BASE}/oauth/password/forgot

-- 
This is an automated email from Survey Tool. Its links lead to connect.survey.example. We never ask for your password by email.
Help: ${BASE}/help#who
`);
  const german = composed("app_connected", { names: { language: "de" } }).text;
  expect(german).toContain("Zeitpunkt: 23. November 2026 um 15:07 UTC");
  const text = (about: Record<string, unknown>) => composed("app_disconnected", { about }).text;
  const reason = "The app was sold.";
  expect(text({ by: "operator", reason })).toMatch(/By: us\nReason: The app was sold\.\n/);
  expect(text({ by: "operator" })).not.toContain("Reason");
  expect(text({ by: "client" })).toMatch(/Lookout ended its connection.*By: Lookout\n/s);
  const replay = text({ by: "replay", contact: "privacy@lookout.example" });
  expect(replay).toMatch(/was used twice.*\n\n.+ deleted, email privacy@lookout\.example\.\n/s);
  const product = text({ by: "product" });
  expect(product).toMatch(/Survey Tool disconnected Lookout from Fern .*By: Survey Tool\n/s);
});

test("a mail has the product's colour and initial, or the default colour", () => {
  const { html } = composed("password_changed");
  expect(html).toMatch(/background:#7a1f5c.*<b aria-hidden="true">S<\/b>Survey Tool/s);
  const ours = composed("password_changed", { site: { color: null } }).html;
  const button = ".action{display:inline-block;padding:10px 18px;border-radius:6px;";
  expect(ours).toContain(`${button}background:#12564b;`);
});

const forgot = `Choose a new password: ${BASE}/oauth/password/forgot`;
const apps = `See connected apps: ${BASE}/oauth/connections`;
const byUs = { about: { change: "removed_by_us" } };
const other = { about: { by: "mer_2" } };
const unknown = { ...other, names: { by: null } };
const noPasswords = { site: { hasPasswords: false } };
const tellUs = "If you weren’t expecting this, tell us at once.";
test.each<[keyof typeof EACH, Parameters<typeof composed>[1], string | null, string | null]>([
  ["app_connected", {}, "If this wasn’t you, disconnect the app and", forgot],
  ["app_widened", unknown, "If this wasn’t you, disconnect the app and", forgot],
  ["app_connected", other, "If you weren’t expecting this, disconnect the app and tell us.", null],
  ["app_connected", noPasswords, "If you weren’t expecting this, disconnect the app", null],
  ["app_disconnected", {}, null, null],
  ["password_changed", {}, "If this wasn’t you, choose a new password. It signs you", forgot],
  ["second_factor_changed", {}, "If this wasn’t you, choose a new password. It signs you", forgot],
  ["second_factor_changed", byUs, tellUs, `Help: ${BASE}/help#mail`],
  ["new_device", {}, "If this wasn’t you, choose a new password. It signs you", forgot],
  ["password_entered", {}, "If this wasn’t you, choose a new password. It signs you", forgot],
  ["new_device", noPasswords, "If this wasn’t you, sign out everywhere and secure", apps],
  ["client_secret_made", {}, null, null],
  ["member_added", {}, tellUs, `Help: ${BASE}/help#left`],
  ["address_changed", {}, tellUs, `Help: ${BASE}/help`],
])("the mail %s (%j) has the advice %j with the link %j", (kind, given, told, link) => {
  const paragraph =
    composed(kind, given)
      .text.split("\n\n")
      .find((each) => each.startsWith("If ")) ?? null;
  expect(paragraph?.slice(0, told?.length) ?? null).toBe(told);
  expect(paragraph?.split("\n")[1] ?? null).toBe(link);
  if (told?.includes("It signs you")) expect(composed(kind).text).toContain("/help#mail\n");
});

test("a mail to an added or removed member addresses that person, and has no link to the shop's apps after a removal", () => {
  const { subject, text } = composed("member_removed", { about: { member_id: "mer_1" } });
  expect(text).toContain(`Hello Anna,\n\n${subject}.\n\nShop: Fern & Field\n`);
  expect(subject).toBe("You no longer have access to Fern & Field");
  expect(text).not.toContain(apps);
  const added = composed("member_added", { about: { member_id: "mer_1" } }).text;
  expect(added).toContain("Apps that are already connected stay connected.\n");
});

test("a mail is in English if the recipient's language is unknown or has no translation", () => {
  const english = composed("password_changed");
  for (const language of [null, "xx"])
    expect(composed("password_changed", { names: { language } })).toEqual(english);
});

test("a mail shows names as plain text that no mail program turns into markup or links", () => {
  const person = "<b>Click</b> https://evil.example/x now";
  const { subject, text, html } = composed("member_added", {
    names: { person, shop: "evil.example" },
  });
  expect(html).not.toContain("<b>");
  const { text: ofDevice } = composed("new_device", { about: { device: "evil.example" } });
  for (const part of [subject, text, html, ofDevice])
    expect(part).not.toMatch(/https:\/\/evil|evil\.example/);
  expect(text.replaceAll("\u200c", "")).toContain(person);
});

test.each(Object.entries({ de, fr, es }))(
  "the texts in %s are all translated, with the keys and placeholders of the English texts",
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
