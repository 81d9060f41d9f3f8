import type { Command } from "commander";
import { examples } from "../../options/confirm.ts";
import { type Answer, answer } from "../../run/command.ts";
import type { Context } from "../../run/context.ts";
import { explain } from "../../run/explain.ts";
import { type Printable, paint, visible } from "../../terminal/screen.ts";
import { findReplicas, type ReplicaOptions, takesReplicas } from "./ask-replicas.ts";
import { CHECKS } from "./checks/index.ts";
import { type Check, type Finding, openSystem, type System, wrong } from "./system.ts";

export function addDoctorCommand(program: Command, context: Context): void {
  takesReplicas(
    program.command("doctor").description("Look whether everything is as we rely on it, and say what to do"),
  )
    .addHelpText("after", HELP)
    .addHelpText("after", EXAMPLES)
    .action(answer(context, (options: ReplicaOptions) => examine(context, options)));
}

async function examine({ config }: Context, options: ReplicaOptions): Promise<Answer> {
  await using system = openSystem(config, await findReplicas(config, options));
  const diagnoses = await Promise.all(
    Object.entries(CHECKS).map(async ([check, look]) => ({ check, ...(await lookAt(look, system)) })),
  );
  return {
    json: diagnoses.map(({ check, ok, found, remedy }) => ({ check, ok, found, do: remedy })),
    text: report(diagnoses),
    isFailure: diagnoses.some(({ ok }) => !ok),
  };
}

const HELP = `
It changes nothing. The exit code is 1 if a check found something, or could not ask.
What it asks: DATABASE_URL (as the owner), REDIS_URL (the authorization server's), RESOURCE_SERVER_REDIS_URL, SIGNING_KEYS_FILE,
PUBLIC_BASE_URL, and the replicas' internal ports. On a local stack it finds them all.`;

const EXAMPLES = examples(`
  $ partner-connect doctor
  $ partner-connect doctor --json | jq '.[] | select(.ok | not)'
  $ partner-connect doctor --replica http://authorization-server:9000 --replica http://resource-server:9000`);

interface Diagnosis extends Finding {
  readonly check: string;
}

/** What could not be asked is not fine, and it is not wrong either: it is said as it is. */
async function lookAt(look: Check, system: System): Promise<Finding> {
  try {
    return await look(system);
  } catch (error) {
    const { message, hint } = await explain(error);
    return wrong(`could not ask: ${message}`, hint ?? "make it answer, and look again");
  }
}

function report(diagnoses: readonly Diagnosis[]): Printable {
  const width = Math.max(...diagnoses.map(({ check }) => check.length));
  const wrong = diagnoses.filter(({ ok }) => !ok).length;
  return (screen) => {
    const lines = diagnoses.flatMap(({ check, ok, found, remedy }) => {
      const mark = ok ? paint(screen, "green", "✓") : paint(screen, "red", "✗");
      const line = `${mark} ${check.padEnd(width)}  ${visible(found)}`;
      return remedy === null ? [line] : [line, `  ${" ".repeat(width)}  → ${visible(remedy)}`];
    });
    const end =
      wrong === 0
        ? paint(screen, "green", `All ${diagnoses.length} checks are fine.`)
        : paint(screen, "red", `${wrong} of ${diagnoses.length} checks found something.`);
    return [...lines, "", end].join("\n");
  };
}
