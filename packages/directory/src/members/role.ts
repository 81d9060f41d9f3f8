import { DirectoryError } from "../directory-error.ts";

/** Both may connect apps for the shop and disconnect them; owners add and remove members too. */
export const ROLES = ["owner", "member"] as const;
export type Role = (typeof ROLES)[number];

/** @throws {DirectoryError} INVALID_ROLE */
export function requireRole(role: string): Role {
  const known = ROLES.find((candidate) => candidate === role);
  if (known) return known;
  throw new DirectoryError("INVALID_ROLE", `${JSON.stringify(role)} is not a role: use ${ROLES.join(" or ")}`);
}
