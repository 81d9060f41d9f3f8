import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@partner-connect/connections/testing";
import { findClient, findLogo, hashCredential } from "@partner-connect/directory";
import {
  onboardClient,
  onboardMerchant,
  onboardShop,
  REDIRECT_URI,
} from "@partner-connect/directory/testing";
import { temporaryFolder } from "@partner-connect/service-runtime/testing";
import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import { operator, operatorOnOwnDatabase, refused, stderrOf } from "../testing.ts";

const LOOPBACK = "http://localhost/callback";
/** A client of {@link onboardClient} as the JSON output shows it. */
const LOOKOUT = {
  name: "Lookout",
  redirect_uris: [REDIRECT_URI, LOOPBACK],
  scope: "responses:read sources:write",
  grant_types: ["authorization_code", "refresh_token"],
  status: "active",
};
const NO_IDENTITY = {
  publisher: null,
  website: null,
  privacy_policy: null,
  contact: null,
  logo: null,
};
const { database, sql, cli } = await operatorOnOwnDatabase({
  PARTNER_CONNECT_OPERATOR: "otto",
  PUBLIC_BASE_URL: "https://connect.example/",
});
const folder = temporaryFolder(afterAll);

let id: string;

beforeEach(async () => {
  ({ clientId: id } = await onboardClient(sql));
});

async function logoFile(): Promise<string> {
  const path = join(folder, "logo.png");
  const image = sharp({ create: { width: 128, height: 128, channels: 3, background: "green" } });
  await image.png().toFile(path);
  return path;
}

const create =
  "client create --name Acme --redirect-uri https://acme.example/cb --allow-duplicate-name";

test("client create stores the given facts and the secret's hash, and prints the secret", async () => {
  const words = ["--scope", "responses:read sources:write", "--publisher", "Acme GmbH"];
  const command = `${create} --redirect-uri ${LOOPBACK} --logo ${await logoFile()}`;
  const client = await cli.json(command, ...words);
  expect(client).toEqual({
    client_id: expect.stringMatching(/^client_[A-Za-z0-9]+$/),
    client_secret: expect.stringMatching(/^pcs_[A-Za-z0-9_-]{43}$/),
    name: "Acme",
    redirect_uris: ["https://acme.example/cb", LOOPBACK],
    scope: "responses:read sources:write",
    grant_types: ["authorization_code", "refresh_token"],
  });
  expect(await findClient(sql, client.client_id)).toMatchObject({
    publisher: "Acme GmbH",
    logoPath: expect.stringContaining(client.client_id),
    secrets: [{ hash: hashCredential(client.client_secret), expiresAt: null, lastUsedAt: null }],
  });
});

test("client create prints the guide's URL at the configured or the local stack's address", async () => {
  const command = `${create} --scope responses:read`;
  expect((await cli(command)).stdout).toMatch(
    / https:\/\/connect\.example\/+docs\/first-connection\n$/,
  );
  const state = { database_url: database.url, base_url: "http://localhost:8081" };
  await writeFile(join(folder, "local-stack.json"), JSON.stringify(state));
  const { stdout } = await operator({ DATA_DIR: folder })(command);
  expect(stdout).toMatch(/ http:\/\/localhost:8081\/docs\/first-connection\n$/);
});

test("client list prints the fields of a client, and no secret", async () => {
  const { stdout } = await cli("client list");
  expect(stdout).toMatch(new RegExp(`${id} +Lookout +active +responses:read sources:write\\n`));
  expect(stdout).not.toContain("pcs_");
  expect(await cli.json("client list")).toContainEqual({ ...LOOKOUT, client_id: id });
});

test("client show prints all facts, connections and the dates of secrets, but no secret", async () => {
  const { id: merchantId } = await onboardMerchant(sql);
  for (const name of ["Connected", "Revoked"]) {
    const shopId = await onboardShop(sql, { name, merchants: [merchantId] });
    await connect(sql, { shopId, clientId: id, merchantId });
    if (name === "Revoked") await cli.json("connection revoke --yes --shop", shopId);
  }
  await cli.json("client rotate-secret", id);
  const time = expect.stringMatching(/^20.*Z$/);
  expect(await cli.json("client show", id)).toEqual({
    ...LOOKOUT,
    ...NO_IDENTITY,
    client_id: id,
    created_at: time,
    secrets: [
      { created_at: time, expires_at: null, last_used_at: null },
      { created_at: time, expires_at: time, last_used_at: null },
    ],
    connections: { connected: 1, approved: 0, expired: 0, revoked: 1, disabled: 0 },
    webhooks: [],
  });
  await cli.json("client update", id, "--logo", await logoFile());
  const { stdout } = await cli("client show", id);
  expect(stdout).toMatch(
    new RegExp(` logo +https://connect\\.example/+oauth/logos/${id}/\\S+\\.webp\\n`),
  );
  expect(stdout).toMatch(/ connections +1 connected, 1 revoked\n/);
  expect(stdout).not.toContain("pcs_");
});

const update = (...words: string[]) => cli.json("client update", id, ...words);

test("client update sets and removes the facts that merchants see", async () => {
  const who = "--website https://acme.example --contact Privacy@acme.example".split(" ");
  const more = ["--privacy-policy", "https://acme.example/p", "--logo", await logoFile()];
  const names = ["--name", "Brand New", "--publisher", "Acme GmbH"];
  const changed = await update(...names, ...who, ...more);
  expect(changed).toEqual({
    ...LOOKOUT,
    client_id: id,
    name: "Brand New",
    publisher: "Acme GmbH",
    website: "https://acme.example/",
    privacy_policy: "https://acme.example/p",
    contact: "privacy@acme.example",
    logo: expect.stringMatching(new RegExp(`^/oauth/logos/${id}/[\\w-]{43}\\.webp$`)),
  });
  expect((await sharp((await findLogo(sql, id))?.image).metadata()).format).toBe("webp");
  const taken = ["publisher", "website", "privacy-policy", "contact", "logo"];
  expect(await update(...taken.map((name) => `--no-${name}`))).toEqual({
    ...changed,
    ...NO_IDENTITY,
  });
});

test.each([
  ["/nowhere/logo.png", /there is no file \/nowhere\/logo\.png/],
  ["/", /\/ is a folder, not a file/],
  ["/dev/zero", /the logo is larger than 1 MB/],
])("the logo %s is refused with a one-line error, and no field changes", async (path, line) => {
  const before = await findClient(sql, id);
  expect(await cli("client update", id, "--logo", path, "--publisher", "Good")).toEqual(
    refused(line),
  );
  expect(await findClient(sql, id)).toEqual(before);
});

test("client update needs a confirmation to remove a redirect URI and a scope, but not to add a scope", async () => {
  const words = ["client update --scope responses:read --remove-redirect-uri", REDIRECT_URI, id];
  const effects = `Removes the redirect URI ${REDIRECT_URI}: it can't be used to connect again.\nTakes sources:write from the client,`;
  expect(await cli.declined(...words)).toContain(effects);
  expect((await findClient(sql, id))?.redirectUris).toHaveLength(2);
  expect((await cli.atTerminal().typing("y\n")(...words)).code).toBe(0);
  expect(await findClient(sql, id)).toMatchObject({
    redirectUris: [LOOPBACK],
    scope: ["responses:read"],
  });
  const both = ["--scope", "responses:read sources:write"];
  const wider = await cli.atTerminal().typing("")("client update", id, ...both);
  expect(wider).toMatchObject({ code: 0, stderr: stderrOf("client_update") });
});

test("client disable asks for confirmation of its effects, and client enable undoes the change", async () => {
  const effect = `Client Lookout (${id}) is refused everywhere, with all its connections`;
  expect(await cli.declined("client disable", id)).toContain(effect);
  expect((await findClient(sql, id))?.status).toBe("active");
  expect(await cli.json("client disable", id)).toMatchObject({ client_id: id, status: "disabled" });
  expect(await cli.json("client enable", id, "--allow-duplicate-name")).toMatchObject({
    status: "active",
  });
});

test("client rotate-secret is refused during an overlap, except with --now and a confirmation", async () => {
  const rotated = await cli.json("client rotate-secret", id, "--overlap", "2h");
  expect(rotated).toMatchObject({
    client_id: id,
    name: "Lookout",
    client_secret: expect.stringMatching(/^pcs_/),
    former_secret_expires_at: expect.stringMatching(/Z$/),
  });
  const underWay = /the former secret still works until 20\S+Z; wait until then, or give --now/;
  expect(await cli("client rotate-secret", id)).toEqual(refused(underWay));
  const effect = "the partner's token requests fail until";
  for (const end of [["--now"], ["--overlap", "0s"]])
    expect(await cli.declined("client rotate-secret", id, ...end)).toContain(effect);
  expect((await findClient(sql, id))?.secrets).toHaveLength(2);
  const now = await cli.json("client rotate-secret", id, "--now");
  expect(now.former_secret_expires_at).toBeNull();
});
