import type { IncomingHttpHeaders } from "node:http";
import { parse } from "node-html-parser";

interface BrowserRequest {
  readonly method: "GET" | "POST";
  /** Absolute, to be sent byte for byte. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The encoded form of a POST. */
  readonly body?: string;
}

interface BrowserAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** How a request gets to the server: over HTTP, or into an application of this process. */
type Send<Answer extends BrowserAnswer = BrowserAnswer> = (
  request: BrowserRequest,
) => Promise<Answer>;

export interface Page<Answer extends BrowserAnswer = BrowserAnswer> {
  readonly url: string;
  readonly answer: Answer;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly html: string;
  readonly location: string | null;
  readonly forms: readonly HtmlForm[];
}

/** A browser without scripts for one site. It keeps cookies, sends forms, follows no redirect. */
export interface Browser<Answer extends BrowserAnswer = BrowserAnswer> {
  readonly cookies: Cookies;
  /** `url` is absolute, or a path of the site. */
  open(url: string, headers?: Readonly<Record<string, string>>): Promise<Page<Answer>>;
  /** Presses the button with this text. `fields`: inputs by name, also deliberately wrong. */
  press(
    page: Pick<Page, "url" | "html" | "forms">,
    button: string,
    fields?: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Page<Answer>>;
}

/** @param origin the site's, such as `https://connect.example` */
export function browser<Answer extends BrowserAnswer>(
  origin: string,
  send: Send<Answer>,
): Browser<Answer> {
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

/** The form's values before anything is typed or chosen. */
function submitted(form: HtmlForm): [string, string][] {
  return form.inputs
    .filter(
      ({ name, disabled, type, checked }) =>
        name !== "" && !disabled && (!/^(?:radio|checkbox)$/.test(type) || checked),
    )
    .map(({ name, value }) => [name, value]);
}

// Cookies

/** The cookies of one site, by name; those of a path only, by their name, a space and the path. */
type Cookies = Map<string, string>;

/** The Cookie header of a request for `path`; empty without cookies. */
function cookieHeader(cookies: Cookies, path: string): string {
  return [...cookies]
    .map(([key, value]) => ({ parts: key.split(" "), value }))
    .filter(({ parts: [, folder = ""] }) => `${path}/`.startsWith(`${folder}/`))
    .map(({ parts: [name], value }) => `${name}=${value}`)
    .join("; ");
}

/** Applies Set-Cookie headers: stores cookies, and deletes expired ones. */
function keepCookies(cookies: Cookies, setCookies: readonly string[]): void {
  for (const cookie of setCookies) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    const path = cookieAttribute(cookie, "path") ?? "/";
    const key = path === "/" ? name : `${name} ${path}`;
    if (hasExpired(cookie)) cookies.delete(key);
    else cookies.set(key, value);
  }
}

function hasExpired(cookie: string): boolean {
  const maxAge = cookieAttribute(cookie, "max-age");
  const expires = cookieAttribute(cookie, "expires");
  return maxAge !== undefined
    ? Number(maxAge) <= 0
    : expires !== undefined && Date.parse(expires) <= Date.now();
}

function cookieAttribute(cookie: string, name: string): string | undefined {
  return new RegExp(`;\\s*${name}=([^;]*)`, "i").exec(cookie)?.[1];
}

// Forms

/** A form of a page, as a browser without scripts understands it. */
export type HtmlForm = ReturnType<typeof readForms>[number];

/** Reads a page's forms, as far as ours go: inputs, labels by `for`, buttons, `form`. */
function readForms(html: string) {
  const page = parse(html);
  return page.querySelectorAll("form").map((form) => {
    /** Controls belong to the form that they name, or else to the enclosing one. */
    const own = (tag: string) => [
      ...form.querySelectorAll(`${tag}:not([form])`),
      ...(form.id ? page.querySelectorAll(`${tag}[form="${form.id}"]`) : []),
    ];
    const inputs = own("input").map((input) => {
      const {
        name = "",
        type = "text",
        value = type === "radio" ? "on" : "",
        checked,
        disabled,
      } = input.attributes;
      const label = input.id && page.querySelector(`label[for="${input.id}"]`)?.innerHTML;
      return {
        name,
        value,
        type,
        label: textOf(label || ""),
        checked: checked !== undefined,
        disabled: disabled !== undefined,
      };
    });
    return {
      action: form.getAttribute("action") ?? "",
      method: form.getAttribute("method")?.toLowerCase() === "post" ? "POST" : "GET",
      inputs,
      radios: inputs.filter(({ type }) => type === "radio"),
      /** The values of the hidden inputs, by name. */
      fields: Object.fromEntries(
        inputs.filter(({ type }) => type === "hidden").map(({ name, value }) => [name, value]),
      ),
      buttons: own("button").map(({ innerHTML, attributes: { name, value = "", formaction } }) => {
        // `formaction`: where it sends the form, if not to the form's own address.
        return { text: textOf(innerHTML), name, value, formaction };
      }),
    };
  });
}

export function textOf(html: string): string {
  return parse(html.replaceAll(/<[^>]*>/g, " "))
    .text.replaceAll(/\s+/g, " ")
    .trim();
}
