import { redisUrl } from "../redis/cluster/cluster-address.ts";
import { type EnvironmentSummary, VariableNotes } from "./environment-summary.ts";
import {
  absoluteUrl,
  commaSeparated,
  flag,
  memorySize,
  type NumberForm,
  type Parsed,
  pageUrl,
  publicUrl,
  readSecret,
  share,
  smtpUrl,
  storeUrl,
  supportUrl,
  wholeNumber,
  withPassword,
} from "./variable-forms.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface NumberOptions extends NumberForm {
  /** For a variable that is not set; without it the variable is required. */
  readonly fallback?: number;
}

/** Typed reads of environment variables, required unless there is a fallback. Empty is not set. A secret X may be in X_FILE. */
export class Environment {
  readonly problems: string[] = [];
  readonly #variables: Variables;
  readonly #notes = new VariableNotes();

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  get summary(): EnvironmentSummary {
    return this.#notes.summary(this.#variables);
  }

  isSet(name: string): boolean {
    this.#notes.isKnown(name);
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

  flag(name: string, fallback?: boolean): boolean {
    return this.#read(name, fallback, flag);
  }

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

  /** Where others reach us, without a slash at its end: https, or http on this machine alone. */
  publicUrl(name: string, fallback?: string): string {
    return this.#read(name, fallback, publicUrl);
  }

  /** A page that ours link to: https, or http on this machine alone. Null if the variable is not set. */
  pageUrl(name: string): string | null {
    return this.isSet(name) ? this.#read(name, undefined, pageUrl) : null;
  }

  /** Where people ask for help: https or `mailto:`. Null if the variable is not set. */
  supportUrl(name: string): string | null {
    return this.isSet(name) ? this.#read(name, undefined, supportUrl) : null;
  }

  list(name: string, fallback?: readonly string[]): readonly string[] {
    return this.#read(name, fallback, commaSeparated);
  }

  /** A variable whose form one program alone knows. Its problems follow the name. */
  parsed<Value>(name: string, fallback: Value, parse: (text: string) => Parsed<Value>): Value {
    return fallback === null && !this.isSet(name) ? fallback : this.#read(name, fallback, parse);
  }

  secret(name: string): string {
    return this.optionalSecret(name) ?? this.#missing(name);
  }

  /** Undefined if neither the variable nor `NAME_FILE` is set. */
  optionalSecret(name: string): string | undefined {
    return this.#secret(name, (text) => ({ value: text }));
  }

  /** A store's URL, secret as it may hold a password, or without one: `passwordName` has it. It may name several hosts. */
  storeUrl(name: string, passwordName?: string): string {
    return this.#storeUrl(name, passwordName, storeUrl) ?? this.#missing(name);
  }

  /** The same of a Redis, which may be a cluster of several hosts: `redis+cluster://`. */
  redisUrl(name: string, passwordName?: string): string {
    return this.optionalRedisUrl(name, passwordName) ?? this.#missing(name);
  }

  optionalRedisUrl(name: string, passwordName?: string): string | undefined {
    return this.#storeUrl(name, passwordName, redisUrl);
  }

  /** A store's URL, whatever its form; undefined if neither the variable nor `NAME_FILE` is set. */
  optionalStoreUrl(name: string, passwordName?: string): string | undefined {
    return this.#storeUrl(name, passwordName, (text) => ({ value: text }));
  }

  /** A mail server's URL, secret as it may hold a password; undefined if neither the variable nor `NAME_FILE` is set. */
  optionalSmtpUrl(name: string): string | undefined {
    return this.#secret(name, smtpUrl);
  }

  #storeUrl(
    name: string,
    passwordName: string | undefined,
    form: (text: string) => Parsed<string>,
  ): string | undefined {
    const url = this.#secret(name, form);
    const password = passwordName === undefined ? undefined : this.optionalSecret(passwordName);
    if (password === undefined || !url) return url;
    const parsed = withPassword(url, password);
    if ("value" in parsed) return parsed.value;
    this.problems.push(`${passwordName} is set, and ${name} ${parsed.problem}`);
    return url;
  }

  #read<Value>(name: string, fallback: Value | undefined, parse: (text: string) => Parsed<Value>): Value {
    const text = this.#variables[name];
    this.#notes.read(name, text, fallback);
    if (!text && fallback !== undefined) return fallback;
    if (!text) return this.#missing(name);
    return this.#parsed(name, text, parse) ?? (text as Value);
  }

  #secret(name: string, parse: (text: string) => Parsed<string>): string | undefined {
    this.#notes.readSecret(name, this.#variables);
    const given = readSecret(name, this.#variables);
    if (given === null) return undefined;
    if ("value" in given) return this.#parsed(name, given.value, parse) ?? "";
    this.problems.push(given.problem);
    return "";
  }

  #parsed<Value>(name: string, text: string, parse: (text: string) => Parsed<Value>): Value | undefined {
    const parsed = parse(text);
    if ("value" in parsed) return parsed.value;
    this.problems.push(`${name} ${parsed.problem}`);
    return undefined;
  }

  /** In place of a value, until `readEnvironment` throws. Not undefined, as it may be another variable's fallback. */
  #missing<Value>(name: string): Value {
    this.problems.push(`${name} is not set`);
    return "" as Value;
  }
}
