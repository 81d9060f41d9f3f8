import { randomUUID } from "node:crypto";
import type { Sql } from "@partner-connect/database";
import { type Approval, approve } from "./events/approve.ts";
import { exchange } from "./events/exchange.ts";

interface Connecting extends Partial<Approval> {
  readonly shopId: string;
  readonly clientId: string;
  readonly merchantId: string;
  /** If false, the connection is only approved. */
  readonly exchanged?: boolean;
  readonly refreshTokenHash?: Buffer;
}

/** Lets a merchant approve, `responses:read` by default, and the client redeem the code. */
export async function connect(sql: Sql, connecting: Connecting) {
  const { exchanged = true, grantId = randomUUID(), ...given } = connecting;
  const { refreshTokenHash = Buffer.from(grantId), ...key } = given;
  const approval = { scope: ["responses:read"] as const, ...key, grantId };
  const approved = await approve(sql, approval, { name: `merchant:${key.merchantId}` });
  if (approved === null) throw new Error("an operator holds the connection");
  if (exchanged) {
    const client = { name: `client:${key.clientId}` };
    const done = await exchange(sql, { ...approval, refreshTokenHash }, client);
    if (done.outcome !== "exchanged") throw new Error(done.outcome);
  }
  return { ...approved, refreshTokenHash };
}
