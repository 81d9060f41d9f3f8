import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { formatTimestamp, parseTimestamp } from "@partner-connect/contract";
import { DEFAULT_TO, generateQuestions, generateResponses } from "./generate.ts";

const HELP = `Usage: pnpm -s generate-responses --count N [options] > responses.ndjson

Prints made-up survey responses as NDJSON, ready for 'partner-connect response import'.
The same options print the same bytes.

  --count N       how many responses
  --seed TEXT     another seed, other responses (default 1)
  --to TIME       end of the time window, RFC 3339 (default ${formatTimestamp(DEFAULT_TO)})
  --from TIME     its beginning (default 365 days before its end)
  --questions     print the questions they answer instead, for 'partner-connect question import'
  -h, --help      this text
`;

function linesFor(args: string[]): Iterable<string> {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: "string" },
      seed: { type: "string" },
      from: { type: "string" },
      to: { type: "string" },
      questions: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return [HELP];
  const window = {
    ...(values.from !== undefined && { from: time("--from", values.from) }),
    ...(values.to !== undefined && { to: time("--to", values.to) }),
  };
  if (values.questions) return generateQuestions(window);
  if (!/^\d{1,10}$/.test(values.count ?? "")) throw new RangeError("--count N is required, a whole number");
  return generateResponses({
    count: Number(values.count),
    ...window,
    ...(values.seed !== undefined && { seed: values.seed }),
  });
}

function time(option: string, text: string): number {
  const instant = parseTimestamp(text);
  if (instant === undefined) throw new RangeError(`${option} must be an RFC 3339 time such as 2026-11-21T00:00:00Z`);
  return instant;
}

try {
  await pipeline(Readable.from(linesFor(process.argv.slice(2))), process.stdout);
} catch (error) {
  // A reader that has seen enough, such as head, closes the pipe.
  if ((error as NodeJS.ErrnoException).code !== "EPIPE") {
    process.stderr.write(`${(error as Error).message}\nSee --help.\n`);
    process.exitCode = 1;
  }
}
