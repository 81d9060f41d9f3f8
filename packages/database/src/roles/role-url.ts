import { createHmac } from "node:crypto";
import { changeDatabaseUrl } from "../address/database-url.ts";

export type ServiceRole = "authorization_server" | "resource_server";

/**
 * A password for a service's role, derived from the password of the cluster's owner: a process that may administer the cluster
 * finds the same one. For development and tests. Production sets its own.
 */
export function derivedRolePassword(secret: string, role: ServiceRole): string {
  return createHmac("sha256", secret).update(role).digest("base64url");
}

/** The URL of the same database with the role's user and password. */
export function roleUrl(adminUrl: string, role: ServiceRole, password: string): string {
  return changeDatabaseUrl(adminUrl, { user: role, password });
}
