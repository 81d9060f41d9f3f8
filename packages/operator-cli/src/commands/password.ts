import { randomInt } from "node:crypto";
import { text } from "node:stream/consumers";
import { MIN_PASSWORD_LENGTH, type PasswordChooser } from "@partner-connect/directory";
import { UsageError } from "../errors.ts";
import type { Terminal } from "../print.ts";

export interface NewPassword {
  readonly password: string;
  readonly passwordFrom: PasswordChooser;
  /** Nobody knows it yet: it has to be shown. */
  readonly isGenerated: boolean;
}

interface PasswordOptions {
  readonly password?: string | undefined;
  readonly generatePassword?: true | undefined;
}

export const PASSWORD = "for scripts, 8 to 256 characters; '-' reads it from stdin, so that 'ps' can't show it";

/** Reads or generates the password that the options request; null if they request none. */
export async function givenPassword(terminal: Terminal, options: PasswordOptions): Promise<NewPassword | null> {
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

export function lengthNote({ password }: NewPassword): string | undefined {
  const least = MIN_PASSWORD_LENGTH.person;
  if ([...password].length >= least) return undefined;
  return `The password has fewer than ${least} characters. People have to choose longer ones, as nothing else protects the account.`;
}
