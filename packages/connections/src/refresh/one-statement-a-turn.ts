import DataLoader from "dataloader";

const MOST_IN_A_STATEMENT = 100;

/**
 * Collects the questions of one turn of the event loop and asks them together, so that a refresh under load doesn't pay for a
 * round trip of its own. `ask` returns the answers in the order of the questions; one that is an error rejects that question alone.
 */
export function oneStatementATurn<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly (Answer | Error)[]>,
): (question: Question) => Promise<Answer> {
  const loader = new DataLoader<Question, Answer>(ask, {
    cache: false,
    maxBatchSize: MOST_IN_A_STATEMENT,
    batchScheduleFn: (askNow) => void setImmediate(askNow),
  });
  return (question) => loader.load(question);
}
