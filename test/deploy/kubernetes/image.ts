import { readFileSync } from "node:fs";

/** What deploy/Dockerfile gives a process that is started from one of its targets. */
export interface Image {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
}

const EMPTY: Image = { entrypoint: [], command: [], folder: "/", environment: {} };

/** The image of a target, with what it inherits from the stages that it is made from. */
export function image(target: string): Image {
  const text = readFileSync(new URL("../../../deploy/Dockerfile", import.meta.url), "utf8").replaceAll("\\\n", " ");
  const stages = new Map<string, Image>();
  let name = "";
  for (const line of text.split("\n")) {
    const [, instruction = "", rest = ""] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    const stage = stages.get(name) ?? EMPTY;
    if (instruction === "FROM") {
      const [base = "", , as = ""] = rest.split(/\s+/);
      name = as;
      stages.set(name, stages.get(base) ?? EMPTY);
    } else if (instruction === "ENV") {
      const pairs = [...rest.matchAll(/(\w+)=(\S+)/g)].map(([, key = "", value = ""]) => [key, value]);
      stages.set(name, { ...stage, environment: { ...stage.environment, ...Object.fromEntries(pairs) } });
    } else if (instruction === "WORKDIR") stages.set(name, { ...stage, folder: rest });
    else if (instruction === "ENTRYPOINT") stages.set(name, { ...stage, entrypoint: JSON.parse(rest) });
    else if (instruction === "CMD") stages.set(name, { ...stage, command: JSON.parse(rest) });
  }
  return stages.get(target) ?? EMPTY;
}
