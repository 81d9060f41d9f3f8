import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

/** Mirrors the database of product.sql into Partner Connect, and the partners' sources back. It may be killed at any point. */
const { PRODUCT_DATABASE_URL = "", INTERNAL_API_URL = "", PRODUCT_KEY = "" } = process.env;
const sql = postgres(PRODUCT_DATABASE_URL, { onnotice: () => {} });

/** Kinds in the order of sending: a record is sent after those that it refers to. */
const KINDS = ["merchants", "shops", "members", "questions", "responses"] as const;
const [CALLERS, BATCH] = [4, 1000];

interface Change {
  readonly positions: string[];
  readonly kind: (typeof KINDS)[number];
  readonly shop_id: string | null;
  readonly id: string;
}

interface Answer {
  readonly status: number;
  readonly body: {
    readonly error_description?: string;
    readonly line?: number;
    readonly cursor?: string;
    readonly data?: readonly { shop_id: string; client_id: string | null; source: { id: string } }[];
  };
}

/** Repeats the call for as long as Partner Connect can't take it, and for a minute while the id is being erased. */
async function call(method: string, path: string, body?: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${PRODUCT_KEY}`, "content-type": "application/json" };
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(`${INTERNAL_API_URL}/internal/${path}`, { method, headers, ...(body && { body }) });
      const answer = await response.text();
      const { status } = response;
      if (status === 401) throw new Error("Partner Connect does not accept the product key");
      const isBusy = status >= 500 || status === 429 || (status === 409 && attempt <= 60);
      if (!isBusy) return { status, body: answer ? JSON.parse(answer) : {} };
      await sleep(1000 * Number(response.headers.get("retry-after") ?? 1));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await sleep(500); // no connection, or it was cut
    }
  }
}

/** Works on `items` by as many callers at a time as the internal API serves at once. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const caller = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}

const refuse = (changes: readonly Change[], { status, body }: Answer) =>
  sql`UPDATE outbox SET refused = ${`${status} ${body.error_description}`}
      WHERE position = ANY(${changes.flatMap(({ positions }) => positions)})`;

/** A merchant, a shop or a member, as it is now. A record that is gone is deleted. */
async function sendOne(change: Change): Promise<void> {
  const { kind, shop_id, id } = change;
  const path = kind === "members" ? `shops/${shop_id}/members/${id}` : `${kind}/${id}`;
  const [row] =
    kind === "members"
      ? await sql`SELECT FROM members WHERE shop_id = ${shop_id} AND merchant_id = ${id}`
      : await sql`SELECT to_jsonb(one) - 'id' AS record FROM ${sql(kind)} AS one WHERE id = ${id}`;
  const answer = await call(row ? "PUT" : "DELETE", path, row?.["record"] && JSON.stringify(row["record"]));
  if (answer.status >= 400 && !(answer.status === 404 && !row)) await refuse([change], answer);
}

/** Questions or responses of a shop, as they are now. */
async function sendMany(changes: readonly Change[]): Promise<void> {
  const [{ kind, shop_id } = {} as Change] = changes;
  const [shop] = await sql`SELECT FROM shops WHERE id = ${shop_id}`;
  if (!shop) return; // everything of a shop is erased with it
  const rows = await sql<{ id: string; record: object }[]>`
    SELECT id::text, jsonb_strip_nulls(to_jsonb(one) - 'shop_id') AS record FROM ${sql(kind)} AS one
    WHERE shop_id = ${shop_id} AND id::text = ANY(${changes.map(({ id }) => id)})`;
  const there = new Map(rows.map(({ id, record }) => [id, record]));
  if (kind === "responses") {
    const gone = changes.filter(({ id }) => !there.has(id));
    for (const { id } of gone) await call("DELETE", `shops/${shop_id}/responses/${id}`);
  }
  for (let rest = changes.filter(({ id }) => there.has(id)); rest.length > 0; ) {
    const records = JSON.stringify(rest.map(({ id }) => there.get(id)));
    const answer = await call("POST", `shops/${shop_id}/${kind}`, records);
    if (answer.status === 200) return;
    // Nothing of the call is kept: all but the refused record are sent again.
    const bad = rest.filter((_, index) => !answer.body.line || index === answer.body.line - 1);
    await refuse(bad, answer);
    rest = rest.filter((change) => !bad.includes(change));
  }
}

/** Sends what the outbox holds. Returns whether it held anything. */
async function sendChanges(): Promise<boolean> {
  const changes = await sql<Change[]>`
    WITH next AS (SELECT * FROM outbox WHERE refused IS NULL ORDER BY position LIMIT ${CALLERS * BATCH})
    SELECT array_agg(position::text) AS positions, kind, shop_id, id FROM next GROUP BY kind, shop_id, id`;
  for (const kind of KINDS) {
    const ofKind = changes.filter((change) => change.kind === kind);
    if (kind === "questions" || kind === "responses") {
      const shops = [...Map.groupBy(ofKind, ({ shop_id }) => shop_id).values()];
      const batches = shops.flatMap((ofShop) =>
        Array.from({ length: Math.ceil(ofShop.length / BATCH) }, (_, n) => ofShop.slice(n * BATCH, (n + 1) * BATCH)),
      );
      await each(batches, sendMany);
    } else await each(ofKind, sendOne);
  }
  await sql`DELETE FROM outbox WHERE refused IS NULL AND position = ANY(${changes.flatMap((change) => change.positions)})`;
  return changes.length > 0;
}

/** Stores the next sources together with the cursor behind them. */
async function receiveSources(): Promise<void> {
  const [stored] = await sql`SELECT cursor FROM sources_cursor`;
  const query = new URLSearchParams({ wait: "25", ...(stored && { after: stored["cursor"] }) });
  const { status, body } = await call("GET", `sources?${query}`);
  if (status !== 410 && status !== 200) throw new Error(`sources: ${status} ${body.error_description}`);
  await sql.begin(async (tx) => {
    await tx`DELETE FROM sources_cursor`;
    if (status === 410) return; // Partner Connect was restored: read from the beginning
    for (const { shop_id, client_id, source } of body.data ?? []) {
      await tx`
        INSERT INTO sources VALUES (${shop_id}, ${source.id}, ${client_id}, ${tx.json(source)})
        ON CONFLICT (shop_id, id) DO UPDATE SET source = excluded.source, client_id = excluded.client_id`;
    }
    await tx`INSERT INTO sources_cursor VALUES (${body.cursor ?? ""})`;
  });
}

const forever = async (work: () => Promise<unknown>) => {
  for (;;) await work();
};
await Promise.all([forever(async () => (await sendChanges()) || (await sleep(200))), forever(receiveSources)]);
