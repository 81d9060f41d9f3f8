import { InvalidBaseUrl } from "./errors/index.ts";

/**
 * `text` without slashes at its end. @throws {InvalidBaseUrl} if it is no URL of a server, or would send secrets readable over a network
 */
export function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw new InvalidBaseUrl("the base URL must be an absolute https URL");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new InvalidBaseUrl("the base URL must have no credentials, no query and no fragment");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new InvalidBaseUrl(
      "the base URL must be https: plain http is for this machine only (localhost, 127.0.0.1, [::1])",
    );
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** Whether the name means the machine that asks. */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
