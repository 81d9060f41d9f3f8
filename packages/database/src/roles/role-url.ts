import { createHmac } from "node:crypto";
import { changeDatabaseUrl } from "../address/database-url.ts";

export type ServiceRole = "authorization_server" | "resource_server";

/** For development and tests: a password of a service's role, derived from the owner's, so that its knower finds the same. */
export function derivedRolePassword(secret: string, role: ServiceRole): string {
  return createHmac("sha256", secret).update(role).digest("base64url");
}

export function roleUrl(adminUrl: string, role: ServiceRole, password: string): string {
  return changeDatabaseUrl(adminUrl, { user: role, password });
}
