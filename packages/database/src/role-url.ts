import { createHmac } from "node:crypto";

export type ServiceRole = "authorization_server" | "resource_server";

/**
 * Passwords for the services' roles on a cluster whose owner's password is known: derived from it, so that everybody
 * who may administer the cluster finds the same ones. For development and tests; production sets its own.
 */
export function derivedRolePassword(secret: string, role: ServiceRole): string {
  return createHmac("sha256", secret).update(role).digest("base64url");
}

/** `adminUrl` as the role sees it: the same database, its own user and password. */
export function roleUrl(adminUrl: string, role: ServiceRole, password: string): string {
  const url = new URL(adminUrl);
  url.username = role;
  url.password = password;
  return url.href;
}
