import type { StackContext, SupervisedProcess } from "../processes/supervised-process.ts";
import type { ProcessState } from "./state.ts";

export type RunningProcesses = ReturnType<typeof runningProcesses>;

/** From the outside in: a process gets no request any more before what it needs is ended. */
const STOP_ORDER = [/^(sample-partner|gateway)$/, /-server-\d+$/, /./];

/** The processes of a stack: started together, ended in order. */
export function runningProcesses(context: StackContext) {
  let processes: readonly SupervisedProcess[] = [];
  return {
    context,
    /** Waits for all of these starts, also when one of them fails, so that `stop` ends the others. */
    async add(...starts: readonly Promise<SupervisedProcess>[]): Promise<void> {
      const outcomes = await Promise.allSettled(
        starts.map(async (start) => {
          const started = await start;
          processes = [...processes, started];
          context.changed();
        }),
      );
      context.signal?.throwIfAborted();
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
    },
    list(): ProcessState[] {
      return processes.flatMap(({ name, pid, url }) => (pid === undefined ? [] : [{ name, pid, ...(url && { url }) }]));
    },
    async stop(): Promise<void> {
      for (const kind of STOP_ORDER) {
        const ending = processes.filter(({ name }) => kind.test(name));
        processes = processes.filter((process) => !ending.includes(process));
        await Promise.all(ending.map((process) => process.stop()));
      }
      await context.watchdog.release();
    },
  };
}
