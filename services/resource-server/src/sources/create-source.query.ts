import type { Caller } from "../authentication/caller.ts";
import { Statement } from "../authorization/statement.ts";
import type { NewSource } from "./source.ts";

export interface CreatedRow {
  /** False if this caller already had a source with this external id, which was updated. */
  readonly created: boolean;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly external_id: string | null;
  readonly url: string | null;
  readonly aliases: readonly string[];
  readonly inserted_at: string;
  readonly updated_at: string;
}

/**
 * Creates the source, or updates the one with the same external id of this client or, for an API key, of the shop. Concurrent calls create
 * one. Index: sources_by_external_id.
 */
export function createSourceSql(caller: Caller, source: NewSource): Statement {
  const statement = new Statement();
  const clientId = caller.kind === "connection" ? caller.clientId : null;
  const values = [
    caller.shopId,
    clientId,
    source.externalId,
    source.name,
    source.type,
    source.url,
    [...source.aliases],
  ];
  statement.text = `INSERT INTO survey.sources (shop_id, client_id, external_id, name, type, url, aliases)
    VALUES (${values.map((value) => statement.bind(value)).join(", ")})
    ON CONFLICT (shop_id, client_id, external_id) WHERE external_id IS NOT NULL DO UPDATE
      SET name = excluded.name, type = excluded.type, url = excluded.url, aliases = excluded.aliases,
        updated_at = greatest(excluded.updated_at, sources.updated_at)
    RETURNING old.id IS NULL AS created, new.id, new.name, new.type, new.external_id, new.url, new.aliases,
      survey.timestamp_text(new.inserted_at) AS inserted_at, survey.timestamp_text(new.updated_at) AS updated_at`;
  return statement;
}
