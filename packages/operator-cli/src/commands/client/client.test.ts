import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findClient, hashCredential } from "@partner-connect/directory";
import { describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { misused, operator, type Refusal, refused } from "../../testing.ts";

const { database, sql, cli } = await operatorOnOwnDatabase();

describe("client", () => {
  const uri = ["--redirect-uri", "https://acme.example/cb", "--allow-duplicate-name"];
  const create = ["client", "create", "--name", "Acme", ...uri, "--scope"];
  const createAcme = () => cli.json(...create, "responses:read");

  test("create prints the client with its secret, of which the hash is kept", async () => {
    const client = await cli.json(...create, "responses:read sources:write", "--redirect-uri", "http://localhost/cb");
    expect(client).toEqual({
      client_id: expect.stringMatching(/^client_[A-Za-z0-9]+$/),
      client_secret: expect.stringMatching(/^pcs_[A-Za-z0-9_-]{43}$/),
      name: "Acme",
      redirect_uris: ["https://acme.example/cb", "http://localhost/cb"],
      scope: "responses:read sources:write",
      grant_types: ["authorization_code", "refresh_token"],
    });
    expect((await findClient(sql, client.client_id))?.secrets).toEqual([
      { hash: hashCredential(client.client_secret), expiresAt: null, lastUsedAt: null },
    ]);
  });

  test("list shows every client and no secret", async () => {
    const client = await createAcme();
    const { client_secret, ...rest } = client;
    expect(await cli.json("client", "list")).toContainEqual({ ...rest, status: "active" });
    const told = await cli("client", "list");
    expect(told.stdout).toMatch(new RegExp(`${client.client_id} +Acme +active +responses:read +https://acme`));
    expect(told.stdout).not.toContain("pcs_");
  });

  test("disable and enable say what the client is now, and may repeat", async () => {
    const { client_id, client_secret, ...rest } = await cli.json(...create, "responses:read", "--name", "Once");
    for (const [verb, status] of [
      ["disable", "disabled"],
      ["disable", "disabled"],
      ["enable", "active"],
    ] as const) {
      expect(await cli.json("client", verb, client_id)).toEqual({ client_id, ...rest, status });
      expect((await findClient(sql, client_id))?.status).toBe(status);
    }
    expect((await cli("client", "disable", client_id)).stdout).toBe(
      `Client Once (${client_id}) is disabled. Nothing is connected.\n`,
    );
  });

  test("rotate-secret --overlap keeps both secrets until then", async () => {
    const { client_secret, ...rest } = await createAcme();
    const rotated = await cli.json("client", "rotate-secret", rest.client_id, "--overlap", "2h");
    expect(rotated).toEqual({
      ...rest,
      client_secret: expect.stringMatching(/^pcs_/),
      former_secret_expires_at: expect.stringMatching(/^20.*Z$/),
    });
    const secrets = (await findClient(sql, rest.client_id))?.secrets ?? [];
    expect(secrets).toContainEqual({ hash: hashCredential(rotated.client_secret), expiresAt: null, lastUsedAt: null });
    const former = secrets.find(({ hash }) => hash.equals(hashCredential(client_secret)));
    expect(Math.round(((former?.expiresAt?.getTime() ?? 0) - Date.now()) / 60_000)).toBe(120);
    expect(rotated.former_secret_expires_at).toBe(former?.expiresAt?.toISOString());
  });

  test("rotate-secret is refused while the last one's overlap runs, and says what to do", async () => {
    const { client_id } = await createAcme();
    await cli.json("client", "rotate-secret", client_id);
    const before = (await findClient(sql, client_id))?.secrets;
    const refusal = /still overlaps the former one, until 20\S+Z; wait until then, or see .*--again and --now/;
    expect(await cli("client", "rotate-secret", client_id)).toEqual(refused(refusal));
    const json = await cli("client", "rotate-secret", client_id, "--overlap", "1h", "--json");
    expect(JSON.parse(json.stderr)).toMatchObject({ error: "ROTATION_UNDER_WAY" });
    expect((await findClient(sql, client_id))?.secrets).toEqual(before);
    const rotated = await cli.json("client", "rotate-secret", client_id, "--now");
    expect(rotated.former_secret_expires_at).toBeNull();
    expect((await findClient(sql, client_id))?.secrets).toHaveLength(1);
  });

  test("rotate-secret --now says how many secrets it ended, since when, and for how many connections", async () => {
    const { client_id } = await createAcme();
    await cli.json("client", "rotate-secret", client_id);
    const since = Date.now();
    const rotated = await cli.json("client", "rotate-secret", client_id, "--now");
    expect(rotated).toMatchObject({ ended_secrets: 2, connections: 0 });
    expect(Math.abs(Date.parse(rotated.refused_since) - since)).toBeLessThan(10_000);
    expect((await cli("client", "rotate-secret", client_id, "--now")).stdout).toMatch(
      /the former one has ended\. Ended 1 secret, refused since 20\S+Z, by every replica within a second\. 0 connections could be refreshed by what ended; an access token/,
    );
  });

  test("rotate-secret --again replaces a secret that was lost, and leaves the one in use", async () => {
    const { client_id, client_secret: inUse } = await createAcme();
    expect(await cli("client", "rotate-secret", client_id, "--again")).toEqual(refused(/no overlap runs/));
    const lost = await cli.json("client", "rotate-secret", client_id);
    const found = await cli.json("client", "rotate-secret", client_id, "--again");
    expect(found.former_secret_expires_at).toBe(lost.former_secret_expires_at);
    const hashes = (await findClient(sql, client_id))?.secrets.map(({ hash }) => hash.toString("hex"));
    const expected = [inUse, found.client_secret].map((secret) => hashCredential(secret).toString("hex"));
    expect(new Set(hashes)).toEqual(new Set(expected));
  });

  test("create ends with what the partner needs, whose link leads to the authorization server", async () => {
    const told = await cli.with({ PUBLIC_BASE_URL: "https://connect.example/" })(
      ...create,
      "responses:read sources:write",
    );
    const discovery = "https://connect.example/.well-known/oauth-authorization-server";
    expect(told.stdout).toMatch(
      new RegExp(`Send to the partner as well:\n\n {2}discovery +${discovery}\n {2}guide +\\S+`),
    );
    const link = new URL(/ link +(\S+)\n/.exec(told.stdout)?.[1] ?? "");
    expect(link.origin + link.pathname).toBe("https://connect.example/oauth/api/authorize");
    expect(Object.fromEntries(link.searchParams)).toEqual({
      response_type: "code",
      client_id: expect.stringMatching(/^client_/),
      redirect_uri: "https://acme.example/cb",
      scope: "responses:read sources:write",
      state: "STATE",
      code_challenge: "CODE_CHALLENGE",
      code_challenge_method: "S256",
    });
  });

  test("create takes the public address from a local stack, and says it where nobody knows it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cli-client-"));
    const state = { database_url: database.url, base_url: "http://localhost:8081" };
    await writeFile(join(folder, "local-stack.json"), JSON.stringify(state));
    const local = await operator({ DATA_DIR: folder })(...create, "responses:read");
    expect(local.stdout).toContain("discovery  http://localhost:8081/.well-known/");
    await rm(folder, { recursive: true });
    const unknown = await cli(...create, "responses:read", "--grant-type", "refresh_token");
    expect(unknown.stdout).toMatch(
      /discovery +BASE\/\.well-known[\s\S]*BASE is the public address .* set PUBLIC_BASE_URL\.\n$/,
    );
    expect(unknown.stdout).not.toContain("/oauth/api/authorize");
  });

  test.each<[string[], RegExp | Refusal]>([
    [[...create.slice(1), "openid"], /"openid" is not a scope/],
    [["create", "--name", "Acme", "--scope", "responses:read"], misused(/--redirect-uri <uri>' not specified/)],
    [["show", "client_x"], /no client "client_x"/],
    [["rotate-secret", "client_x", "--overlap", "soon"], misused(/"soon" is not a time such as/)],
    [
      ["rotate-secret", "client_x", "--overlap", "1h", "--now"],
      misused(/'--now' cannot be used with option '--overlap <time>'/),
    ],
  ])("%j is refused", async (words, line) => {
    expect(await cli("client", ...words)).toEqual(refused(line));
  });
});
