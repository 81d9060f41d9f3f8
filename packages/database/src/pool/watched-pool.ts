import type { StoreMeter } from "@partner-connect/service-runtime";
import { traceCall } from "@partner-connect/service-runtime/tracing";
import type postgres from "postgres";
import { startDeadline } from "./database-fault.ts";
import type { Queries, Row, Sql, Transaction } from "./sql.ts";

/** What learns of statements, if anything does. */
interface Watchers {
  readonly observer?: StoreMeter | undefined;
  readonly onCommit?: ((event: Row) => void) | undefined;
  /** As of {@link DatabaseOptions}. */
  readonly deadline?: number | undefined;
}

type Notify = (event: Row) => void;

/** What postgres.js makes of a statement; its types don't say. Its handler sends it, once somebody awaits it. */
interface Query extends Promise<unknown>, StatementParts {
  handler: (query: Query) => void;
  reject: (error: Error) => void;
}

type Watch = (sent: Promise<unknown>, name: () => string) => void;

/** Learns of a statement that is sent. */
type Sent = (query: Query) => void;

const END_SECONDS = 5;

/** The driver's pool as one of ours: with what {@link Sql} offers, and watched. */
export function watchedPool(driver: postgres.Sql, { observer, onCommit = () => {}, deadline }: Watchers): Sql {
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
    // Without a limit, postgres.js never stops waiting for a connection that was lost while it had a statement.
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

/** Watches a statement when it is sent, as it may become a part of another. One handler for all holds no statement. */
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

/** By the `then` of promises: a statement's own sends it. */
function whenDone(sent: Promise<unknown>, done: () => void, failed: (error: unknown) => void): void {
  void Promise.prototype.then.call(sent, done, failed);
}

/** A statement in parts, between which its parameters and further parts stand. */
interface StatementParts {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
}

const TABLE = /\b(?:oauth|survey|directory)\.[a-z_]+/;
const TABLES = new RegExp(TABLE, "g");
/** Not the UPDATE of a lock: `FOR UPDATE`, `FOR NO KEY UPDATE`. */
const OPERATION = /\b(SELECT|INSERT|(?<!\bFOR |\bKEY )UPDATE|DELETE|MERGE|COPY|LOCK|SET|CREATE|ALTER|DROP|TRUNCATE)\b/g;
/** Where a statement reads and changes, the change is the point of it. */
const CHANGES = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);
const MOST_TABLES = 4;

const names = new WeakMap<object, string>();

/** What a statement does and to which tables, such as `UPDATE oauth.connections`: words of our own source, never a value. */
export function statementName(statement: StatementParts): string {
  const known = names.get(statement.strings);
  if (known) return known;
  const text = textOf(statement);
  const operations = [...text.matchAll(OPERATION)].map(([operation]) => operation);
  const operation = operations.find((operation) => CHANGES.has(operation)) ?? operations[0] ?? "SQL";
  const tables = [...new Set(text.match(TABLES))].slice(0, MOST_TABLES);
  const name = [operation, ...tables].join(" ");
  // What names its tables in parts alone may have other parts the next time.
  if (tables.length === 0 || TABLE.test(statement.strings.join(" "))) names.set(statement.strings, name);
  return name;
}

function textOf({ strings, args }: StatementParts): string {
  const parts = args.filter((arg): arg is StatementParts => Array.isArray((arg as StatementParts | null)?.strings));
  return [...strings, ...parts.map(textOf)].join(" ");
}
