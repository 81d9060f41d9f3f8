import { expect, test } from "vitest";
import { seal, unseal } from "./sealed-text.ts";

const SECRET = "A".repeat(43);

test("a sealed text of any length and characters is unsealed unchanged", () => {
  for (const text of ["", "a", "ü€😀\u0000", "x".repeat(5000)])
    expect(unseal(seal(text, SECRET, "test"), SECRET, "test")).toBe(text);
});

test("a sealed text differs each time, and contains no part of the original text", () => {
  const text = "state of the partner";
  const sealed = [seal(text, SECRET, "test"), seal(text, SECRET, "test")];
  expect(sealed[0]).not.toBe(sealed[1]);
  for (const one of sealed)
    expect(Buffer.from(one, "base64url").toString("latin1")).not.toContain("state");
});

test("a sealed text can't be opened with another secret or for another purpose", () => {
  const sealed = seal("text", SECRET, "test");
  expect(unseal(sealed, "B".repeat(43), "test")).toBeNull();
  expect(unseal(sealed, SECRET, "another")).toBeNull();
});

test("a sealed text with a character that base64url decoding ignores or replaces is refused", () => {
  const sealed = seal("text?", SECRET, "test");
  for (const other of [
    `${sealed}=`,
    `${sealed} `,
    `\n${sealed}`,
    `${sealed}\r\n`,
    `+${sealed.slice(1)}`,
  ])
    expect.soft(unseal(other, SECRET, "test"), other).toBeNull();
});

test("a sealed text can't be opened if any bit has changed or any byte is missing", () => {
  const bytes = Buffer.from(seal("text", SECRET, "test"), "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(unseal(changed.toString("base64url"), SECRET, "test")).toBeNull();
  }
  for (let length = 0; length < bytes.length; length += 1) {
    expect(unseal(bytes.subarray(0, length).toString("base64url"), SECRET, "test")).toBeNull();
  }
});
