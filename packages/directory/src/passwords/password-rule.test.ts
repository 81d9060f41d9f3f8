import { expect, test } from "vitest";
import { type PasswordOwner, passwordProblem, requirePassword } from "./password-rule.ts";

const ada: PasswordOwner = {
  email: "ada.byron@fernandfield.example",
  name: "Ada Byron",
  shops: [
    { name: "Fern & Field", domain: "green-house.example" },
    { name: "Ada Byron’s Garden Tools", domain: null },
    { name: "Moss", domain: null },
    { name: "Ink", domain: null },
  ],
};
const problem = (password: string) => passwordProblem(password, ada, "person");

test("a new password may be any text that an attacker would not guess early", async () => {
  const passwords = {
    "four words of nobody": "correct horse battery staple",
    "fifteen characters": "q7#Vw-eL2 p!kZ9",
    pictures: "🦊🐙🌵🎲🧭🪁🦉💜🎈🍋🧩🚲⛵🪐🌙",
    "256 characters": "Zx7 ".repeat(64),
    "64 times one character, which nobody guesses early": "x".repeat(64),
    "common words in a row, as only the whole is compared": "dragon monkey baseball",
    "a name within enough else": "Ada Byron eats quinces",
    "a short name anywhere": "ink pink drinks minks",
    "a common one with separators": "1qaz 2wsx 3edc 4rfv",
  };
  for (const [what, password] of Object.entries(passwords))
    expect.soft(await problem(password), what).toBe(null);
});

test("a new password has at most 256 characters, and at least 15 from a person or 8 from a script", async () => {
  expect(await problem("q7#Vw-eL2 p!kZ")).toBe("too_short");
  expect(await problem("🦊".repeat(14))).toBe("too_short");
  expect(await problem(`${" ".repeat(20)}ab${" ".repeat(20)}`)).toBe("too_short");
  expect(await problem(`${"q7#V".repeat(64)}x`)).toBe("too_long");
  expect(await problem("e\u0301".repeat(129))).toBe("too_long");
  expect(await passwordProblem("q7#Vw-eL", ada, "script")).toBe(null);
  expect(await passwordProblem("q7#Vw-e", ada, "script")).toBe("too_short");
});

test("a new password must not be a common password, even if a script chooses it", async () => {
  const passwords = [
    "1qaz2wsx3edc4rfv",
    "1QAZ2wsx3EDC4rfv",
    " 1qaz2wsx3edc4rfv ",
    "passwordpassword",
    "PasswordPasswordPassword",
    "123456789012345",
    "aaaaaaaaaaaaaaa",
    "abcabcabcabcabcab",
    "abcd".repeat(8),
    "１２３４５６７８９０１２３４５",
  ];
  for (const password of passwords) expect.soft(await problem(password), password).toBe("common");
  for (const password of ["password", "iloveyou", "Qwertyuiop", "123456789"]) {
    expect.soft(await passwordProblem(password, ada, "script"), password).toBe("common");
  }
});

test("a new password must not consist of the merchant's email, name, shops, or 'Partner Connect'", async () => {
  const passwords = {
    "the email": "ada.byron@fernandfield.example",
    "the email in another case, with something after it": "Ada.Byron@FernAndField.example!1",
    "the email's first part": "ada.byron-123456",
    "our name": "partner connect",
    "our name and a year": "Partner-Connect-2026!",
    "the merchant's name": "ada byron 12345",
    "a shop's name": "fern&field 2026",
    "a shop's name of four letters": "moss moss 202612",
    "a shop's name that contains another word": "ada byron’s garden tools",
    "a shop's domain": "green-house.example",
    "a shop's domain without its end, twice": "greenhouse greenhouse",
    "several of them": "Fern & Field @ Partner Connect",
    "one of them before a common one": "partnerconnect-password",
    "one of them in wide letters": "ｐａｒｔｎｅｒｃｏｎｎｅｃｔ１２",
  };
  for (const [what, password] of Object.entries(passwords)) {
    expect.soft(await problem(password), what).toBe("personal");
  }
});

test("a new password must not consist of the product's name, with or without 'Partner Connect'", async () => {
  const owner = { ...ada, product: "Fieldnotes & Co" };
  for (const password of ["fieldnotes-co-2026", "Fieldnotes & Co, Partner Connect"]) {
    expect(await passwordProblem(password, owner, "person")).toBe("personal");
  }
  expect(await problem("fieldnotes-co-2026")).toBe(null);
});

test("a password that a script chooses may contain a name if it has four more characters", async () => {
  expect(await passwordProblem("ada-byron-x7q", ada, "script")).toBe("personal");
  expect(await passwordProblem("ada-byron-x7qk", ada, "script")).toBe(null);
  expect(await passwordProblem("ada-byron-iloveyou", ada, "script")).toBe(null);
  expect(await passwordProblem("ada-byron-iloveyou", ada, "person")).toBe("personal");
});

test("a new password must not consist only of blanks, even if a script chooses it", async () => {
  // Spaces (also no-break, wide and zero-width ones), joiners, fillers and Braille.
  for (const blank of [" ", "\t", "\u00a0", "\u3000", "\u200b", "\u200d", "\u3164", "\u2800"]) {
    expect.soft(await problem(blank.repeat(15))).toBe("blank");
    expect.soft(await problem(` ${blank}`.repeat(20))).toBe("blank");
    expect.soft(await passwordProblem(blank.repeat(8), ada, "script")).toBe("blank");
    expect.soft(await problem(`${blank.repeat(14)}x q7`)).not.toBe("blank");
  }
});

test("a new password must be long enough both as it is typed and as it is normalized", async () => {
  // Normalization turns the first character into 18, and the other two into one.
  expect(await problem("\ufdfa\ufdfa")).toBe("too_short");
  expect(await problem("e\u0301".repeat(12))).toBe("too_short");
});

test("the refusal of a new password states the reason, but does not contain the password", async () => {
  await requirePassword("q7#Vw-eL2 p!kZ9", ada, "person");
  for (const [password, problem] of [
    ["hunter2", /^the password must have 15 to 256 characters$/],
    ["x7".repeat(200), /^the password must have 15 to 256 characters$/],
    ["\t".repeat(15), /^the password must not consist only of blanks$/],
    ["passwordpassword", /^the password is one of the most common/],
    ["fern&field 2026", /^the password must not be made of/],
  ] as const) {
    const refusal = requirePassword(password, ada, "person");
    await expect(refusal).rejects.toMatchObject({
      code: "INVALID_PASSWORD",
      name: "DirectoryError",
      message: expect.stringMatching(problem),
    });
    await expect(refusal).rejects.not.toThrow(password);
  }
});
