import type { Command } from "commander";
import type { Context } from "../../run/context.ts";

/** The values of the options below. False: it is to be taken away. */
export interface IdentityOptions {
  readonly publisher?: string | false;
  readonly website?: string | false;
  readonly privacyPolicy?: string | false;
  readonly contact?: string | false;
  readonly logo?: string | false;
  readonly allowDuplicateName?: boolean;
}

export function identityOptions(command: Command): Command {
  return command
    .option("--publisher <name>", "the company behind the app")
    .option("--website <url>", "of the app or the company; https")
    .option("--privacy-policy <url>", "the page with it; https")
    .option("--contact <email>", "the address that merchants ask to delete what the app has read")
    .option("--logo <file>", "PNG or WebP, at most 1 MB; becomes a square of 256 pixels")
    .option("--allow-duplicate-name", "although merchants can't tell it from another active client by its name");
}

/** What was given, as the directory takes it: null takes away, undefined says nothing. */
export async function givenIdentity(context: Context, given: IdentityOptions) {
  const { publisher, website, privacyPolicy, contact, logo, allowDuplicateName } = given;
  return {
    publisher: publisher === false ? null : publisher,
    website: website === false ? null : website,
    privacyPolicy: privacyPolicy === false ? null : privacyPolicy,
    contact: contact === false ? null : contact,
    logo: logo === false ? null : logo === undefined ? undefined : await readLogoFile(context, logo),
    allowDuplicateName,
  };
}

/** The library that decodes images takes a tenth of a second to load: only who gives a logo waits for it. */
async function readLogoFile(context: Context, file: string): Promise<Buffer> {
  const { readLogo } = await import("./logo/logo-image.ts");
  return await readLogo(context, file);
}
