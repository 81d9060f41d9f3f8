import {
  DirectoryError,
  findMerchantByIdentity,
  type IdentityOwner,
  joinIdentity,
  makeInvitedAccount,
} from "@partner-connect/directory";
import type { FastifyRequest } from "fastify";
import { beforeDeadline, originOf } from "../../merchant-page/page-context.ts";
import { INVITATION_PATH } from "../../merchant-page/paths.ts";
import type { SignInContext } from "../sign-in-context.ts";
import type { OpenIdPerson } from "./openid-provider.ts";

type Owner = IdentityOwner | { readonly outcome: "unverified" };

/**
 * The account of a person who signed in elsewhere: the one that she is joined with, or the one with her address, which is joined. If there
 * is none and she came by an invitation for that address, it is made.
 */
export async function ownerOf(
  { sql }: SignInContext,
  request: FastifyRequest,
  person: OpenIdPerson,
  page: string,
): Promise<Owner> {
  const merchant = await beforeDeadline(findMerchantByIdentity(sql, person));
  if (merchant) return { outcome: "found", merchant };
  const { email } = person;
  if (email === null) return { outcome: "unverified" };
  const join = () => beforeDeadline(joinIdentity(sql, person, email, originOf(request)));
  const owner = await join();
  const token = owner.outcome === "no_account" ? invitationOf(page) : null;
  if (token === null) return owner;
  try {
    await makeAccount(token, email);
  } catch (error) {
    if (error instanceof DirectoryError && error.code === "INVITATION_ENDED") return owner;
    throw error;
  }
  return await join();

  async function makeAccount(link: string, verifiedEmail: string): Promise<void> {
    const make = (name: string) =>
      beforeDeadline(makeInvitedAccount(sql, link, { name, verifiedEmail }, originOf(request)));
    const local = verifiedEmail.slice(0, verifiedEmail.indexOf("@"));
    try {
      await make(person.name ?? local);
    } catch (error) {
      if (!(error instanceof DirectoryError) || error.code !== "INVALID_NAME") throw error;
      await make(local); // her name elsewhere is one that others can't read
    }
  }
}

/** The token of the invitation whose page this path leads to, or null. */
function invitationOf(page: string): string | null {
  const { pathname, searchParams } = new URL(page, "https://this.host");
  return pathname === INVITATION_PATH ? searchParams.get("link") : null;
}
