import type { FastifyInstance, FastifyReply } from "fastify";
import { ownPath } from "../forms/own-path.ts";
import type { AccountView } from "./account.view.ts";

/** URLs that each page links to; null for no link. */
export interface PageLinks {
  readonly help: string | null;
  readonly privacy: string | null;
  readonly terms: string | null;
}

export interface PageSettings {
  readonly publicBaseUrl: string;
  readonly links: PageLinks;
}

declare module "fastify" {
  interface FastifyInstance {
    readonly pageSettings: PageSettings;
  }
}

/** Of the whole application, because other features' routes and the error handler send merchant pages too. */
export function providePageSettings(app: FastifyInstance, settings: PageSettings): void {
  app.decorate("pageSettings", settings);
}

export interface PageFrame {
  readonly host: string;
  readonly links: PageLinks;
  /** Where this page can be opened again, in another language; null if it can't. */
  readonly path: string | null;
  readonly account: AccountView | null;
}

export function pageFrame(reply: FastifyReply, account: AccountView | null): PageFrame {
  const { request, server } = reply;
  const { publicBaseUrl, links } = server.pageSettings;
  return {
    host: request.host || new URL(publicBaseUrl).host,
    links,
    path: canBeOpened(reply) ? ownPath(request.url) : null,
    account,
  };
}

/** A page that answers a form can be opened again if its path is a page's path too. */
function canBeOpened({ request, server }: FastifyReply): boolean {
  const { url } = request.routeOptions;
  return request.method === "GET" || (url !== undefined && server.hasRoute({ method: "GET", url }));
}
