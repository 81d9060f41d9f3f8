import { expect, test } from "vitest";
import { readConfig } from "./config.ts";

test("an incomplete or malformed mail configuration is refused, and the error doesn't contain the password", () => {
  const base = { INTERNAL_PORT: "9000", DATABASE_URL: "postgres://worker@db/db" };
  expect(readConfig({ ...base, MAIL_FROM: "a@survey.example" }).mail).toBeNull();
  const mail = {
    SMTP_URL: "smtps://us:secret@mail.example",
    MAIL_FROM: "Surveys <a@survey.example>",
  };
  expect(() => readConfig({ ...base, SMTP_URL: mail.SMTP_URL })).toThrow(
    /^PUBLIC_BASE_URL is not set, but SMTP_URL is; MAIL_FROM is not set, but SMTP_URL is; MAIL_KEY is not set, but SMTP_URL is$/,
  );
  const all = {
    ...base,
    ...mail,
    PUBLIC_BASE_URL: "https://connect.example",
    MAIL_KEY: "a secret key",
  };
  expect(readConfig(all).mail).toMatchObject({
    url: mail.SMTP_URL,
    from: { name: "Surveys", address: "a@survey.example" },
  });
  expect(
    readConfig({ ...all, MAIL_FROM: "a@survey.example", PRODUCT_NAME: "Tool" }).mail?.from.name,
  ).toBe("Tool");
  expect(readConfig(all).mail?.bases.hasPasswords).toBe(true);
  expect(readConfig({ ...all, OIDC_ONLY: "true" }).mail?.bases.hasPasswords).toBe(false);
  for (const url of "http://us:secret@mail.example smtp://us:secret@mail.example?logger=true smtps://".split(
    " ",
  )) {
    expect(() => readConfig({ ...all, SMTP_URL: url })).toThrow(/^SMTP_URL (?!.*secret)/);
  }
  for (const from of ["Surveys", "a@b@c.example", "<a@b.example", "A\n <a@b.example>"]) {
    expect(() => readConfig({ ...all, MAIL_FROM: from })).toThrow(
      /^MAIL_FROM is not a mail address/,
    );
  }
  expect(JSON.stringify(readConfig(all).summary)).not.toContain("secret");
});
