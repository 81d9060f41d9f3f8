import { expect, test } from "vitest";
import { operatorOnOwnDatabase, refused } from "../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({
  PARTNER_CONNECT_OPERATOR: "otto",
  PUBLIC_BASE_URL: "https://connect.example",
});

const words = ["--redirect-uri", "https://lookout.example/", "--scope", "responses:read"];
const client_id = (await cli.json("client create --name Lookout", ...words)).client_id;

test("partner add and remove change a client's members, even the last member, with an audit record and a mail", async () => {
  const account = (email: string) =>
    cli.json("merchant create --email", email, "--name", "Nia", "--password", "correct horse");
  const accounts = [await account("nia@lookout.example"), await account("uma@lookout.example")];
  const json = accounts.map(({ id, email, name }) => ({
    client_id,
    merchant_id: id,
    email,
    name,
    since: expect.any(String),
  }));
  for (const [index, { email }] of accounts.entries()) {
    expect(await cli.json("partner add --client Lookout --email", email.toUpperCase())).toEqual(
      json[index],
    );
  }
  expect(await cli.json("partner list --client Lookout")).toEqual(json);
  const remove = (email: string) => ["partner remove --client", client_id, "--email", email];
  const effect = "can't open the pages of Lookout any more";
  expect(await cli.declined(...remove("nia@lookout.example"))).toContain(effect);
  for (const [index, { email }] of accounts.entries())
    expect(await cli.json(...remove(email))).toEqual(json[index]);
  expect(await cli.json("partner list --client", client_id)).toEqual([]);
  const actions = (await cli.json("audit list --client", client_id)).map(
    ({ action }: { action: string }) => action,
  );
  expect(actions).toEqual(
    "partner_remove partner_remove partner_add partner_add client_create".split(" "),
  );
  const mails = await sql`
      SELECT data ->> 'kind' AS kind, count(*)::int AS mails FROM worker_jobs.job
      WHERE data -> 'about' ->> 'client_id' = ${client_id} GROUP BY 1 ORDER BY 1`;
  expect(mails).toEqual(
    ["client_member_added", "client_member_removed"].map((kind) => ({ kind, mails: 3 })),
  );
});

test.each<[string[], RegExp]>([
  [["add", "--client", "none", "--email", "a@b.example"], /no client "none"/],
  [["remove", "--client", "Lookout", "--email", "a@b.example"], /does not belong to the client/],
])(
  "the partner command %j is refused because the client or the member is unknown",
  async (words, line) => {
    expect(await cli("partner", ...words)).toEqual(refused(line));
  },
);

test("partner add --create creates an account, and prints a link to set its password", async () => {
  const words = ["--email", "new@lookout.example", "--create", "--name", "Noor"];
  expect(await cli.json("partner add --client", client_id, ...words)).toMatchObject({
    ...{ name: "Noor", email: "new@lookout.example" },
    link: expect.stringMatching(/^https:\/\/connect\.example\/oauth\/password\/reset\?link=/),
  });
});
