import type { FastifyInstance, LightMyRequestResponse } from "fastify";

/** A form as a page shows it: where it goes, what it sends by itself, and its buttons by their text. */
export interface Form {
  readonly method: "GET" | "POST";
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly radios: readonly { readonly label: string; readonly value: string; readonly disabled: boolean }[];
  readonly buttons: readonly { readonly text: string; readonly name: string | null; readonly value: string }[];
}

export interface Page {
  readonly status: number;
  readonly html: string;
  readonly location: string | null;
  readonly headers: LightMyRequestResponse["headers"];
  readonly forms: readonly Form[];
}

/** What a merchant's browser does with our pages, as far as cookies and forms go; it follows no redirect by itself. */
export interface MerchantBrowser {
  /** Those of the whole host by their name; one of a path only by its name, a space and the path. */
  readonly cookies: Map<string, string>;
  open(path: string, headers?: Record<string, string>): Promise<Page>;
  /** Presses a button of the page; `fields` are typed or chosen, or deliberately wrong. */
  press(page: Page, button: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Page>;
  /** Follows our own redirects to the one that leaves us. */
  follow(page: Page): Promise<URL>;
}

/** One that asks each of the replicas in turn, as through the gateway. */
export function merchantBrowser(apps: readonly FastifyInstance[], remoteAddress = "192.0.2.1"): MerchantBrowser {
  const cookies = new Map<string, string>();
  let asked = 0;

  function cookiesFor(url: string): string {
    const sent = [...cookies].flatMap(([key, value]) => {
      const [name, path = "/"] = key.split(" ");
      return url.startsWith(path) ? [`${name}=${value}`] : [];
    });
    return sent.join("; ");
  }

  async function ask(method: "GET" | "POST", url: string, body: string | null, headers: Record<string, string>) {
    const app = apps[asked++ % apps.length];
    if (!app) throw new Error("no replica");
    const response = await app.inject({
      method,
      url,
      remoteAddress,
      headers: {
        host: "connect.example",
        accept: "text/html",
        cookie: cookiesFor(url),
        ...(body !== null && { "content-type": "application/x-www-form-urlencoded" }),
        ...headers,
      },
      ...(body !== null && { payload: body }),
    });
    for (const { name, value, path = "/", maxAge, expires } of response.cookies) {
      const key = path === "/" ? name : `${name} ${path}`;
      if (value === "" || maxAge === 0 || (expires && expires.getTime() <= Date.now())) cookies.delete(key);
      else cookies.set(key, value);
    }
    return page(response);
  }

  return {
    cookies,
    open: (path, headers = {}) => ask("GET", path, null, headers),
    async follow({ location }) {
      let next = location ?? "";
      while (next.startsWith("/")) next = (await ask("GET", next, null, {})).location ?? "nowhere";
      return new URL(next);
    },
    async press(shown, text, fields = {}, headers = {}) {
      const form = shown.forms.find(({ buttons }) => buttons.some((button) => button.text === text));
      const button = form?.buttons.find((candidate) => candidate.text === text);
      if (!form || !button) throw new Error(`no button '${text}' on the page:\n${shown.html}`);
      const sent = { ...form.fields, ...(button.name !== null && { [button.name]: button.value }), ...fields };
      const body = new URLSearchParams(sent).toString();
      if (form.method === "GET") return await ask("GET", body ? `${form.action}?${body}` : form.action, null, headers);
      return await ask("POST", form.action, body, { origin: "https://connect.example", ...headers });
    },
  };
}

function page(response: LightMyRequestResponse): Page {
  const html = response.body;
  return {
    status: response.statusCode,
    html,
    location: response.headers.location?.toString() ?? null,
    headers: response.headers,
    forms: [...html.matchAll(/<form ([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = "", content = ""]) => ({
      method: attribute(attributes, "method") === "post" ? "POST" : "GET",
      action: attribute(attributes, "action") ?? "",
      fields: Object.fromEntries(
        [...content.matchAll(/<input type="hidden" ([^>]*)>/g)].map(([, input = ""]) => [
          attribute(input, "name") ?? "",
          attribute(input, "value") ?? "",
        ]),
      ),
      radios: [...content.matchAll(/<input type="radio" ([^>]*)>.*?<label[^>]*>(.*?)<\/label>/gs)].map(
        ([, input = "", label = ""]) => ({
          label: text(label),
          value: attribute(input, "value") ?? "",
          disabled: /\bdisabled\b/.test(input),
        }),
      ),
      buttons: [...content.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)].map(([, button = "", label = ""]) => ({
        text: text(label),
        name: attribute(button, "name"),
        value: attribute(button, "value") ?? "",
      })),
    })),
  };
}

function attribute(attributes: string, name: string): string | null {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? null : text(value);
}

/** Markup as its reader sees it. */
export function text(markup: string): string {
  const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
  return markup.replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? "");
}
