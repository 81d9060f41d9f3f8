import { connect } from "@partner-connect/connections/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import {
  findResetLink,
  mailResetLink,
  resetPassword,
  updateEmail,
} from "@partner-connect/directory";
import {
  onboardClient,
  onboardMerchant,
  onboardShop,
  TEST_OPERATOR,
} from "@partner-connect/directory/testing";
import { eraseClient } from "@partner-connect/erasure";
import { retryJobs } from "@partner-connect/jobs";
import { mailMembers, queueMail } from "@partner-connect/mail";
import { createLogger, createMetrics } from "@partner-connect/service-runtime";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FinalFailure, startJobs } from "../jobs.ts";
import { startWorker } from "../testing.ts";
import { mailKind } from "./send-mail.ts";
import { type SmtpOptions, smtpSender } from "./smtp.ts";
import { startMailServer, type TestMailServer } from "./testing/mail-server.ts";

const BASE = "https://connect.survey.example";
const mailKey = "a mail key of 32 characters.....";
const bases = { base: BASE, product: "Survey Tool", color: null, mailKey };
const from = { name: "Survey Tool", address: "connect@survey.example" };
const outcomes: string[] = [];
const logged: string[] = [];
const logger = createLogger("test", "info", { write: (line: string) => void logged.push(line) });
const senders: ReturnType<typeof startJobs>[] = [];

const database = await suiteDatabase();
const owner = database.connect(database.url, { name: "test", connections: 2 });
/** Connected with the service's role, not as the owner. */
const worker = database.connect(database.workerUrl, { name: "worker test", connections: 2 });
let server: TestMailServer;

await owner`INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types) VALUES ('lookout', 'Lookout', '{}', '{}', '{}')`;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
  await server.close();
  await owner`DELETE FROM worker_jobs.job`;
  outcomes.length = 0;
  logged.length = 0;
});
function startSender(
  options: Partial<SmtpOptions & Record<"off" | "hasPasswords", boolean>> = {},
): void {
  const { off = false, hasPasswords = true, ...smtp } = options;
  const send = smtpSender({ url: server.url, from, ...smtp });
  const kind = mailKind(worker, off ? null : { send, bases: { ...bases, hasPasswords } }, logger);
  const failed = (error: unknown) => (error instanceof FinalFailure ? "refused" : "failed");
  const run: typeof kind.run = async (job) => {
    const running = kind.run(job);
    outcomes.push(await running.catch(failed));
    return await running;
  };
  const { registry } = createMetrics();
  const kinds = [{ ...kind, run }];
  senders.push(startJobs({ sql: worker, schema: "worker_jobs", kinds, logger, registry }));
}

/** A merchant with a shop. */
async function merchant(language: string | null = null) {
  const { id: merchantId, email } = await onboardMerchant(owner);
  const shopId = await onboardShop(owner, { merchants: [merchantId] });
  await owner`UPDATE directory.merchants SET language = ${language} WHERE id = ${merchantId}`;
  return { merchantId, shopId, email };
}
type TestMerchant = Awaited<ReturnType<typeof merchant>>;
const accountOf = ({ merchantId, email }: TestMerchant) => ({ id: merchantId, email });

const changed = async () => {
  const one = await merchant();
  await queueMail(owner, { kind: "password_changed", merchantId: one.merchantId });
  return one;
};
const usePasskey = (merchantId: string, when: string) => owner`
  INSERT INTO directory.passkeys (id, merchant_id, name, public_key, counter, transports, last_used_at)
  VALUES (${merchantId}, ${merchantId}, 'Key', '', 0, '{}', now() + ${when}::interval)`;
const jobOf = async ({ merchantId }: TestMerchant) => {
  const [job] = await owner`
    SELECT name, coalesce(source_retry_count, retry_count) + 1 AS attempts, coalesce(source_output, output) ->> 'reason' AS reason
    FROM worker_jobs.job WHERE data ->> 'merchant_id' = ${merchantId} AND state IN ('created', 'retry', 'active')`;
  return job ?? null;
};
const until = (condition: () => unknown) =>
  expect.poll(condition, { timeout: 15_000, interval: 20 }).toBeTruthy();
/** Moves the time of the next attempt into the past. */
const pass = () => owner`UPDATE worker_jobs.job SET start_after = now() WHERE state = 'retry'`;
const passOnce = () => until(async () => (await pass()).count === 1);
const linkOf = (mail: { text?: string | undefined } | undefined, path: string) =>
  new RegExp(`${BASE}${path}\\?link=([\\w-]+)`).exec(mail?.text ?? "")?.[1] ?? "";

test("if the queue's schema has another version, a warning is logged and mail is still sent", async () => {
  const version = (step: number) =>
    owner`UPDATE worker_jobs.version SET version = version + ${step}`;
  await version(1);
  await changed();
  startSender();
  const isLogged = (line: string) =>
    /"level":40.*requires migrations.*"msg":"pg-boss warns"/.test(line);
  await until(() => logged.some(isLogged)).finally(() => version(-1));
  await until(() => outcomes.includes("sent"));
});

test("a mail is sent once, in the recipient's language, and logged without its text and address", async () => {
  const one = await merchant("de");
  const ofApp = { client_id: "lookout", connection_id: "con_1", scope: ["responses:read"] };
  const about = { ...ofApp, by: one.merchantId };
  await mailMembers(owner, "app_connected", [{ of: one.shopId, about }]);
  startSender();
  await until(() => outcomes.includes("sent"));
  const [mail] = server.to(one.email);
  expect(mail).toMatchObject({ subject: "Lookout ist mit Fern & Field verbunden", from });
  expect(mail?.html).toContain("Umfrageantworten und Fragen lesen");
  const automatic = { key: "auto-submitted", value: "auto-generated" };
  expect(mail?.headers).toContainEqual(expect.objectContaining(automatic));
  expect(mail?.messageId).toMatch(/^<mail_[0-9a-f]{32}@survey\.example>$/);
  const line = logged.find((each) => each.includes('"mail sent"')) ?? "{}";
  const { kind, mail: of, merchant_id, message_id } = JSON.parse(line);
  expect([kind, of, merchant_id]).toEqual(["mail", "app_connected", one.merchantId]);
  expect(mail?.messageId).toContain(`<${message_id}@`);
  expect(line).not.toMatch(/@|Lookout|Ada/);
  await until(async () => (await jobOf(one)) === null);
  expect(server.taken).toHaveLength(1);
  expect(mail?.text).toContain(`Neues Passwort festlegen: ${BASE}/oauth/password/forgot\n`);
});

test("if an operator changes a merchant's address, the former address gets the mail, which hides the new one", async () => {
  const one = await merchant();
  await updateEmail(owner, one.email, `new-${one.email}`, TEST_OPERATOR);
  startSender();
  await until(() => server.taken.length === 1);
  const text = server.to(one.email)[0]?.text;
  expect(text).toContain(`You can’t sign in with ${one.email} anymore.`);
  expect(text).not.toContain(`new-${one.email}`);
});

test("members get a mail with the app's name if a connection ends because its client is deleted", async () => {
  const one = await merchant();
  const { clientId } = await onboardClient(owner, { name: "Sunset" });
  await connect(owner, { ...one, clientId });
  const keys = { deleteMerchantKeys: async () => 0, deleteTokenUses: async () => {} };
  await eraseClient(owner, clientId, TEST_OPERATOR, keys, () => {});
  startSender();
  await until(() => outcomes.includes("sent"));
  const subjects = server.to(one.email).map(({ subject }) => subject);
  expect(subjects).toEqual(["Sunset is disconnected from Fern & Field"]);
});

test("a mail about a correct password is sent if no passkey followed in ten minutes", async () => {
  const one = await merchant();
  const { merchantId } = one;
  await usePasskey(merchantId, "1 second ago");
  await queueMail(owner, { kind: "password_entered", merchantId }, 600);
  const [job] = await owner`
      SELECT extract(epoch FROM start_after - created_on)::int AS wait FROM worker_jobs.job`;
  expect(job).toEqual({ wait: 600 });
  await owner`UPDATE worker_jobs.job SET start_after = now()`;
  startSender();
  await until(() => server.to(one.email).length === 1);
  expect(server.to(one.email)[0]?.subject).toBe("Somebody entered your password");
});

test("a mail about a client has a link to the partner pages and the actor's name", async () => {
  const one = await merchant();
  const { merchantId } = one;
  await owner`INSERT INTO directory.client_members (client_id, merchant_id) VALUES ('lookout', ${merchantId})`;
  const about = { client_id: "lookout" };
  await mailMembers(owner, "client_secret_made", [
    { of: "lookout", about: { ...about, by: merchantId } },
  ]);
  const member = { ...about, member_id: merchantId, by: null };
  await mailMembers(owner, "client_member_added", [{ of: "lookout", about: member }]);
  startSender();
  await until(() => server.to(one.email).length === 2);
  const texts = server.to(one.email).map(({ text }) => text ?? "");
  for (const text of texts) expect(text).toMatch(new RegExp(`: ${BASE}/partner/lookout\\n`));
  const added = `Ada (${one.email}) can now open the partner pages of Lookout.`;
  for (const fact of ["By: Ada\n", added])
    expect(texts.join("").replaceAll("\u200c", "")).toContain(fact);
});

test("a mailed reset link isn't stored or logged, and ends when a password is set, whose mail has the page's language", async () => {
  const one = await merchant();
  for (const kind of ["reset_password", "new_account"] as const)
    await mailResetLink(owner, kind, accountOf(one), mailKey);
  const dump = [
    await owner`SELECT * FROM worker_jobs.job`,
    await owner`SELECT * FROM directory.merchant_links`,
  ];
  startSender();
  await until(() => server.to(one.email).length === 2);
  const tokens = server.to(one.email).map((mail) => linkOf(mail, "/oauth/password/reset"));
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens)
    expect(await findResetLink(owner, token)).toMatchObject({ id: one.merchantId });
  for (const token of tokens) expect(JSON.stringify([dump, logged])).not.toContain(token.slice(4));
  expect(logged.join("")).not.toContain(one.email);
  const [first = "", second = ""] = tokens;
  const [chosen, page] = ["quinces ripen in late october", { language: "de" }];
  const changed = await resetPassword(owner, first, chosen, {}, page);
  expect([changed.outcome, await findResetLink(owner, second)]).toEqual(["changed", null]);
  await until(() => server.to(one.email)[2]?.subject === "Ihr Passwort wurde geändert");
});

const links = (set: string) => async (one: TestMerchant) => {
  await mailResetLink(owner, "reset_password", accountOf(one), mailKey);
  await owner.unsafe(`UPDATE directory.merchant_links SET ${set} WHERE email = $1`, [one.email]);
};
const newAccount = (one: TestMerchant) =>
  mailResetLink(owner, "new_account", accountOf(one), mailKey);
test.each<[string, (one: TestMerchant) => Promise<unknown>, Parameters<typeof startSender>[0]?]>([
  ["its link has expired", links("expires_at = now()")],
  ["its link was used", links("used_at = now()")],
  ["its link was made with another key", links("token_hash = 'other'")],
  [
    "it is about a password that a passkey followed",
    async ({ merchantId }) => {
      await queueMail(owner, { kind: "password_entered", merchantId });
      await usePasskey(merchantId, "0 seconds");
    },
  ],
  ["the address has no account", () => mailResetLink(owner, "reset_password", null, mailKey)],
  [
    "the merchant was erased",
    (one) => mailResetLink(owner, "reset_password", { ...accountOf(one), id: "mer_gone" }, mailKey),
  ],
  [
    "the account is disabled",
    async (one) => {
      await owner`UPDATE directory.merchants SET status = 'disabled' WHERE id = ${one.merchantId}`;
      await mailResetLink(owner, "reset_password", accountOf(one), mailKey);
    },
  ],
  ["it is about a new account and passwords are off", newAccount, { hasPasswords: false }],
  ["no mail server is set", newAccount, { off: true }],
])("a mail is dropped if %s", async (_, ask, options) => {
  await ask(await merchant());
  startSender(options);
  await until(() => outcomes.length === 1);
  expect([outcomes, server.taken]).toEqual([["dropped"], []]);
  const waiting = () => owner`SELECT FROM worker_jobs.job WHERE state <> 'completed'`;
  await until(async () => (await waiting()).length === 0);
});

test("a mail refused with 550 fails after one attempt, and other mail is still sent", async () => {
  const [refused, other] = [await changed(), await changed()];
  server.refused.set(refused.email, 550);
  startSender();
  await until(() => outcomes.length === 2);
  expect(outcomes.toSorted()).toEqual(["refused", "sent"]);
  expect(server.to(other.email)).toHaveLength(1);
  const failed = { name: "failed", attempts: 1, reason: expect.stringContaining("550") };
  await expect.poll(() => jobOf(refused), { timeout: 15_000 }).toEqual(failed);
  expect(JSON.stringify([await jobOf(refused), logged])).not.toContain(refused.email);
  server.refused.clear();
  expect(await retryJobs(owner, null)).toBe(1);
  await until(() => server.to(refused.email).length === 1);
});

test("a mail refused with 451 is retried until its attempts are used up", async () => {
  const one = await changed();
  server.refused.set(one.email, 451);
  startSender();
  await until(() => outcomes.length === 1);
  await passOnce();
  await until(() => outcomes.length === 2);
  const useUp = () =>
    owner`UPDATE worker_jobs.job SET retry_count = retry_limit - 1 WHERE state = 'retry'`;
  await until(async () => (await useUp()).count === 1);
  await passOnce();
  await until(() => outcomes.length === 3);
  await expect.poll(() => jobOf(one), { timeout: 15_000 }).toMatchObject({ name: "failed" });
});

test("if the server drops the connection, the mail is sent again, without delaying other mail", async () => {
  const [dropped, other] = [await changed(), await changed()];
  server.refused.set(dropped.email, "drop");
  startSender();
  await until(() => outcomes.length === 2);
  expect(outcomes.toSorted()).toEqual(["failed", "sent"]);
  expect(server.to(other.email)).toHaveLength(1);
  server.refused.clear();
  await passOnce();
  await until(() => server.to(dropped.email).length === 1);
});

test("a slow mail server response delays only its own mail, and causes a retry only after the timeout", async () => {
  const [late, tooLate, other] = [await changed(), await changed(), await changed()];
  const limits = { answer: 4000 };
  const taking = Promise.withResolvers<() => void>();
  server.answers.set(
    late.email,
    (take) => void until(() => server.to(other.email).length === 1).then(take),
  );
  server.answers.set(tooLate.email, taking.resolve);
  startSender({ limits });
  await until(() => outcomes.includes("failed"));
  expect(outcomes).toEqual(["sent", "sent", "failed"]);
  for (const { email } of [late, other]) expect(server.to(email)).toHaveLength(1);
  (await taking.promise)();
  server.answers.clear();
  await passOnce();
  await until(() => outcomes.filter((each) => each === "sent").length === 3);
  await until(() => server.to(tooLate.email).length === 2);
  const [first, second] = server.to(tooLate.email);
  expect(second?.messageId).toBe(first?.messageId);
});

test("if the mail server refuses our password, the mail is retried and the password isn't logged", async () => {
  const one = await changed();
  await server.close();
  server = await startMailServer(0, {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === "right secret" ? done(null, { user: 1 }) : done(new Error("Invalid login")),
  });
  const at = server.url.replace("smtp://", "");
  startSender({ url: `smtp://us:wrong%20secret@${at}` });
  await until(() => outcomes.length === 1);
  expect(outcomes).toEqual(["failed"]);
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
  expect(JSON.stringify([await jobOf(one), logged])).not.toMatch(/secret/);
  await pass();
  startSender({ url: `smtp://us:right%20secret@${at}` });
  await until(() => server.to(one.email).length === 1);
});

test.skipIf(process.platform !== "linux")(
  "no mail is sent over the network without TLS, unless the URL allows it",
  async () => {
    const remote = await startMailServer(0, {}, "127.0.0.2");
    const mail = { subject: "s", text: "t", html: "h", to: "a@b.example", messageId: "mail_1" };
    const refusal = await smtpSender({ url: remote.url, from })(mail).catch((error) => error);
    expect([refusal.name, refusal.message]).toEqual(["Error", expect.stringMatching(/TLS/)]);
    expect(remote.taken).toEqual([]);
    await smtpSender({ url: `${remote.url}/?tls=off`, from })(mail);
    expect(remote.taken).toHaveLength(1);
    await remote.close();
  },
);

test("if a worker is killed while sending a mail, another worker sends the mail again", async () => {
  const one = await changed();
  const sending = Promise.withResolvers<() => void>();
  server.answers.set(one.email, sending.resolve);
  const smtp = { SMTP_URL: server.url, MAIL_FROM: from.address, MAIL_KEY: mailKey };
  const env = { PUBLIC_BASE_URL: BASE, ...smtp };
  const killed = await startWorker(database.workerUrl, "main.ts", env);
  // The server has the whole mail, and the process does not learn that it was accepted.
  const take = await sending.promise;
  killed.process.kill("SIGKILL");
  await killed.ended;
  take();
  server.answers.clear();
  startSender();
  const other = await changed();
  await until(() => server.to(other.email).length === 1);
  expect(server.to(one.email)).toHaveLength(1);
  // The job's last heartbeat was a minute ago.
  await owner`UPDATE worker_jobs.job SET heartbeat_on = now() - interval '1 minute' WHERE state = 'active'`;
  await expect.poll(() => server.to(one.email).length, { timeout: 60_000 }).toBe(2);
  await until(async () => (await jobOf(one)) === null);
  expect(new Set(server.to(one.email).map(({ messageId }) => messageId)).size).toBe(1);
});
