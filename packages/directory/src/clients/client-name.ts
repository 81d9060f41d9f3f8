import type { Queries } from "@partner-connect/database";
import { DirectoryError } from "../directory-error.ts";
import { withoutUnseen } from "../display-name.ts";

/**
 * The key of a name for comparison: without case, width, kinds of spaces and invisible characters. Look-alike letters of other scripts stay
 * different.
 */
function readName(name: string): string {
  const compatible = withoutUnseen(name)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .normalize("NFKC");
  // Upper case first: it makes one of ß and ss, and of ſ and s.
  return compatible.toUpperCase().toLowerCase().normalize("NFKC").replace(/\s+/gu, " ").trim();
}

/**
 * Until the transaction ends, no other one gives a client a name or makes it active. Take it before any lock of a row. Those who
 * read, and merchants who approve, don't wait for it.
 */
export async function lockNames(sql: Queries): Promise<void> {
  await sql`LOCK TABLE directory.clients IN SHARE ROW EXCLUSIVE MODE`;
}

/**
 * Merchants tell apps apart by their names. Call it after {@link lockNames}. It reads all active clients, which only operators do.
 * @throws {DirectoryError} CLIENT_NAME_TAKEN
 */
export async function requireFreeName(sql: Queries, name: string, clientId: string): Promise<void> {
  const others = await sql<{ id: string; name: string }[]>`
    SELECT client_id AS id, name FROM directory.clients WHERE status = 'active' AND client_id <> ${clientId}`;
  const taken = others.find((other) => readName(other.name) === readName(name));
  if (!taken) return;
  const other = `${JSON.stringify(withoutUnseen(taken.name))} (${taken.id})`;
  throw new DirectoryError("CLIENT_NAME_TAKEN", `merchants could not tell it from the active client ${other}`);
}
