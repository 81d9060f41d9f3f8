import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import { expect, onTestFinished, test } from "vitest";
import { expectUnavailable, type MerchantBrowser, type Page } from "../testing/merchant-browser.ts";
import { PASSWORD, suiteFixture } from "../testing/merchant-fixture.ts";

const CHOSEN = "quinces ripen in late october";
const chosen = { new_password: CHOSEN, new_password_again: CHOSEN };

// Dozens of sign-ins run at once, so a store may take longer than usual to answer.
const fixture = await suiteFixture({ deadline: 30_000 });

/** Threads that hash passwords: all that Node has for such work. */
const THREADS = Number(process.env["UV_THREADPOOL_SIZE"] ?? 4);

/** After this time the queue is released even by a failed test, so that its process can end. */
const MOST_MS = 30_000;

/** Runs `work` while all hashing threads wait for a pipe, until `release` or its end. */
async function whileNoHashEnds<T>(work: (release: () => void) => Promise<T>): Promise<T> {
  const pipe = join(temporaryFolder(onTestFinished), "pipe");
  execFileSync("mkfifo", [pipe]);
  const readers = Promise.all(Array.from({ length: THREADS }, () => open(pipe)));
  let writer: number | undefined;
  const release = () => {
    writer ??= openSync(pipe, constants.O_RDWR);
  };
  const limit = setTimeout(release, MOST_MS);
  try {
    return await work(release);
  } finally {
    clearTimeout(limit);
    release();
    for (const reader of await readers) await reader.close();
    if (writer !== undefined) closeSync(writer);
  }
}

async function signInForms(
  addresses: readonly (string | undefined)[],
): Promise<[MerchantBrowser, Page][]> {
  return await Promise.all(
    addresses.map(async (address): Promise<[MerchantBrowser, Page]> => {
      const browser = fixture.browser(address);
      return [browser, await browser.open("/oauth/sign-in")];
    }),
  );
}

/** The responses of `work` while this network has as many passwords in the queue as it may. */
async function whileNetworkIsBusy<T>(address: string, work: () => Promise<T>): Promise<T> {
  const other = await fixture.registerMerchant();
  const forms = await signInForms(Array.from({ length: 7 }, () => address));
  return await whileNoHashEnds(async (release) => {
    const guesses = forms.map(([browser, form]) => fixture.signIn(browser, form, other, "a guess"));
    // The seventh is refused once the six others are in the queue.
    expectUnavailable(await Promise.race(guesses));
    const done = await work();
    release();
    const statuses = (await Promise.all(guesses)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(6).fill(422), 503]);
    return done;
  });
}

/** Guesses by each form until all but `admitted` are refused. Returns the pending responses. */
async function allButRefused(
  forms: [MerchantBrowser, Page][],
  admitted: number,
): Promise<Promise<Page>[]> {
  const waiting = new Set<Promise<Page>>();
  await new Promise<void>((resolve, reject) => {
    for (const [browser, form] of forms) {
      const email = `${randomUUID()}@shop.example`;
      const answer = browser.press(form, "Sign in", { email, password: "a guess" });
      waiting.add(answer);
      answer
        .then((page) => {
          if (page.status === 422)
            return reject(new Error("more were refused, or fewer, before a hash ended"));
          expectUnavailable(page);
          waiting.delete(answer);
          if (waiting.size === admitted) resolve();
        })
        .catch(reject);
    }
  });
  return [...waiting];
}

test("once 24 passwords are queued, a sign-in gets 503 immediately unless the browser or network has signed in before", async () => {
  const merchant = await fixture.registerMerchant();
  // One browser has moved to another network; a new one is on the first one's former network.
  const [[known, form] = expect.fail(), [former, first] = expect.fail()] = await signInForms([
    "10.76.0.1",
    "10.76.0.2",
  ]);
  for (const [browser, page] of [
    [known, form],
    [former, first],
  ] as const)
    await fixture.signIn(browser, page, merchant);
  const moved = fixture.browser("10.76.9.9");
  moved.cookies.set("__Host-merchant_device", known.cookies.get("__Host-merchant_device") ?? "");
  const [[fresh, again] = expect.fail()] = await signInForms(["10.76.0.2"]);
  const waiting: [MerchantBrowser, Page][] = [
    [moved, await moved.open("/oauth/sign-in")],
    [fresh, again],
  ];
  const forms = await signInForms(Array.from({ length: 64 }, (_, n) => `10.77.0.${n + 1}`));
  await whileNoHashEnds(async (release) => {
    const judged = await allButRefused(forms, 24);
    expect(await fixture.replicas.metrics.registry.metrics()).toContain(
      'partner_connect_refused_total{reason="passwords_busy"} 40',
    );
    const admitted = waiting.map(([browser, page]) => fixture.signIn(browser, page, merchant));
    const refused = fixture.browser("10.77.0.99");
    expectUnavailable(
      await fixture.signIn(refused, await refused.open("/oauth/sign-in"), merchant),
    );
    release();
    expect((await Promise.all(judged)).map(({ status }) => status)).toEqual(Array(24).fill(422));
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([303, 303]);
  });
});

test("one network can't fill the queue of passwords", async () => {
  const merchant = await fixture.registerMerchant();
  const forms = await signInForms(Array.from({ length: 60 }, () => "10.77.1.1"));
  const others = await signInForms(Array.from({ length: 19 }, (_, n) => `10.77.1.${n + 2}`));
  await whileNoHashEnds(async (release) => {
    const judged = [...(await allButRefused(forms, 6)), ...(await allButRefused(others, 18))];
    release();
    expect((await Promise.all(judged)).map(({ status }) => status)).toEqual(Array(24).fill(422));
  });
  const [browser, form] = others[0] ?? expect.fail();
  expect((await fixture.signIn(browser, form, merchant)).status).toBe(303);
});

test("a password that the queue refuses does not count as a guess", async () => {
  const merchant = await fixture.registerMerchant();
  const address = "10.77.2.1";
  const forms = await signInForms(Array.from({ length: 10 }, () => address));
  const guess = ([browser, form]: [MerchantBrowser, Page]) =>
    fixture.signIn(browser, form, merchant, "a guess");
  for (const page of await whileNetworkIsBusy(address, () => Promise.all(forms.map(guess))))
    expectUnavailable(page);
  const statuses: number[] = [];
  for (const form of forms) statuses.push((await guess(form)).status);
  expect(statuses).toEqual([...Array(6).fill(422), ...Array(4).fill(429)]);
});

test("changing or resetting a password gets 503 while the queue is full for the network, and succeeds when retried", async () => {
  const address = "10.77.3.1";
  const [merchant, forgetful] = [
    await fixture.registerMerchant(),
    await fixture.registerMerchant(),
  ];
  const [[browser, form] = expect.fail(), [other] = expect.fail()] = await signInForms([
    address,
    address,
  ]);
  await fixture.signIn(browser, form, merchant);
  const change = await browser.open("/oauth/password");
  const reset = await other.open(await fixture.resetLink(forgetful));
  const all = () =>
    Promise.all([
      browser.press(change, "Change password", { password: PASSWORD, ...chosen }),
      other.press(reset, "Set password", chosen),
    ]);
  for (const page of await whileNetworkIsBusy(address, all)) expectUnavailable(page);
  const [changed, wasReset] = await all();
  expect(changed.location).toBe("/oauth/password?changed=1");
  expect(wasReset.location).toBe("/oauth/sign-in?password_changed=1");
});
