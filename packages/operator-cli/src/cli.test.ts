import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { Cli, listAnswer } from "./cli.ts";
import { readConfig } from "./config.ts";

const EFFECTS = ["Connection con_1 ends.", "2 shops lose it."];

/** Runs `work` with `typed` as its input, from a terminal or not. */
async function attempt(work: (cli: Cli) => Promise<unknown>, typed: string, isTTY = true) {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const stdin = Object.assign(Readable.from([typed]), { isTTY });
  const cli = new Cli(readConfig({}), { stdin, stdout: new PassThrough(), stderr }, false);
  const outcome = await work(cli).then(
    (result) => result ?? "done",
    (error) => error.code,
  );
  stderr.end();
  return [outcome, await text(stderr)];
}

const confirm = (yes?: true) => (cli: Cli) => cli.confirm({ yes }, EFFECTS);
const erase = (yes?: true) => (cli: Cli) => cli.confirmErasure({ yes }, EFFECTS, "Hats");

test.each(["y\n", "yes\n", "Y\n", " y \n"])(
  "on a terminal a command prints its effects, asks for confirmation, and continues after %j",
  async (typed) => {
    const [outcome, told] = await attempt(confirm(), typed);
    expect([outcome, told]).toEqual([
      "done",
      expect.stringContaining(`${EFFECTS.join("\n")}\nContinue? [y/N] `),
    ]);
  },
);

test.each(["\n", "n\n", "yup\n", "", "\x03", "\x04"])(
  "a command stops after the answer %j",
  async (typed) => {
    expect((await attempt(confirm(), typed))[0]).toBe("CANCELLED");
    expect((await attempt(erase(), typed))[0]).toBe("CANCELLED");
  },
);

test("a command with --yes, without a terminal or without effects asks for no confirmation", async () => {
  expect(await attempt(confirm(true), "")).toEqual(["done", ""]);
  expect(await attempt(confirm(), "", false)).toEqual(["done", ""]);
  expect(await attempt((cli) => cli.confirm({}, []), "")).toEqual(["done", ""]);
});

test("an erasure requires --yes or, on a terminal, the typed name", async () => {
  expect(await attempt(erase(), "Hats\n")).toEqual([
    "done",
    expect.stringMatching(/2 shops lose it\.\nType Hats to continue: /),
  ]);
  expect((await attempt(erase(), "y\n"))[0]).toBe("CANCELLED");
  expect(await attempt(erase(), "", false)).toEqual(["USAGE", ""]);
  expect(await attempt(erase(true), "", false)).toEqual(["done", ""]);
});

test("a page of a list ends with a note if more rows follow", async () => {
  const read = async ({ limit, after = "-1" }: { limit: number; after?: string | undefined }) =>
    [{ id: 0 }, { id: 1 }, { id: 2 }].slice(Number(after) + 1, Number(after) + 1 + limit);
  const ids = {
    read,
    json: ({ id }: { id: number }) => id,
    cells: ({ id }: { id: number }) => [id],
  };
  const list = (after?: string) =>
    listAnswer({ limit: 2, after }, { ...ids, head: ["ID"], none: "None." });
  const note = "note: there are more; continue with --after 1";
  expect(await list()).toEqual({ json: [0, 1], note, text: "ID\n0\n1" });
  expect(await list("1")).toEqual({ json: [2], text: "ID\n2" });
  expect(await list("2")).toEqual({ json: [], text: "None." });
});
