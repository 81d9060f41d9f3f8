import type { Scope } from "@partner-connect/contract";
import { type Html, html } from "@partner-connect/service-runtime/html";

/** Drawings of 24 × 24. They are decoration: the text beside each says the same. */
const PATHS: Readonly<Record<Scope | "clock" | "person", string>> = {
  "responses:read":
    "M5 4h14a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-7l-4.5 3.5V17H5a1.5 1.5 0 0 1-1.5-1.5v-10A1.5 1.5 0 0 1 5 4ZM7.5 8.5h9M7.5 12.5h6",
  "sources:write": "M12 4v16M4 12h16",
  clock: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17ZM12 7.5V12l3 2",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8ZM4.5 20.5c.5-4 3.5-6 7.5-6s7 2 7.5 6",
};

export function icon(name: keyof typeof PATHS): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
}
