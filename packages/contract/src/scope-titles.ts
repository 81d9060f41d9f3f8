import type { Scope } from "./scope.ts";

/** Languages of pages and mails. */
export const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What a scope allows, in the words shown to merchants. */
export const SCOPE_TITLES: Readonly<Record<Language, Readonly<Record<Scope, string>>>> = {
  en: { "responses:read": "Read survey responses and questions", "sources:write": "Add attribution sources" },
  de: { "responses:read": "Umfrageantworten und Fragen lesen", "sources:write": "Attributionsquellen anlegen" },
  fr: {
    "responses:read": "Lire les réponses et les questions des sondages",
    "sources:write": "Ajouter des sources d’attribution",
  },
  es: {
    "responses:read": "Leer las respuestas y las preguntas de las encuestas",
    "sources:write": "Añadir fuentes de atribución",
  },
};
