import { findMerchantByEmail, findResetLink, verifyPassword } from "@partner-connect/directory";
import { describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { misused, operator, type Refusal, refused, stderrOf } from "../../testing.ts";

const FORMER = "the former long password";
const NEW = "quinces ripen in late october";

const { database, sql, cli } = await operatorOnOwnDatabase({
  PUBLIC_BASE_URL: "https://connect.example",
  PARTNER_CONNECT_OPERATOR: "ops",
});

let count = 0;
async function created(): Promise<string> {
  count += 1;
  const email = `merchant-${count}@shop.example`;
  await cli.json("merchant", "create", "--email", email, "--password", FORMER, "--name", "Ada");
  return email;
}

async function hasPassword(email: string, password: string): Promise<boolean> {
  return await verifyPassword((await findMerchantByEmail(sql, email))?.passwordHash ?? null, password);
}

/** What the audit log says of the merchant, and that no password is in it. */
async function recordsOf(email: string) {
  const records = await sql`
    SELECT event, actor, details::text AS details FROM directory.audit_log
    WHERE merchant_id = (SELECT id FROM directory.merchants WHERE email = ${email}) ORDER BY id`;
  return records.map(({ event, actor, details }) => [event, actor, details]);
}

describe("the password of a new merchant", () => {
  const words = ["merchant", "create", "--name", "Bo", "--email"];
  const token = (url: string) => new URL(url).searchParams.get("link") ?? "";

  test("is set by a link that is printed, where mail is off", async () => {
    const made = await cli.json(...words, "linked@shop.example");
    expect(made).toEqual({
      id: expect.any(String),
      email: "linked@shop.example",
      name: "Bo",
      link: expect.stringMatching(/^https:\/\/connect\.example\/oauth\/password\/reset\?link=pcl_[\w-]{43}$/),
    });
    expect(await findResetLink(sql, token(made.link))).toMatchObject({ email: made.email });
    const { stdout, stderr } = await cli.atTerminal()(...words, "linked2@shop.example");
    expect(stdout).toMatch(/^Created merchant Bo\.\n[\s\S]*once and for 7 days/);
    expect(await findResetLink(sql, token(/https:\S+/.exec(stdout)?.[0] ?? ""))).not.toBe(null);
    expect(stderr).toEqual(stderrOf("merchant_create", "merchant_reset_link"));
    const nowhere = operator({ DATABASE_URL: database.url });
    const { stderr: told } = await nowhere(...words, "linked3@shop.example");
    expect(told).toEqual(stderrOf("merchant_create", "merchant_reset_link", /PUBLIC_BASE_URL is not set: .*\n/));
  });

  test("is set by a link that is mailed, where mail is on", async () => {
    const withMail = cli.with({ MAIL_FROM: "post@connect.example", MAIL_KEY: "a mail key of 32 characters....." });
    const made = await withMail.json(...words, "mailed@shop.example");
    expect(made).toEqual({ id: expect.any(String), email: "mailed@shop.example", name: "Bo", link: null });
    expect(
      await sql`SELECT kind FROM worker_jobs.job, jsonb_to_record(data) AS mail (kind text, shop_id text, merchant_id text, about jsonb) WHERE merchant_id = ${made.id}`,
    ).toEqual([{ kind: "new_account" }]);
    const { stdout } = await withMail(...words, "mailed2@shop.example");
    expect(stdout).toContain("Bo gets a mail to mailed2@shop.example with a link to set the password.");
    expect(stdout).not.toContain("link=");
  });

  test("is made with --generate-password, and shown once", async () => {
    const made = await cli.json(...words, "made@shop.example", "--generate-password");
    expect(made).toEqual({
      id: expect.any(String),
      email: "made@shop.example",
      name: "Bo",
      password: expect.stringMatching(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/),
    });
    expect(await hasPassword("made@shop.example", made.password)).toBe(true);
    const { stdout } = await cli(...words, "made2@shop.example", "--generate-password");
    const [, shown = ""] = /^ {2}password +(\S+)$/m.exec(stdout) ?? [];
    expect(await hasPassword("made2@shop.example", shown)).toBe(true);
    expect(shown).not.toBe(made.password);
    expect(JSON.stringify(await cli.json("merchant", "show", "made2@shop.example"))).not.toContain(shown);
  });

  test.each<[string[], Refusal]>([
    [["--password", NEW, "--generate-password"], misused(/don't go together/)],
    [["--password", "password"], refused(/many people have/)],
  ])("with %j is refused where there is no terminal", async (options, refusal) => {
    expect(await cli(...words, "a@shop.example", ...options)).toEqual(refusal);
    expect(await findMerchantByEmail(sql, "a@shop.example")).toBe(null);
  });
});

describe("merchant set-password", () => {
  test("asks for it on a terminal, twice, without showing it; elsewhere it has to be given", async () => {
    const email = await created();
    const answer = await cli.atTerminal().typing([`${NEW}\r`, `${NEW}\r`])("merchant", "set-password", email);
    expect(answer.code).toBe(0);
    expect(answer.stderr).toEqual(
      stderrOf(/New password \(it is not shown\): \nThe same again: \n/, "merchant_set_password"),
    );
    expect(answer.stdout).not.toContain(NEW);
    expect(await hasPassword(email, NEW)).toBe(true);
    expect(await cli("merchant", "set-password", email)).toEqual(
      misused(/a password is missing.*give --password or --generate-password/),
    );
  });

  test("judges a typed one as a person's", async () => {
    const email = await created();
    const answer = await cli.atTerminal().typing(["fourteen chars\r", "fourteen chars\r"])(
      "merchant",
      "set-password",
      email,
    );
    expect([answer.code, answer.stderr]).toEqual([1, expect.stringMatching(/15 to 256 characters/)]);
    expect(answer.stderr + answer.stdout).not.toContain("fourteen");
    expect(await hasPassword(email, FORMER)).toBe(true);
  });

  test("replaces the password, and says when it is short", async () => {
    const email = await created();
    const answer = await cli("merchant", "set-password", email.toUpperCase(), "--password", "q7#Vw-eL");
    expect(answer).toMatchObject({ code: 0, stderr: expect.stringContaining("fewer than 15 characters") });
    expect(answer.stdout).toContain("Ada has the new password and is signed out everywhere.");
    expect([await hasPassword(email, "q7#Vw-eL"), await hasPassword(email, FORMER)]).toEqual([true, false]);
    const piped = await cli.typing(`${NEW}\n`)("merchant", "set-password", email, "--password", "-", "--json");
    expect(piped.stderr).toEqual(stderrOf("merchant_set_password"));
    expect(Object.keys(JSON.parse(piped.stdout))).toEqual(["id", "email", "name"]);
    expect(await hasPassword(email, NEW)).toBe(true);
    expect(await recordsOf(email)).toEqual([
      ["merchant_create", "operator:ops", "{}"],
      ["merchant_set_password", "operator:ops", '{"by": "operator"}'],
      ["merchant_set_password", "operator:ops", '{"by": "operator"}'],
    ]);
  });

  test("makes one, and asks for none before it has found the merchant", async () => {
    const email = await created();
    const { password } = await cli.json("merchant", "set-password", email, "--generate-password");
    expect(await hasPassword(email, password)).toBe(true);
    const terminal = cli.atTerminal().typing([`${NEW}\r`, `${NEW}\r`]);
    const unknown = await terminal("merchant", "set-password", "nobody@shop.example");
    expect(unknown.stderr).toMatch(/no merchant with the email "nobody@shop\.example"/);
    expect(unknown.stderr).not.toContain("New password");
  });
});

describe("merchant reset-link", () => {
  test("prints a link for the merchant once, which works until a newer one is made", async () => {
    const email = await created();
    const first = await cli.json("merchant", "reset-link", email);
    expect(first).toEqual({
      email,
      url: expect.stringMatching(/^https:\/\/connect\.example\/oauth\/password\/reset\?link=pcl_[\w-]{43}$/),
      expires_at: expect.any(String),
    });
    const token = (url: string) => new URL(url).searchParams.get("link") ?? "";
    expect(await findResetLink(sql, token(first.url))).toMatchObject({ email });
    const { stdout, stderr } = await cli("merchant", "reset-link", email);
    expect(stderr).toEqual(stderrOf("merchant_reset_link"));
    const [second = ""] = /https:\S+/.exec(stdout) ?? [];
    expect(await findResetLink(sql, token(first.url))).toBe(null);
    expect(await findResetLink(sql, token(second))).toMatchObject({ email });
    expect((await recordsOf(email)).slice(1)).toEqual(Array(2).fill(["merchant_reset_link", "operator:ops", "{}"]));
  });
});

describe("merchant remove-passkeys", () => {
  test("says what it does, asks on a terminal, takes all of them, and is recorded", async () => {
    const email = await created();
    const { id = "", sessionEpoch = 0 } = (await findMerchantByEmail(sql, email)) ?? {};
    expect(await cli.json("merchant", "remove-passkeys", email)).toEqual({ email, removed: 0 });
    await sql`
      INSERT INTO directory.passkeys (id, merchant_id, name, public_key, counter, transports)
      SELECT 'passkey ' || n, ${id}, 'Key', '\\x00', 0, '{}' FROM generate_series(1, 2) n`;
    expect((await cli.json("merchant", "show", email)).passkeys).toBe(2);

    const no = await cli.atTerminal().typing("n\n")("merchant", "remove-passkeys", email);
    expect([no.code, no.stderr]).toEqual([
      1,
      expect.stringContaining("loses all 2 passkeys, and is signed out everywhere"),
    ]);
    expect((await cli.json("merchant", "remove-passkeys", email, "--dry-run")).dry_run).toBe(true);
    expect((await cli.json("merchant", "show", email)).passkeys).toBe(2);

    const answer = await cli("merchant", "remove-passkeys", email);
    expect(answer.stdout).toContain("has no passkey any more");
    expect(answer.stderr).toContain(`partner-connect merchant reset-link ${email}`);
    expect((await findMerchantByEmail(sql, email))?.sessionEpoch).toBe(sessionEpoch + 1);
    expect((await recordsOf(email)).at(-1)).toEqual(["merchant_remove_passkey", "operator:ops", '{"passkeys": 2}']);
    expect(await cli("merchant", "remove-passkeys", "nobody@shop.example")).toEqual(refused(/there is no merchant/));
  });
});

describe("merchant disable and enable", () => {
  test("says what it affects, asks on a terminal, and is undone by enable", async () => {
    const email = await created();
    await cli("shop", "create", "--name", "Hats", "--owner", email);
    const no = await cli.atTerminal().typing("n\n")("merchant", "disable", email);
    expect(no).toMatchObject({ code: 1, stdout: "" });
    expect(no.stderr).toContain(`Ada (${email}) is signed out everywhere and can't sign in any more`);
    expect(no.stderr).toContain("Apps stay connected with the merchant's shops: Hats.");
    expect((await cli.json("merchant", "disable", email, "--dry-run")).dry_run).toBe(true);
    expect((await cli.json("merchant", "show", email)).status).toBe("active");
    const disabled = await cli.json("merchant", "disable", email);
    expect(disabled).toMatchObject({ email, status: "disabled" });
    expect((await cli("merchant", "enable", email)).stdout).toBe(`Merchant Ada (${email}) is active.\n`);
    expect((await recordsOf(email)).slice(1).map(([event]) => event)).toEqual(["merchant_disable", "merchant_enable"]);
  });
});

describe("merchant list and show", () => {
  test("show the account and its shops", async () => {
    const email = await created();
    const { id } = await cli.json("shop", "create", "--name", "Hats", "--owner", email);
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
    expect(await cli.json("merchant", "show", email)).toEqual(document);
    expect(await cli.json("merchant", "list")).toContainEqual(document);
    expect((await cli("merchant", "show", email)).stdout).toMatch(new RegExp(`status +active\\n[^]*${id} +Hats`));
  });

  test("refuses an email that nobody has, and none", async () => {
    expect(await cli("merchant", "show", "nobody@shop.example")).toEqual(
      refused(/no merchant with the email "nobody@shop\.example"/),
    );
    expect(await cli("merchant", "show")).toEqual(misused(/missing required argument 'email'/));
  });
});
