import type { Tracing } from "@partner-connect/service-runtime/tracing";
import type postgres from "postgres";
import { statementName } from "./statement-name.ts";

/** What postgres.js makes of a statement: it runs when somebody first waits for it, or asks for its rows one by one. */
interface Query extends Promise<unknown> {
  handle(): Promise<void>;
  readonly executed: boolean;
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
}

const FROM_STATEMENTS = new Set<PropertyKey>(["unsafe", "file"]);
const TRANSACTIONS = new Set<PropertyKey>(["begin", "savepoint"]);

/** The same pool. Each statement, and each transaction, is a span of the request that it belongs to. */
export function tracedPool<Sql extends postgres.Sql | postgres.TransactionSql>(sql: Sql, traces: Tracing): Sql {
  return new Proxy(sql, {
    apply: (target, self, args) => traced(Reflect.apply(target as never, self, args), traces),
    get(target, name) {
      const value = Reflect.get(target, name) as never as (...args: unknown[]) => Query;
      if (FROM_STATEMENTS.has(name)) return (...args: unknown[]) => traced(value(...args), traces);
      if (TRANSACTIONS.has(name)) return (...args: unknown[]) => tracedTransaction(value, args, traces);
      return value;
    },
  });
}

/** Only a statement has `handle`; what else the function makes is a part of one, such as an identifier. */
function traced(query: Query, traces: Tracing): Query {
  if (typeof query?.handle !== "function") return query;
  const handle = query.handle;
  query.handle = () => {
    if (!query.executed) spanUntil(query, statementName(query), traces);
    return handle.call(query);
  };
  return query;
}

type Work = (sql: postgres.TransactionSql) => unknown;

async function tracedTransaction(
  begin: (...args: unknown[]) => Promise<unknown>,
  args: unknown[],
  traces: Tracing,
): Promise<unknown> {
  const work = args.pop() as Work;
  const done = begin(...args, (sql: postgres.TransactionSql) => work(tracedPool(sql, traces)));
  spanUntil(done, "TRANSACTION", traces);
  return await done;
}

function spanUntil(done: Promise<unknown>, name: string, traces: Tracing): void {
  const span = traces.call(name, { "db.system.name": "postgresql", "db.query.summary": name });
  // Promise's own: the driver's `then` would begin the statement once more.
  if (span)
    void Promise.prototype.then.call(
      done,
      () => span.end(),
      (error) => span.end(error),
    );
}
