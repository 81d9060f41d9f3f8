import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_ACCESS_TOKEN_TTL_SECONDS } from "@partner-connect/access-token";
import {
  CLOCK_SKEW_SECONDS,
  changeKeys,
  JWKS_MAX_AGE_SECONDS,
  readSigningKeys,
  type SigningKey,
} from "@partner-connect/signing-keys";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
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
    expect(told.stdout).toMatch(new RegExp(`${kid} +ES256 +active +20`));
    for (const { stdout } of [told, asJson]) expect(stdout).not.toContain(active.privateJwk.d ?? "no private key");
  });

  test("rotate in the safe order, each step naming the next", async () => {
    const former = (await cli.json("keys", "generate")).kid;
    const generated = await cli("keys", "generate");
    const kid = /Generated key (\S+), which is generated/.exec(generated.stdout)?.[1] ?? "";
    expect(generated.stdout).toContain(`partner-connect keys announce ${kid}`);

    expect((await cli("keys", "announce", kid)).stdout).toContain(`keys activate ${kid}`);
    expect(await cli("keys", "activate", kid)).toEqual(refused(/announced less than 300 s ago.*wait (299|300) s more/));
    await age(kid, JWKS_MAX_AGE_SECONDS);
    expect((await cli("keys", "activate", kid)).stdout).toMatch(
      /is active[\s\S]*restart the authorization servers one by one/,
    );
    expect(await statuses()).toEqual(["retiring", "active"]);

    expect(await cli("keys", "retire", former)).toEqual(
      refused(/last access tokens are still valid: wait 9(59|60) s more/),
    );
    await age(former, DEFAULT_ACCESS_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS);
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
    expect(await short("keys", "retire", former)).toEqual(refused(/wait (89|90) s more/));
    expect(await cli.with({ ACCESS_TOKEN_TTL_SECONDS: "soon" })("keys", "retire", former)).toEqual(
      refused(/ACCESS_TOKEN_TTL_SECONDS is not a whole number of seconds/),
    );
  });

  test("the help names the real waits", async () => {
    const { stdout } = await cli("keys", "--help");
    expect(stdout).toContain(`wait ${JWKS_MAX_AGE_SECONDS} s after`);
    expect(stdout).toContain(`wait ${DEFAULT_ACCESS_TOKEN_TTL_SECONDS + CLOCK_SKEW_SECONDS} s after`);
  });

  test("SIGNING_KEYS_FILE names another file", async () => {
    const elsewhere = join(folder, "elsewhere", "keys.json");
    await cli.with({ SIGNING_KEYS_FILE: elsewhere }).json("keys", "generate");
    expect((await readSigningKeys(elsewhere)).published).toHaveLength(1);
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
