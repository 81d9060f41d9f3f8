import type { FastifyInstance } from "fastify";
import { expect } from "vitest";
import {
  type Browser,
  browser,
  type Page,
} from "../../../../test/harness/browser/without-scripts.ts";
import { BASE_URL } from "./replicas.ts";

export type { Page } from "../../../../test/harness/browser/without-scripts.ts";

/** Asserts the page for faults of stores and our own limits, which doesn't blame the merchant. */
export function expectUnavailable(page: Page): void {
  expectPage(page, 503, "Please try again shortly");
  expect(Number(page.headers["retry-after"])).toBeGreaterThan(0);
  expect(page.html).not.toContain("Incorrect email");
}

/** Asserts that the page has this status and contains this text. */
export function expectPage({ status, html }: Page, expected: number, text: string): void {
  expect([status, html]).toEqual([expected, expect.stringContaining(text)]);
}

export type MerchantBrowser = ReturnType<typeof merchantBrowser>;

/** A browser at an https origin, with its own address. It calls the replicas in turn. */
export function merchantBrowser(apps: readonly FastifyInstance[], remoteAddress = "192.0.2.1") {
  let asked = 0;
  const site: Browser = browser(BASE_URL, async ({ method, url, headers, body }) => {
    const app = apps[asked++ % apps.length];
    if (!app) throw new Error("no replica");
    const response = await app.inject({
      method,
      url: url.slice(BASE_URL.length),
      remoteAddress,
      headers: { host: new URL(BASE_URL).host, ...headers },
      ...(body !== undefined && { payload: body }),
    });
    const setCookie = [response.headers["set-cookie"] ?? []].flat().map(String);
    return {
      status: response.statusCode,
      headers: {
        ...(response.headers as object),
        ...(setCookie.length > 0 && { "set-cookie": setCookie }),
      },
      text: response.body,
    };
  });
  /** Opens the page to which the response redirects, following redirects as a browser does. */
  const arrive = async (page: Page): Promise<Page> =>
    page.location?.startsWith("/") ? await arrive(await site.open(page.location)) : page;
  return {
    ...site,
    arrive,
    /** Follows redirects within our host, and returns the first one that leaves it. */
    follow: async (page: Page) => new URL((await arrive(page)).location ?? "nowhere"),
  };
}
