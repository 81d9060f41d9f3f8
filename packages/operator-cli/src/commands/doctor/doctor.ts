import type { Command } from "@commander-js/extra-typings";
import type { Answer, Cli } from "../../cli.ts";
import { explain } from "../../errors.ts";
import { checkJobs } from "./jobs.ts";
import { checkArchive, checkDisk, checkPostgres, checkSnapshots } from "./postgres.ts";
import { checkRedis, checkResourceServerRedis } from "./redis.ts";
import { checkClocks, checkReplicas, checkSigningKeys, findReplicas } from "./replicas.ts";
import { checkRoles, checkSchema } from "./schema.ts";
import { type Check, type Finding, findingOf, openSystem } from "./system.ts";

/**
 * The checks. `check` is a name that doesn't change. A check is skipped if one of its `needs` blocks
 * or was skipped, because it would only report the same cause.
 */
const CHECKS: readonly {
  readonly check: string;
  readonly needs: readonly string[];
  readonly run: Check;
}[] = [
  { check: "postgres", needs: [], run: checkPostgres },
  { check: "schema", needs: ["postgres"], run: checkSchema },
  { check: "roles", needs: ["schema"], run: checkRoles },
  { check: "postgres-archive", needs: ["postgres"], run: checkArchive },
  { check: "postgres-snapshots", needs: ["schema"], run: checkSnapshots },
  { check: "disk", needs: ["postgres"], run: checkDisk },
  { check: "redis", needs: [], run: checkRedis },
  { check: "resource-server-redis", needs: [], run: checkResourceServerRedis },
  { check: "signing-keys", needs: [], run: checkSigningKeys },
  {
    check: "replicas",
    needs: ["postgres", "redis", "resource-server-redis"],
    run: checkReplicas,
  },
  { check: "jobs", needs: ["schema"], run: checkJobs },
  { check: "clocks", needs: [], run: checkClocks },
];

export default function addDoctor(command: Command, cli: Cli): void {
  cli.setAction(command.addHelpText("after", HELP), () => runChecks(cli));
}

async function runChecks({ config }: Cli): Promise<Answer> {
  await using system = openSystem(config, await findReplicas(config));
  const findings = new Map<string, Promise<Diagnosis | null>>();
  for (const { check, needs, run } of CHECKS) {
    const needed = needs.map((name) => findings.get(name));
    findings.set(
      check,
      Promise.all(needed).then(async (found) => {
        if (found.some((finding) => !finding || finding.blocks)) return null;
        return { check, ...(await run(system).catch(failedFinding)) };
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

async function failedFinding(error: unknown): Promise<Finding> {
  const { message, hint } = await explain(error);
  return {
    ...findingOf("", [
      [`could not ask: ${message}`, hint ?? "make it answer, then run doctor again"],
    ]),
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
  const leftOut = left > 0 ? ` ${left} checks that depend on them were skipped.` : "";
  const end = `${wrong} of ${diagnoses.length} checks found a problem.${leftOut}`;
  return [...lines, "", wrong === 0 ? "No check found a problem." : end].join("\n");
}

const HELP = `
The command changes nothing. The exit code is 1 if a check found a problem or got no answer; a warning (!) is not a problem. With
--json each check is {check, ok, found, do}; a warning is ok, with a remedy in 'do'. A check that depends on a failed one is skipped.
The command uses DATABASE_URL (as the owner), REDIS_URL (of the authorization server), RESOURCE_SERVER_REDIS_URL, SIGNING_KEYS_FILE and
REPLICAS: the internal URLs of all replicas, separated by commas. A host name with several addresses stands for a replica at each. On a
local stack all of them are known.`;

export const EXAMPLES = `
  $ partner-connect doctor --json | jq '.[] | select(.ok | not)'
  $ REPLICAS=http://authorization-server:9000,http://resource-server:9000 partner-connect doctor`;
