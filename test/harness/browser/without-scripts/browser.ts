import type { IncomingHttpHeaders } from "node:http";
import { type Cookies, cookieHeader, keepCookies } from "./cookies.ts";
import { type HtmlForm, readForms } from "./html-form.ts";

export interface BrowserRequest {
  readonly method: "GET" | "POST";
  /** Absolute, to be sent byte for byte. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a POST: the form. */
  readonly body?: string;
}

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** How a request gets to the server: over HTTP, or into an application of this process. */
export type Send<Answer extends BrowserAnswer = BrowserAnswer> = (request: BrowserRequest) => Promise<Answer>;

export interface Page<Answer extends BrowserAnswer = BrowserAnswer> {
  readonly url: string;
  readonly answer: Answer;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly html: string;
  /** Where a redirect leads, as the header says it. */
  readonly location: string | null;
  readonly forms: readonly HtmlForm[];
}

/** What a browser does with the pages of one site, as far as cookies and forms go. It follows no redirect by itself. */
export interface Browser<Answer extends BrowserAnswer = BrowserAnswer> {
  readonly cookies: Cookies;
  /** `url` is absolute, or a path of the site. */
  open(url: string, headers?: Readonly<Record<string, string>>): Promise<Page<Answer>>;
  /** Presses the button with this text. `fields` are the values of inputs by name: typed, chosen, or deliberately wrong. */
  press(
    page: Pick<Page, "url" | "html" | "forms">,
    button: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Page<Answer>>;
}

/** @param origin the site's, such as `https://connect.example` */
export function browser<Answer extends BrowserAnswer>(origin: string, send: Send<Answer>): Browser<Answer> {
  const cookies: Cookies = new Map();

  async function go(
    method: BrowserRequest["method"],
    target: string,
    headers: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<Page<Answer>> {
    const url = target.startsWith("/") ? origin + target : target;
    const cookie = cookieHeader(cookies, new URL(url).pathname);
    const answer = await send({
      method,
      url,
      headers: {
        accept: "text/html",
        ...(cookie && { cookie }),
        ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded", origin }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    keepCookies(cookies, answer.headers["set-cookie"] ?? []);
    return {
      url,
      answer,
      status: answer.status,
      headers: answer.headers,
      html: answer.text,
      location: answer.headers.location ?? null,
      forms: readForms(answer.text),
    };
  }

  return {
    cookies,
    open: (url, headers = {}) => go("GET", url, headers),
    async press(page, text, fields = {}, headers = {}) {
      const form = page.forms.find(({ buttons }) => buttons.some((button) => button.text === text));
      const button = form?.buttons.find((candidate) => candidate.text === text);
      if (!form || !button) throw new Error(`no button '${text}' on ${page.url}:\n${page.html}`);
      const action = new URL(button.formaction ?? (form.action || page.url), page.url);
      const values = new URLSearchParams(submitted(form));
      if (button.name !== undefined) values.set(button.name, button.value);
      for (const [name, value] of Object.entries(fields)) values.set(name, value);
      if (form.method === "POST") return await go("POST", action.href, headers, values.toString());
      action.search = values.toString();
      return await go("GET", action.href, headers);
    },
  };
}

/** What the form sends before anything is typed or chosen. */
function submitted(form: HtmlForm): [string, string][] {
  return form.inputs
    .filter(
      ({ name, disabled, type, checked }) =>
        name !== "" && !disabled && (!/^(?:radio|checkbox)$/.test(type) || checked),
    )
    .map(({ name, value }) => [name, value]);
}
