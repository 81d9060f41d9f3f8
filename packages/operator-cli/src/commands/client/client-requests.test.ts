import { type AskedUpdate, askForChanges, findClient, findLogo } from "@partner-connect/directory";
import { onboardClient, onboardMerchant, REDIRECT_URI } from "@partner-connect/directory/testing";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { misused, refused } from "../../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "otto" });
let clientId: string;
let name: string;
let merchant: { id: string; email: string };

beforeEach(async () => {
  name = `Lookout ${crypto.randomUUID()}`;
  ({ clientId } = await onboardClient(sql, { name, scope: ["responses:read"] }));
  merchant = await onboardMerchant(sql);
});

const ask = (asked: AskedUpdate) =>
  askForChanges(sql, { clientId, merchantId: merchant.id }, asked, { name: `merchant:${merchant.id}` });
const NEW = "https://new.example/cb";
const logo = () =>
  sharp({ create: { width: 128, height: 128, channels: 3, background: "green" } })
    .png()
    .toBuffer();

describe("client requests, approve and decline", () => {
  test("show the difference with what to look at, and carry it out", async () => {
    const known = "https://partner.example/second";
    const id = await ask({
      name: "Better",
      addRedirectUris: [NEW, known],
      removeRedirectUris: [REDIRECT_URI],
      scope: ["responses:read", "sources:write"],
      logo: await logo(),
    });
    const [shown, ...more] = await cli.json("client", "requests", name);
    expect(more).toEqual([]);
    expect(shown).toEqual({
      id,
      client_id: clientId,
      client: name,
      asked_by: { id: merchant.id, name: "Ada", email: merchant.email },
      asked_at: expect.stringMatching(/^20.*Z$/),
      changes: {
        name: { from: name, to: "Better" },
        redirect_uris: { added: [NEW, known], removed: [REDIRECT_URI] },
        scope: { added: ["sources:write"], removed: [] },
        logo: { from: null },
      },
      warnings: [
        "new.example is a new host, to which codes would be sent",
        "merchants could be asked for sources:write too",
      ],
    });
    const { stdout } = await cli("client", "requests");
    for (const line of [
      ` request +${id}`,
      ` asked by +Ada <${merchant.email}>`,
      ` name +${name}`,
      ` new name +Better`,
      ` adds the URI +${NEW}`,
      ` removes the URI +${REDIRECT_URI}`,
      ` adds the scope +sources:write`,
      ` logo +none → another`,
      ` warning +new\\.example is a new host`,
    ]) {
      expect(stdout).toMatch(new RegExp(line));
    }

    const { effects } = await cli.json("client", "approve", id, "--dry-run");
    expect(effects).toEqual(
      expect.arrayContaining([
        `Adds the redirect URI ${NEW}.`,
        expect.stringContaining(`Removes the redirect URI ${REDIRECT_URI}`),
        "Shows another logo.",
        "Warning: new.example is a new host, to which codes would be sent.",
      ]),
    );
    expect((await findClient(sql, clientId))?.name).toBe(name);
    expect(await cli.atTerminal().typing("n\n")("client", "approve", id)).toMatchObject({ code: 1 });
    expect(await cli.json("client", "approve", id)).toMatchObject({
      request: id,
      status: "approved",
      client: { name: "Better", redirect_uris: ["http://localhost/callback", NEW, known] },
    });
    expect(await findLogo(sql, clientId)).toMatchObject({ mediaType: "image/webp" });
    expect(await cli("client", "approve", id)).toEqual(refused(/is approved already/));
    expect((await cli("client", "requests", clientId)).stdout).toBe("No request waits.\n");
    const log = await cli.json("audit", "list", "--client", clientId, "--actor", "operator:otto");
    expect(log.map(({ action }: { action: string }) => action).toSorted()).toEqual([
      "client_approve_request",
      "client_update",
    ]);
  });

  test("decline tells why, and takes nothing but a reason", async () => {
    const id = await ask({ name: "Better" });
    expect(await cli("client", "decline", id)).toEqual(misused(/--reason/));
    expect(await cli("client", "decline", id, "--reason", " ")).toEqual(refused(/the reason must have 1 to 500/));
    expect(await cli.json("client", "decline", id, "--reason", "Not yours.")).toEqual({
      request: id,
      status: "declined",
      reason: "Not yours.",
    });
    expect(await cli("client", "decline", id, "--reason", "Again")).toEqual(refused(/is declined already/));
    expect(await cli("client", "decline", "req_none", "--reason", "No")).toEqual(refused(/no request "req_none"/));
  });

  test("warn of a client that changed meanwhile, which is not approved, of a name and of an image that can't be decoded", async () => {
    const outdated = await ask({ addRedirectUris: [NEW] });
    const other = await onboardClient(sql, { name: `Other ${clientId}` });
    const named = await ask({ name: `other ${clientId}`, logo: Buffer.from("\x89PNG\r\n\x1a\n", "latin1") });
    await cli.json("client", "update", clientId, "--add-redirect-uri", NEW, "--verified");
    const found = await cli.json("client", "requests", clientId);
    expect(found.map(({ warnings }: { warnings: string[] }) => warnings)).toEqual([
      [expect.stringMatching(/^you vouch/), expect.stringMatching(/has changed since/)],
      [
        expect.stringMatching(/^you vouch/),
        expect.stringContaining(other.clientId),
        expect.stringMatching(/logo is damaged/),
      ],
    ]);
    expect(await cli("client", "approve", outdated)).toEqual(refused(/has changed since.*client decline/));
    expect(await cli("client", "approve", named)).toEqual(refused(/logo is damaged/));
  });
});
