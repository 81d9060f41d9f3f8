import type { StoreMeter } from "@partner-connect/service-runtime";
import { traceCall } from "@partner-connect/service-runtime/tracing";
import type postgres from "postgres";
import { startDeadline } from "./database-fault.ts";
import type { Queries, Row, Sql, Transaction } from "./sql.ts";

/** Observers of a pool's statements. */
interface Watchers {
  readonly observer?: StoreMeter | undefined;
  readonly onCommit?: ((event: Row) => void) | undefined;
  /** See {@link DatabaseOptions}. */
  readonly deadline?: number | undefined;
}

type Notify = (event: Row) => void;

/**
 * A postgres.js statement, which its types don't describe. Its handler sends it when it is first
 * awaited.
 */
interface Query extends Promise<unknown>, StatementParts {
  handler: (query: Query) => void;
  reject: (error: Error) => void;
}

type Watch = (sent: Promise<unknown>, name: () => string) => void;

/** Called when a statement is sent. */
type Sent = (query: Query) => void;

const END_SECONDS = 5;

/** Wraps the driver's pool as {@link Sql}, with observers. */
export function watchedPool(
  driver: postgres.Sql,
  { observer, onCommit = () => {}, deadline }: Watchers,
): Sql {
  const watch: Watch = (sent, name) => {
    if (observer) observe(sent, observer);
    trace(sent, name);
  };
  const sent: Sent = (query) => {
    watch(query, () => statementName(query));
    if (deadline === undefined) return;
    const { stop } = startDeadline(deadline, query.reject);
    whenDone(query, stop, stop);
  };
  return Object.assign(queriesOf(driver, sent, onCommit), {
    begin<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      const events: Row[] = [];
      let late: Error | undefined;
      const inTime = () => {
        if (late) throw late; // no COMMIT is sent
      };
      const done = driver.begin(async (tx) => {
        inTime();
        const result = await work(transactionOf(tx, events));
        inTime();
        return result;
      }) as Promise<T>;
      watch(done, () => "TRANSACTION");
      const committed = done.then((result) => {
        events.forEach(onCommit);
        return result;
      });
      if (deadline === undefined) return committed;
      return new Promise((resolve, reject) => {
        const { stop } = startDeadline(deadline, (fault) => {
          late = fault;
          reject(fault);
        });
        committed.then(resolve, reject).then(stop);
      });
    },
    // Without a limit, postgres.js never stops waiting for a connection that was lost during a
    // statement.
    end: (limit?: { readonly timeout?: number }) => driver.end({ timeout: END_SECONDS, ...limit }),
  });
}

function transactionOf(driver: postgres.TransactionSql, events: Row[]): Transaction {
  const sent: Sent = (query) => trace(query, () => statementName(query));
  return queriesOf(driver, sent, (event) => void events.push(event)) as Transaction;
}

function queriesOf(driver: postgres.ISql, sent: Sent, afterCommit: Notify): Queries {
  const send = driver as unknown as (...parts: unknown[]) => Query;
  const unsafe = driver.unsafe as unknown as (...parts: unknown[]) => Query;
  const watched = watching(sent);
  const queries = (...parts: unknown[]) => watched(send(...parts));
  return Object.assign(queries, {
    unsafe: (...parts: unknown[]) => watched(unsafe(...parts)),
    json: driver.json,
    afterCommit,
  }) as unknown as Queries;
}

/**
 * Observes a statement when it is sent, because it may become a part of another. One shared handler
 * retains no statement.
 */
function watching(sent: Sent): (made: Query) => Query {
  let send: Query["handler"] | undefined;
  const watchAndSend = (query: Query): void => {
    sent(query);
    send?.(query);
  };
  return (made) => {
    if (!(made instanceof Promise)) return made;
    send ??= made.handler;
    made.handler = watchAndSend;
    return made;
  };
}

function observe(sent: Promise<unknown>, observer: StoreMeter): void {
  const begun = performance.now();
  const end = (): void => observer.ended(performance.now() - begun);
  observer.begun();
  whenDone(sent, end, end);
}

/** Each statement and each transaction is a span of its request. */
function trace(sent: Promise<unknown>, name: () => string): void {
  traceCall(name, { "db.system.name": "postgresql" }, sent);
}

/** Uses `Promise.prototype.then`, because the query's own `then` would execute it. */
function whenDone(
  sent: Promise<unknown>,
  done: () => void,
  failed: (error: unknown) => void,
): void {
  void Promise.prototype.then.call(sent, done, failed);
}

/** A statement's parts, between its parameters. */
interface StatementParts {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
}

const TABLE = /\b(?:oauth|survey|directory)\.[a-z_]+/g;
/** Excludes the UPDATE of a lock: `FOR UPDATE`, `FOR NO KEY UPDATE`. */
const OPERATION =
  /\b(SELECT|INSERT|(?<!\bFOR |\bKEY )UPDATE|DELETE|MERGE|COPY|LOCK|SET|CREATE|ALTER|DROP|TRUNCATE)\b/g;
/** If a statement reads and writes, the write names it. */
const CHANGES = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);
const MOST_TABLES = 4;

/**
 * The statement's operation and tables, such as `UPDATE oauth.connections`: words of our own
 * source, never values.
 */
export function statementName(statement: StatementParts): string {
  const text = textOf(statement);
  const operations = text.match(OPERATION) ?? [];
  const operation =
    operations.find((operation) => CHANGES.has(operation)) ?? operations[0] ?? "SQL";
  return [operation, ...[...new Set(text.match(TABLE))].slice(0, MOST_TABLES)].join(" ");
}

function textOf({ strings, args }: StatementParts): string {
  const parts = args.filter((arg): arg is StatementParts =>
    Array.isArray((arg as StatementParts | null)?.strings),
  );
  return [...strings, ...parts.map(textOf)].join(" ");
}
