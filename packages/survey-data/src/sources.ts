import { type Queries, type Sql, transaction } from "@partner-connect/database";

/** A source as its creator sends it. */
export interface SourceFields {
  readonly name: string;
  readonly type: string;
  readonly externalId: string | null;
  readonly url: string | null;
  readonly aliases: readonly string[];
}

/** A source as the API shows it. */
export interface StoredSource {
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
 * Upserts the source by the external id of this client or, without a client, of the shop. Index:
 * sources_by_external_id.
 */
export async function putSource(
  tx: Queries,
  { shopId, clientId }: { readonly shopId: string; readonly clientId: string | null },
  { externalId, name, type, url, aliases }: SourceFields,
): Promise<{ readonly isNew: boolean; readonly source: StoredSource } | undefined> {
  const [row] = await tx<(StoredSource & { created: boolean })[]>`
    INSERT INTO survey.sources (shop_id, client_id, external_id, name, type, url, aliases)
    VALUES (${shopId}, ${clientId}, ${externalId}, ${name}, ${type}, ${url}, ${aliases}::text[])
    ON CONFLICT (shop_id, client_id, external_id) WHERE external_id IS NOT NULL DO UPDATE
      SET name = excluded.name, type = excluded.type, url = excluded.url, aliases = excluded.aliases,
        updated_at = greatest(excluded.updated_at, sources.updated_at), number = NULL
    RETURNING old.id IS NULL AS created, new.id, new.name, new.type, new.external_id, new.url, new.aliases,
      survey.timestamp_text(new.inserted_at) AS inserted_at, survey.timestamp_text(new.updated_at) AS updated_at`;
  if (!row) return undefined;
  const { created, ...source } = row;
  return { isNew: created, source };
}

/** The last number given to a source, its epoch, and the last number of each former epoch. */
export interface SourcePosition {
  readonly last: number;
  readonly epoch: string;
  readonly past: Readonly<Record<string, number>>;
}

/** Numbers a batch of the committed changes without a number, and returns the new position. */
export async function advanceSourcePosition(sql: Sql): Promise<SourcePosition> {
  await numberSources(sql);
  const [position] = await sql<SourcePosition[]>`
    SELECT number::float8 AS last, epoch, past FROM survey.source_position`;
  return position as SourcePosition;
}

/**
 * Increments the last number if it has not grown for 25 s, so that a database that loses later
 * commits refuses the cursors returned since, even if no source was written.
 */
export async function moveSourcePosition(sql: Sql): Promise<SourcePosition> {
  await sql`
    UPDATE survey.source_position SET number = number + 1, moved_at = now()
    WHERE moved_at <= now() - interval '25 s'`;
  return await advanceSourcePosition(sql);
}

/** Maximum bytes of a page's records. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * The sources with numbers after `from` and up to `last`, in this order, as JSON: the last change of
 * each, without test shops and shops that are being erased. A source that changes during the reading
 * gets a number after `last`. `most` is the size of the page; `rows` may have one row more, which
 * only shows that others follow. Indexes: sources_by_number, shops_pkey.
 */
export async function listSources(
  sql: Sql,
  from: number,
  last: number,
  limit: number,
): Promise<{
  readonly most: number;
  readonly rows: readonly { readonly number: number; readonly doc: Buffer }[];
}> {
  const found = await sql`
    SELECT number::text, doc FROM (
      SELECT number, doc, sum(octet_length(doc)) OVER (ORDER BY number) - octet_length(doc) AS bytes FROM (
        SELECT number, json_build_object('shop_id', shop_id, 'client_id', client_id, 'at', survey.timestamp_text(updated_at),
          'source', json_build_object('id', id, 'name', name, 'type', type, 'external_id', external_id, 'url', url, 'aliases', aliases,
            'inserted_at', survey.timestamp_text(inserted_at), 'updated_at', survey.timestamp_text(updated_at)))::text AS doc
        FROM survey.sources AS source
        WHERE number > ${from} AND number <= ${last}
          AND NOT EXISTS (SELECT FROM directory.shops AS shop
            WHERE shop.id = source.shop_id AND (test_of IS NOT NULL OR erase_requested_at IS NOT NULL))
        ORDER BY number LIMIT ${limit + 1}) AS record) AS record
    WHERE bytes < ${MOST_BYTES} ORDER BY record.number`.raw();
  const rows = found.map(([number, doc]) => ({ number: Number(number), doc: doc as Buffer }));
  const bytes = rows.reduce((sum, { doc }) => sum + doc.length, 0);
  return { most: bytes < MOST_BYTES ? limit : rows.length - 1, rows };
}

/** Maximum number of sources that are numbered in one transaction. */
const BATCH = 5000;

/**
 * Assigns numbers to committed changes that have none. The position's row stays locked until the
 * commit, so a source that is committed later gets a higher number. Index: sources_by_number.
 */
async function numberSources(sql: Sql): Promise<void> {
  if ((await sql`SELECT FROM survey.sources WHERE number IS NULL LIMIT 1`).length === 0) return;
  await transaction(sql, async (tx) => {
    await tx`SELECT FROM survey.source_position FOR UPDATE`;
    // Locked rows are being changed, and will need a later number.
    await tx`
      WITH changed AS MATERIALIZED (
        SELECT shop_id, id, updated_at FROM survey.sources WHERE number IS NULL LIMIT ${BATCH} FOR UPDATE SKIP LOCKED),
      numbered AS (
        UPDATE survey.sources AS source SET number = position.number + place
        FROM survey.source_position AS position,
          (SELECT shop_id, id, row_number() OVER (ORDER BY updated_at, id) AS place FROM changed) AS changed
        WHERE source.shop_id = changed.shop_id AND source.id = changed.id
        RETURNING 1)
      UPDATE survey.source_position SET number = number + (SELECT count(*) FROM numbered), moved_at = now()`;
  });
}
