/** The cookies of one site, by name; those of a path only, by their name, a space and the path. */
export type Cookies = Map<string, string>;

/** The Cookie header of a request for `path`; empty without cookies. */
export function cookieHeader(cookies: Cookies, path: string): string {
  return [...cookies]
    .map(([key, value]) => ({ parts: key.split(" "), value }))
    .filter(({ parts: [, folder = "/"] }) => isBelow(path, folder))
    .map(({ parts: [name], value }) => `${name}=${value}`)
    .join("; ");
}

/** Does what Set-Cookie headers say: keeps cookies, and forgets those that have expired. */
export function keepCookies(cookies: Cookies, setCookies: readonly string[]): void {
  for (const cookie of setCookies) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    const path = attribute(cookie, "path") ?? "/";
    const key = path === "/" ? name : `${name} ${path}`;
    if (hasExpired(cookie)) cookies.delete(key);
    else cookies.set(key, value);
  }
}

function hasExpired(cookie: string): boolean {
  const maxAge = attribute(cookie, "max-age");
  const expires = attribute(cookie, "expires");
  return maxAge !== undefined ? Number(maxAge) <= 0 : expires !== undefined && Date.parse(expires) <= Date.now();
}

function attribute(cookie: string, name: string): string | undefined {
  return new RegExp(`;\\s*${name}=([^;]*)`, "i").exec(cookie)?.[1];
}

function isBelow(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
