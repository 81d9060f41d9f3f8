import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS } from "@partner-connect/contract";
import {
  CLOCK_SKEW_SECONDS,
  changeKeys,
  JWKS_MAX_AGE_SECONDS,
  KEYS_SPREAD_SECONDS,
  readSigningKeys,
  type SigningKey,
} from "@partner-connect/signing-keys";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { misused, type Operator, operator, refused } from "../../testing.ts";

let folder: string;
let file: string;
let cli: Operator;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "cli-keys-"));
  file = join(folder, "signing-keys.json");
  cli = operator({ DATA_DIR: folder });
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** How long it waits where no replica is known. */
const BEFORE_ACTIVATION = KEYS_SPREAD_SECONDS + JWKS_MAX_AGE_SECONDS;
const BEFORE_RETIREMENT = KEYS_SPREAD_SECONDS + DEFAULT_ACCESS_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS;

/** As if the key had reached its status so long ago. */
const age = (kid: string, seconds: number) =>
  changeKeys(file, (keys) => {
    const earlier = (date: Date | null) => date && new Date(date.getTime() - seconds * 1000);
    const aged = (key: SigningKey) => ({
      ...key,
      announcedAt: earlier(key.announcedAt),
      retiringAt: earlier(key.retiringAt),
    });
    return keys.map((key) => (key.kid === kid ? aged(key) : key));
  });

const statuses = async () => (await cli.json("keys", "list")).map((key: { status: string }) => key.status);

describe("keys", () => {
  test("generate makes the file with an active key at first, and then keys that nobody knows of", async () => {
    const first = await cli.json("keys", "generate");
    expect(first).toEqual({
      kid: expect.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_-]{42}$/),
      alg: "EdDSA",
      status: "active",
      created_at: expect.any(String),
      announced_at: expect.any(String),
      activated_at: expect.any(String),
      retiring_at: null,
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await cli.json("keys", "generate", "--alg", "ES256")).toMatchObject({
      alg: "ES256",
      status: "generated",
      announced_at: null,
    });
    expect((await readSigningKeys(file)).published.map((jwk) => jwk.kid)).toEqual([first.kid]);
  });

  test("list shows each key's life, and no key material", async () => {
    const { kid } = await cli.json("keys", "generate", "--alg", "ES256");
    const { active } = await readSigningKeys(file);
    const [told, asJson] = [await cli("keys", "list"), await cli("keys", "list", "--json")];
    expect(told.stdout).toMatch(new RegExp(`${kid} +ES256 +active +0 d +20`));
    for (const { stdout } of [told, asJson]) expect(stdout).not.toContain(active.privateJwk.d ?? "no private key");
  });

  test("rotate in the safe order, each step naming the next", async () => {
    const former = (await cli.json("keys", "generate")).kid;
    const generated = await cli("keys", "generate");
    const kid = /Generated key (\S+), which is generated/.exec(generated.stdout)?.[1] ?? "";
    expect(generated.stdout).toContain(`partner-connect keys announce ${kid}`);

    expect((await cli("keys", "announce", kid)).stdout).toContain(`keys activate ${kid}`);
    expect(await cli("keys", "activate", kid)).toEqual(
      refused(/announced less than 120 \+ 300 s ago.*wait (419|420) s more/),
    );
    await age(kid, BEFORE_ACTIVATION);
    expect((await cli("keys", "activate", kid)).stdout).toMatch(/is active[\s\S]*retire the keys that are 'retiring'/);
    expect(await statuses()).toEqual(["retiring", "active"]);

    expect(await cli("keys", "retire", former)).toEqual(
      refused(/last access tokens are still valid: wait 10(79|80) s more/),
    );
    await age(former, BEFORE_RETIREMENT);
    expect(await cli.json("keys", "retire", former)).toEqual({ kid: former, status: "retired" });
    expect(await statuses()).toEqual(["active"]);
  });

  test("--force skips the waits, and its help says what that risks", async () => {
    const former = (await cli.json("keys", "generate")).kid;
    const { kid } = await cli.json("keys", "generate");
    await cli.json("keys", "announce", kid);
    expect(await cli.json("keys", "activate", kid, "--force")).toMatchObject({ kid, status: "active" });
    expect((await cli("keys", "retire", former, "--force")).stdout).toMatch(/is removed/);
    expect((await cli("keys", "activate", "--help")).stdout).toMatch(/--force[\s\S]*refused/);
    expect((await cli("keys", "retire", "--help")).stdout).toMatch(/--force[\s\S]*refused/);
  });

  test("retire says what ends, asks on a terminal, and refuses first what can't be", async () => {
    const former = (await cli.json("keys", "generate")).kid;
    const { kid } = await cli.json("keys", "generate");
    await cli.json("keys", "announce", kid);
    await cli.json("keys", "activate", kid, "--force");
    const words = ["keys", "retire", former, "--force"];
    const asked = await cli.atTerminal().typing("n\n")(...words);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toMatch(/Key \S+ \(retiring\) will be removed for good: access tokens .* will be refused\./);
    expect(await cli.json(...words, "--dry-run")).toMatchObject({ dry_run: true });
    expect(await cli("keys", "retire", former, "--dry-run")).toEqual(refused(/last access tokens are still valid/));
    expect(await statuses()).toEqual(["retiring", "active"]);
    expect((await cli.atTerminal().typing("y\n")(...words)).code).toBe(0);
    expect(await statuses()).toEqual(["active"]);
  });

  test("retire waits as long as this stack's access tokens live", async () => {
    const former = (await cli.json("keys", "generate")).kid;
    const { kid } = await cli.json("keys", "generate");
    await cli.json("keys", "announce", kid);
    await cli.json("keys", "activate", kid, "--force");
    const short = cli.with({ ACCESS_TOKEN_TTL_SECONDS: "30" });
    expect(await short("keys", "retire", former)).toEqual(refused(/wait (20\d|210) s more/));
    expect(await cli.with({ ACCESS_TOKEN_TTL_SECONDS: "soon" })("keys", "retire", former)).toEqual(
      refused(/ACCESS_TOKEN_TTL_SECONDS is not a whole number of seconds/),
    );
  });

  test("the help names the real waits", async () => {
    const { stdout } = await cli("keys", "--help");
    expect(stdout).toContain(`${BEFORE_ACTIVATION} s after the announcement`);
    expect(stdout).toContain(`${BEFORE_RETIREMENT} s after the activation`);
  });

  test("a step asks the replicas, and refuses with the name of one that can't be asked", async () => {
    const former = (await cli.json("keys", "generate")).kid;
    const { kid } = await cli.json("keys", "generate");
    await cli.json("keys", "announce", kid);
    await age(kid, BEFORE_ACTIVATION);
    // Nothing listens there.
    const away = ["--replica", "http://127.0.0.1:64999"];
    expect(await cli("keys", "activate", kid, ...away)).toEqual(
      refused(/can't sign yet: 127\.0\.0\.1:64999 could not be asked \(ECONNREFUSED\)/),
    );
    const named = cli.with({ REPLICAS: "http://user:hush@127.0.0.1:64999" });
    const refusal = await named("keys", "activate", kid);
    expect(refusal).toEqual(refused(/127\.0\.0\.1:64999 could not be asked/));
    expect(refusal.stderr).not.toContain("hush");
    await cli.json("keys", "activate", kid, "--force", ...away);
    await age(former, BEFORE_RETIREMENT);
    expect(await cli("keys", "retire", former, ...away)).toEqual(
      refused(/can't be removed yet: .* could not be asked/),
    );
    expect(await cli("keys", "retire", former, "--replica", "10.0.0.7:9000")).toEqual(
      misused(/take URLs such as http/),
    );
    await cli.json("keys", "retire", former);
  });

  test("a replica that uses no keys, as a notifier, holds no step up", async () => {
    const notifier = createServer((_, answer) => void answer.end('{"uses_keys":false}')).listen(0, "127.0.0.1");
    onTestFinished(() => void notifier.close());
    await once(notifier, "listening");
    const named = ["--replica", `http://127.0.0.1:${(notifier.address() as AddressInfo).port}`];
    await cli.json("keys", "generate");
    const { kid } = await cli.json("keys", "generate");
    await cli.json("keys", "announce", kid);
    await age(kid, BEFORE_ACTIVATION);
    await cli.json("keys", "activate", kid, ...named);
    expect(await statuses()).toContain("active");
  });

  test("a key that is older than 90 days is shown as such", async () => {
    const { kid } = await cli.json("keys", "generate");
    const createdAt = new Date(Date.now() - 91 * 24 * 3600 * 1000);
    await changeKeys(file, (keys) => keys.map((key) => ({ ...key, createdAt })));
    const [key] = await cli.json("keys", "list");
    expect(key).toMatchObject({ kid, age_seconds: expect.closeTo(91 * 24 * 3600, -1) });
    expect((await cli.with({ FORCE_COLOR: "1" })("keys", "list")).stdout).toContain("\x1b[33m91 d");
  });

  test("SIGNING_KEYS_FILE and --keys-file name another file", async () => {
    const elsewhere = join(folder, "elsewhere", "keys.json");
    await cli.with({ SIGNING_KEYS_FILE: elsewhere }).json("keys", "generate");
    expect((await readSigningKeys(elsewhere)).published).toHaveLength(1);
    expect(await cli.json("keys", "list", "--keys-file", elsewhere)).toHaveLength(1);
  });

  test("refuses what is out of order or not there", async () => {
    expect(await cli("keys", "list")).toEqual(refused(/no signing keys file .*'partner-connect keys generate'/));
    expect(await cli("keys", "announce", "nope")).toEqual(refused(/no signing keys file/));
    expect(await operator({ SIGNING_KEYS_FILE: join(folder, "no", "file") })("keys", "announce", "nope")).toEqual(
      refused(/no signing keys file/),
    );
    const { kid } = await cli.json("keys", "generate");
    const generated = (await cli.json("keys", "generate")).kid;
    expect(await cli("keys", "announce", kid)).toEqual(refused(/is active: only a generated key can be announced/));
    expect(await cli("keys", "activate", generated, "--force")).toEqual(refused(/is generated: only an announced key/));
    expect(await cli("keys", "retire", kid, "--force")).toEqual(refused(/is active: activate another key/));
    for (const step of ["announce", "activate", "retire"]) {
      expect(await cli("keys", step, "nope")).toEqual(refused(/no key nope; 'partner-connect keys list'/));
    }
    expect(await cli("keys", "generate", "--alg", "RS256")).toEqual(
      misused(/'RS256' is invalid\. Allowed choices are EdDSA, ES256/),
    );
    await writeFile(file, "{");
    expect(await cli("keys", "list")).toEqual(refused(/malformed: it is not JSON/));
  });
});

describe("keys rotate", () => {
  const rotate = (...more: string[]) => cli("keys", "rotate", ...more);

  test("asks before it begins, says what it will do, and refuses where there are no keys", async () => {
    expect(await rotate()).toEqual(refused(/no signing keys file/));
    const { kid } = await cli.json("keys", "generate");
    const { effects } = await cli.json("keys", "rotate", "--dry-run");
    expect(effects).toEqual([
      expect.stringMatching(/A new key will be made/),
      expect.stringContaining(kid),
      expect.stringMatching(/No replica is known.*25 minutes/),
    ]);
    expect((await cli.atTerminal().typing("n\n")("keys", "rotate")).code).toBe(1);
    expect(await statuses()).toEqual(["active"]);
  });

  test("goes on with what is under way, and ends when no former key is left", async () => {
    const former = (await cli.json("keys", "generate")).kid;
    const { kid } = await cli.json("keys", "generate", "--alg", "ES256");
    expect(await rotate("--alg", "EdDSA")).toEqual(refused(/is generated: rotate to it, without --alg, or remove it/));
    await cli.json("keys", "announce", kid);
    await age(kid, BEFORE_ACTIVATION);
    await cli.json("keys", "activate", kid);
    await age(former, BEFORE_RETIREMENT);
    const { stdout, stderr } = await rotate("--json");
    expect(JSON.parse(stdout)).toEqual({
      kid,
      status: "active",
      steps: [{ step: "retire", kid: former, at: expect.any(String) }],
    });
    expect(stderr).toMatch(new RegExp(`going on with the rotation to key ${kid}[\\s\\S]*retired key ${former}`));
    expect(await statuses()).toEqual(["active"]);
  });

  test("brings the changed file to the servers by the operator's command, again after a failure", async () => {
    const former = (await cli.json("keys", "generate")).kid;
    const failing = await rotate("--after-change", "echo no way; exit 3");
    expect([failing.code, failing.stdout]).toEqual([1, ""]);
    expect(failing.stderr).toMatch(/no way\n[\s\S]*--after-change failed \(exit 3\)/);
    const [, { kid }] = await cli.json("keys", "list");
    await cli.json("keys", "announce", kid);
    await age(kid, BEFORE_ACTIVATION);
    await cli.json("keys", "activate", kid);
    await age(former, BEFORE_RETIREMENT);
    const copy = join(folder, "copy.json");
    expect((await rotate("--after-change", `cp ${file} ${copy}`)).stdout).toMatch(/no former key is left/);
    expect((await readSigningKeys(copy)).published).toHaveLength(1);
  });

  test("begun twice at once, it makes one key", async () => {
    await cli.json("keys", "generate");
    const stopAfterOne = () => rotate("--after-change", "exit 3");
    const outcomes = await Promise.all([stopAfterOne(), stopAfterOne(), stopAfterOne()]);
    expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(await statuses()).toEqual(["active", "generated"]);
  });
});
