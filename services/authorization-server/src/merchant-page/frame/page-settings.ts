import type { FastifyInstance } from "fastify";

/** What every merchant page has from the configuration. */
export interface PageSettings {
  readonly publicBaseUrl: string;
  readonly links: PageLinks;
}

/** URLs that each page links to; null for no link. */
export interface PageLinks {
  readonly help: string | null;
  readonly privacy: string | null;
  readonly terms: string | null;
}

declare module "fastify" {
  interface FastifyInstance {
    readonly pageSettings: PageSettings;
  }
}

/** Of the whole application, because routes of other rooms and the error handler send merchant pages too. */
export function providePageSettings(app: FastifyInstance, settings: PageSettings): void {
  app.decorate("pageSettings", settings);
}
