/** The parts of a database URL. `URL` can't parse one that names several hosts with their ports. */
export interface DatabaseUrl {
  readonly protocol: string;
  readonly user: string;
  readonly password: string;
  readonly hosts: readonly Host[];
  readonly database: string;
  readonly parameters: URLSearchParams;
}

export interface Host {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** An invalid DATABASE_URL. The message contains no password. */
export class DatabaseUrlError extends Error {
  override readonly name = "DatabaseUrlError";
  readonly code = "CONFIGURATION";
}

// Only the last @ may separate the host, because a password may contain an unencoded one.
const FORM = /^([a-z][a-z0-9+.-]*:)\/\/(?:([^/?#]*)@)?([^/?#@]*)(?:\/([^?#@]*))?(?:\?([^#@]*))?$/i;
const HOST = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/;
const DEFAULT_PORT = 5432;

/**
 * Parses like libpq: www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 * @throws {DatabaseUrlError}
 */
export function parseDatabaseUrl(url: string): DatabaseUrl {
  const [, protocol = "", login = "", hosts = "", database = "", query = ""] = FORM.exec(url) ?? [];
  if (protocol === "")
    throw new DatabaseUrlError(
      "DATABASE_URL is not a URL such as postgres://user:password@host:5432/database",
    );
  const [user = "", ...password] = login.split(":");
  return {
    protocol,
    user: decodePercent(user),
    password: decodePercent(password.join(":")),
    hosts: hosts === "" ? [] : hosts.split(",").map(parseHost),
    database: decodePercent(database),
    parameters: new URLSearchParams(query),
  };
}

/** Decodes percent-encoding. Text with a malformed one is returned unchanged. */
function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function parseHost(text: string): Host {
  const [, address, name, port] = HOST.exec(text) ?? [];
  const host = address ?? name;
  if (host === undefined)
    throw new DatabaseUrlError("DATABASE_URL has a malformed host, or an unencoded password");
  return { host, port: Number(port ?? DEFAULT_PORT) };
}

export function formatDatabaseUrl({ user, password, parameters, ...url }: DatabaseUrl): string {
  const login = [user, ...(password === "" ? [] : [password])].map(encodeURIComponent).join(":");
  const list = url.hosts
    .map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`)
    .join(",");
  const query = parameters.size > 0 ? `?${parameters}` : "";
  return `${url.protocol}//${login === "" ? "" : `${login}@`}${list}/${encodeURIComponent(url.database)}${query}`;
}

/** Returns the URL with some parts replaced. @throws {DatabaseUrlError} */
export function changeDatabaseUrl(url: string, parts: Partial<DatabaseUrl>): string {
  return formatDatabaseUrl({ ...parseDatabaseUrl(url), ...parts });
}
