import { PARTNER_PATH } from "../pages/paths.ts";

/** The sections of a client's pages, in the order of the navigation. The navigation names those that are registered. */
export const SECTIONS = [
  "overview",
  "connections",
  "refusals",
  "usage",
  "webhooks",
  "credentials",
  "test-shops",
] as const;
export type Section = (typeof SECTIONS)[number];

export function sectionPath(clientId: string, section: Section): string {
  return section === "overview" ? `${PARTNER_PATH}/${clientId}` : `${PARTNER_PATH}/${clientId}/${section}`;
}

/** The pattern of a section's route, and of what is below it. */
export function sectionRoute(section: Section): string {
  return sectionPath(":clientId", section);
}
