import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import Provider, { type KoaContextWithOIDC } from "oidc-provider";
import type { ApprovedAuthorization } from "../consent/index.ts";

/** What the merchant approved, by the request that the library is run with: see code-issuer.ts. */
const approvals = new WeakMap<IncomingMessage, ApprovedAuthorization>();

export function setApproval(request: IncomingMessage, approved: ApprovedAuthorization): void {
  approvals.set(request, approved);
}

/** @throws when the library is run for anything else */
export function approvalOf(context: Pick<KoaContextWithOIDC, "req">): ApprovedAuthorization {
  const approved = approvals.get(context.req);
  assert(approved, "the library is run without an approval");
  return approved;
}

/** The approval of the request that the library works on now. */
export function currentApproval(): ApprovedAuthorization {
  return approvalOf(Provider.ctx as KoaContextWithOIDC);
}
