import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

/**
 * Copies the database of product.sql to Partner Connect, and the partners' sources back. Several
 * processes of this program may run at the same time, and each may be killed at any point.
 */
const { PRODUCT_DATABASE_URL = "", INTERNAL_API_URL = "", PRODUCT_KEY = "" } = process.env;
const [CALLERS, BATCH] = [4, 1000];
const sql = postgres(PRODUCT_DATABASE_URL, { max: CALLERS + 1, onnotice: () => {} });
const encode = encodeURIComponent;

/** Calls the internal API. Retries while it is unavailable, or while the id is being erased. */
async function call(method, path, content) {
  const headers = { authorization: `Bearer ${PRODUCT_KEY}`, "content-type": "application/json" };
  let patience = 5;
  const request = { method, headers, ...(content && { body: JSON.stringify(content) }) };
  for (;;) {
    try {
      const response = await fetch(`${INTERNAL_API_URL}/internal/${path}`, request);
      const text = await response.text();
      const { status } = response;
      if (status === 401) throw new Error("Partner Connect does not accept the product key");
      const retryAfter = response.headers.get("retry-after");
      // A 409 without retry-after: another merchant has this email, perhaps only until another
      // process has sent that merchant's change. A 500 may be caused by the record.
      const mayPass =
        [408, 429].includes(status) ||
        status > 500 ||
        ([409, 500].includes(status) && (retryAfter || patience-- > 0));
      if (!mayPass) {
        const body = text ? JSON.parse(text) : {};
        if (status === 500)
          body.error_description = `x-request-id ${response.headers.get("x-request-id")}`;
        return { status, body, older: Number(response.headers.get("x-older-versions")) };
      }
      await sleep(1000 * Number(retryAfter ?? 1));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await sleep(500); // the connection failed or was cut
    }
  }
}

/** Puts a refused change back into the outbox, with the reason. */
async function storeRefused({ tx, shopId }, { kind, id, version }, status, reason) {
  console.error(`refused: ${kind} ${shopId ?? ""} ${id}: ${status} ${reason}`);
  await tx`
    INSERT INTO outbox (position, kind, shop_id, id, refused)
    VALUES (${version}, ${kind}, ${shopId}, ${id}, ${`${status} ${reason}`})`;
}

/** Sends a merchant, a shop, a member or the deletion of a question. */
async function sendOne(target, change, method, path, record) {
  const { status, body } = await call(method, path, record);
  if (status >= 400) return await storeRefused(target, change, status, body.error_description);
  if (!record) return;
  // What was refused because there was no such merchant or shop is sent again.
  await target.tx`
    UPDATE outbox SET refused = NULL WHERE refused LIKE '404%'
      AND (subject = ${`shop ${change.id}`} OR kind = 'members' AND id = ${change.id})`;
}

/** Sends records of a shop. A refused call stores nothing, so its valid records are sent again. */
async function sendMany(target, kind, changes, recordOf) {
  if (changes.length === 0) return;
  const path = `${target.path}/${kind}`;
  const { status, body, older } = await call("POST", path, changes.map(recordOf));
  if (older > 0) {
    console.error(`${path}: ${older} lost to a higher version`);
    await sql`UPDATE sync_state SET older_versions = older_versions + ${older}`;
  }
  if (status === 200) return console.log(path, JSON.stringify(body));
  if (status === 413 && changes.length > 1) {
    const half = Math.ceil(changes.length / 2);
    await sendMany(target, kind, changes.slice(0, half), recordOf);
    return await sendMany(target, kind, changes.slice(half), recordOf);
  }
  const reasons = new Map(
    body.errors?.map((error) => [changes[error.line - 1], error.error_description]),
  );
  const isRefused = (change) => reasons.size === 0 || reasons.has(change);
  for (const change of changes.filter(isRefused)) {
    await storeRefused(target, change, status, reasons.get(change) ?? body.error_description);
  }
  const others = changes.filter((change) => !isRefused(change));
  await sendMany(target, kind, others, recordOf);
}

/** Sends the current rows of a shop's changed questions or responses. */
async function sendRows(target, kind, changes) {
  const rows = await target.tx`
    SELECT id::text, jsonb_strip_nulls(to_jsonb(one) - 'shop_id') AS record
    FROM ${sql(kind)} AS one
    WHERE shop_id = ${target.shopId} AND id::text = ANY(${changes.map(({ id }) => id)})`;
  const there = new Map(rows.map(({ id, record }) => [id, record]));
  const kept = changes.filter(({ id }) => there.has(id));
  const gone = changes.filter(({ id }) => !there.has(id));
  if (kind === "questions") {
    await sendMany(target, kind, kept, ({ id }) => there.get(id));
    for (const change of gone)
      await sendOne(target, change, "DELETE", `${target.path}/questions/${change.id}`);
  } else {
    await sendMany(target, kind, kept, ({ id, version }) => ({ ...there.get(id), version }));
    await sendMany(target, "deletions", gone, ({ id, version }) => ({ id, version }));
  }
}

/**
 * Sends the next changes of one merchant or one shop: of the one that has waited longest, unless
 * another process is sending its changes. Returns false if none are free. The transaction sees all
 * tables at one moment. If it does not commit, the changes are sent again.
 */
async function sendNextChanges(tx) {
  const [next] = await tx`
    WITH RECURSIVE subjects AS (
      SELECT min(subject) AS subject FROM sendable
      UNION ALL
      SELECT (SELECT min(subject) FROM sendable WHERE subject > last.subject) FROM subjects AS last
      WHERE subject IS NOT NULL)
    SELECT subject FROM (
      (SELECT subject FROM sendable ORDER BY position LIMIT ${BATCH})
      UNION ALL SELECT subject FROM subjects) AS next
    WHERE pg_try_advisory_xact_lock(hashtextextended(subject, 0)) LIMIT 1`;
  if (!next) return false;
  const { subject } = next;
  const [, kind, id] = /^(merchant|shop) (.*)$/s.exec(subject);
  const [table, shopId] = kind === "shop" ? ["shops", id] : ["merchants", null];
  const target = { tx, shopId, path: `${table}/${encode(id)}` };

  // An erasure makes all earlier changes obsolete, even if the id has been created again since.
  const erased = await tx`
    DELETE FROM outbox WHERE subject = ${subject} AND position <= (
      SELECT max(position) FROM outbox WHERE subject = ${subject} AND is_erasure)`;
  while (erased.count > 0) {
    const { status, body } = await call("DELETE", target.path);
    if (status === 204) {
      // In another transaction, because this one does not see sources stored after it began.
      await sql.begin("ISOLATION LEVEL READ COMMITTED", async (other) => {
        await other`UPDATE sync_state SET erasures = erasures + 1`;
        await other`DELETE FROM sources WHERE shop_id = ${shopId}`;
      });
      break;
    }
    if (status === 500) continue; // an erasure is never given up
    const problem = `the erasure of ${target.path} is refused: ${status} ${body.error_description}`;
    if (![400, 409].includes(status)) throw new Error(problem);
    console.error(problem); // Partner Connect has no data of this product under such an id
    break;
  }

  // Several changes of one record are sent as one. A later change replaces a refused one. The shop
  // itself goes first: others are refused until a shop that was deleted and created again is there.
  const changes = await tx`
    WITH next AS MATERIALIZED (
      (SELECT kind, id FROM sendable WHERE subject = ${subject} AND kind = ${table} LIMIT 1) UNION
      (SELECT kind, id FROM sendable WHERE subject = ${subject} ORDER BY position LIMIT ${BATCH})),
    taken AS (
      DELETE FROM outbox WHERE position = ANY (ARRAY(
        SELECT same.position FROM next CROSS JOIN LATERAL (
          SELECT position FROM outbox
          WHERE subject = ${subject} AND kind = next.kind AND id = next.id OFFSET 0) AS same))
      RETURNING kind, id, position)
    SELECT kind, id, max(position)::float8 AS version FROM taken GROUP BY kind, id`;
  const [now] = await tx`
    SELECT to_jsonb(one) - 'id' AS record FROM ${sql(table)} AS one WHERE id = ${id}`;
  if (!now) return true;
  if (now.record.status === null) delete now.record.status;

  const of = (kind) => changes.filter((change) => change.kind === kind);
  for (const change of of(table)) await sendOne(target, change, "PUT", target.path, now.record);
  for (const change of of("members")) {
    const [member] = await tx`
      SELECT FROM members WHERE shop_id = ${shopId} AND merchant_id = ${change.id}`;
    const path = `${target.path}/members/${encode(change.id)}`;
    await sendOne(target, change, member ? "PUT" : "DELETE", path);
  }
  await sendRows(target, "questions", of("questions")); // before the responses to them
  await sendRows(target, "responses", of("responses"));
  return true;
}

/** Sends the next changes. Returns false if there was nothing to send. */
async function send() {
  try {
    return await sql.begin("ISOLATION LEVEL REPEATABLE READ", sendNextChanges);
  } catch (error) {
    if (!["40001", "40P01"].includes(error.code)) throw error;
    return true; // another process has just sent the same changes
  }
}

/** Sends responses again that were refused because this database's clock is ahead. */
async function sendEarlyAgain() {
  await sql`
    UPDATE outbox SET refused = NULL WHERE position IN (
      SELECT position FROM outbox JOIN responses AS response USING (shop_id, id)
      WHERE refused LIKE '400%is in the future' AND kind = 'responses' AND inserted_at < now()
      FOR UPDATE OF outbox SKIP LOCKED)`;
  await sleep(5000);
}

/** Stores the next sources together with the cursor after them. */
async function receiveSources() {
  const [{ cursor, erasures }] = await sql`SELECT cursor, erasures FROM sync_state`;
  const query = new URLSearchParams({ wait: "25", ...(cursor !== null && { after: cursor }) });
  const { status, body } = await call("GET", `sources?${query}`);
  if (status === 500) return;
  // Partner Connect was restored, or a failover lost its last writes. Read all sources again.
  if (status === 410) console.error("Partner Connect has lost changes: send them again");
  if (status !== 410 && status !== 200)
    throw new Error(`sources: ${status} ${body.error_description}`);
  await sql.begin("ISOLATION LEVEL READ COMMITTED", async (tx) => {
    const moved = await tx`
      UPDATE sync_state SET cursor = ${body.cursor ?? null},
        lost_at = CASE WHEN ${status === 410} THEN now() ELSE lost_at END
      WHERE cursor IS NOT DISTINCT FROM ${cursor} AND erasures = ${erasures}`;
    // Another process has stored these sources, or they may be those of an erased shop.
    if (moved.count === 0) return;
    if (status === 410) await tx`UPDATE sources SET is_lost = true`;
    for (const { shop_id, client_id, source } of body.data ?? []) {
      await tx`
        INSERT INTO sources SELECT id, ${source.id}, ${client_id}, ${tx.json(source)}
        FROM shops WHERE id = ${shop_id} FOR KEY SHARE -- unless the shop is deleted
        ON CONFLICT (shop_id, id) DO UPDATE
        SET source = excluded.source, client_id = excluded.client_id, is_lost = false`;
    }
    if (body.has_more !== false) return;
    for (const source of await tx`DELETE FROM sources WHERE is_lost RETURNING *`)
      console.error("Partner Connect has lost the source", JSON.stringify(source));
  });
}

const forever = async (work) => {
  for (;;) await work();
};
const caller = () => forever(async () => (await send()) || (await sleep(200)));
const callers = Array.from({ length: CALLERS }, caller);
await Promise.all([...callers, forever(sendEarlyAgain), forever(receiveSources)]);
