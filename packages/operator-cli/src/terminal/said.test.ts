import { beforeAll, describe, expect, test } from "vitest";
import { operatorOnOwnDatabase } from "../testing/own-database.ts";

/** A C1 control that begins a sequence, DEL, marks of direction, a separator of lines. */
const EVIL = "Eve\u009b2J\u007f\u202e\u2066\u200f\u2028x";
/** What a terminal may take as an order, but for the end of a line. */
const ORDERS = /[^\P{Cc}\n]|[\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const { sql, cli } = await operatorOnOwnDatabase({ PUBLIC_BASE_URL: "https://connect.example" });

beforeAll(async () => {
  const email = ["--email", "eve@shop.example"];
  await cli.json("merchant", "create", ...email, "--password", "a rather long password", "--name", "Eve");
  await cli.json("shop", "create", "--name", "Shop", "--owner", "eve@shop.example");
  // As from before names were judged.
  await sql`UPDATE directory.merchants SET name = ${EVIL}`;
  await sql`UPDATE directory.shops SET name = ${EVIL}`;
});
async function shopId(): Promise<string> {
  const [shop] = await sql<{ id: string }[]>`SELECT id FROM directory.shops`;
  return shop?.id ?? "";
}

describe("what others stored can't steer the terminal", () => {
  test.each<[string, () => Promise<string[]>]>([
    ["in an answer", async () => ["shop", "rename", await shopId(), "Shop", "--dry-run"]],
    ["in a list", async () => ["merchant", "list"]],
    ["in fields", async () => ["shop", "show", await shopId()]],
    ["in what a command would end", async () => ["merchant", "disable", "eve@shop.example", "--dry-run"]],
    ["in an error", async () => ["shop", "show", EVIL]],
    ["in an error of the command line", async () => ["shop", EVIL]],
  ])("%s", async (_where, words) => {
    const { stdout, stderr } = await cli(...(await words()));
    expect((stdout + stderr).length).toBeGreaterThan(10);
    expect([stdout, stderr].filter((text) => ORDERS.test(text))).toEqual([]);
  });

  test("in JSON, where it is escaped and the same", async () => {
    const { stdout } = await cli("shop", "show", await shopId(), "--json");
    expect(stdout).toContain("Eve\\u009b2J\\u007f\\u202e\\u2066\\u200f\\u2028x");
    expect(stdout).not.toMatch(ORDERS);
    expect(JSON.parse(stdout)).toMatchObject({ name: EVIL });
    const { stderr } = await cli("shop", "show", EVIL, "--json");
    expect(stderr).not.toMatch(ORDERS);
    expect(JSON.parse(stderr).message).toContain("Eve");
  });

  test("where it is asked whether to go on", async () => {
    const { stderr } = await cli.atTerminal().typing("n\n")("merchant", "disable", "eve@shop.example");
    expect(stderr).toContain("Eve");
    expect(stderr).not.toMatch(/[\u0080-\u009f\u202e\u2066\u200f\u2028]/);
  });
});
