import { connectNodes } from "@partner-connect/database/testing";
import { suiteDatabase } from "@partner-connect/database/testing/suite";
import { expect, test } from "vitest";
import {
  createClient,
  type DirectoryError,
  findClient,
  findLogo,
  setClientStatus,
  updateClient,
} from "../index.ts";
import { onboardClient, TEST_OPERATOR as operator, REDIRECT_URI } from "../testing.ts";

const database = await suiteDatabase();
const { sql } = database;
let number = 0;

const app = { redirectUris: [REDIRECT_URI], scope: ["responses:read"] };
const create = (name: string, by = sql) => createClient(by, { ...app, name }, operator);
const freshName = () => `App number ${++number}`;
const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({
    name: "DirectoryError",
    code,
    message: expect.stringMatching(message),
  });

test("an update of a client changes only the given fields", async () => {
  const { clientId } = await onboardClient(sql);
  const before = await findClient(sql, clientId);
  const [uri, other, local] = [REDIRECT_URI, "https://b.example/cb", "http://localhost/callback"];
  const none = { publisher: null, website: null, privacyPolicy: null, contact: null };
  const changes: [update: object, changed?: object][] = [
    [{ name: " New name " }, { name: "New name" }],
    [{ addRedirectUris: [other] }, { redirectUris: [uri, local, other] }],
    [{ removeRedirectUris: [uri] }, { redirectUris: [local, other] }],
    [{ scope: ["responses:read", "sources:write"] }],
    [{ scope: ["responses:read"] }],
    [{ publisher: "Acme GmbH" }],
    [{ website: "https://acme.example" }, { website: "https://acme.example/" }],
    [{ privacyPolicy: "https://acme.example/privacy" }],
    [{ contact: "Privacy@acme.example" }, { contact: "privacy@acme.example" }],
    [none],
  ];
  let expected = before;
  for (const [update, changed = update] of changes) {
    expected = { ...expected, ...changed } as typeof before;
    const { secrets: _, ...summary } = expected ?? { secrets: [] };
    expect(await updateClient(sql, clientId, update, operator)).toEqual(summary);
    expect(await findClient(sql, clientId)).toEqual(expected);
  }
});

test("an update of a client sets, replaces and removes the logo", async () => {
  const { clientId } = await onboardClient(sql);
  const paths = [];
  for (const logo of [Buffer.from("one"), Buffer.from("two")]) {
    const { logoPath } = await updateClient(sql, clientId, { logo }, operator);
    expect((await findClient(sql, clientId))?.logoPath).toBe(logoPath);
    const stored = await findLogo(sql, clientId);
    expect(stored).toMatchObject({ image: logo });
    expect(logoPath).toBe(`/oauth/logos/${clientId}/${stored?.digest}.webp`);
    paths.push(logoPath);
  }
  expect(paths[0]).not.toBe(paths[1]);
  expect(await updateClient(sql, clientId, { logo: null }, operator)).toMatchObject({
    logoPath: null,
  });
  expect(await findLogo(sql, clientId)).toBeNull();
});

test("a refused update of a client changes nothing", async () => {
  const { clientId } = await onboardClient(sql);
  const before = await findClient(sql, clientId);
  const all = [REDIRECT_URI, "http://localhost/callback"];
  const refusals: [object, string, RegExp, string?][] = [
    [{ name: "X" }, "UNKNOWN_CLIENT", /"client_x"/, "client_x"],
    [{ name: " " }, "INVALID_NAME", /client's name is empty/],
    [
      { privacyPolicy: "https://a:b@acme.example" },
      "INVALID_WEB_ADDRESS",
      /privacy policy .* user name/,
    ],
    [{ contact: "acme.example" }, "INVALID_EMAIL", /not an email address/],
    [{ scope: ["openid"] }, "INVALID_SCOPE", /"openid" is not a scope/],
    [{ addRedirectUris: ["https://acme.example/#x"] }, "INVALID_REDIRECT_URI", /fragment/],
    [{ removeRedirectUris: [`${REDIRECT_URI}/`] }, "INVALID_REDIRECT_URI", /is not registered/],
    [{ removeRedirectUris: all }, "INVALID_REDIRECT_URI", /at least one/],
    [{ addRedirectUris: all, removeRedirectUris: all }, "INVALID_REDIRECT_URI", /at once/],
  ];
  for (const [wrong, code, message, id = clientId] of refusals) {
    const update = { publisher: "Good", logo: Buffer.from("good"), ...wrong };
    const updating = updateClient(sql, id, update, operator);
    await expect.soft(updating, String(message)).rejects.toEqual(refusal(code, message));
  }
  expect(await findClient(sql, clientId)).toEqual(before);
});

const taken = refusal("CLIENT_NAME_TAKEN", /"Acmé Straße 2" \(client_/);

test("two active clients can't have names that people would read as the same", async () => {
  await create("Acmé Straße 2");
  const { client } = await create(freshName());
  const names = [
    "Acmé Straße 2",
    " ACMÉ STRASSE 2 ",
    "acmé strasse 2",
    "Acme\u0301 Straße 2",
    "Ａｃｍé\u00a0 Straße ２",
    "Acmé\u3000Straße ②",
    "Acmé Str\u200daße 2",
  ];
  for (const name of names) {
    await expect.soft(create(name), name).rejects.toEqual(taken);
    await expect
      .soft(updateClient(sql, client.clientId, { name }, operator), name)
      .rejects.toEqual(taken);
    await createClient(sql, { ...app, name: `${name} B`, allowDuplicateName: true }, operator);
  }
});

test("two active clients may have the same name if the operator sets allowDuplicateName", async () => {
  const name = freshName();
  const { client } = await create(name);
  await createClient(sql, { ...app, name, allowDuplicateName: true }, operator);
  await updateClient(sql, client.clientId, { publisher: "Still possible" }, operator);
  await setClientStatus(sql, client.clientId, "disabled", operator);
  await setClientStatus(sql, client.clientId, "active", operator, true);
  const other = await create(freshName());
  await updateClient(sql, other.client.clientId, { name, allowDuplicateName: true }, operator);
});

test("a disabled client can't be enabled while an active client has its name", async () => {
  const name = freshName();
  const { client } = await create(name);
  await setClientStatus(sql, client.clientId, "disabled", operator);
  const other = await create(name);
  const enabling = setClientStatus(sql, client.clientId, "active", operator);
  await expect(enabling).rejects.toEqual(
    refusal("CLIENT_NAME_TAKEN", new RegExp(other.client.clientId)),
  );
  await updateClient(sql, client.clientId, { name: freshName() }, operator);
  await setClientStatus(sql, client.clientId, "active", operator);
});

test("if clients of one name are created, renamed and enabled concurrently, through any node, only one attempt succeeds", async () => {
  const nodes = connectNodes(database);
  for (let round = 0; round < 5; round += 1) {
    const name = freshName();
    const renamed = await create(freshName());
    const enabled = await create(name);
    await setClientStatus(sql, enabled.client.clientId, "disabled", operator);
    const attempts = await Promise.allSettled([
      ...Array.from({ length: 4 }, (_, n) => create(name.toUpperCase(), nodes.through(n))),
      updateClient(sql, renamed.client.clientId, { name: name.toLowerCase() }, operator),
      setClientStatus(sql, enabled.client.clientId, "active", operator),
    ]);
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const attempt of attempts) {
      if (attempt.status === "rejected")
        expect((attempt.reason as DirectoryError).code).toBe("CLIENT_NAME_TAKEN");
    }
  }
  await nodes.end();
});
