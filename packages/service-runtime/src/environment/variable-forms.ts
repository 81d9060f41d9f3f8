import { compile } from "@fastify/proxy-addr";

/** The parsed value of a variable's text, or its problem. */
export type Parsed<Value> = { readonly value: Value } | { readonly problem: string };

/** Converts a parsed value; a problem stays as it is. */
const map = <From, To>(parsed: Parsed<From>, change: (value: From) => To): Parsed<To> =>
  "problem" in parsed ? parsed : { value: change(parsed.value) };

/** One variable. Required unless it has a default or is optional. */
export interface Setting<Value> {
  readonly form: (text: string) => Parsed<Value>;
  /** The default, in the format of the variable's text. */
  readonly default?: string;
  readonly optional?: boolean;
  /** Never shown, and may be read from the file NAME_FILE. */
  readonly secret?: boolean;
}

export type Settings = Readonly<Record<string, Setting<unknown>>>;

export type Values<S extends Settings> = {
  readonly [Name in keyof S]: S[Name] extends Setting<infer Value> ? Value : never;
};

/** May be absent; the value is then undefined. */
export const optional = <Value>(setting: Setting<Value>): Setting<Value | undefined> => ({
  ...setting,
  optional: true,
});

/** `fallback` is the default, in the format of the variable's text. */
export function parsed<Value>(form: Setting<Value>["form"], fallback?: string): Setting<Value> {
  return fallback === undefined ? { form } : { form, default: fallback };
}

export const text = (fallback?: string): Setting<string> =>
  parsed((text) => ({ value: text }), fallback);
export const secret: Setting<string> = { ...text(), secret: true };
export const secretUrl = (form: Setting<string>["form"]): Setting<string> => ({
  form,
  secret: true,
});

export function integer(
  fallback?: number,
  { min = 0, max = Number.MAX_SAFE_INTEGER } = {},
): Setting<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `from ${min}` : `from ${min} to ${max}`;
  return parsed((text) => {
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= min && number <= max) return { value: number };
    return { problem: `is not a whole number ${range}: ${text}` };
  }, fallback?.toString());
}

export const port = (fallback?: number): Setting<number> => integer(fallback, { max: 65_535 });

export function flag(text: string): Parsed<boolean> {
  return text === "true" || text === "false"
    ? { value: text === "true" }
    : { problem: `is neither true nor false: ${text}` };
}

/** Splits at commas and blanks; Caddy uses blanks. */
export function commaSeparated(text: string): { readonly value: readonly string[] } {
  return { value: text.split(/[\s,]+/).filter((item) => item !== "") };
}

function trustedProxies(text: string): Parsed<readonly string[]> {
  const addresses = commaSeparated(text);
  try {
    compile([...addresses.value]); // as Fastify does
    return addresses;
  } catch (error) {
    return { problem: `has an ${(error as Error).message}` };
  }
}

function logLevel(text: string): Parsed<string> {
  return /^(?:fatal|error|warn|info|debug|trace|silent)$/.test(text)
    ? { value: text }
    : { problem: `is not a level of pino: ${text}` };
}

const URL_PARTS = {
  "a user name or a password": (url: URL) => url.username !== "" || url.password !== "",
  "a path": (url: URL) => url.pathname.length > 1,
  "a query": (url: URL) => url.href.split("#", 1)[0]?.includes("?"),
  "a fragment": (url: URL) => url.href.includes("#"),
};

type UrlPart = keyof typeof URL_PARTS;

/**
 * Parses a URL that has none of {@link URL_PARTS} except `parts`. The problem doesn't repeat the
 * text, because it may contain a password.
 */
function parseUrl(text: string, parts: readonly UrlPart[] = []): Parsed<URL> {
  if (/\s/.test(text)) return { problem: "has a blank" }; // which URL would drop or encode
  const url = URL.parse(text);
  if (!url?.hostname) return { problem: "is not an absolute URL" };
  const surplus = Object.entries(URL_PARTS).find(
    ([part, has]) => has(url) && !parts.includes(part as UrlPart),
  );
  return surplus ? { problem: `has ${surplus[0]}, which it can't have` } : { value: url };
}

/** Another server's URL. Removes a trailing slash. */
export function absoluteUrl(text: string): Parsed<string> {
  const parsed = parseUrl(text, ["a path"]);
  if ("problem" in parsed) return parsed;
  return /^https?:$/.test(parsed.value.protocol)
    ? { value: text.replace(/\/$/, "") }
    : { problem: "is not an http or https URL" };
}

/** A store's URL, which may name several hosts. */
export function storeUrl(text: string): Parsed<string> {
  return /^[a-z][a-z0-9+.-]*:\/\/.*\S$/is.test(text)
    ? { value: text }
    : { problem: "is not a URL" };
}

/** A mail server's URL, which may have a user and a password. */
export function smtpUrl(text: string): Parsed<string> {
  const parsed = parseUrl(text, ["a user name or a password", "a query"]);
  const { protocol, search } = "value" in parsed ? parsed.value : { protocol: "", search: "" };
  if (!/^smtps?:$/.test(protocol))
    return { problem: "is not a URL such as smtps://user:password@mail.example" };
  return /^(?:\?tls=off)?$/.test(search)
    ? { value: text }
    : { problem: "has a parameter other than tls=off" };
}

/** Host names as normalized by `URL`: RFC 6761 §6.3, RFC 5735, RFC 4291 §2.5.3. */
const LOOPBACK = /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Parses an https URL, or http on localhost. */
function httpsUrl(text: string, parts?: readonly UrlPart[]): Parsed<URL> {
  const parsed = parseUrl(text, parts);
  if ("problem" in parsed) return parsed;
  const { protocol, hostname } = parsed.value;
  if (protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname))) return parsed;
  if (protocol !== "http:") return { problem: "is not an https URL" };
  return { problem: "is http, which is unencrypted; it must be https, except on localhost" };
}

/**
 * A server of ours, as an origin. Only an issuer without a path has its metadata where clients look
 * first: RFC 8414 §3.1.
 */
export function publicUrl(text: string): Parsed<string> {
  return map(httpsUrl(text), ({ origin }) => origin);
}

/** A page to link to, unchanged. */
export function pageUrl(text: string): Parsed<string> {
  return map(httpsUrl(text, ["a path", "a query", "a fragment"]), () => text);
}

/** An OpenID Connect provider's issuer identifier, unchanged: OpenID Connect Discovery 1.0 §3. */
export function issuerUrl(text: string): Parsed<string> {
  return map(httpsUrl(text, ["a path"]), () => text);
}

/** Where users get support: a page, or a mail address. */
export function supportUrl(text: string): Parsed<string> {
  const isMail = /^mailto:[^\s@<>"'?]+@[^\s@<>"'?]+$/.test(text);
  if (isMail || "value" in pageUrl(text)) return { value: text };
  return { problem: "is not an https URL, nor mailto: with an address" };
}

export interface MailAddress {
  /** Empty if absent. */
  readonly name: string;
  readonly address: string;
}

/** Parses an address such as `Surveys <surveys@mail.example>`, or without the name. */
export function mailAddress(text: string): Parsed<MailAddress> {
  const [, name = "", inBrackets, alone] =
    /^(?:([^<>"\r\n]*)<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+))$/.exec(text.trim()) ?? [];
  const address = inBrackets ?? alone;
  if (address && URL.canParse(`http://${address.slice(address.indexOf("@") + 1)}`))
    return { value: { name: name.trim(), address } };
  return { problem: "is not a mail address such as 'Surveys <surveys@mail.example>'" };
}

/** The nodes of a Redis Cluster, each as a URL with host, port and login. */
export type ClusterAddress = readonly [URL, ...URL[]];

/** The nodes that the URL of a cluster names; null for the URL of a single server. */
export function clusterAddress(url: string): ClusterAddress | null {
  const parsed = CLUSTER_SCHEME.test(url) ? parseCluster(url) : null;
  return parsed && "value" in parsed ? parsed.value : null;
}

/** A `redis://` or `rediss://` URL of a server or cluster. Problems never repeat the URL. */
export function redisUrl(text: string): Parsed<string> {
  if (CLUSTER_SCHEME.test(text)) return map(parseCluster(text), () => text);
  if (SEVERAL_HOSTS.test(text)) return { problem: NO_CLUSTER };
  const url = SERVER_URL.test(text) && URL.parse(text);
  if (!url) return { problem: "is not a URL such as redis://user:password@host:6379" };
  return requireEncoded(text, url.username + url.password);
}

/** The URL of another node of the cluster. */
export function clusterNodeUrl([node]: ClusterAddress, host: string, port: number): string {
  const hostname = host.includes(":") ? `[${host}]` : host;
  return Object.assign(new URL(node), { hostname, port: String(port) }).href;
}

// Has at most one @, because a second one may be part of a password that isn't encoded.
const SERVER_URL = /^rediss?:\/\/(?:[^/?#]*@)?[^/?#@\s]+(?:\/\d*)?(?:\?[^#@\s]*)?$/i;
const NO_CLUSTER =
  "names several servers; a Redis Cluster's URL begins with redis+cluster:// or rediss+cluster://";
const CLUSTER_SCHEME = /^[a-z][a-z0-9.-]*\+cluster:/i;
const SEVERAL_HOSTS = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(?![^/?#]*@)[^/?#]*,/i;
const CLUSTER_URL = /^(rediss?)\+cluster:\/\/([^/?#@]*@)?([^/?#@]+)(?:\/(.*))?$/i;

/**
 * Parses `redis+cluster://user:password@host:port,host:port`; `rediss+cluster` is TLS to every
 * server.
 */
function parseCluster(text: string): Parsed<ClusterAddress> {
  const [, scheme, login = "", servers = "", database] = CLUSTER_URL.exec(text) ?? [];
  const nodes = servers.split(",").map((server) => URL.parse(`${scheme}://${login}${server}`));
  for (const node of nodes) if (node?.port === "") node.port = "6379";
  if (!nodes.every((node) => node?.hostname && node.port !== "0")) {
    return { problem: "is not a URL such as redis+cluster://user:password@host:6379,host:6379" };
  }
  if (database && database !== "0")
    return { problem: "names a database, and a Redis Cluster has only number 0" };
  return requireEncoded(nodes as [URL, ...URL[]], login);
}

function requireEncoded<Value>(value: Value, login: string): Parsed<Value> {
  try {
    decodeURIComponent(login);
    return { value };
  } catch {
    return { problem: "has a user or a password that is not percent-encoded" };
  }
}

export const SERVICE_SETTINGS = {
  HOST: text("0.0.0.0"),
  INTERNAL_PORT: port(),
  LOG_LEVEL: parsed(logLevel, "info"),
  /** The running commit, for the metrics; set by the image. */
  REVISION: text("unknown"),
  DATABASE_URL: secretUrl(storeUrl),
  DATABASE_PASSWORD: optional(secret),
};

/** Settings of the services behind the gateway. */
export const SERVER_SETTINGS = {
  ...SERVICE_SETTINGS,
  PORT: port(),
  /** CIDR list of the gateway's addresses. */
  TRUSTED_PROXIES: parsed(trustedProxies, ""),
  /** Pause between 'not ready' and the close. */
  DRAIN_SECONDS: integer(5),
  REDIS_URL: secretUrl(redisUrl),
  REDIS_PASSWORD: optional(secret),
};

export type ServiceEnvironment = Values<typeof SERVICE_SETTINGS>;
