import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { freshDatabase, type TestDatabase } from "@partner-connect/database/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase(process.env["TEST_DATABASE_URL"]);
});

afterAll(async () => {
  await database?.drop();
});

function start(...words: readonly string[]) {
  return spawn(process.execPath, [MAIN, ...words], { env: { ...process.env, DATABASE_URL: database.url } });
}

async function outcome(child: ReturnType<typeof start>, stdin = "") {
  child.stdin.end(stdin);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

describe("partner-connect, as a process", () => {
  test("prints one JSON document and exits 0", async () => {
    expect(await outcome(start("client", "list", "--json"))).toEqual({ code: 0, stdout: "[]\n", stderr: "" });
  });

  test("prints a refusal on stderr and exits 1", async () => {
    expect(await outcome(start("client", "disable", "client_x", "--json"))).toEqual({
      code: 1,
      stdout: "",
      stderr: `${JSON.stringify({
        error: "UNKNOWN_CLIENT",
        message: 'there is no client "client_x"',
        hint: "'partner-connect client list' lists them",
      })}\n`,
    });
    expect(await outcome(start("client", "disable"))).toMatchObject({ code: 2, stdout: "" });
  });

  test("ends when an import is refused while its source still has more to say", async () => {
    const child = start("response", "import", "--shop", "shop_x", "-");
    child.stdin.on("error", () => {});
    child.stdin.write("{}\n");
    const [code] = await once(child, "close");
    expect(code).toBe(1);
  });

  test("ends quietly when nobody reads its output", async () => {
    const child = start("--help");
    child.stdout.destroy();
    const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect(stderr).toBe("");
  });
});
