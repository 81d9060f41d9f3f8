import type { Merchant } from "@partner-connect/directory";
import type { FastifyInstance, FastifyReply } from "fastify";
import { type PageAssets, pageAssets } from "./assets.ts";
import { ownPath } from "./own-path.ts";
import { PASSWORD_PATH } from "./paths.ts";
import type { ProductLogo } from "./product-logo.ts";

/** URLs that each page links to; null for no link. */
export interface PageLinks {
  readonly help: string | null;
  readonly privacy: string | null;
  readonly terms: string | null;
}

/** What merchants know us by. */
export interface Product {
  readonly name: string;
  /** Null for our own. */
  readonly logo: ProductLogo | null;
  /** The rule of a stylesheet; null for our own colours. */
  readonly colors: string | null;
}

interface PageSettings {
  readonly publicBaseUrl: string;
  readonly links: PageLinks;
  readonly productName: string;
  readonly assets: PageAssets;
}

declare module "fastify" {
  interface FastifyInstance {
    readonly pageSettings: PageSettings;
  }
}

/** Of the whole application, because other features' routes and the error handler send merchant pages too. */
export function providePageSettings(
  app: FastifyInstance,
  { product, ...settings }: Omit<PageSettings, "productName" | "assets"> & { readonly product: Product },
): void {
  const assets = pageAssets(product.logo, product.colors);
  app.decorate("pageSettings", { ...settings, productName: product.name, assets });
}

export interface AccountView {
  readonly merchant: Merchant;
  readonly signOutPath: string;
  readonly token: string;
  /** While an app waits for a decision, a merchant signs out to use another account. */
  readonly purpose: "use_another" | "sign_out";
}

export interface PageFrame {
  readonly host: string;
  readonly productName: string;
  readonly assets: PageAssets;
  readonly links: PageLinks;
  /** Where this page can be opened again, in another language; null if it can't. */
  readonly path: string | null;
  readonly account: AccountView | null;
  /** The page says why what was sent is refused. */
  readonly isRefusal: boolean;
  /** Whether merchants sign in by passwords. */
  readonly hasPasswords: boolean;
  /** The path of the script that the page runs. Default: none. */
  readonly script?: string | undefined;
}

export function pageFrame(reply: FastifyReply, account: AccountView | null, script?: string): PageFrame {
  const { request, server } = reply;
  const { publicBaseUrl, links, productName, assets } = server.pageSettings;
  return {
    host: request.host || new URL(publicBaseUrl).host,
    productName,
    assets,
    links,
    path: pagePath(reply),
    account,
    isRefusal: request.method === "POST" && reply.statusCode >= 400,
    hasPasswords: server.hasRoute({ method: "GET", url: PASSWORD_PATH }),
    script,
  };
}

/** Where the page of this request can be opened again; null if it can't. A page that answers a form can if its path is a page's path too. */
export function pagePath({ request, server }: FastifyReply): string | null {
  const { url } = request.routeOptions;
  const canBeOpened = request.method === "GET" || (url !== undefined && server.hasRoute({ method: "GET", url }));
  return canBeOpened ? ownPath(request.url) : null;
}
