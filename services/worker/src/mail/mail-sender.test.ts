import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connectDatabase, type Sql } from "@partner-connect/database";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { findResetLink, hashCredential } from "@partner-connect/directory";
import { type QueuedMail, queueMail, retryMails } from "@partner-connect/mail";
import { createLogger } from "@partner-connect/service-runtime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Sender } from "../sending/start-sender.ts";
import { startMailSender } from "./mail-sender.ts";
import type { MailOutcome } from "./send-mail.ts";
import { type SmtpOptions, smtpSender } from "./smtp.ts";
import { startMailServer, type TestMailServer } from "./testing/mail-server.ts";

const BASE = "https://connect.survey.example";
const bases = { base: BASE, product: "Survey Tool" };
const from = { name: "Survey Tool", address: "connect@survey.example" };
const outcomes: MailOutcome[] = [];
const logged: string[] = [];
const logger = createLogger("test", "info", { write: (line: string) => void logged.push(line) });
const senders: Sender[] = [];

let database: TestDatabase;
let owner: Sql;
/** With the rights of the role. */
let worker: Sql;
let server: TestMailServer;
let number = 0;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
  owner = connectDatabase(database.url, { name: "test", connections: 2 });
  worker = connectDatabase(database.workerUrl, { name: "worker test", connections: 2 });
  await owner`INSERT INTO directory.clients (client_id, name, redirect_uris, scope, grant_types) VALUES ('lookout', 'Lookout', '{}', '{}', '{}')`;
});
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.close()));
  await server.close();
  await owner`DELETE FROM oauth.mails`;
  outcomes.length = 0;
  logged.length = 0;
});
afterAll(async () => {
  await worker?.end();
  await owner?.end();
  await database?.drop();
});

function startSender(
  options: Partial<SmtpOptions> & { readonly sql?: Sql; readonly off?: boolean; readonly hasPasswords?: boolean } = {},
): void {
  const { sql = worker, off = false, hasPasswords = true, ...smtp } = options;
  const send = smtpSender({ url: server.url, from, ...smtp });
  const count = (outcome: MailOutcome) => void outcomes.push(outcome);
  senders.push(startMailSender({ sql, smtp: off ? null : { send, bases: { ...bases, hasPasswords } }, logger, count }));
}

/** A member of a shop of her own. */
async function merchant(language: string | null = null) {
  number += 1;
  const one = { merchantId: `mer_${number}`, shopId: `shop_${number}`, email: `m${number}@shop.example` };
  await owner`
    INSERT INTO directory.merchants (id, email, name, password_hash, language)
    VALUES (${one.merchantId}, ${one.email}, 'Anna', '-', ${language})`;
  await owner`INSERT INTO directory.shops (id, name, plan) VALUES (${one.shopId}, 'Fern & Field', 'standard')`;
  await owner`INSERT INTO directory.memberships (merchant_id, shop_id) VALUES (${one.merchantId}, ${one.shopId})`;
  return one;
}
type TestMerchant = Awaited<ReturnType<typeof merchant>>;

const changed = async () => {
  const one = await merchant();
  await queueMail(owner, { kind: "password_changed", merchantId: one.merchantId });
  return one;
};
const rowOf = async ({ merchantId }: TestMerchant) => {
  const [row] = await owner`
    SELECT attempts, failure, failed_at IS NOT NULL AS failed FROM oauth.mails WHERE merchant_id = ${merchantId}`;
  return row ?? null;
};
const until = (condition: () => unknown) => expect.poll(condition, { timeout: 15_000, interval: 20 }).toBeTruthy();
/** As if the time until the next attempt, or that of a claim, had passed. */
const pass = () => owner`UPDATE oauth.mails SET next_attempt_at = now(), claimed_until = now() - interval '1 second'`;
const linkOf = (mail: { text?: string | undefined } | undefined, path: string) =>
  new RegExp(`${BASE}${path}\\?link=([\\w-]+)`).exec(mail?.text ?? "")?.[1] ?? "";

describe("a mail", () => {
  test("is sent once, in the recipient's language, and is gone then", async () => {
    const one = await merchant("de");
    const about = { client_id: "lookout", connection_id: "con_1", scope: ["responses:read"], by: one.merchantId };
    await queueMail(owner, { kind: "app_connected", shopId: one.shopId, merchantId: one.merchantId, about });
    startSender();
    await until(() => outcomes.includes("sent"));
    const [mail] = server.to(one.email);
    expect(mail).toMatchObject({ subject: "Lookout ist mit Fern & Field verbunden", from });
    expect(mail?.html).toContain("Umfrageantworten und Fragen lesen");
    expect(mail?.headers).toContainEqual(expect.objectContaining({ key: "auto-submitted", value: "auto-generated" }));
    expect(mail?.messageId).toMatch(/^<mail_[0-9a-f]{32}@survey\.example>$/);
    await until(async () => (await rowOf(one)) === null);
    await sleep(1500);
    expect(server.taken).toHaveLength(1);
    expect(mail?.text).toContain(`Neues Passwort wählen: ${BASE}/oauth/password/forgot\n`);
  });

  test("about a client leads to its partner pages, and tells who", async () => {
    const one = await merchant();
    const { merchantId } = one;
    const about = { client_id: "lookout" };
    await queueMail(owner, { kind: "client_secret_made", merchantId, about: { ...about, by: merchantId } });
    const member = { ...about, member_id: merchantId, by: null };
    await queueMail(owner, { kind: "client_member_added", merchantId, about: member });
    startSender();
    await until(() => server.to(one.email).length === 2);
    const texts = server.to(one.email).map(({ text }) => text ?? "");
    for (const text of texts) expect(text).toMatch(new RegExp(`: ${BASE}/partner/lookout\\n`));
    for (const fact of ["By: Anna\n", "Person: Anna\n"])
      expect(texts.join("").replaceAll("\u200c", "")).toContain(fact);
  });

  test("has a link that is in no store and no log; a second mail does not end the first one's", async () => {
    const one = await merchant();
    for (let index = 0; index < 2; index++)
      await queueMail(owner, { kind: "reset_password", merchantId: one.merchantId });
    startSender();
    await until(() => server.to(one.email).length === 2);
    const tokens = server.to(one.email).map((mail) => linkOf(mail, "/oauth/password/reset"));
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect(await findResetLink(owner, token)).toMatchObject({ id: one.merchantId });
    const stored = JSON.stringify([await owner`SELECT * FROM directory.merchant_links`, logged]);
    for (const token of tokens) expect(stored).not.toContain(token.slice(4));
    expect(logged.join("")).not.toContain(one.email);
  });

  test.each([
    ["reset_password", 30],
    ["new_account", 7 * 24 * 60],
  ] as const)("of the kind %s has a link that sets the password for %i minutes", async (kind, minutes) => {
    const one = await merchant();
    await queueMail(owner, { kind, merchantId: one.merchantId });
    startSender();
    await until(() => server.to(one.email).length === 1);
    const token = linkOf(server.to(one.email)[0], "/oauth/password/reset");
    expect(await findResetLink(owner, token)).toMatchObject({ id: one.merchantId });
    expect(
      await owner`
        SELECT round(extract(epoch FROM expires_at - now()) / 60)::int AS minutes FROM directory.merchant_links
        WHERE token_hash = ${hashCredential(token)}`,
    ).toEqual([{ minutes }]);
  });

  test("for nobody, a disabled account, or after an erasure is sent to nobody", async () => {
    const one = await merchant();
    await owner`UPDATE directory.merchants SET status = 'disabled' WHERE id = ${one.merchantId}`;
    const mails: QueuedMail[] = [
      { kind: "none" },
      { kind: "reset_password", merchantId: one.merchantId },
      { kind: "reset_password", merchantId: "mer_gone" },
    ];
    for (const mail of mails) await queueMail(owner, mail);
    startSender();
    await until(() => outcomes.length === 3);
    expect(outcomes).toEqual(["dropped", "dropped", "dropped"]);
    expect(server.taken).toEqual([]);
  });

  test("of a new account is deleted unsent where nobody signs in by a password", async () => {
    const one = await merchant();
    await queueMail(owner, { kind: "new_account", merchantId: one.merchantId });
    startSender({ hasPasswords: false });
    await until(() => outcomes.length === 1);
    expect([outcomes, server.taken]).toEqual([["dropped"], []]);
  });

  test("is deleted unsent where no server is set", async () => {
    const one = await changed();
    startSender({ off: true });
    await until(() => outcomes.length === 1);
    expect([outcomes, await rowOf(one)]).toEqual([["dropped"], null]);
  });
});

describe("a mail server", () => {
  test("that refuses one address: that mail is given up, and the others go on", async () => {
    const [refused, other] = [await changed(), await changed()];
    server.refused.set(refused.email, 550);
    startSender();
    await until(() => outcomes.length === 2);
    expect(outcomes.toSorted()).toEqual(["given_up", "sent"]);
    expect(server.to(other.email)).toHaveLength(1);
    const row = await rowOf(refused);
    expect(row).toMatchObject({ attempts: 1, failed: true, failure: expect.stringContaining("550") });
    expect(JSON.stringify([row, logged])).not.toContain(refused.email);
    server.refused.clear();
    expect(await retryMails(owner, null)).toBe(1);
    await until(() => server.to(refused.email).length === 1);
  });

  test("that refuses for now is asked again, after three days no more", async () => {
    const one = await changed();
    server.refused.set(one.email, 451);
    startSender();
    await until(() => outcomes.length === 1);
    expect(await rowOf(one)).toMatchObject({ attempts: 1, failed: false });
    await pass();
    await until(() => outcomes.length === 2);
    await owner`UPDATE oauth.mails SET created_at = now() - interval '73 hours'`;
    await pass();
    await until(() => outcomes.length === 3);
    expect(outcomes).toEqual(["failed", "failed", "given_up"]);
    expect(await rowOf(one)).toMatchObject({ attempts: 3, failed: true });
  });

  test("that accepts and drops the connection: the mail is sent again, and the others go on", async () => {
    const [dropped, other] = [await changed(), await changed()];
    const sockets = new Set<Socket>();
    let isDropping = true;
    // Before the server, as a network that fails in the middle of this recipient's mail.
    const network = createServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      const [, port] = /:(\d+)$/.exec(server.url) ?? [];
      void import("node:net").then(({ connect }) => {
        const inner = connect(Number(port), "127.0.0.1");
        inner.on("error", () => {});
        inner.pipe(socket);
        socket.on("data", (data: Buffer) => {
          if (isDropping && data.includes(dropped.email)) {
            socket.destroy();
            inner.destroy();
          } else inner.write(data);
        });
        socket.on("close", () => inner.destroy());
      });
    }).listen(0, "127.0.0.1");
    await once(network, "listening");
    const { port } = network.address() as { port: number };
    startSender({ url: `smtp://127.0.0.1:${port}` });
    await until(() => outcomes.length === 2);
    expect(outcomes.toSorted()).toEqual(["failed", "sent"]);
    expect(server.to(other.email)).toHaveLength(1);
    isDropping = false;
    await pass();
    await until(() => server.to(dropped.email).length === 1);
    for (const socket of sockets) socket.destroy();
    network.close();
  });

  test("that answers late gets each mail once; one that answers too late gets it again, and never holds up the others", async () => {
    const [late, tooLate, other] = [await changed(), await changed(), await changed()];
    const limits = { answer: 4000 };
    const taking = Promise.withResolvers<() => void>();
    server.answers.set(late.email, (take) => void setTimeout(take, 1000));
    server.answers.set(tooLate.email, taking.resolve);
    startSender({ limits });
    await until(() => outcomes.includes("failed"));
    expect(outcomes).toEqual(["sent", "sent", "failed"]);
    for (const { email } of [late, other]) expect(server.to(email)).toHaveLength(1);
    (await taking.promise)();
    server.answers.clear();
    await pass();
    await until(() => outcomes.filter((each) => each === "sent").length === 3);
    await until(() => server.to(tooLate.email).length === 2);
    const [first, second] = server.to(tooLate.email);
    expect(second?.messageId).toBe(first?.messageId);
  });

  test("that is away costs no mail, and one that is back gets all", async () => {
    const all = [await changed(), await changed(), await changed()];
    const { url } = server;
    await server.close();
    startSender({ url });
    await until(() => outcomes.length === 3);
    expect(new Set(outcomes)).toEqual(new Set(["failed"]));
    server = await startMailServer(Number(new URL(url).port));
    await pass();
    await until(() => outcomes.filter((each) => each === "sent").length === 3);
    for (const { email } of all) expect(server.to(email)).toHaveLength(1);
  });

  test("that refuses our password loses no mail, and no log has the password", async () => {
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
    expect(JSON.stringify([await rowOf(one), logged])).not.toMatch(/secret/);
    await pass();
    startSender({ url: `smtp://us:right%20secret@${at}` });
    await until(() => server.to(one.email).length === 1);
  });

  test.skipIf(process.platform !== "linux")(
    "that offers no TLS gets nothing by the network, unless the URL says so",
    async () => {
      const remote = await startMailServer(0, {}, "127.0.0.2");
      const mail = { subject: "s", text: "t", html: "h", to: "a@b.example", messageId: "mail_1" };
      expect(await smtpSender({ url: remote.url, from })(mail)).toMatchObject({ isFinal: false });
      expect(remote.taken).toEqual([]);
      expect(await smtpSender({ url: `${remote.url}/?tls=off`, from })(mail)).toBeNull();
      expect(remote.taken).toHaveLength(1);
      await remote.close();
    },
  );
});

describe("many senders", () => {
  test("send each mail once", async () => {
    const all = await Promise.all(Array.from({ length: 30 }, changed));
    const other = connectDatabase(database.workerUrl, { name: "other worker", connections: 2 });
    startSender();
    startSender({ sql: other });
    await until(() => outcomes.length === 30);
    await sleep(1500);
    expect(outcomes).toHaveLength(30);
    for (const { email } of all) expect(server.to(email)).toHaveLength(1);
    await Promise.all(senders.splice(0).map((sender) => sender.close()));
    await other.end();
  });

  test("one that is killed while it sends is followed by another, which sends the mail again", async () => {
    const one = await changed();
    const here = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const script = `
      const [{ startMailSender }, { smtpSender }, { connectDatabase }] = await Promise.all(
        [import(${here("mail-sender.ts")}), import(${here("smtp.ts")}), import("@partner-connect/database")]);
      const sql = connectDatabase(process.env.URL, { name: "killed" });
      const logger = { info: console.error, warn: console.error, error: console.error };
      const send = smtpSender({ url: ${JSON.stringify(server.url)}, from: ${JSON.stringify(from)} });
      startMailSender({ sql, smtp: { send, bases: ${JSON.stringify(bases)} }, logger, count() {} });`;
    const env = { ...process.env, URL: database.workerUrl };
    const cwd = new URL(".", import.meta.url);
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], { env, cwd, stdio: "inherit" });
    // It has the whole mail, and the process does not learn that it was taken.
    server.answers.set(one.email, (take) => {
      child.kill("SIGKILL");
      take();
    });
    await once(child, "exit");
    server.answers.clear();
    startSender();
    await sleep(1500);
    expect(server.to(one.email)).toHaveLength(1);
    await pass();
    await until(() => server.to(one.email).length === 2);
    await until(async () => (await rowOf(one)) === null);
    expect(new Set(server.to(one.email).map(({ messageId }) => messageId)).size).toBe(1);
  });
});
