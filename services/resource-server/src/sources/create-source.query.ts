import type { Caller } from "../authentication/caller.ts";
import { callerStateSql } from "../authorization/caller-state.query.ts";
import { Statement } from "../authorization/statement.ts";
import type { NewSource } from "./source.ts";

/** An expression: a source as the API shows it. */
const RECORD = `json_build_object('id', id, 'name', name, 'type', type, 'external_id', external_id, 'url', url,
  'aliases', aliases, 'inserted_at', survey.timestamp_text(inserted_at), 'updated_at', survey.timestamp_text(updated_at))`;

export interface CreatedRow {
  readonly state: string;
  /** False: a source with this external id was there, and is updated. */
  readonly created: boolean;
  /** JSON text. */
  readonly record: string;
}

/**
 * Creates the source, or updates the one with the same external id, if the caller's state allows it: that is read in the
 * same statement. Of many such statements at once, one creates the row and the others update it.
 * Index: sources_by_external_id.
 */
export function createSourceSql(caller: Caller, source: NewSource): Statement {
  const statement = new Statement();
  const shop = statement.bind(caller.shopId);
  const state = callerStateSql(caller, "sources:write", statement, shop);
  const values = [source.externalId, source.name, source.type, source.url, [...source.aliases]];
  const [externalId, name, type, url, aliases] = values.map((value) => statement.bind(value));
  statement.text = `WITH caller AS MATERIALIZED (SELECT ${state} AS state), source AS (
      INSERT INTO survey.sources (shop_id, external_id, name, type, url, aliases)
      SELECT ${shop}, ${externalId}::text, ${name}::text, ${type}::text, ${url}::text, ${aliases}::text[]
      FROM caller WHERE state = 'allowed'
      ON CONFLICT (shop_id, external_id) WHERE external_id IS NOT NULL DO UPDATE
        SET name = excluded.name, type = excluded.type, url = excluded.url, aliases = excluded.aliases,
          updated_at = greatest(excluded.updated_at, sources.updated_at)
      RETURNING old.id IS NULL AS created, new.*)
    SELECT caller.state, source.created, ${RECORD}::text AS record FROM caller LEFT JOIN source ON true`;
  return statement;
}
