import {
  type Browser,
  type Page as BrowserPage,
  browser,
  type HtmlForm,
  textOf,
} from "../browser/without-scripts.ts";
import { type Answer, send } from "./http.ts";
import type { MerchantAccount } from "./onboarding.ts";

/** The page at which a browser has arrived, or an address that is not ours. */
export interface Page {
  readonly url: string;
  /** Null when a redirect has led away from us: a test's partner has no server. */
  readonly answer: Answer | null;
  readonly text: string;
  readonly forms: readonly HtmlForm[];
}

export type MerchantBrowser = ReturnType<typeof merchantBrowser>;

/** A merchant's browser without scripts, which follows redirects between our hosts. */
export function merchantBrowser(account: MerchantAccount) {
  const sites = new Map<string, Browser<Answer>>();

  /** Each of our hosts has its own cookies. */
  function siteOf(url: string): Browser<Answer> {
    const { origin } = new URL(url);
    const site = sites.get(origin) ?? browser(origin, ({ url, ...request }) => send(url, request));
    sites.set(origin, site);
    return site;
  }

  async function follow({ url, answer, forms, location }: BrowserPage<Answer>): Promise<Page> {
    if (location === null) return { url, answer, text: textOf(answer.text), forms };
    const target = URL.parse(location) ? location : new URL(location, url).href;
    if (new URL(target).host !== new URL(url).host)
      return { url: target, answer: null, text: "", forms: [] };
    return await follow(await siteOf(target).open(target));
  }

  const open = async (url: string): Promise<Page> => await follow(await siteOf(url).open(url));

  /** Presses the button with this text; fields and radios are found by their labels. */
  const press = async (
    page: Page,
    button: string,
    fields: Readonly<Record<string, string | true>> = {},
  ) => {
    const form = page.forms.find(({ buttons }) => buttons.some(({ text }) => text === button));
    const values = Object.entries(fields).map(([label, value]) => {
      const found = form?.inputs.filter((input) => input.label === label && !input.disabled) ?? [];
      const [input] = found;
      if (!input || found.length > 1)
        throw new Error(`${found.length} fields '${label}' on ${page.url}: ${page.text}`);
      return [input.name, value === true ? input.value : value];
    });
    const shown = { ...page, html: page.text };
    return await follow(await siteOf(page.url).press(shown, button, Object.fromEntries(values)));
  };

  /** Goes from the partner's link to the page that asks for approval, and signs in if asked. */
  async function openConsent(authorizeUrl: string): Promise<Page> {
    const page = await open(authorizeUrl);
    if (!page.forms.some(({ buttons }) => buttons.some(({ text }) => text === "Sign in")))
      return page;
    return await press(page, "Sign in", { Email: account.email, Password: account.password });
  }

  function urlAtPartner(page: Page): string {
    if (page.answer !== null)
      throw new Error(`still on ${page.url} (${page.answer.status}): ${page.text}`);
    return page.url;
  }

  return {
    open,
    press,
    openConsent,
    /** Approves, and returns the partner's URL that the browser is sent back to. */
    approve: async (authorizeUrl: string, { name }: { readonly name: string }) =>
      urlAtPartner(await press(await openConsent(authorizeUrl), "Approve", { [name]: true })),
    decline: async (authorizeUrl: string) =>
      urlAtPartner(await press(await openConsent(authorizeUrl), "Decline")),
    /** The values of this browser's cookies. */
    cookies: () => [...sites.values()].flatMap(({ cookies }) => [...cookies.values()]),
  };
}
