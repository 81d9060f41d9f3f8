import type { Command } from "commander";
import { examples } from "../../options/examples.ts";
import { findReplicas, type ReplicaOptions, takesReplicas } from "../../replicas/find-replicas.ts";
import { type Answer, answer } from "../../run/answer.ts";
import type { Context } from "../../run/context.ts";
import { diagnose } from "./diagnose.ts";
import { report } from "./report.ts";
import { openSystem } from "./system.ts";

export function addDoctorCommand(program: Command, context: Context): void {
  takesReplicas(
    program.command("doctor").description("Look whether everything is as we rely on it, and say what to do"),
  )
    .addHelpText("after", HELP)
    .addHelpText("after", EXAMPLES)
    .action(answer(context, (options: ReplicaOptions) => examine(context, options)));
}

async function examine({ config }: Context, options: ReplicaOptions): Promise<Answer> {
  const system = openSystem(config, await findReplicas(config, options));
  try {
    const diagnoses = await diagnose(system);
    return {
      json: diagnoses.map(({ check, ok, found, remedy }) => ({ check, ok, found, do: remedy })),
      text: report(diagnoses),
      isFailure: diagnoses.some(({ ok }) => !ok),
    };
  } finally {
    await system.close();
  }
}

const HELP = `
It changes nothing. The exit code is 1 if a check found something, or could not ask.
What it asks: DATABASE_URL (as the owner), REDIS_URL (the authorization server's), RESOURCE_SERVER_REDIS_URL, SIGNING_KEYS_FILE,
PUBLIC_BASE_URL, and the replicas' internal ports. On a local stack it finds them all.`;

const EXAMPLES = examples(`
  $ partner-connect doctor
  $ partner-connect doctor --json | jq '.[] | select(.ok | not)'
  $ partner-connect doctor --replica http://authorization-server:9000 --replica http://resource-server:9000`);
