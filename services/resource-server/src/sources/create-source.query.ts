import { Statement } from "../authorization/statement.ts";
import type { NewSource } from "./source.ts";

/** An expression: a source as the API shows it. */
const RECORD = `json_build_object('id', new.id, 'name', new.name, 'type', new.type, 'external_id', new.external_id,
      'url', new.url, 'aliases', new.aliases, 'inserted_at', survey.timestamp_text(new.inserted_at),
      'updated_at', survey.timestamp_text(new.updated_at))`;

export interface CreatedRow {
  /** False: a source with this external id was there, and is updated. */
  readonly created: boolean;
  /** JSON text. */
  readonly record: string;
}

/**
 * Creates the source, or updates the one with the same external id. Of many such statements at once, one creates the row and the others
 * update it. It is VALUES, and not a SELECT of the caller's state: on Citus it then asks the shop's node alone.
 * Index: sources_by_external_id.
 */
export function createSourceSql(shopId: string, source: NewSource): Statement {
  const statement = new Statement();
  const values = [shopId, source.externalId, source.name, source.type, source.url, [...source.aliases]];
  statement.text = `INSERT INTO survey.sources (shop_id, external_id, name, type, url, aliases)
    VALUES (${values.map((value) => statement.bind(value)).join(", ")})
    ON CONFLICT (shop_id, external_id) WHERE external_id IS NOT NULL DO UPDATE
      SET name = excluded.name, type = excluded.type, url = excluded.url, aliases = excluded.aliases,
        updated_at = greatest(excluded.updated_at, sources.updated_at)
    RETURNING old.id IS NULL AS created, ${RECORD}::text AS record`;
  return statement;
}
