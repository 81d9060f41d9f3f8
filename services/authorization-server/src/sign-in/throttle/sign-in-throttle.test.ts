import { randomUUID } from "node:crypto";
import { hashCredential } from "@partner-connect/directory";
import { connectRedis, type Redis } from "@partner-connect/service-runtime";
import { keysOf } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SignInThrottle, signInThrottle } from "./sign-in-throttle.ts";

let redis: Redis;
let throttle: SignInThrottle;

beforeAll(async () => {
  redis = connectRedis(process.env["TEST_REDIS_URL"] ?? "", "test");
  await new Promise((resolve) => redis.once("ready", resolve));
  throttle = signInThrottle(redis);
});
afterAll(() => redis.disconnect());

const attempt = (overrides: Partial<Parameters<SignInThrottle["begin"]>[0]> = {}) => ({
  email: `${randomUUID()}@shop.example`,
  network: randomUUID(),
  device: null,
  ...overrides,
});

async function begin(times: number, make: () => Parameters<SignInThrottle["begin"]>[0]): Promise<(number | null)[]> {
  const throttled = await Promise.all(Array.from({ length: times }, () => throttle.begin(make())));
  return throttled.map((each) => each?.waitSeconds ?? null);
}

test("of parallel attempts on one account from one network six are let through", async () => {
  const one = attempt();
  const waits = await begin(40, () => one);
  expect(waits.filter((wait) => wait === null)).toHaveLength(6);
  expect(Math.max(...waits.map(Number))).toBeLessThanOrEqual(120);
});

test("a success takes its own attempt and the failures before it back", async () => {
  const one = attempt();
  for (let round = 0; round < 4; round += 1) {
    expect(await begin(6, () => one)).toEqual(Array(6).fill(null));
    await throttle.succeed({ ...one, device: "a device" });
  }
});

test("a network that tries many accounts is slowed down for seconds, others are not", async () => {
  const network = randomUUID();
  const waits = await begin(110, () => attempt({ network }));
  expect(waits.filter((wait) => wait === null)).toHaveLength(100);
  expect(Math.max(...waits.map(Number))).toBeLessThanOrEqual(5);
  expect(await throttle.begin(attempt())).toBeNull();
});

test("a network over its limit leaves no counter for the accounts that it goes on trying", async () => {
  const network = randomUUID();
  await begin(300, () => attempt({ network }));
  expect(await keysOf(redis, `sign_in:network:${network}:account:*`)).toHaveLength(100);
});

test("refusals for one account don't count against the others of its network", async () => {
  const one = attempt();
  await begin(200, () => one);
  expect(await begin(90, () => attempt({ network: one.network }))).toEqual(Array(90).fill(null));
});

test("a refused attempt counts for nothing: a stranger's flood leaves the owner elsewhere all her attempts", async () => {
  const { email } = attempt();
  const [stranger, another] = [attempt({ email }), attempt({ email })];
  const [, meanwhile] = await Promise.all([begin(60, () => stranger), begin(6, () => another)]);
  expect(meanwhile).toEqual(Array(6).fill(null));
  for (let refused = 0; refused < 60; refused += 1) await throttle.begin(stranger);
  const owner = attempt({ email });
  expect(await begin(6, () => owner)).toEqual(Array(6).fill(null));
});

test("a refused attempt makes none of the next wait longer, while the account is attacked neither", async () => {
  const { email } = attempt();
  const one = attempt({ email });
  const waitOf = async () => (await throttle.begin(one))?.waitSeconds ?? 0;
  await begin(6, () => one);
  const first = await waitOf();
  for (let refused = 0; refused < 20; refused += 1) await throttle.begin(one);
  expect(await waitOf()).toBeLessThanOrEqual(first);
  await begin(60, () => attempt({ email }));
  const guessed = attempt({ email });
  const waits: number[] = [];
  for (let guess = 0; guess < 20; guess += 1) waits.push((await throttle.begin(guessed))?.waitSeconds ?? 0);
  expect(waits[0]).toBe(0);
  expect(waits[1]).toBeGreaterThan(60);
  expect(Math.max(...waits)).toBeLessThanOrEqual(120);
});

test("an account attacked from many networks leaves each new network one guess, which its owner needs", async () => {
  const { email } = attempt();
  await begin(60, () => attempt({ email }));
  const one = attempt({ email });
  expect(await throttle.begin(one)).toBeNull();
  expect((await throttle.begin(one))?.waitSeconds).toBeGreaterThan(60);
});

test("a device that has signed in to the account is judged by its own failures alone", async () => {
  const { email } = attempt();
  const device = randomUUID();
  await throttle.succeed({ ...attempt({ email }), device });
  await begin(60, () => attempt({ email }));
  const network = randomUUID();
  await begin(110, () => attempt({ network }));
  const waits = await begin(12, () => attempt({ email, device, network }));
  expect(waits.filter((wait) => wait === null)).toHaveLength(10);
});

test("the ten devices that signed in last are known, in one key of Redis, however many there were", async () => {
  const { email } = attempt();
  const devices = Array.from({ length: 25 }, () => randomUUID());
  for (const device of devices) {
    expect(await throttle.begin(attempt({ email, device }))).toBeNull();
    await throttle.succeed({ ...attempt({ email }), device });
  }
  const account = hashCredential(email).toString("base64url");
  const keys = (await keysOf(redis, `sign_in:*${account}*`)).filter((key) => !key.includes(":network:"));
  expect(keys.length).toBeLessThanOrEqual(3);
  const bytes = await Promise.all(keys.map((key) => redis.memory("USAGE", key)));
  expect(bytes.reduce<number>((sum, each) => sum + Number(each), 0)).toBeLessThan(1500);
  const isKnown = async (device: string | undefined) => {
    const one = attempt({ email, device: device ?? expect.fail() });
    return (await begin(10, () => one)).every((wait) => wait === null);
  };
  expect([await isKnown(devices.at(-1)), await isKnown(devices.at(-10))]).toEqual([true, true]);
  expect([await isKnown(devices.at(-11)), await isKnown(devices[0])]).toEqual([false, false]);
});

test("of devices that sign in at once, ten are known", async () => {
  const { email } = attempt();
  const devices = Array.from({ length: 25 }, () => randomUUID());
  await Promise.all(devices.map((device) => throttle.succeed({ ...attempt({ email }), device })));
  const known: string[] = [];
  for (const device of devices) {
    const one = attempt({ email, device });
    if ((await begin(8, () => one)).every((wait) => wait === null)) known.push(device);
  }
  expect(known).toHaveLength(10);
});

test.each([
  ["a network", () => null, 36],
  ["a known device", () => "known", 40],
])(
  "right passwords from %s have an allowance too, beyond which they count like guesses",
  async (_, deviceOf, times) => {
    const one = attempt({ device: deviceOf() });
    let passed = 0;
    for (let round = 0; round < 60; round += 1) {
      if ((await throttle.begin(one)) !== null) continue;
      passed += 1;
      await throttle.succeed({ ...one, device: one.device ?? randomUUID() });
    }
    expect(passed).toBeGreaterThanOrEqual(times);
    // One more if a minute has passed meanwhile.
    expect(passed).toBeLessThanOrEqual(times + 2);
    // Her other accounts and everybody else go on.
    expect(await throttle.begin({ ...attempt(), network: one.network })).toBeNull();
  },
);

test("a device known for one account has no advantage with another", async () => {
  const device = randomUUID();
  await throttle.succeed({ ...attempt(), device });
  const other = attempt({ device });
  expect((await begin(10, () => other)).filter((wait) => wait === null)).toHaveLength(6);
});

test("a clock of Redis that is set back by an hour makes nobody wait for longer than two minutes", async () => {
  const [one, attacked, other] = [attempt(), attempt(), attempt()];
  await begin(7, () => one);
  await begin(60, () => attempt({ email: attacked.email }));
  await begin(2, () => attacked);
  await begin(1, () => other);
  const account = hashCredential(one.email).toString("base64url");
  const key = `sign_in:network:${one.network}:account:${account}`;
  const attackedKey = key
    .replace(one.network, attacked.network)
    .replace(account, hashCredential(attacked.email).toString("base64url"));
  // Redis keeps the moment at which a key ends, by its wall clock. Some of these end within seconds, so they are set anew.
  for (const each of [key, attackedKey, `sign_in:network:${other.network}`]) await redis.set(each, "", "PX", 3_600_000);
  const waits: (number | undefined)[] = [];
  for (const each of [one, attacked, other]) waits.push((await throttle.begin(each))?.waitSeconds);
  expect(waits).toEqual([120, 120, 5]);
  // The wait goes by: what is left of a counter is what its allowance can take.
  expect(await redis.pttl(key)).toBeLessThanOrEqual(6 * 120_000);
});

test("every counter ends by itself", async () => {
  const one = attempt({ network: "198.51.100.77" });
  await begin(3, () => one);
  for (const key of await keysOf(redis, "sign_in:*198.51.100.77*")) expect(await redis.pttl(key)).not.toBe(-1);
});

test("is news once for each counter that is used up, and for an attacked account once, from however many networks", async () => {
  const one = attempt();
  await begin(6, () => one);
  const [first, second] = [await throttle.begin(one), await throttle.begin(one)];
  if (!first || !second) throw new Error("not throttled");
  expect(first).toMatchObject({ by: "network and account" });
  const news = await Promise.all([first, second, first, second].map((throttled) => throttle.isNews(throttled)));
  expect(news.filter(Boolean)).toHaveLength(1);
  await throttle.forgetNews(first);
  expect(await throttle.isNews(second)).toBe(true);

  const { email } = attempt();
  await begin(60, () => attempt({ email }));
  const told: boolean[] = [];
  for (let network = 0; network < 5; network += 1) {
    const another = attempt({ email });
    await throttle.begin(another);
    const throttled = await throttle.begin(another);
    if (throttled) told.push(await throttle.isNews(throttled));
  }
  expect(told).toEqual([true, false, false, false, false]);
});

test("a network over its limit is news once, whichever accounts it goes on trying", async () => {
  const network = randomUUID();
  await begin(101, () => attempt({ network }));
  const told: boolean[] = [];
  for (let account = 0; account < 3; account += 1) {
    const throttled = await throttle.begin(attempt({ network }));
    if (throttled) told.push(await throttle.isNews(throttled));
  }
  expect(told).toEqual([true, false, false]);
});
