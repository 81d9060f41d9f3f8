import type { Merchant, NewAccount } from "@partner-connect/directory";
import type { Command } from "commander";
import type { OpenStack } from "../../run/command.ts";
import { UsageError } from "../../run/context.ts";

export interface NewAccountOptions {
  readonly create?: boolean;
  readonly name?: string;
}

/** Of a command that may make an account for the person it concerns. */
export function takesNewAccount(command: Command): Command {
  return command
    .option(
      "--create",
      "make an account if the email has none: a link to set its password is mailed, or printed where mail is off",
    )
    .option("--name <name>", "of the new account (default: what stands before the @)");
}

/** What `--create` asks for; undefined without it. @throws {UsageError} a name without `--create` */
export function newAccountOf(
  { mailKey }: OpenStack,
  { create, name }: NewAccountOptions,
): Omit<NewAccount, "email"> | undefined {
  if (create) return { name, mailKey };
  if (name !== undefined) throw new UsageError("--name is for a new account: give --create too");
  return undefined;
}

/** What a command says of the link by which the merchant of a new account sets the password. `token` null: it is mailed. */
export async function newAccountLink(
  stack: OpenStack,
  { name, email }: Pick<Merchant, "name" | "email">,
  token: string | null,
) {
  if (token === null) {
    const text = `${name} gets a mail to ${email} with a link to set the password. It works once and for 7 days.`;
    return { json: { link: null }, text, note: undefined };
  }
  const { url, note } = await passwordLink(stack, token);
  const text = `A link for ${name} (${email}) to set the password:

  ${url}

Send it where nobody else reads it. It works once and for 7 days, is not shown again, and a newer one ends it.`;
  return { json: { link: url }, text, note };
}

/** The URL of the page that sets a password, with what the operator has to know about it. */
export async function passwordLink({ publicBaseUrl }: Pick<OpenStack, "publicBaseUrl">, token: string) {
  const { RESET_PASSWORD_PATH } = await import("@partner-connect/directory");
  return {
    url: `${publicBaseUrl ?? ""}${RESET_PASSWORD_PATH}?link=${token}`,
    note:
      publicBaseUrl === null
        ? "PUBLIC_BASE_URL is not set: put the address at which merchants sign in before the link."
        : undefined,
  };
}
