import type { Client } from "@partner-connect/directory";
import { UnredirectableError } from "./authorization-error.ts";
import { onlyValue } from "./only-value.ts";

/**
 * The first rule: the client is registered, and active.
 *
 * @throws {UnredirectableError}
 */
export async function registeredClient(
  query: URLSearchParams,
  findClient: (clientId: string) => Promise<Client | null>,
): Promise<Client> {
  const refuse = (problem: string) => new UnredirectableError("client", problem);
  const client = await findClient(onlyValue(query, "client_id", refuse));
  if (!client) throw refuse("client_id is not registered");
  if (client.status !== "active") throw new UnredirectableError("client_disabled", "the client is disabled");
  return client;
}
