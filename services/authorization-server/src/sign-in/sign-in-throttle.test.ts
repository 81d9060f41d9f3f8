import { randomUUID } from "node:crypto";
import { hashCredential } from "@partner-connect/directory";
import { keysOf, suiteRedis } from "@partner-connect/service-runtime/testing";
import { expect, test } from "vitest";
import { type SignInAttempt, signInThrottle, type Throttled } from "./sign-in-throttle.ts";

const redis = await suiteRedis();
const throttle = signInThrottle(redis);

const attempt = (overrides: Partial<SignInAttempt> = {}): SignInAttempt => ({
  email: `${randomUUID()}@shop.example`,
  network: randomUUID(),
  device: null,
  ...overrides,
});

const begin = (times: number, make: () => SignInAttempt): Promise<(Throttled | null)[]> =>
  Promise.all(Array.from({ length: times }, () => throttle.begin(make())));

/** How many of these concurrent attempts are not throttled. */
const tried = async (times: number, make: () => SignInAttempt): Promise<number> =>
  (await begin(times, make)).filter((throttled) => throttled === null).length;

test("a network has six attempts on an account, even in parallel, before a wait of at most ten minutes", async () => {
  const one = attempt();
  let turn = 0;
  // The spelling of the address makes no difference.
  const throttled = await begin(40, () =>
    turn++ % 2 ? { ...one, email: ` ${one.email.toUpperCase()}` } : one,
  );
  expect(throttled.filter((each) => each === null)).toHaveLength(6);
  for (const each of throttled) {
    if (each)
      expect(each).toMatchObject({ by: "network and account", waitSeconds: expect.any(Number) });
    expect(each?.waitSeconds ?? 0).toBeLessThanOrEqual(600);
  }
});

test("a network is throttled after attempts on 100 accounts, and further accounts get no counter in Redis", async () => {
  const network = randomUUID();
  expect(await tried(300, () => attempt({ network }))).toBe(100);
  expect(await throttle.begin(attempt({ network }))).toMatchObject({ by: "network" });
  expect(await keysOf(redis, `sign_in:network:${network}:account:*`)).toHaveLength(100);
  expect(await throttle.begin(attempt())).toBeNull();
});

test("throttled attempts on one account don't count against other accounts from the same network", async () => {
  const one = attempt();
  // Six at a time, because the password queue admits no more from one network.
  for (let round = 0; round < 34; round += 1) await begin(6, () => one);
  expect(await tried(100, () => attempt({ network: one.network }))).toBe(94);
});

test("a flood of guesses doesn't lock out the owner on another network or on a device that signed in before", async () => {
  const { email, network } = attempt();
  const device = randomUUID();
  await throttle.succeed({ ...attempt({ email }), device });
  await begin(60, () => attempt({ email }));
  await begin(60, () => attempt({ email, network }));
  await begin(110, () => attempt({ network }));
  expect(await tried(6, () => attempt({ email, network: "another" }))).toBe(6);
  expect(await tried(12, () => attempt({ email, device, network }))).toBe(6);
});

test("a successful sign-in removes its own attempt and the failures before it from the counts", async () => {
  const one = attempt();
  for (let round = 0; round < 4; round += 1) {
    expect(await tried(6, () => one)).toBe(6);
    await throttle.succeed({ ...one, device: "a device" });
  }
});

test.each([
  ["a network", () => null],
  ["a device that signed in before", () => "known"],
])(
  "right passwords for an account from %s are throttled after 36 sign-ins",
  async (_, deviceOf) => {
    const one = attempt({ device: deviceOf() });
    let passed = 0;
    for (let round = 0; round < 60; round += 1) {
      if ((await throttle.begin(one)) !== null) continue;
      passed += 1;
      await throttle.succeed({ ...one, device: one.device ?? randomUUID() });
    }
    expect(passed).toBe(36);
    // Other accounts can still sign in from this network.
    expect(await throttle.begin({ ...attempt(), network: one.network })).toBeNull();
  },
);

test("a device that signed in to one account is not exempt from the throttle for another account", async () => {
  const [device, network] = [randomUUID(), randomUUID()];
  await throttle.succeed({ ...attempt(), device });
  await begin(100, () => attempt({ network }));
  expect(await throttle.begin(attempt({ device, network }))).toMatchObject({ by: "network" });
});

test("the last ten devices that signed in to an account are exempt from the throttle of the network", async () => {
  const { email } = attempt();
  const devices = Array.from({ length: 25 }, () => randomUUID());
  for (const device of devices) await throttle.succeed({ ...attempt({ email }), device });
  const knownOf = async () => {
    // The network is over its limit, so only known devices are tried.
    const network = randomUUID();
    await begin(100, () => attempt({ network }));
    const asked = await Promise.all(
      devices.map((device) => throttle.begin(attempt({ email, network, device }))),
    );
    return devices.filter((_, n) => asked[n] === null);
  };
  expect(await knownOf()).toEqual(devices.slice(-10));
  const account = hashCredential(email).toString("base64url");
  const [key = ""] = await keysOf(redis, `sign_in:devices:${account}`);
  expect(Number(await redis.memory("USAGE", key))).toBeLessThan(1000);
  await Promise.all(devices.map((device) => throttle.succeed({ ...attempt({ email }), device })));
  expect(await knownOf()).toHaveLength(10);
});

test("only the first throttled attempt of a throttling window is marked as the first", async () => {
  const one = attempt();
  await begin(6, () => one);
  const throttled = await begin(4, () => one);
  expect(throttled.filter((each) => each?.isFirst)).toHaveLength(1);
});
