import { type UnknownVariable, unknownVariables } from "./unknown-variables.ts";

/** What a program read of its environment, fit for a log: passwords are masked. */
export interface EnvironmentSummary {
  /** By name, what was set. */
  readonly set: Readonly<Record<string, string>>;
  /** By name, what counts where nothing was set. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Variables that look like ours, and that nothing reads. */
  readonly unknown: readonly UnknownVariable[];
}

const MASKED = "***";

export class VariableNotes {
  readonly #known = new Set<string>();
  readonly #set = new Map<string, string>();
  readonly #defaults = new Map<string, string>();

  isKnown(name: string): void {
    this.#known.add(name);
  }

  read(name: string, text: string | undefined, fallback: unknown): void {
    this.#known.add(name);
    if (text) this.#set.set(name, withoutPassword(text));
    else if (fallback !== undefined) this.#defaults.set(name, withoutPassword(String(fallback)));
  }

  /** A URL is shown without its password; anything else not at all. A file is named. */
  readSecret(name: string, variables: Readonly<Record<string, string | undefined>>): void {
    const [text, file] = [variables[name], variables[`${name}_FILE`]];
    this.#known.add(name).add(`${name}_FILE`);
    if (text) this.#set.set(name, name.endsWith("_URL") ? withoutPassword(text) : MASKED);
    if (file) this.#set.set(`${name}_FILE`, file);
  }

  summary(variables: Readonly<Record<string, string | undefined>>): EnvironmentSummary {
    const names = Object.keys(variables).filter((name) => variables[name]);
    return {
      set: Object.fromEntries(this.#set),
      defaults: Object.fromEntries(this.#defaults),
      unknown: unknownVariables(names, this.#known),
    };
  }
}

/** The password before the host, and what parameters of Postgres or Redis call one. */
function withoutPassword(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*):[^/?#]*@/i, `$1:${MASKED}@`)
    .replace(/([?&]\w*password=)[^&#]*/gi, `$1${MASKED}`);
}
