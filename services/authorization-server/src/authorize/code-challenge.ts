import { CODE_CHALLENGE } from "@partner-connect/public-api";

export function isCodeChallenge(value: string): boolean {
  return CODE_CHALLENGE.test(value);
}
