import { parseArgs } from "node:util";
import { runSoak } from "./run.ts";

const HELP = `pnpm soak [--minutes 30] [--share 0.7] [--connections 200] [--kill-every 60] [--rate N]

Starts a stack of its own, finds out how many calls a second it serves on this machine, and then sends a share of that for so long:
pages of lists and refreshes, some writes and imports, at times that don't wait for answers. Every minute one replica of the four
is killed (SIGKILL), in turn. At the end every connection refreshes and reads.

Exit 1: a read failed, a refresh or a write failed for good, a written record is gone, or a connection is broken. The slope of
each process's memory is printed, to be judged by a person: a few minutes are too short for it.
--kill-every: seconds. --rate: calls a second, instead of finding it out.`;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    share: { type: "string", default: "0.7" },
    connections: { type: "string", default: "200" },
    "kill-every": { type: "string", default: "60" },
    rate: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
const number = (name: "minutes" | "share" | "connections" | "kill-every" | "rate"): number => {
  const value = Number(values[name]);
  if (value > 0) return value;
  console.error(`--${name} is not a number above 0\n\n${HELP}`);
  process.exit(2);
};

if (values.help) {
  console.log(HELP);
} else {
  const passed = await runSoak({
    minutes: number("minutes"),
    share: number("share"),
    connections: number("connections"),
    killEvery: number("kill-every"),
    ...(values.rate !== undefined && { rate: number("rate") }),
    say: (line) => console.log(line),
  });
  process.exitCode = passed ? 0 : 1;
}
