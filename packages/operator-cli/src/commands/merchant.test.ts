import {
  findMerchantByEmail,
  findMerchantByIdentity,
  findResetLink,
  linkIdentity,
  merchantDetails,
  verifyPassword,
} from "@partner-connect/directory";
import { onboardMerchant } from "@partner-connect/directory/testing";
import { expect, test } from "vitest";
import { operator, operatorOnOwnDatabase, refused, stderrOf } from "../testing.ts";

const FORMER = "the former long password";
const NEW = "quinces ripen in late october";
const LINK = expect.stringMatching(
  /^https:\/\/connect\.example\/oauth\/password\/reset\?link=pcl_[\w-]{43}$/,
);
const { database, sql, cli } = await operatorOnOwnDatabase({
  PUBLIC_BASE_URL: "https://connect.example",
  PARTNER_CONNECT_OPERATOR: "ops",
});

let count = 0;

async function created(): Promise<string> {
  count += 1;
  const email = `merchant-${count}@shop.example`;
  await cli.json("merchant create --email", email, "--password", FORMER, "--name", "Ada");
  return email;
}

const hasPassword = async (email: string, password: string) =>
  await verifyPassword((await findMerchantByEmail(sql, email))?.passwordHash ?? null, password);
const epochOf = async (email: string) => (await merchantDetails(sql, email)).sessionEpoch;
const token = (url: string) => new URL(url).searchParams.get("link") ?? "";

async function recordsOf(email: string) {
  const records = await sql`
    SELECT event, actor, details::text AS details FROM directory.audit_log
    WHERE merchant_id = (SELECT id FROM directory.merchants WHERE email = ${email}) ORDER BY id`;
  return records.map(({ event, actor, details }) => [event, actor, details]);
}

const words = ["merchant create --name Bo --email"];

test("merchant create accepts a password, and warns if the password has fewer than 15 characters", async () => {
  const given = [...words, "Bo@shop.example", "--password", "correct horse"];
  const { stdout, stderr } = await cli(...given, "--json");
  expect(JSON.parse(stdout)).toEqual({
    id: expect.stringMatching(/^mer_/),
    email: "bo@shop.example",
    name: "Bo",
  });
  expect(stderr).toEqual(
    stderrOf("merchant_create", /The password has fewer than 15 characters\. .*\n/),
  );
});

test("if mail is not configured, merchant create prints a link to set the password", async () => {
  const made = await cli.json(...words, "linked@shop.example");
  expect(made).toEqual({
    id: expect.any(String),
    email: "linked@shop.example",
    name: "Bo",
    link: LINK,
  });
  expect(await findResetLink(sql, token(made.link))).toMatchObject({ email: made.email });
  const nowhere = operator({ DATABASE_URL: database.url });
  const { stdout, stderr } = await nowhere(...words, "linked3@shop.example");
  expect(stdout).toMatch(
    /^Created merchant Bo\.\n\n {2}id +mer_[\s\S]*\?link=pcl_[\s\S]*once, for 7 days/,
  );
  expect(stderr).toEqual(
    stderrOf("merchant_create", "merchant_reset_link", /PUBLIC_BASE_URL is not set: .*\n/),
  );
});

test("if mail is configured, merchant create mails the link to set the password", async () => {
  const withMail = cli.with({
    MAIL_FROM: "post@connect.example",
    MAIL_KEY: "a mail key of 32 characters.....",
  });
  const made = await withMail.json(...words, "mailed@shop.example");
  expect(made).toEqual({
    id: expect.any(String),
    email: "mailed@shop.example",
    name: "Bo",
    link: null,
  });
  const mails =
    await sql`SELECT data ->> 'kind' AS kind FROM worker_jobs.job WHERE data ->> 'merchant_id' = ${made.id}`;
  expect(mails).toEqual([{ kind: "new_account" }]);
  const { stdout } = await withMail(...words, "mailed2@shop.example");
  expect(stdout).toContain(
    "Bo gets a mail to mailed2@shop.example with a link to set the password.",
  );
  expect(stdout).not.toContain("link=");
});

test("merchant set-password accepts a password as an option or from stdin", async () => {
  const email = await created();
  const set = ["merchant", "set-password", email.toUpperCase()];
  const answer = await cli(...set, "--password", "q7#Vw-eL");
  expect(answer.stdout).toContain("Ada has the new password and is signed out everywhere.");
  expect([await hasPassword(email, "q7#Vw-eL"), await hasPassword(email, FORMER)]).toEqual([
    true,
    false,
  ]);
  const piped = await cli.typing(`${NEW}\n`).json(...set, "--password", "-");
  expect([Object.keys(piped), await hasPassword(email, NEW)]).toEqual([
    ["id", "email", "name"],
    true,
  ]);
});

test("merchant reset-link prints a link to set the password", async () => {
  const email = await created();
  const first = await cli.json("merchant reset-link", email);
  expect(first).toEqual({ email, url: LINK, expires_at: expect.any(String) });
  const { stdout } = await cli("merchant reset-link", email);
  const [second = ""] = /https:\S+/.exec(stdout) ?? [];
  expect(await findResetLink(sql, token(second))).toMatchObject({ email });
});

test("merchant remove-passkeys asks for confirmation of its effects, and removes all passkeys", async () => {
  const email = await created();
  const { id } = await merchantDetails(sql, email);
  const remove = ["merchant", "remove-passkeys", email];
  expect(await cli.json(...remove)).toEqual({ email, removed: 0 });
  await sql`
    INSERT INTO directory.passkeys (id, merchant_id, name, public_key, counter, transports)
    SELECT 'passkey ' || n, ${id}, 'Key', '\\x00', 0, '{}' FROM generate_series(1, 2) n`;
  expect(await cli.declined(...remove)).toContain(
    "loses all 2 passkeys, and is signed out everywhere",
  );
  expect((await cli.json("merchant show", email)).passkeys).toBe(2);
  const answer = await cli(...remove);
  expect(answer.stdout).toContain("has no passkey any more");
  expect(answer.stderr).toContain(`partner-connect merchant reset-link ${email}`);
});

test("merchant disable asks for confirmation of its effects, and merchant enable undoes the change", async () => {
  const email = await created();
  await cli("shop create --name Hats --owner", email);
  const told = await cli.declined("merchant disable", email);
  expect(told).toContain(`Ada (${email}) is signed out everywhere and can't sign in any more`);
  expect(told).toContain("Apps stay connected with the merchant's shops: Hats.");
  expect((await cli.json("merchant show", email)).status).toBe("active");
  expect(await cli.json("merchant disable", email)).toMatchObject({ email, status: "disabled" });
  expect((await cli("merchant enable", email)).stdout).toBe(`Merchant Ada (${email}) is active.\n`);
});

test("merchant disable acts on the merchant it asked about, even if another merchant gets the address before the answer", async () => {
  const [email, other] = [await created(), await created()];
  const answer = async function* () {
    await cli.json("merchant update", email, "--email", `former-${email}`);
    await cli.json("merchant update", other, "--email", email);
    yield "y\n";
  };
  await cli.atTerminal().typing(answer())("merchant disable", email);
  const status = async (of: string) => (await cli.json("merchant show", of)).status;
  expect([await status(email), await status(`former-${email}`)]).toEqual(["active", "disabled"]);
});

test("merchant list and show print the account and its shops", async () => {
  const email = await created();
  const { id } = await cli.json("shop create --name Hats --owner", email);
  const document = {
    id: expect.stringMatching(/^mer_/),
    email,
    name: "Ada",
    status: "active",
    created_at: expect.any(String),
    password_changed_at: null,
    passkeys: 0,
    shops: [{ id, name: "Hats" }],
  };
  expect(await cli.json("merchant show", email)).toEqual(document);
  expect(await cli.json("merchant list")).toContainEqual(document);
  expect((await cli("merchant show", email)).stdout).toMatch(
    new RegExp(`status +active\\n[^]*${id} +Hats`),
  );
});

test("merchant update to another address ends reset links and adds an audit record, unlike an update to the same address", async () => {
  const email = await created();
  await cli.json("merchant reset-link", email);
  const to = `new-${email}`;
  expect(await cli.json("merchant update", email, "--email", to.toUpperCase())).toMatchObject({
    email: to,
  });
  const links =
    await sql`SELECT FROM directory.merchant_links WHERE email = ${email} AND used_at IS NULL`;
  expect(links).toHaveLength(0);
  await cli.json("merchant update", to, "--email", to);
  const records = await cli.json("audit list --merchant", to, "--action", "merchant_update");
  expect(records.map(({ detail }: { detail: object }) => detail)).toMatchObject([
    { email: { from: email, to } },
  ]);
});

test("merchant update refuses an invalid address", async () => {
  const email = await created();
  expect(await cli("merchant update", email, "--email", "none")).toEqual(
    refused(/is not an email address/),
  );
});

test("merchant forget-identity unlinks the provider's account and ends all sessions, so that another account can be linked", async () => {
  const { id, email } = await onboardMerchant(sql);
  const forget = ["merchant", "forget-identity", email];
  expect((await cli(...forget)).stdout).toContain("has no account at an OpenID provider");
  const former = { issuer: "https://accounts.example", subject: "one" };
  const present = { ...former, subject: "two" };
  expect(await linkIdentity(sql, former, email, {})).toMatchObject({
    outcome: "found",
    merchant: { id },
  });
  expect(await linkIdentity(sql, present, email, {})).toEqual({ outcome: "joined_with_another" });
  const elsewhere = { ...former, issuer: "https://other.example" };
  expect(await findMerchantByIdentity(sql, elsewhere)).toBeNull();
  await cli.declined(...forget);
  expect([await findMerchantByIdentity(sql, former), await epochOf(email)]).toMatchObject([
    { id },
    1,
  ]);
  expect(await cli.json(...forget)).toEqual({ email, issuers: [former.issuer] });
  expect([await findMerchantByIdentity(sql, former), await epochOf(email)]).toEqual([null, 2]);
  const detail = '{"issuers": ["https://accounts.example"]}';
  expect((await recordsOf(email)).at(-1)).toEqual([
    "merchant_forget_identity",
    "operator:ops",
    detail,
  ]);
  expect((await linkIdentity(sql, present, email, {})).outcome).toBe("found");
});

test("merchant end-sessions ends the sessions of a merchant or, with --all and a confirmation, of all merchants", async () => {
  const [{ email: one }, { email: other }] = [
    await onboardMerchant(sql),
    await onboardMerchant(sql),
  ];
  const epochs = async () => [await epochOf(one), await epochOf(other)];
  await cli.json("merchant end-sessions", one);
  expect(await epochs()).toEqual([2, 1]);
  const effect = "Every merchant is signed out everywhere";
  expect(await cli.declined("merchant end-sessions --all")).toContain(effect);
  expect(await epochs()).toEqual([2, 1]);
  const { merchants } = await cli.json("merchant end-sessions --all");
  expect([merchants > 2, await epochs()]).toEqual([true, [3, 2]]);
  const [record] =
    await sql`SELECT event, details FROM directory.audit_log ORDER BY id DESC LIMIT 1`;
  expect(record).toEqual({ event: "merchant_end_all_sessions", details: { merchants } });
});
