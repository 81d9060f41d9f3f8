import type { DriverPool } from "../../pool/connect.ts";

/** How many rows `kept` has: the row `id` has the name `name-<id>` and the number `id`. */
export const KEPT = 100;

export const CREATE_KEPT = `
  CREATE TABLE kept (id integer PRIMARY KEY, name text NOT NULL, number integer NOT NULL);
  INSERT INTO kept SELECT n, 'name-' || n, n FROM generate_series(1, ${KEPT}) n`;

/** An answer that `who` did not ask for. */
export class WrongAnswerError extends Error {}

/** Asks for the row `id` in the name of `who`, and judges what comes: the answer names who asked. */
export type Question = (sql: DriverPool, who: string, id: number) => Promise<void>;

const TEXTS = "SELECT $1::text AS who, name, number::text AS number FROM kept WHERE id = $2::int";
const SOON = 50;

const prepared: Question = async (sql, who, id) => {
  expectRow(await sql`SELECT ${who}::text AS who, name, number FROM kept WHERE id = ${id}`, who, id);
};

const raw =
  (prepare: boolean): Question =>
  async (sql, who, id) => {
    const rows: unknown[] = [];
    const take = ([asked, name, number]: readonly (Buffer | null)[]): void =>
      void rows.push({ who: String(asked), name: String(name), number: String(number) });
    await sql.unsafe(TEXTS, [who, id], { prepare }).raw().forEach(take);
    expectRow(rows, who, id);
  };

const unnamed: Question = async (sql, who, id) =>
  expectRow(await sql.unsafe(TEXTS, [who, id], { prepare: false }), who, id);

const simple: Question = async (sql, who, id) =>
  expectRow(await sql.unsafe(`SELECT '${who}' AS who, name, number FROM kept WHERE id = ${id}`), who, id);

const updated: Question = async (sql, who, id) =>
  expectRow(
    await sql`UPDATE kept SET name = name WHERE id = ${id} RETURNING ${who}::text AS who, name, number`,
    who,
    id,
  );

const manyRows: Question = async (sql, who, id) => {
  const rows = await sql`SELECT ${who}::text AS who, n FROM generate_series(1, ${id}::int) n`;
  const wanted = Array.from({ length: id }, (_, index) => ({ who, n: index + 1 }));
  if (JSON.stringify(rows) !== JSON.stringify(wanted)) throw new WrongAnswerError(`${who} got ${JSON.stringify(rows)}`);
};

/** Some rows, and then an error that names who asked. */
const failsInMidStream: Question = async (sql, who) => {
  const query = sql`
    SELECT CASE WHEN n < ${SOON}::int THEN 0 ELSE (${who}::text || n)::int END AS n FROM generate_series(1, 100) n`;
  await expectError(query, who, (error) => error.message.includes(`"${who}${SOON}"`));
};

/** A value that can't be written: nothing of this query is sent. */
const unsendable: Question = async (sql, who) => {
  const query = sql`SELECT ${who}::text AS who, ${new Date(Number.NaN)}::timestamptz AS at`;
  await expectError(query, who, (error) => error instanceof RangeError);
};

/** What a transaction has set is its own until its end. */
const inTransaction: Question = async (sql, who, id) => {
  const rows = await sql.begin(async (inside) => {
    await inside`SELECT set_config('test.who', ${who}, true)`;
    await inside`SELECT 1`;
    return await inside`SELECT current_setting('test.who', true) AS who, name, number FROM kept WHERE id = ${id}`;
  });
  expectRow(rows, who, id);
};

const FREQUENT: readonly Question[] = [prepared, raw(true), prepared, failsInMidStream, raw(true), manyRows, simple];

/** These have a connection for themselves, or are slow, and so would slow down the others. */
const RARE: readonly Question[] = [unnamed, updated, unsendable, raw(false), inTransaction];

/** What a caller asks at its nth turn. */
export function questionOf(turn: number): Question {
  const [questions, index] = turn % 16 === 0 ? [RARE, turn / 16] : [FREQUENT, turn];
  return questions[index % questions.length] as Question;
}

function expectRow(rows: readonly unknown[], who: string, id: number): void {
  const [row] = rows as { who?: unknown; name?: unknown; number?: unknown }[];
  const isRight = row?.who === who && row.name === `name-${id}` && String(row.number) === String(id);
  if (rows.length !== 1 || !isRight) throw new WrongAnswerError(`${who} asked for ${id}: ${JSON.stringify(rows)}`);
}

async function expectError(query: PromiseLike<unknown>, who: string, isMine: (error: Error) => boolean): Promise<void> {
  try {
    await query;
  } catch (error) {
    if (isMine(error as Error)) return;
    throw error;
  }
  throw new WrongAnswerError(`${who} got an answer to what can only fail`);
}
