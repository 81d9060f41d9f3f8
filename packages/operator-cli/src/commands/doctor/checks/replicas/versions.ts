import { VERSION } from "../../../../run/version.ts";
import type { Check } from "../../check.ts";
import { unless } from "../../finding.ts";
import { silence, told } from "../../replica-answer.ts";

const LEAST_NODE = 24;

/** During a rolling update there are two for a while. */
export const versions: Check = {
  name: "versions",
  async look({ answers }) {
    const found = await answers("/metrics");
    const builds = told(found).map(({ name, text }) => ({
      name,
      build: buildOf(text),
      node: /^nodejs_version_info\{[^}]*version="v([^"]+)"/m.exec(text)?.[1] ?? "unknown",
    }));
    const differing = new Set(builds.map(({ build }) => build.whole)).size > 1;
    const problems = [
      ...silence(found),
      ...(differing ? builds.map(({ name, build }) => `${name} is ${build.whole}`) : []),
      ...builds.flatMap(({ name, build }) =>
        build.version === VERSION || differing ? [] : [`${name} is ${build.whole}, and this command line ${VERSION}`],
      ),
      ...[...builds, { name: "this command line", node: process.versions.node }].flatMap(({ name, node }) =>
        Number.parseInt(node, 10) >= LEAST_NODE ? [] : [`${name} runs on Node ${node}`],
      ),
    ];
    const remedy = `one release for all replicas and the command line, each on Node ${LEAST_NODE} or newer; during a rolling update look again`;
    return unless(problems, `${VERSION} on Node ${process.versions.node}, ${builds.length} replicas too`, remedy);
  },
};

function buildOf(metrics: string): { readonly version: string; readonly whole: string } {
  const labels = /^partner_connect_build_info\{([^}]*)\}/m.exec(metrics)?.[1] ?? "";
  const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1] ?? "unknown";
  return { version: label("version"), whole: `${label("version")} (${label("revision")})` };
}
