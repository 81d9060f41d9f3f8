import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { send, sendForm } from "./http.ts";

/** What a user of Airbyte fills in. */
export interface AirbyteConfig {
  readonly base_url: string;
  readonly start_date: string;
  readonly credentials: Readonly<Record<string, string>>;
}

export type AirbyteRecord = Readonly<Record<string, unknown>>;

/** What one sync of a stream read, and the newest value of its cursor field ever, which the next sync begins from. */
export interface StreamRead {
  readonly records: readonly AirbyteRecord[];
  readonly state: string | null;
  readonly pages: number;
}

const MANIFEST = new URL("../../../packages/public-api/airbyte.yaml", import.meta.url);

// biome-ignore lint/suspicious/noExplicitAny: what the manifest says; a test beside it checks its components
type Part = any;

/** Follows the manifest for Airbyte as its CDK does, as far as this manifest goes. What it can't follow is an error. */
export function airbyte(config: AirbyteConfig) {
  const manifest: Part = parse(readFileSync(MANIFEST, "utf8"));
  const resolve = ({ $ref, ...own }: Part): Part =>
    $ref === undefined ? own : { ...manifest.definitions[$ref.split("/")[2]], ...own };
  const streams = new Map<string, Part>(manifest.streams.map((stream: Part) => [stream.name, stream]));
  let accessToken: string | null = null;

  async function authorization(authenticator: Part): Promise<string> {
    const [name, field] = authenticator.authenticator_selection_path;
    const chosen = authenticator.authenticators[(config as Part)[name][field]];
    if (chosen.type === "ApiKeyAuthenticator") return fill(chosen.api_token, config, null);
    accessToken ??= await refresh(chosen);
    return `Bearer ${accessToken}`;
  }

  /** The client's credentials are in the header, so the form has none. */
  async function refresh(oauth: Part): Promise<string> {
    const form = { grant_type: oauth.grant_type, refresh_token: fill(oauth.refresh_token, config, null) };
    const headers = { authorization: fill(oauth.refresh_request_headers.Authorization, config, null) };
    const answer = await sendForm(fill(oauth.token_refresh_endpoint, config, null), form, headers);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json().access_token;
  }

  return {
    names: [...streams.keys()],
    async read(name: string, state: string | null = null): Promise<StreamRead> {
      const { retriever, incremental_sync: sync } = streams.get(name);
      const requester = resolve(retriever.requester);
      const strategy = retriever.paginator && resolve(retriever.paginator).pagination_strategy;
      const { field_path: fieldPath } = resolve(retriever.record_selector).extractor;
      const parameters = new URLSearchParams(requester.request_parameters);
      if (sync) parameters.set(sync.start_time_option.field_name, startOf(sync, state));
      const base = fill(requester.url_base, config, null);
      const records: AirbyteRecord[] = [];
      let pages = 0;
      for (let url: string | null = `${base}${requester.path}`; url !== null; pages++) {
        const headers = { authorization: await authorization(requester.authenticator) };
        const answer = await send(withParameters(url, parameters), { headers });
        if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${answer.text}`);
        const body = answer.json();
        records.push(...[fieldPath.reduce((inner: Part, key: string) => inner[key], body)].flat());
        url = !strategy || isTrue(strategy.stop_condition, body) ? null : fill(strategy.cursor_value, config, body);
      }
      const times = sync ? records.map((record) => String(record[sync.cursor_field])) : [];
      const newest = [...(state === null ? [] : [state]), ...times].toSorted().at(-1) ?? null;
      return { records, state: newest, pages };
    },
  };

  function startOf(sync: Part, state: string | null): string {
    const first = fill(sync.start_datetime.datetime, config, null);
    if (state === null) return first;
    if (sync.lookback_window !== "PT1H") throw new Error("another lookback");
    return new Date(Math.max(Date.parse(first), Date.parse(state) - 3_600_000)).toISOString();
  }
}

/** A next page's address has parameters already: those that are the same are not sent twice. */
function withParameters(url: string, parameters: URLSearchParams): string {
  const target = new URL(url);
  for (const [name, value] of parameters) {
    if (target.searchParams.get(name) !== value) target.searchParams.append(name, value);
  }
  return target.href;
}

const BASE64 = /^\((.+) ~ ':' ~ (.+)\) \| base64encode$/;

/** The text with its expressions evaluated: paths into the configuration or the answer, and the one of HTTP Basic. */
function fill(text: string, config: AirbyteConfig, response: unknown): string {
  return text.replaceAll(/\{\{ (.+?) \}\}/gs, (_, expression: string) => {
    const basic = BASE64.exec(expression.replaceAll(/\s+/g, " "));
    const parts = (basic ? [basic[1], basic[2]] : [expression]).map((path) => String(at(path ?? "", config, response)));
    return basic ? Buffer.from(parts.join(":")).toString("base64") : (parts[0] ?? "");
  });
}

function isTrue(condition: string, response: unknown): boolean {
  const [, path] = /^\{\{ not (.+) \}\}$/.exec(condition) ?? [];
  if (path === undefined) throw new Error(`can't evaluate ${condition}`);
  return !at(path, null, response);
}

function at(path: string, config: AirbyteConfig | null, response: unknown): unknown {
  const [, root, keys = ""] = /^(config|response)((?:\['\w+'\])+)$/.exec(path) ?? [];
  if (root === undefined) throw new Error(`can't evaluate ${path}`);
  const names = [...keys.matchAll(/'(\w+)'/g)].map(([, name]) => name ?? "");
  return names.reduce<Part>((inner, name) => inner?.[name], root === "config" ? config : response);
}
