import type { Command } from "@commander-js/extra-typings";
import type { Answer, Cli } from "../../cli.ts";
import { explain } from "../../errors.ts";
import { jobs } from "./jobs.ts";
import { archive, disk, postgres, snapshots } from "./postgres.ts";
import { redis, resourceServerRedis } from "./redis.ts";
import { clocks, findReplicas, replicas, signingKeys } from "./replicas.ts";
import { roles, schema } from "./schema.ts";
import { type Check, type Finding, judge, openSystem } from "./system.ts";

/**
 * The checks, whose names are stable. If a check in `needs` blocks or was left out, this one is
 * left out too, because it would only report the same cause.
 */
const CHECKS: readonly {
  readonly check: string;
  readonly needs: readonly string[];
  readonly look: Check;
}[] = [
  { check: "postgres", needs: [], look: postgres },
  { check: "schema", needs: ["postgres"], look: schema },
  { check: "roles", needs: ["schema"], look: roles },
  { check: "postgres-archive", needs: ["postgres"], look: archive },
  { check: "postgres-snapshots", needs: ["schema"], look: snapshots },
  { check: "disk", needs: ["postgres"], look: disk },
  { check: "redis", needs: [], look: redis },
  { check: "resource-server-redis", needs: [], look: resourceServerRedis },
  { check: "signing-keys", needs: [], look: signingKeys },
  { check: "replicas", needs: ["postgres", "redis", "resource-server-redis"], look: replicas },
  { check: "jobs", needs: ["schema"], look: jobs },
  { check: "clocks", needs: [], look: clocks },
];

export default function addDoctor(command: Command, cli: Cli): void {
  cli.answer(command.addHelpText("after", HELP), () => examine(cli));
}

async function examine({ config }: Cli): Promise<Answer> {
  await using system = openSystem(config, await findReplicas(config));
  const findings = new Map<string, Promise<Diagnosis | null>>();
  for (const { check, needs, look } of CHECKS) {
    const needed = needs.map((name) => findings.get(name));
    findings.set(
      check,
      Promise.all(needed).then(async (found) => {
        if (found.some((finding) => !finding || finding.blocks)) return null;
        return { check, ...(await look(system).catch(notAsked)) };
      }),
    );
  }
  const diagnoses = (await Promise.all(findings.values())).filter(
    (diagnosis) => diagnosis !== null,
  );
  return {
    json: diagnoses.map(({ check, ok, found, remedy }) => ({ check, ok, found, do: remedy })),
    text: report(diagnoses),
    isFailure: diagnoses.some(({ ok }) => !ok),
  };
}

type Diagnosis = Finding & { readonly check: string };

async function notAsked(error: unknown): Promise<Finding> {
  const { message, hint } = await explain(error);
  return {
    ...judge("", [[`could not ask: ${message}`, hint ?? "make it answer, and look again"]]),
    blocks: true,
  };
}

function report(diagnoses: readonly Diagnosis[]): string {
  const width = Math.max(...diagnoses.map(({ check }) => check.length));
  const wrong = diagnoses.filter(({ ok }) => !ok).length;
  const left = CHECKS.length - diagnoses.length;
  const lines = diagnoses.flatMap(({ check, ok, found, remedy }) => {
    const mark = ok ? (remedy === null ? "✓" : "!") : "✗";
    const line = `${mark} ${check.padEnd(width)}  ${found}`;
    return remedy === null ? [line] : [line, `  ${" ".repeat(width)}  → ${remedy}`];
  });
  const leftOut = left > 0 ? ` ${left} that need them were left out.` : "";
  const end = `${wrong} of ${diagnoses.length} checks found something.${leftOut}`;
  return [...lines, "", wrong === 0 ? "No check found a problem." : end].join("\n");
}

const HELP = `
It changes nothing. The exit code is 1 if a check found a problem, or could not ask; a warning (!) is none. With --json each check is
{check, ok, found, do}; a warning is ok, and says what to do. A check that needs one that failed is left out.
What it asks: DATABASE_URL (as the owner), REDIS_URL (the authorization server's), RESOURCE_SERVER_REDIS_URL, SIGNING_KEYS_FILE,
and in REPLICAS the internal URLs of all replicas, with commas; a host name of several addresses stands for as many. On a local stack
it finds them all.`;

export const EXAMPLES = `
  $ partner-connect doctor --json | jq '.[] | select(.ok | not)'
  $ REPLICAS=http://authorization-server:9000,http://resource-server:9000 partner-connect doctor`;
