import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approve, exchange } from "@partner-connect/connections";
import { findClient, findLogo } from "@partner-connect/directory";
import { onboardClient, onboardMerchant, onboardShop, REDIRECT_URI } from "@partner-connect/directory/testing";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { misused, type Refusal, refused, stderrOf } from "../../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({
  PARTNER_CONNECT_OPERATOR: "otto",
  PUBLIC_BASE_URL: "https://c.example",
});
let folder: string;
let id: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cli-client-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  id = (await onboardClient(sql)).clientId;
});

/** A connection as a merchant's approval and the client's exchange leave it. */
async function connect(
  scope: readonly ("responses:read" | "sources:write")[],
  redirectUri = REDIRECT_URI,
): Promise<string> {
  const merchant = await onboardMerchant(sql);
  const shopId = await onboardShop(sql, { merchants: [merchant.id] });
  const grantId = crypto.randomUUID();
  const approval = { shopId, clientId: id, merchantId: merchant.id, grantId, scope, redirectUri };
  await approve(sql, approval, { name: `merchant:${merchant.id}` });
  const refreshTokenHash = Buffer.from(grantId);
  await exchange(sql, { shopId, clientId: id, grantId, refreshTokenHash }, { name: `client:${id}` });
  return shopId;
}

async function logoFile(name = "logo.png"): Promise<string> {
  const path = join(folder, name);
  await sharp({ create: { width: 128, height: 128, channels: 3, background: "green" } })
    .png()
    .toFile(path);
  return path;
}

describe("client update", () => {
  test("says which scopes a merchant may leave out, and vouches for the client, with a record", async () => {
    const update = (...words: string[]) => cli.json("client", "update", id, ...words);
    await update("--scope", "responses:read sources:write");
    expect(await update("--optional-scope", "sources:write", "--verified")).toMatchObject({
      optional_scope: "sources:write",
      verified_at: expect.stringMatching(/^20.*Z$/),
    });
    expect(await cli.json("client", "show", id)).toMatchObject({ optional_scope: "sources:write" });
    expect(await update("--no-optional-scope", "--no-verified")).toMatchObject({
      optional_scope: "",
      verified_at: null,
    });
    const records = await sql`
      SELECT details FROM directory.audit_log WHERE client_id = ${id} AND event = 'client_update' ORDER BY id DESC LIMIT 1`;
    expect(records[0]?.["details"]).toMatchObject({
      optional_scope: { from: ["sources:write"], to: [] },
      verified_at: { from: expect.any(String), to: null },
    });
    expect(await cli("client", "update", id, "--optional-scope", "everything")).toEqual(
      refused(/"everything" is not one of the client's scopes/),
    );
  });

  test("changes what merchants see, and takes it away again", async () => {
    const logo = await logoFile();
    const who = [
      "--publisher",
      "Acme GmbH",
      "--website",
      "https://acme.example",
      "--privacy-policy",
      "https://acme.example/p",
      "--contact",
      "Privacy@acme.example",
    ];
    const changed = await cli.json("client", "update", id, "--name", "Brand New", ...who, "--logo", logo);
    expect(changed).toEqual({
      client_id: id,
      name: "Brand New",
      redirect_uris: [REDIRECT_URI, "http://localhost/callback"],
      scope: "responses:read sources:write",
      grant_types: ["authorization_code", "refresh_token"],
      optional_scope: "",
      status: "active",
      verified_at: null,
      publisher: "Acme GmbH",
      website: "https://acme.example/",
      privacy_policy: "https://acme.example/p",
      contact: "privacy@acme.example",
      logo: expect.stringMatching(new RegExp(`^/oauth/logos/${id}/[\\w-]{43}\\.webp$`)),
    });
    expect((await sharp((await findLogo(sql, id))?.image).metadata()).format).toBe("webp");
    const none = ["--no-publisher", "--no-website", "--no-privacy-policy", "--no-contact", "--no-logo"];
    const emptied = { ...changed, publisher: null, website: null, privacy_policy: null, contact: null, logo: null };
    expect(await cli.json("client", "update", id, ...none)).toEqual(emptied);
    const [record] = await sql`
      SELECT actor, details FROM directory.audit_log WHERE client_id = ${id} AND event = 'client_update' ORDER BY at LIMIT 1`;
    expect(record).toMatchObject({ actor: "operator:otto", details: { name: { from: "Lookout", to: "Brand New" } } });
  });

  test("create takes the same", async () => {
    const words = [
      "client",
      "create",
      "--name",
      "With a logo",
      "--redirect-uri",
      REDIRECT_URI,
      "--scope",
      "responses:read",
    ];
    const { client_id } = await cli.json(...words, "--publisher", "Acme", "--logo", await logoFile("of-create.png"));
    expect(await cli.json("client", "show", client_id)).toMatchObject({
      publisher: "Acme",
      website: null,
      logo: expect.stringContaining(client_id),
    });
  });

  test("what is like that already changes nothing, is not recorded, and says so", async () => {
    const told = await cli("client", "update", id, "--name", "Lookout", "--add-redirect-uri", REDIRECT_URI);
    expect(told.stdout).toMatch(/^Client Lookout was like this already\.\n/);
    expect(await sql`SELECT FROM directory.audit_log WHERE client_id = ${id} AND event = 'client_update'`).toHaveLength(
      0,
    );
  });

  test.each<[string[], RegExp | Refusal]>([
    [[], misused(/nothing to change is given; see 'partner-connect client update --help'/)],
    [["--name", "  "], /client's name is empty/],
    [["--logo", "/nowhere/logo.png"], /there is no file \/nowhere\/logo\.png/],
    [["--logo", "/"], /\/ is a folder, not a file/],
    [["--logo", "/dev/zero"], /the logo is larger than 1 MB/],
    [["--logo", "/dev/null"], /the logo is not a PNG or WebP image/],
    [["--logo", "svg"], /the logo is not a PNG or WebP image/],
    [["--logo", "huge"], /the logo is larger than 1 MB/],
  ])("%j is refused with one line, and nothing is changed", async (words, line) => {
    await writeFile(join(folder, "svg"), '<svg xmlns="http://www.w3.org/2000/svg"/>');
    await writeFile(join(folder, "huge"), Buffer.alloc(1024 * 1024 + 1));
    const given = words.map((word) => (["svg", "huge"].includes(word) ? join(folder, word) : word));
    const good = words.length > 0 && !words.includes("--publisher") ? ["--publisher", "Good"] : [];
    const before = await findClient(sql, id);
    expect(await cli("client", "update", id, ...given, ...good)).toEqual(refused(line));
    expect(await findClient(sql, id)).toEqual(before);
  });
});

describe("what an update takes away is told before", () => {
  test("a redirect URI, with how many connections came by it", async () => {
    const untold = ["--remove-redirect-uri", REDIRECT_URI, "--dry-run"];
    const effects = async () => (await cli.json("client", "update", id, ...untold)).effects.join("\n");
    expect(await effects()).toContain(`Removes the redirect URI ${REDIRECT_URI}, which no connection came by. Nobody`);
    for (let n = 0; n < 2; n += 1) await connect(["responses:read"], REDIRECT_URI);
    await connect(["responses:read"], "http://localhost/callback");
    const ended = await connect(["responses:read"], REDIRECT_URI);
    await sql`UPDATE oauth.connections SET last_used_at = now() - interval '31 days' WHERE shop_id = ${ended}`;
    expect(await effects()).toBe(
      `Removes the redirect URI ${REDIRECT_URI}, which 2 connections came by. They go on working. Nobody can connect by it again, ` +
        "and authorizations under way end.",
    );
    expect((await findClient(sql, id))?.redirectUris).toContain(REDIRECT_URI);
  });

  test("a scope, with when and from how many connections; and what a new one needs", async () => {
    await connect(["responses:read", "sources:write"]);
    await connect(["responses:read", "sources:write"]);
    await connect(["sources:write"]);
    const narrowing = await cli.json("client", "update", id, "--scope", "responses:read", "--dry-run");
    expect(narrowing.effects).toEqual([
      "Takes sources:write away, which 3 connections have, and lose at their next refresh: in 15 minutes at most.",
      "1 connection has no scope left then: every call of the API is refused.",
    ]);
    await cli.json("client", "update", id, "--scope", "responses:read");
    const widening = ["client", "update", id, "--scope", "responses:read sources:write"];
    await connect(["responses:read"]);
    expect((await cli.json(...widening, "--dry-run")).effects).toEqual([
      "Adds sources:write: 1 connection gets it only when its merchant approves again.",
    ]);
    expect((await cli.atTerminal().typing("")(...widening)).stderr).toEqual(stderrOf("client_update"));
  });

  test("on a terminal it asks, and with 'no' nothing is changed; --yes and scripts are not asked", async () => {
    const narrowing = ["client", "update", id, "--remove-redirect-uri", "http://localhost/callback"];
    const no = await cli.atTerminal().typing("n\n")(...narrowing);
    expect(no.code).toBe(1);
    expect(no.stderr).toMatch(
      /^Removes the redirect URI [\s\S]*Go on\? \[y\/N\] [\s\S]*cancelled; nothing was changed\n$/,
    );
    expect((await findClient(sql, id))?.redirectUris).toHaveLength(2);
    const yes = await cli.atTerminal().typing("y\n")(...narrowing);
    expect([yes.code, (await findClient(sql, id))?.redirectUris]).toEqual([0, [REDIRECT_URI]]);
    await cli.atTerminal().typing("")("client", "update", id, "--scope", "responses:read", "--yes");
    expect((await findClient(sql, id))?.scope).toEqual(["responses:read"]);
  });

  test("a dry run tells every change, and is refused like the change itself", async () => {
    const logo = await logoFile("dry.png");
    const words = ["client", "update", id, "--name", "Dry", "--publisher", "Acme", "--logo", logo, "--dry-run"];
    const before = await findClient(sql, id);
    expect((await cli.json(...words, "--add-redirect-uri", "https://b.example/")).effects).toEqual([
      "Adds the redirect URI https://b.example/.",
      "Merchants see the name Dry instead of Lookout.",
      "Says the publisher Acme.",
      "Shows another logo.",
    ]);
    expect(await cli(...words, "--add-redirect-uri", "http://b.example/")).toEqual(refused(/is http/));
    expect(await findClient(sql, id)).toEqual(before);
  });

  test("a disable acts first, and counts afterwards how many connections stop; a dry run counts", async () => {
    await connect(["responses:read"]);
    const no = await cli.atTerminal().typing("n\n")("client", "disable", id);
    expect(no.stderr).toContain(`Client Lookout (${id}) is refused everywhere, with all its connections`);
    expect((await findClient(sql, id))?.status).toBe("active");
    const stops = "1 connection of merchants stops working.";
    expect((await cli.json("client", "disable", id, "--dry-run")).effects.at(-1)).toBe(stops);
    const disabled = await cli.atTerminal().typing("y\n")("client", "disable", id);
    expect(disabled.stdout).toBe(`Client Lookout (${id}) is disabled. ${stops}\n`);
    expect((await cli("client", "disable", id)).stdout).toBe(`Client Lookout (${id}) is disabled.\n`);
  });
});

describe("client show", () => {
  test("has all of it, with connections and secrets, and no secret itself", async () => {
    await connect(["responses:read"], REDIRECT_URI);
    const revoked = await connect(["responses:read"], REDIRECT_URI);
    await sql`UPDATE oauth.connections SET status = 'revoked' WHERE shop_id = ${revoked}`;
    await cli.json("client", "rotate-secret", id);
    const shown = await cli.json("client", "show", id);
    const time = expect.stringMatching(/^20.*Z$/);
    expect(shown).toEqual({
      client_id: id,
      name: "Lookout",
      redirect_uris: [REDIRECT_URI, "http://localhost/callback"],
      scope: "responses:read sources:write",
      grant_types: ["authorization_code", "refresh_token"],
      optional_scope: "",
      status: "active",
      verified_at: null,
      publisher: null,
      website: null,
      privacy_policy: null,
      contact: null,
      logo: null,
      created_at: time,
      secrets: [
        { created_at: time, expires_at: null, last_used_at: null },
        { created_at: time, expires_at: time, last_used_at: null },
      ],
      connections: { connected: 1, approved: 0, expired: 0, revoked: 1, disabled: 0 },
      webhooks: [],
      connected_by_redirect_uri: [
        { redirect_uri: REDIRECT_URI, connections: 1 },
        { redirect_uri: "http://localhost/callback", connections: 0 },
      ],
    });
    await cli.json("client", "update", id, "--logo", await logoFile());
    const told = await cli("client", "show", id);
    expect(told.stdout).toMatch(new RegExp(` logo +https://c\\.example/oauth/logos/${id}/\\S+\\.webp\\n`));
    expect(told.stdout).toMatch(/ connections +1 connected, 1 revoked\n/);
    expect(told.stdout).not.toContain("pcs_");
  });
});
