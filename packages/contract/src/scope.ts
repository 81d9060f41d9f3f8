/** The plans in order: each allows what the plans before it allow. */
export const PLANS = ["standard", "advanced_attribution"] as const;
export type Plan = (typeof PLANS)[number];

/** A scope's smallest plan (guides/plans.md), and whether it reads customers' personal data. */
const RULES = {
  "responses:read": { plan: "standard", opensPersonalData: true },
  "sources:write": { plan: "advanced_attribution", opensPersonalData: false },
} as const satisfies Record<string, { plan: Plan; opensPersonalData: boolean }>;

export type Scope = keyof typeof RULES;
export const SCOPES = Object.keys(RULES) as readonly Scope[];

/** True if the scope gives access to personal data of a shop's customers. */
export function opensPersonalData(scope: readonly Scope[]): boolean {
  return scope.some((value) => RULES[value].opensPersonalData);
}

/** The syntax of a `scope` parameter (RFC 6749 §3.3): scopes separated by single spaces. */
export const SCOPE_LIST = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}

/**
 * The distinct values of a `scope` parameter in order, including unknown ones; null if it is
 * malformed (RFC 6749 §3.3).
 */
export function parseScope(scope: string): string[] | null {
  if (!SCOPE_LIST.test(scope)) return null;
  return [...new Set(scope.split(" "))];
}

/** The scopes that a plan allows. The shop's API keys have all of them. */
export function scopeOfPlan(plan: Plan): readonly Scope[] {
  return SCOPES.filter((scope) => PLANS.indexOf(RULES[scope].plan) <= PLANS.indexOf(plan));
}

/** The smallest plan that allows all of this scope. */
export function leastPlan(scope: readonly Scope[]): Plan {
  return PLANS.findLast((plan) => scope.some((value) => RULES[value].plan === plan)) ?? PLANS[0];
}

/** The part of `requested` that both the client and the plan allow, in the requested order. */
export function grantableScope(
  requested: readonly string[],
  clientScope: readonly string[],
  plan: Plan,
): Scope[] {
  return requested.filter(
    (value): value is Scope =>
      isScope(value) && clientScope.includes(value) && scopeOfPlan(plan).includes(value),
  );
}

/** Languages of pages and mails. */
export const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The titles of scopes as merchants see them. */
export const SCOPE_TITLES: Readonly<Record<Language, Readonly<Record<Scope, string>>>> = {
  en: {
    "responses:read": "Read survey responses and questions",
    "sources:write": "Add attribution sources",
  },
  de: {
    "responses:read": "Umfrageantworten und Fragen lesen",
    "sources:write": "Attributionsquellen anlegen",
  },
  fr: {
    "responses:read": "Lire les réponses et les questions des sondages",
    "sources:write": "Ajouter des sources d’attribution",
  },
  es: {
    "responses:read": "Leer las respuestas y las preguntas de las encuestas",
    "sources:write": "Añadir fuentes de atribución",
  },
};
