import { beforeEach, describe, expect, test } from "vitest";
import { type AskedReplicas, beforeActivation, beforeRetirement } from "./safe-waits.ts";
import { generateKey, type SigningKey } from "./signing-key.ts";

const NOW = new Date("2026-11-21T00:00:00Z");
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

let key: SigningKey;
beforeEach(async () => {
  key = { ...(await generateKey("EdDSA", ago(9999))), status: "announced", announcedAt: ago(10) };
});

type Server = AskedReplicas["authorizationServers"][number];
const authorizationServer = (name: string, more: Partial<Server> = {}): Server => ({
  name,
  published: ["old", key.kid],
  active: "old",
  published_seconds: { old: 1000, [key.kid]: 8 },
  active_seconds: 1000,
  keys_file_read_at: NOW.toISOString(),
  keys_file_problem: null,
  jwks_max_age_seconds: 300,
  access_token_ttl_seconds: 900,
  ...more,
});
const resourceServer = (name: string, ...known: string[]) => ({ name, known, fetched_at: null, age_seconds: null });
const asked = (replicas: Partial<AskedReplicas>): AskedReplicas => ({
  authorizationServers: [],
  resourceServers: [],
  silent: [],
  ...replicas,
});
const reasons = (obstacles: readonly { reason: string }[]) => obstacles.map(({ reason }) => reason);
const AWAY = { name: "as-2", problem: "ECONNREFUSED" };

describe("a key may sign", () => {
  const before = (replicas: Partial<AskedReplicas>) => reasons(beforeActivation(key, NOW, asked(replicas)));

  test("at once, when every authorization server publishes it and every resource server knows it", () => {
    const all = [authorizationServer("as-1"), authorizationServer("as-2")];
    expect(before({ authorizationServers: all, resourceServers: [resourceServer("rs-1", key.kid)] })).toEqual([]);
  });

  test("not while one of them lacks it, however long ago it was announced, and each is named", () => {
    key = { ...key, announcedAt: ago(99_999) };
    const behind = { published: ["old"], keys_file_problem: "the signing keys file is malformed" };
    const replicas = {
      authorizationServers: [authorizationServer("as-1"), authorizationServer("as-2", behind)],
      resourceServers: [resourceServer("rs-1", "old"), resourceServer("rs-2", "old", key.kid)],
    };
    expect(before(replicas)).toEqual([
      "as-2 does not publish it, as the signing keys file is malformed",
      "rs-1 does not know it yet",
    ]);
  });

  test("not while one could not be asked", () => {
    const all = {
      authorizationServers: [authorizationServer("as-1")],
      resourceServers: [resourceServer("rs-1", key.kid)],
    };
    expect(before({ ...all, silent: [AWAY] })).toEqual(["as-2 could not be asked (ECONNREFUSED)"]);
  });

  test("where no resource server was asked, when a JWKS from before the last replica's has ended", () => {
    key = { ...key, announcedAt: ago(99_999) };
    const since = (seconds: number) => ({ published_seconds: { [key.kid]: seconds } });
    const replicas = (seconds: number) => [
      authorizationServer("as-1", since(5000)),
      authorizationServer("as-2", since(seconds)),
    ];
    expect(before({ authorizationServers: replicas(290) })).toEqual([
      expect.stringMatching(/for 290 s.*wait 10 s more$/),
    ]);
    expect(before({ authorizationServers: replicas(300) })).toEqual([]);
  });
});

describe("a key may be removed", () => {
  const SWITCHED = { active: "new", active_seconds: 961 };
  const before = (replicas: Partial<AskedReplicas>, options = {}) =>
    reasons(beforeRetirement({ ...key, status: "retiring", retiringAt: ago(5000) }, NOW, asked(replicas), options));

  test("not while a replica signs with it", () => {
    const all = [authorizationServer("as-1", SWITCHED), authorizationServer("as-2", { active: key.kid })];
    expect(before({ authorizationServers: all })).toEqual(["as-2 still signs with it"]);
    expect(before({ authorizationServers: all.slice(0, 1), silent: [AWAY] })).toHaveLength(1);
  });

  test("when its last token has expired, counted from the last replica that changed", () => {
    const all = (seconds: number) => [
      authorizationServer("as-1", SWITCHED),
      authorizationServer("as-2", { ...SWITCHED, active_seconds: seconds }),
    ];
    expect(before({ authorizationServers: all(950) })).toEqual([
      expect.stringMatching(/^as-2 signed with it until less than 900 \+ 60 s ago.*wait 10 s more$/),
    ]);
    expect(before({ authorizationServers: all(960) })).toEqual([]);
  });

  test("when the longest of the lifetimes is over that replicas and operator name", () => {
    const all = [authorizationServer("as-1", { ...SWITCHED, access_token_ttl_seconds: 1800 })];
    expect(before({ authorizationServers: all })).toEqual([expect.stringMatching(/1800 \+ 60 s ago/)]);
    expect(before({ authorizationServers: all }, { accessTokenTtlSeconds: 60, clockSkewSeconds: 1 })).toEqual([
      expect.stringMatching(/1800 \+ 1 s ago/),
    ]);
  });
});
