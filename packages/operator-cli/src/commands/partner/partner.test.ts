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
let other: string;
beforeAll(async () => {
  const words = ["--redirect-uri", "https://lookout.example/", "--scope", "responses:read"];
  clientId = (await cli.json("client", "create", "--name", "Lookout", ...words)).client_id;
  other = (await cli.json("client", "create", "--name", "Harbor", ...words)).client_id;
});

const account = async (email: string) =>
  await cli.json("merchant", "create", "--email", email, "--name", "Nia", "--generate-password");
const add = (email: string) => ["partner", "add", "--client", clientId, "--email", email];
const mails = async () =>
  (
    await sql`SELECT kind, merchant_id AS id FROM worker_jobs.job, jsonb_to_record(data) AS mail (kind text, shop_id text, merchant_id text, about jsonb) WHERE about ->> 'client_id' = ${clientId} ORDER BY created_on`
  ).map(({ kind, id }) => [kind, id]);

describe("partner", () => {
  test("adds people and takes the pages from them, the last one too, on record and with a mail to all of them", async () => {
    const [nia, uma] = [await account("nia@lookout.example"), await account("uma@lookout.example")];
    const [niaJson, umaJson] = [nia, uma].map(({ id, email, name }) => ({
      client_id: clientId,
      merchant_id: id,
      email,
      name,
      since: expect.any(String),
    }));
    expect(await cli.json("partner", "add", "--client", "Lookout", "--email", "Nia@lookout.example")).toEqual(niaJson);
    expect(await cli.json(...add("uma@lookout.example"))).toEqual(umaJson);
    expect(await cli.json("partner", "list", "--client", clientId)).toHaveLength(2);
    expect(await cli.json("partner", "list", "--client", "Lookout")).toEqual(
      expect.arrayContaining([niaJson, umaJson]),
    );
    expect((await cli("partner", "list", "--client", clientId)).stdout).toContain("nia@lookout.example");

    const remove = (email: string) => ["partner", "remove", "--client", clientId, "--email", email];
    expect((await cli(...remove("nia@lookout.example"), "--dry-run")).stdout).toContain("Nothing was changed");
    expect(await cli.json("partner", "list", "--client", clientId)).toHaveLength(2);
    expect(await cli.json(...remove("nia@lookout.example"), "--yes")).toEqual(niaJson);
    await cli.json(...remove("uma@lookout.example"), "--yes");
    expect(await cli.json("partner", "list", "--client", clientId)).toEqual([]);
    const records = await cli.json("audit", "list", "--client", clientId);
    expect(records.map(({ actor, action }: Record<string, unknown>) => [actor, action])).toEqual(
      expect.arrayContaining([
        ["operator:otto", "partner_add"],
        ["operator:otto", "partner_remove"],
      ]),
    );
    const told = await mails();
    expect(told).toHaveLength(6);
    expect(told).toEqual(
      expect.arrayContaining(
        [nia, uma].flatMap(({ id }) => [
          ["client_member_added", id],
          ["client_member_removed", id],
        ]),
      ),
    );
  });

  test.each<[string[], RegExp]>([
    [["add", "--client", "none", "--email", "a@b.example"], /no client "none"/],
    [["remove", "--client", "Lookout", "--email", "a@b.example"], /does not belong to the client/],
  ])("%j is refused", async (words, line) => {
    expect(await cli("partner", ...words)).toEqual(refused(line));
  });

  test("makes an account with --create, whose password is set by a link", async () => {
    const added = await cli.json(...add("new@lookout.example"), "--create", "--name", "Noor");
    expect(added).toMatchObject({
      name: "Noor",
      email: "new@lookout.example",
      link: expect.stringMatching(/^https:\/\/connect\.example\/oauth\/password\/reset\?link=/),
    });
    const again = await cli.json("partner", "add", "--client", other, "--email", "new@lookout.example", "--create");
    expect([again.merchant_id, "link" in again]).toEqual([added.merchant_id, false]);
  });
});
