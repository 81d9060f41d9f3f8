import type { StoreMeter } from "@partner-connect/service-runtime";
import type postgres from "postgres";
import { startDeadline } from "./database-fault.ts";
import type { Queries, Row, Sql, Transaction } from "./sql.ts";

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
interface Query extends Promise<unknown> {
  handler: (query: Query) => void;
  reject: (error: Error) => void;
}

/** Called when a statement is sent. */
type Sent = (query: Query) => void;

/** Seconds that `end()` waits for pending statements. */
const END_SECONDS = 5;

/** Wraps the driver's pool as {@link Sql}, with the observers and the deadline. */
export function watchedPool(
  driver: postgres.Sql,
  { observer, onCommit = () => {}, deadline }: Watchers,
): Sql {
  const sent: Sent = (query) => {
    observer?.(query);
    if (deadline === undefined) return;
    const { stop } = startDeadline(deadline, query.reject);
    // The query's own `then` would send it again.
    Promise.prototype.then.call(query, stop, stop);
  };
  return Object.assign(queriesOf(driver, onCommit, statementWatcher(sent)), {
    begin<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      const events: Row[] = [];
      let late: Error | undefined;
      const throwIfLate = () => {
        if (late) throw late; // no COMMIT is sent
      };
      const done = driver.begin(async (tx) => {
        throwIfLate();
        const afterCommit = (event: Row) => void events.push(event);
        const result = await work(queriesOf(tx, afterCommit) as Transaction);
        throwIfLate();
        return result;
      }) as Promise<T>;
      observer?.(done);
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

function queriesOf(driver: postgres.ISql, afterCommit: Notify, watched = (made: Query) => made) {
  const send = driver as unknown as (...parts: unknown[]) => Query;
  const unsafe = driver.unsafe as unknown as (...parts: unknown[]) => Query;
  const queries = (...parts: unknown[]) => watched(send(...parts));
  return Object.assign(queries, {
    unsafe: (...parts: unknown[]) => watched(unsafe(...parts)),
    json: driver.json,
    afterCommit,
  }) as unknown as Queries;
}

/**
 * Returns a function that makes a statement call `sent` when it is sent, not when it is made: it may
 * become a part of another statement. All share one handler, which retains no statement.
 */
function statementWatcher(sent: Sent): (made: Query) => Query {
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
