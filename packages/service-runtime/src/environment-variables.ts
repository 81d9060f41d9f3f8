import {
  absoluteUrl,
  commaSeparated,
  memorySize,
  type NumberForm,
  type Parsed,
  pageUrl,
  publicUrl,
  share,
  storeUrl,
  wholeNumber,
} from "./variable-forms.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface NumberOptions extends NumberForm {
  /** For a variable that is not set; without it the variable is required. */
  readonly fallback?: number;
}

/** Typed reads of environment variables, each required unless it has a fallback. An empty one counts as not set. */
export class Environment {
  readonly problems: string[] = [];
  readonly #variables: Variables;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  isSet(name: string): boolean {
    return Boolean(this.#variables[name]);
  }

  string(name: string, fallback?: string): string {
    return this.#read(name, fallback, (text) => ({ value: text }));
  }

  integer(name: string, { fallback, ...form }: NumberOptions = {}): number {
    return this.#read(name, fallback, (text) => wholeNumber(text, form));
  }

  port(name: string, fallback?: number): number {
    return this.#read(name, fallback, (text) => wholeNumber(text, { max: 65_535 }));
  }

  seconds(name: string, { fallback, ...form }: NumberOptions = {}): number {
    return this.#read(name, fallback, (text) => wholeNumber(text, { ...form, unit: "seconds" }));
  }

  /** A part of a whole, from 0 to 1. */
  share(name: string, fallback: number): number {
    return this.#read(name, fallback, share);
  }

  /** Bytes of a size as Redis writes it, such as `256mb`. */
  memorySize(name: string, fallback?: number): number {
    return this.#read(name, fallback, memorySize);
  }

  /** An absolute URL, without a slash at its end. */
  url(name: string, fallback?: string): string {
    return this.#read(name, fallback, absoluteUrl);
  }

  /** A store's URL. It may name several hosts, which `URL` can't parse. */
  storeUrl(name: string): string {
    return this.#read(name, undefined, storeUrl);
  }

  /** Where others reach us, without a slash at its end: https, or http on this machine alone. */
  publicUrl(name: string, fallback?: string): string {
    return this.#read(name, fallback, publicUrl);
  }

  /** A page that ours link to: https, or http on this machine alone. Null if the variable is not set. */
  pageUrl(name: string): string | null {
    return this.isSet(name) ? this.#read(name, undefined, pageUrl) : null;
  }

  /** Comma-separated values. */
  list(name: string, fallback?: readonly string[]): readonly string[] {
    return this.#read(name, fallback, commaSeparated);
  }

  #read<Value>(name: string, fallback: Value | undefined, parse: (text: string) => Parsed<Value>): Value {
    const text = this.#variables[name];
    if (!text && fallback !== undefined) return fallback;
    const parsed = text ? parse(text) : { problem: "is not set" };
    if ("value" in parsed) return parsed.value;
    this.problems.push(`${name} ${parsed.problem}`);
    // In place of a value, until `readEnvironment` throws. Not undefined, as it may be another variable's fallback.
    return (text ?? "") as Value;
  }
}
