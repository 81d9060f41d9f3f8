import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { readConfig } from "../run/config.ts";
import { askNewPassword } from "../terminal/ask.ts";
import { type Consent, carryOut } from "./confirm.ts";

const EFFECTS = ["Connection con_1 ends.", "2 shops lose it."];

async function attempt(consent: Consent, { isTTY = true, typed = "" } = {}) {
  const work = vi.fn(async () => ({ json: { done: true }, text: "Done." }));
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const terminal = { stdin: Object.assign(Readable.from([typed]), { isTTY }), stdout: new PassThrough(), stderr };
  const result = await carryOut({ config: readConfig({}), terminal }, consent, EFFECTS, work).catch(
    (error) => error.code,
  );
  stderr.end();
  return { result, done: work.mock.calls.length === 1, told: await text(stderr) };
}

test.each(["y\n", "yes\n", "Y\n", " y \n"])(
  "on a terminal it says what it affects, asks, and goes on after %j",
  async (typed) => {
    const { result, done, told } = await attempt({}, { typed });
    expect([result, done]).toEqual([{ json: { done: true }, text: "Done." }, true]);
    expect(told).toContain("Connection con_1 ends.\n2 shops lose it.\nGo on? [y/N] ");
  },
);

test.each(["\n", "n\n", "yup\n", "", "\x03", "\x04"])("it changes nothing after %j", async (typed) => {
  expect(await attempt({}, { typed })).toMatchObject({ result: "CANCELLED", done: false });
});

test("--yes, and a script, are not asked", async () => {
  expect(await attempt({ yes: true })).toMatchObject({ done: true, told: "" });
  expect(await attempt({}, { isTTY: false })).toMatchObject({ done: true, told: "" });
});

test.each([true, false])("--dry-run says what it would do, and does nothing (terminal: %s)", async (isTTY) => {
  expect(await attempt({ dryRun: true, yes: true }, { isTTY })).toEqual({
    result: {
      json: { dry_run: true, effects: EFFECTS },
      text: "Connection con_1 ends.\n2 shops lose it.\nNothing was changed (--dry-run).",
    },
    done: false,
    told: "",
  });
});

async function typedPassword(typed: readonly string[], isTTY = true) {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const terminal = { stdin: Object.assign(Readable.from(typed), { isTTY }), stdout: new PassThrough(), stderr };
  const password = await askNewPassword(terminal, "give --password").catch((error) => error);
  stderr.end();
  return { password, told: await text(stderr) };
}

test("a new password is typed twice, and never shown", async () => {
  const { password, told } = await typedPassword(["correct hors", "\x7fse battery\r", "correct horse battery\r"]);
  expect(password).toBe("correct horse battery");
  expect(told).toBe("New password (it is not shown): \nThe same again: \n");
});

test("two that differ, an end of the input, and no terminal are refused", async () => {
  expect((await typedPassword(["one\r", "two\r"])).password).toMatchObject({ code: "PASSWORDS_DIFFER" });
  for (const typed of [["one\r"], ["\x03"], ["one\r", "\x04"]]) {
    expect((await typedPassword(typed)).password).toMatchObject({ code: "CANCELLED" });
  }
  expect((await typedPassword(["one\r", "one\r"], false)).password).toMatchObject({
    code: "USAGE",
    hint: "give --password",
  });
});
