import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("generate-responses.main.ts", import.meta.url));

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** Runs the command; with `enough`, its reader goes away after that many bytes. */
async function run(args: readonly string[], enough = Number.POSITIVE_INFINITY): Promise<Run> {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let error = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
    if (out.length >= enough) child.stdout.destroy();
  });
  child.stderr.on("data", (chunk) => {
    error += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, out, error };
}

test("prints as many lines as asked for, the same ones each time", async () => {
  const [one, two] = await Promise.all([run(["--count", "2000", "--seed", "x"]), run(["--count=2000", "--seed=x"])]);
  expect(one.code).toBe(0);
  expect(one.error).toBe("");
  expect(one.out.split("\n")).toHaveLength(2001);
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  expect(hash(one.out)).toBe(hash(two.out));
});

test("keeps to the time window", async () => {
  const { out } = await run(["--count", "50", "--from", "2026-01-01T00:00:00Z", "--to", "2026-01-01T01:00:00+00:00"]);
  for (const line of out.trim().split("\n")) expect(JSON.parse(line).inserted_at).toMatch(/^2026-01-01T00:/);
});

test("prints the questions", async () => {
  const { out } = await run(["--questions"]);
  expect(JSON.parse(out.split("\n")[0] ?? "")).toMatchObject({ prompt: "How did you hear about us?" });
});

test("ends quietly when its reader has seen enough", async () => {
  expect(await run(["--count", "5000000"], 100_000)).toMatchObject({ code: 0, error: "" });
});

test("says how it is used", async () => {
  const { code, out } = await run(["--help"]);
  expect(code).toBe(0);
  expect(out).toMatch(/^Usage: /);
});

test.each([
  [[], "--count N is required"],
  [["--count", "-1"], "--count"],
  [["--count", "many"], "--count N is required"],
  [["--count", "1", "--to", "tomorrow"], "--to must be an RFC 3339 time"],
  [["--count", "1", "--from", "2030-01-01T00:00:00Z"], "--from must be before --to"],
  [["--count", "1", "--colour"], "--colour"],
])("%j is refused in words, exit code 1", async (args, message) => {
  const { code, out, error } = await run(args);
  expect(code).toBe(1);
  expect(out).toBe("");
  expect(error).toContain(message);
  expect(error).toContain("See --help.");
});
