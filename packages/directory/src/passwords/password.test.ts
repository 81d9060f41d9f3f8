import { expect, test } from "vitest";
import { hashPassword, normalizedPassword, verifyPassword } from "../index.ts";

test.each([
  [
    "composed and decomposed accents",
    "caf\u00e9 cr\u00e8me br\u00fbl\u00e9e",
    "cafe\u0301 cre\u0300me bru\u0302le\u0301e",
  ],
  ["wide and plain letters", "ｑｕｉｎｃｅｓ ripen", "quinces ripen"],
  ["a ligature and its letters", "ﬁfteen ﬂowers grow", "fifteen flowers grow"],
  ["a no-break space and a space", "four\u00a0plain words here", "four plain words here"],
])("two spellings of a password are equal if they differ only in %s", async (_, one, other) => {
  const [stored, storedOther] = [await hashPassword(one), await hashPassword(other)];
  expect(await verifyPassword(stored, other)).toBe(true);
  expect(await verifyPassword(storedOther, one)).toBe(true);
  expect(await verifyPassword(stored, one)).toBe(true);
  expect(await verifyPassword(stored, `${other}!`)).toBe(false);
  expect(normalizedPassword(one)).toBe(normalizedPassword(other));
});

test("case and spaces are significant in a password", async () => {
  const stored = await hashPassword("four plain words");
  for (const other of ["Four plain words", "four plain words ", "fourplainwords"]) {
    expect(await verifyPassword(stored, other)).toBe(false);
  }
});
