import { findMerchantByIdentity, joinIdentity, showMerchant } from "@partner-connect/directory";
import { onboardMerchant } from "@partner-connect/directory/testing";
import { describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { misused, refused } from "../../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "ops" });

const epochOf = async (email: string) => (await showMerchant(sql, email)).sessionEpoch;
const lastRecord = async () =>
  (await sql`SELECT event, actor, merchant_id, details FROM directory.audit_log ORDER BY id DESC LIMIT 1`)[0];

describe("merchant forget-identity", () => {
  test("separates the account elsewhere and ends all sessions, so that another person can be joined", async () => {
    const { id, email } = await onboardMerchant(sql);
    const [former, present] = ["one", "two"].map((subject) => ({ issuer: "https://accounts.example", subject }));
    if (!former || !present) throw new Error("two of them");
    expect(await joinIdentity(sql, former, email, {})).toMatchObject({ outcome: "found", merchant: { id } });
    expect(await joinIdentity(sql, present, email, {})).toEqual({ outcome: "joined_with_another" });

    expect((await cli.json("merchant", "forget-identity", email, "--dry-run")).dry_run).toBe(true);
    expect(await findMerchantByIdentity(sql, former)).toMatchObject({ id });
    const no = await cli.atTerminal().typing("n\n")("merchant", "forget-identity", email);
    expect([no.code, await epochOf(email)]).toEqual([1, 1]);

    expect(await cli.json("merchant", "forget-identity", email.toUpperCase())).toEqual({
      email,
      issuers: [former.issuer],
    });
    expect([await findMerchantByIdentity(sql, former), await epochOf(email)]).toEqual([null, 2]);
    const details = { issuers: [former.issuer] };
    expect(await lastRecord()).toEqual({
      event: "merchant_forget_identity",
      actor: "operator:ops",
      merchant_id: id,
      details,
    });
    expect((await joinIdentity(sql, present, email, {})).outcome).toBe("found");
  });

  test("changes nothing where there is none, and refuses an email that nobody has", async () => {
    const { email } = await onboardMerchant(sql);
    expect((await cli("merchant", "forget-identity", email)).stdout).toContain("has no account elsewhere");
    expect(await epochOf(email)).toBe(1);
    expect(await cli("merchant", "forget-identity", "nobody@shop.example")).toEqual(
      refused(/no merchant with the email/),
    );
  });
});

describe("merchant end-sessions", () => {
  test("--all ends all sessions of everybody by one command, recorded, and only when it was confirmed", async () => {
    const merchants = await Promise.all([onboardMerchant(sql), onboardMerchant(sql)]);
    const epochs = () => Promise.all(merchants.map(({ email }) => epochOf(email)));
    const no = await cli.atTerminal().typing("n\n")("merchant", "end-sessions", "--all");
    expect([no.code, no.stderr]).toEqual([1, expect.stringContaining("Every merchant is signed out everywhere")]);
    expect((await cli.json("merchant", "end-sessions", "--all", "--dry-run")).dry_run).toBe(true);
    expect(await epochs()).toEqual([1, 1]);
    const { merchants: count } = await cli.json("merchant", "end-sessions", "--all");
    expect(count).toBeGreaterThanOrEqual(2);
    expect(await epochs()).toEqual([2, 2]);
    const record = { event: "merchant_end_all_sessions", actor: "operator:ops", merchant_id: null };
    expect(await lastRecord()).toEqual({ ...record, details: { merchants: count } });
  });

  test("ends those of one merchant by the email, and asks for one of the two", async () => {
    const [one, other] = await Promise.all([onboardMerchant(sql), onboardMerchant(sql)]);
    expect((await cli("merchant", "end-sessions", one.email)).code).toBe(0);
    expect([await epochOf(one.email), await epochOf(other.email)]).toEqual([2, 1]);
    expect(await cli("merchant", "end-sessions")).toEqual(misused(/name one merchant by the email, or all by --all/));
    expect(await cli("merchant", "end-sessions", one.email, "--all")).toEqual(misused(/name one merchant/));
  });
});
