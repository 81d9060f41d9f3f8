import { freshRedis } from "@partner-connect/service-runtime/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { refused } from "../../testing.ts";

const redis = await freshRedis(process.env["TEST_REDIS_URL"]);
const { sql, cli } = await operatorOnOwnDatabase({
  REDIS_URL: redis.url,
  PARTNER_CONNECT_OPERATOR: "otto",
  PUBLIC_BASE_URL: "https://connect.example",
});

afterAll(() => redis.drop());

let clientId: string;
beforeAll(async () => {
  const words = ["--redirect-uri", "https://lookout.example/", "--scope", "responses:read"];
  clientId = (await cli.json("client", "create", "--name", "Lookout", ...words)).client_id;
});

const joined = async (email: string) => {
  await cli.json("merchant", "create", "--email", email, "--name", "Nia", "--generate-password");
  await sql`
    INSERT INTO directory.client_members (client_id, merchant_id, role)
    SELECT ${clientId}, id, 'owner' FROM directory.merchants WHERE email = ${email}`;
};

describe("partner", () => {
  test("invites by a link, or by a mail whose link nobody else sees; a newer one ends the former", async () => {
    const invite = ["partner", "invite", "--client", "Lookout", "--email", "Dev@lookout.example"];
    expect(await cli.json(...invite)).toEqual({
      client_id: clientId,
      email: "dev@lookout.example",
      role: "owner",
      url: expect.stringMatching(/^https:\/\/connect\.example\/oauth\/invitation\?link=pci_[\w-]{43}$/),
      expires_at: expect.any(String),
    });
    expect(await cli.json(...invite, "--by-mail", "--role", "member")).toMatchObject({ url: null, role: "member" });
    expect(
      await sql`SELECT kind, about ->> 'client_id' AS client FROM oauth.mails WHERE shop_id = ${clientId}`,
    ).toEqual([{ kind: "invitation", client: clientId }]);
    expect(await cli.json("partner", "list", "--client", clientId)).toMatchObject([
      { email: "dev@lookout.example", merchant_id: null, role: "member" },
    ]);
  });

  test("lists people and takes the pages from them, the last owner too, on record", async () => {
    await joined("nia@lookout.example");
    expect((await cli("partner", "list", "--client", clientId)).stdout).toContain("nia@lookout.example");
    const remove = ["partner", "remove", "--client", clientId, "--email", "nia@lookout.example"];
    expect((await cli(...remove, "--dry-run")).stdout).toContain("Nothing was changed");
    expect(await cli.json(...remove, "--yes")).toMatchObject({ email: "nia@lookout.example" });
    expect(await cli.json("audit", "list", "--client", clientId, "--action", "partner_remove")).toMatchObject([
      { actor: "operator:otto" },
    ]);
  });

  test.each<[string[], RegExp]>([
    [["invite", "--client", "none", "--email", "a@b.example"], /no client "none"/],
    [["invite", "--client", "Lookout", "--email", "nobody"], /not an email address/],
    [["invite", "--client", "Lookout", "--email", "a@b.example", "--role", "boss"], /not a role/],
    [["list", "--client", "none"], /no client "none"/],
    [["remove", "--client", "Lookout", "--email", "a@b.example"], /does not belong to the client/],
  ])("%j is refused", async (words, line) => {
    expect(await cli("partner", ...words)).toEqual(refused(line));
  });

  test("whose account is erased is gone from the list; the client can be deleted with the people it has", async () => {
    await joined("eve@lookout.example");
    await cli.json("merchant", "erase", "eve@lookout.example", "--yes");
    const emails = (await cli.json("partner", "list", "--client", clientId)).map(
      ({ email }: { email: string }) => email,
    );
    expect(emails).not.toContain("eve@lookout.example");
    await joined("max@lookout.example");
    await cli.json("partner", "invite", "--client", clientId, "--email", "zoe@lookout.example", "--by-mail");
    await cli.json("client", "disable", clientId);
    await cli.json("client", "delete", clientId, "--yes");
    expect(await sql`SELECT FROM directory.client_members WHERE client_id = ${clientId}`).toHaveLength(0);
    expect(await sql`SELECT FROM oauth.mails WHERE shop_id = ${clientId}`).toHaveLength(0);
  });
});
