import { expect, test } from "vitest";
import { formatCursor, parseCursor } from "./cursor.ts";

const EPOCH = "0123456789ab";

test("a cursor is opaque and short, and parses to its number and epoch only for its client", () => {
  for (const cursor of [
    { number: 0, epoch: "" },
    { number: 1, epoch: EPOCH },
    { number: Number.MAX_SAFE_INTEGER, epoch: EPOCH },
  ]) {
    const text = formatCursor(cursor, "client_1");
    expect(text).toMatch(/^[\w-]{1,200}$/);
    expect(parseCursor(text, "client_1")).toEqual(cursor);
    expect(parseCursor(text, "client_2")).toBeNull();
  }
});

test("an edited cursor and any other text parse to null", () => {
  const text = formatCursor({ number: 17, epoch: EPOCH }, "client_1");
  for (let index = 0; index < text.length; index++) {
    const other = text[index] === "A" ? "B" : "A";
    expect(
      parseCursor(text.slice(0, index) + other + text.slice(index + 1), "client_1"),
    ).toBeNull();
  }
  const larger = Buffer.from(
    Buffer.from(text, "base64url").toString().replace(".17.", ".18."),
  ).toString("base64url");
  for (const wrong of [
    "",
    "0",
    "con_01",
    `${text}=`,
    ` ${text}`,
    `${text}A`,
    text.slice(1),
    larger,
    "x".repeat(5000),
  ]) {
    expect(parseCursor(wrong, "client_1"), wrong).toBeNull();
  }
});
