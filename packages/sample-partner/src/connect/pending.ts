import type { PendingAuthorization } from "@partner-connect/partner-sdk";
import type { FastifyRequest } from "fastify";

/** Tabs in which a merchant may have begun to connect a shop. */
const MOST = 5;

/** Keeps the attempt until the merchant comes back, in the session of their browser and nowhere else. */
export function keepPending({ session }: FastifyRequest, pending: PendingAuthorization): void {
  session.pending = [...(session.pending ?? []), pending].slice(-MOST);
}

/** The attempt with this state. Else the newest one: the SDK then says that the state is wrong. */
export function findPending({ session }: FastifyRequest, state: unknown): PendingAuthorization | null {
  const attempts = session.pending ?? [];
  return attempts.find((attempt) => attempt.state === state) ?? attempts.at(-1) ?? null;
}

export function dropPending({ session }: FastifyRequest, ended: PendingAuthorization): void {
  session.pending = (session.pending ?? []).filter(({ state }) => state !== ended.state);
}
