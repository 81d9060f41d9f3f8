import { type Answer, fields } from "./answer.ts";

export interface NewCredential {
  /** What the command did. */
  readonly sentence: string;
  /** The credential, with the fields that belong to it. */
  readonly shown: readonly (readonly [name: string, value: string])[];
  readonly json: unknown;
  /** What to do with it: "Hand the secret to the partner". */
  readonly next: string;
}

/**
 * The answer of every command that makes a client's secret or an API key (spec: 'the secret is shown once'). No other
 * command can show it, as the database has only its hash.
 */
export function secretShownOnce({ sentence, shown, json, next }: NewCredential): Answer {
  return {
    json,
    text: `${sentence}\n\n${fields(shown)}\n\n${next} now: only its hash is kept, and it is never shown again.`,
  };
}
