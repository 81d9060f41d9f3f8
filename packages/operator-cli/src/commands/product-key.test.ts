import { hashCredential, useProductKey } from "@partner-connect/directory";
import { expect, test } from "vitest";
import { operatorOnOwnDatabase, refused, stderrOf } from "../testing.ts";

const { sql, cli } = await operatorOnOwnDatabase({ PARTNER_CONNECT_OPERATOR: "otto" });

const { id, product_key, ...created } = await cli.json("product-key create --name survey");

test("product-key create prints a key of which only the hash is stored", async () => {
  expect([created, product_key]).toEqual([
    { name: "survey" },
    expect.stringMatching(/^pcp_[A-Za-z0-9_-]{43}$/),
  ]);
  const [row] = await sql`SELECT key_hash FROM directory.product_keys WHERE id = ${id}`;
  expect(row?.["key_hash"]).toEqual(hashCredential(product_key));
});

test("product-key list shows a key's last use, and not the key itself", async () => {
  const unused = { created_at: expect.any(String), last_used_at: null, revoked_at: null };
  expect(await cli.json("product-key list")).toEqual([{ id, name: "survey", ...unused }]);
  await useProductKey(sql, product_key);
  const [used] = await cli.json("product-key list");
  expect(used.last_used_at).toMatch(/Z$/);
});

test("product-key revoke asks for confirmation and, like product-key create, is recorded once", async () => {
  const [used] = await cli.json("product-key list");
  const effect = `Product key ${id} of survey (last used `;
  expect(await cli.declined("product-key revoke", id)).toContain(effect);
  const yes = await cli.atTerminal()("product-key revoke", id, "--yes");
  expect(yes).toMatchObject({ code: 0, stderr: stderrOf("product_key_revoke") });
  const revoked = await cli.json("product-key revoke", id);
  expect(revoked).toEqual({ ...used, revoked_at: expect.any(String) });
  expect((await cli("product-key list --search urv")).stdout).toMatch(/ survey +revoked +20/);
  const records = await sql`SELECT event, actor, details FROM directory.audit_log ORDER BY id`;
  const details = { name: "survey", product_key_id: id };
  expect(records).toEqual(
    ["create", "revoke"].map((verb) => ({
      event: `product_key_${verb}`,
      actor: "operator:otto",
      details,
    })),
  );
});

test("a product key with an empty name is refused", async () => {
  expect(await cli("product-key create --name", " ")).toEqual(refused(/the key's name is empty/));
});
