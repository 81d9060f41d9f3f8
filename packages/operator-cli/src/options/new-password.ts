import { randomInt } from "node:crypto";
import { text } from "node:stream/consumers";
import type { PasswordChooser } from "@partner-connect/directory";
import type { Command } from "commander";
import { type Context, UsageError } from "../run/context.ts";
import { askNewPassword } from "../terminal/ask.ts";

export interface PasswordOptions {
  readonly password?: string;
  readonly generatePassword?: boolean;
}

export interface NewPassword {
  readonly password: string;
  readonly passwordFrom: PasswordChooser;
  /** Nobody knows it yet: it has to be shown. */
  readonly isGenerated: boolean;
}

/** @param otherwise what happens without either option */
export function takesPassword(command: Command, otherwise: string): Command {
  return command
    .option(
      "--password <password>",
      "for scripts, 8 to 256 characters; '-' reads it from stdin, so that 'ps' can't show it",
    )
    .option("--generate-password", `make one, and show it once (${otherwise})`);
}

/** The password that the options name, or one that is typed. @throws {UsageError} when there is neither */
export async function newPassword(context: Context, options: PasswordOptions): Promise<NewPassword> {
  const given = await givenPassword(context, options);
  if (given) return given;
  const password = await askNewPassword(context.terminal, "give --password or --generate-password");
  return { password, passwordFrom: "person", isGenerated: false };
}

/** The password that the options name, or null. */
export async function givenPassword({ terminal }: Context, options: PasswordOptions): Promise<NewPassword | null> {
  const { password, generatePassword = false } = options;
  if (password !== undefined && generatePassword) {
    throw new UsageError("--password and --generate-password don't go together");
  }
  if (generatePassword) return { password: generated(), passwordFrom: "person", isGenerated: true };
  if (password === undefined) return null;
  const given = password === "-" ? (await text(terminal.stdin)).replace(/\r?\n$/, "") : password;
  return { password: given, passwordFrom: "script", isGenerated: false };
}

/** Letters and digits that are not taken for each other when they are read aloud or typed. */
const ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789";

/** 20 random characters in groups of five: 99 bits. */
function generated(): string {
  const group = () => Array.from({ length: 5 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
  return Array.from({ length: 4 }, group).join("-");
}

export async function lengthNote({ password }: NewPassword): Promise<string | undefined> {
  const { MIN_PASSWORD_LENGTH } = await import("@partner-connect/directory");
  if ([...password].length >= MIN_PASSWORD_LENGTH.person) return undefined;
  return `The password has fewer than ${MIN_PASSWORD_LENGTH.person} characters. People have to choose longer ones, as nothing else protects the account.`;
}
