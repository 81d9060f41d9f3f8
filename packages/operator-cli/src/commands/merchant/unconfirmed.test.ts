import { inviteMember, makeInvitedAccount, resetPassword } from "@partner-connect/directory";
import { beforeAll, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../../testing/own-database.ts";
import { refused } from "../../testing.ts";

const PASSWORD = "five plain words in a row";
const EMAIL = "carl@shop.example";

const { sql, cli } = await operatorOnOwnDatabase({ PUBLIC_BASE_URL: "https://connect.example" });
let mallory: { id: string };
let hats: { id: string };

beforeAll(async () => {
  const create = (name: string) =>
    cli.json("merchant", "create", "--email", `${name}@shop.example`, "--name", name, "--generate-password");
  mallory = await create("mallory");
  hats = await cli.json("shop", "create", "--name", "Hats", "--owner", "mallory@shop.example");
  const invitation = { shopId: hats.id, email: EMAIL, role: "member", byOwner: mallory.id };
  const { token } = await inviteMember(sql, invitation, { name: `merchant:${mallory.id}` });
  await makeInvitedAccount(sql, token, { name: "Carl", password: PASSWORD }, {});
});
test("an account that an invitation made gets no shop without --allow-unconfirmed, until a reset link was used", async () => {
  const why =
    /carl@shop\.example is not confirmed: .*mallory@shop\.example \(mer_.*"Hats" \(shop_.*reset-link.*--allow-unconfirmed/;
  const create = ["shop", "create", "--name", "Carl's", "--owner", EMAIL];
  const add = ["shop", "add-member", hats.id, EMAIL];
  expect(await cli(...create)).toEqual(refused(why));
  expect(await cli(...add)).toEqual(refused(why));
  expect((await cli.json("merchant", "show", EMAIL)).shops).toEqual([]);
  expect((await cli(...add, "--allow-unconfirmed")).code).toBe(0);

  const link = await cli("merchant", "reset-link", EMAIL);
  expect(link.stderr).toContain("send the link to carl@shop.example itself");
  const token = /link=(pcl_[\w-]{43})/.exec(link.stdout)?.[1] ?? "";
  expect((await resetPassword(sql, token, "quinces ripen in late october", {})).outcome).toBe("changed");
  expect((await cli(...create)).code).toBe(0);
});

test("'merchant show' and 'merchant list' tell which accounts are unconfirmed, and who invited them", async () => {
  const token = async () => {
    const invitation = { shopId: hats.id, email: "dora@shop.example", role: "member", byOwner: mallory.id };
    return (await inviteMember(sql, invitation, { name: `merchant:${mallory.id}` })).token;
  };
  await makeInvitedAccount(sql, await token(), { name: "Dora", password: PASSWORD }, {});
  const document = {
    email: "dora@shop.example",
    status: "active",
    confirmed: false,
    invited_by: { id: mallory.id, email: "mallory@shop.example" },
    invited_to: { id: hats.id, name: "Hats" },
  };
  expect(await cli.json("merchant", "show", "dora@shop.example")).toMatchObject(document);
  expect(await cli.json("merchant", "list")).toContainEqual(expect.objectContaining(document));
  const shown = await cli("merchant", "show", "dora@shop.example");
  expect(shown.stdout).toMatch(/confirmed +no: an invitation made the account/);
  expect(shown.stdout).toMatch(/invited by +mallory@shop\.example \(mer_/);
  expect((await cli("merchant", "list")).stdout).toMatch(/dora@shop\.example +Dora +unconfirmed/);
});
