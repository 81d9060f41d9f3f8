import { readEnvironment, type Variables } from "@partner-connect/service-runtime/environment";

export interface Config {
  /** PARTNER_CONNECT_BASE_URL: the address that you were given; https, or http on this machine (required). */
  readonly baseUrl: string;
  /** PARTNER_CONNECT_API_KEY, or in a file that PARTNER_CONNECT_API_KEY_FILE names: the shop's API key (one of the two is required). */
  readonly apiKey: string;
}

const API_KEY = "PARTNER_CONNECT_API_KEY";
const FORM = /^pck_[A-Za-z0-9_-]{43}$/;

/** @throws {ConfigurationError} naming every variable that is missing or malformed; never with the key in it */
export function readConfig(variables: Variables = process.env): Config {
  return readEnvironment(variables, (env) => {
    const baseUrl = env.publicUrl("PARTNER_CONNECT_BASE_URL");
    const apiKey = env.secret(API_KEY);
    if (apiKey !== "" && !FORM.test(apiKey)) env.problems.push(`${API_KEY} is no API key: one begins with pck_`);
    return { baseUrl, apiKey };
  });
}
