import { recordObjects, schemaObjects } from "../migrate/schema-objects.ts";
import type { Transaction } from "../pool/sql.ts";

/**
 * Locks a membership in this node's copy of the shard, by the shard's name. The ordinary row lock of a reference table is taken on every
 * node, and two sessions that lock FOR SHARE wait for each other (`lock_shard_resources`). A change of the row changes each node's copy, so
 * locking one is enough.
 */
const lockMembership = (name: string, column: "shop" | "client", table: string) => `
CREATE OR REPLACE FUNCTION directory.${name}(merchant text, ${column} text, epoch integer) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  copies CONSTANT jsonb := (SELECT jsonb_object_agg(logicalrelid, shard_name(logicalrelid, shardid)) FROM pg_dist_shard
    WHERE logicalrelid IN ('${table}'::regclass, 'directory.merchants'::regclass));
  is_member boolean;
BEGIN
  EXECUTE format('SELECT true FROM %s m JOIN %s p ON p.id = m.merchant_id
    WHERE m.merchant_id = $1 AND m.${column}_id = $2 AND p.status = ''active'' AND p.session_epoch = $3
    FOR SHARE', copies ->> '${table}', copies ->> 'directory.merchants')
  INTO is_member USING merchant, ${column}, epoch;
  RETURN is_member IS TRUE;
END $$`;

/** A row-level trigger, because Citus distributes no table whose trigger has a transition table. */
const KEEP_PLACES = `
CREATE OR REPLACE FUNCTION survey.keep_places_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at CONSTANT timestamptz := survey.stamp_of_deletions(OLD.shop_id, OLD.updated_at);
BEGIN
  INSERT INTO survey.deleted_responses AS kept (shop_id, id, inserted_at, updated_at, deleted_at)
  VALUES (OLD.shop_id, OLD.id, OLD.inserted_at, OLD.updated_at, at)
  ON CONFLICT (shop_id, id) DO UPDATE SET
    inserted_at = least(kept.inserted_at, excluded.inserted_at),
    last_inserted_at = greatest(kept.last_inserted_at, kept.inserted_at, excluded.inserted_at),
    updated_at = greatest(kept.updated_at, excluded.updated_at),
    deleted_at = excluded.deleted_at,
    imported_again = false;
  RETURN NULL;
END
$$`;
const PER_ROW = `
CREATE TRIGGER responses_keep_places AFTER DELETE ON survey.responses
  FOR EACH ROW EXECUTE FUNCTION survey.keep_places_of_deleted()`;

/** All columns, because Citus sends default values to the other nodes. */
const INSERT_SHOPS = "GRANT INSERT (id, created_at) ON directory.shops TO authorization_server";

/** Replaces schema objects with variants that Citus accepts, and records them. Idempotent. The directory must be distributed. */
export async function setForms(tx: Transaction): Promise<void> {
  const before = await schemaObjects(tx);
  await tx.unsafe(lockMembership("lock_membership", "shop", "directory.memberships"));
  await tx.unsafe(lockMembership("lock_client_membership", "client", "directory.client_members"));
  await tx.unsafe(KEEP_PLACES);
  await tx.unsafe(INSERT_SHOPS);
  const perStatement = await tx`
    SELECT FROM pg_trigger
    WHERE tgrelid = 'survey.responses'::regclass AND tgname = 'responses_keep_places' AND tgoldtable IS NOT NULL`;
  if (perStatement.length > 0) {
    await tx`DROP TRIGGER responses_keep_places ON survey.responses`;
    await tx.unsafe(PER_ROW);
  }
  await recordObjects(tx, before);
}
