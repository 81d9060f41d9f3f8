import { findMerchantByIdentity, type IdentityOwner, joinIdentity } from "@partner-connect/directory";
import type { FastifyRequest } from "fastify";
import { originOf } from "../../pages/page-context.ts";
import type { SignInContext } from "../sign-in-context.ts";
import type { OpenIdPerson } from "./openid-provider.ts";

type Owner = IdentityOwner | { readonly outcome: "unverified" };

/** The account of a person who signed in elsewhere: the one that she is joined with, or the one with her address, which is joined. */
export async function ownerOf({ sql }: SignInContext, request: FastifyRequest, person: OpenIdPerson): Promise<Owner> {
  const merchant = await findMerchantByIdentity(sql, person);
  if (merchant) return { outcome: "found", merchant };
  const { email } = person;
  if (email === null) return { outcome: "unverified" };
  return await joinIdentity(sql, person, email, originOf(request));
}
