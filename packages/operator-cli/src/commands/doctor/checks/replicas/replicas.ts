import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";

export const replicas: Check = {
  name: "replicas",
  async look({ answers }) {
    const found = await answers("/readyz");
    const problems = found.flatMap((answer) =>
      "problem" in answer
        ? [`could not ask ${answer.name}: ${answer.problem}`]
        : answer.status === 200
          ? []
          : [`${answer.name} is not ready: ${answer.text.trim().slice(0, 200)}`],
    );
    return unless(
      problems,
      found.length === 0 ? "none was named" : `${found.length} are ready`,
      "its log says why ('not ready'); if only one can't reach a store, restart it",
    );
  },
};
