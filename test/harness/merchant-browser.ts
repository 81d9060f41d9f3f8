import { type HtmlForm, readForms, textOf } from "./html-form.ts";
import { type Answer, send, sendForm } from "./http.ts";
import type { MerchantAccount } from "./onboarding.ts";

/** Where a browser has arrived: a page of ours, or an address that is not. */
export interface Page {
  readonly url: string;
  /** Null when a redirect has led away from us: a test's partner has no server. */
  readonly answer: Answer | null;
  readonly text: string;
  readonly forms: readonly HtmlForm[];
  /** The statuses of the redirects on the way, the last one last. */
  readonly redirects: readonly number[];
}

/** A merchant's browser without scripts: keeps cookies, follows redirects within our hosts, fills in real forms. */
export interface MerchantBrowser {
  open(url: string): Promise<Page>;
  /** Presses the button with this text, with these fields filled in or radios chosen, each by its label. */
  press(page: Page, button: string, fields?: Readonly<Record<string, string | true>>): Promise<Page>;
  /** From the partner's link to the page that asks for approval, signing in where that is asked. */
  openConsent(authorizeUrl: string): Promise<Page>;
  /** All the way to the partner: the URL that the browser is sent back to. */
  approve(authorizeUrl: string, shop: { readonly name: string }): Promise<string>;
  decline(authorizeUrl: string): Promise<string>;
  /** The values of the cookies it holds. */
  cookies(): string[];
}

export function merchantBrowser(account: MerchantAccount): MerchantBrowser {
  const cookies = new Map<string, string>();

  function remember(host: string, answer: Answer): void {
    for (const cookie of answer.headers["set-cookie"] ?? []) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      const path = /;\s*path=([^;]*)/i.exec(cookie)?.[1] ?? "/";
      const isGone = /;\s*(?:max-age=0|expires=Thu, 01 Jan 1970)/i.test(cookie);
      const key = `${host} ${path} ${name}`;
      if (isGone) cookies.delete(key);
      else cookies.set(key, value);
    }
  }

  function cookieHeader(host: string, path: string): string {
    return [...cookies]
      .map(([key, value]) => ({ parts: key.split(" "), value }))
      .filter(({ parts: [of, below = "/"] }) => of === host && isBelow(path, below))
      .map(({ parts, value }) => `${parts[2]}=${value}`)
      .join("; ");
  }

  async function go(url: string, form?: URLSearchParams, redirects: readonly number[] = []): Promise<Page> {
    const { host, pathname } = new URL(url);
    const cookie = cookieHeader(host, pathname);
    const headers: Record<string, string> = cookie ? { cookie } : {};
    const answer = form
      ? await sendForm(url, form, { ...headers, origin: new URL(url).origin })
      : await send(url, { headers });
    remember(host, answer);
    const { location } = answer.headers;
    if (location === undefined)
      return { url, answer, text: textOf(answer.text), forms: readForms(answer.text), redirects };
    const passed = [...redirects, answer.status];
    const target = URL.parse(location) ? location : new URL(location, url).href;
    if (new URL(target).host !== host) return { url: target, answer: null, text: "", forms: [], redirects: passed };
    return await go(target, undefined, passed);
  }

  async function press(
    page: Page,
    button: string,
    fields: Readonly<Record<string, string | true>> = {},
  ): Promise<Page> {
    const form = page.forms.find(({ buttons }) => buttons.some(({ text }) => text === button));
    const pressed = form?.buttons.find(({ text }) => text === button);
    if (!form || !pressed) throw new Error(`no button '${button}' on ${page.url}: ${page.text}`);
    const values = new URLSearchParams();
    for (const label of Object.keys(fields)) {
      const found = form.inputs.filter((input) => input.label === label && !input.disabled);
      if (found.length !== 1) throw new Error(`${found.length} fields '${label}' on ${page.url}: ${page.text}`);
    }
    const isChosen = form.inputs.some(({ type, label }) => type === "radio" && fields[label] === true);
    for (const input of form.inputs) {
      const given = fields[input.label];
      if (input.disabled || input.name === "") continue;
      if (input.type === "radio" ? (isChosen ? given === true : input.checked) : true) {
        values.append(input.name, typeof given === "string" ? given : input.value);
      }
    }
    if (pressed.name !== undefined) values.append(pressed.name, pressed.value);
    const action = new URL(form.action || page.url, page.url);
    if (form.method === "POST") return await go(action.href, values);
    action.search = values.toString();
    return await go(action.href);
  }

  async function openConsent(authorizeUrl: string): Promise<Page> {
    const page = await go(authorizeUrl);
    if (!page.forms.some(({ buttons }) => buttons.some(({ text }) => text === "Sign in"))) return page;
    return await press(page, "Sign in", { Email: account.email, Password: account.password });
  }

  function arrival(page: Page): string {
    if (page.answer !== null) throw new Error(`still on ${page.url} (${page.answer.status}): ${page.text}`);
    return page.url;
  }

  return {
    open: (url) => go(url),
    press,
    openConsent,
    approve: async (authorizeUrl, { name }) =>
      arrival(await press(await openConsent(authorizeUrl), "Approve", { [name]: true })),
    decline: async (authorizeUrl) => arrival(await press(await openConsent(authorizeUrl), "Decline")),
    cookies: () => [...cookies.values()],
  };
}

function isBelow(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
