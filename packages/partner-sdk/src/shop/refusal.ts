import {
  CursorExpired,
  Forbidden,
  InsufficientScope,
  InvalidRequest,
  type PartnerConnectError,
  Unauthorized,
} from "../errors/index.ts";
import { jsonObject } from "../json-object.ts";

/** What a failed answer says. Fields that are missing are null. */
interface ErrorBody {
  readonly error: string | null;
  readonly error_description: string | null;
  readonly param: string | null;
}

/** A refusal of the credential: a new one may be accepted. */
export function isOfCredential(refusal: PartnerConnectError): boolean {
  return refusal instanceof Unauthorized || refusal instanceof Forbidden;
}

/** What the API says no to, in an answer with a status from 400 to 499. The body is read. */
export async function readRefusal(answer: Response): Promise<PartnerConnectError> {
  const detail = { requestId: answer.headers.get("x-request-id") ?? undefined };
  const { error, error_description: description, param } = readBody(await answer.text());
  if (answer.status === 401) {
    const usual = "the API refuses the credential: it is wrong, has expired or was revoked";
    return new Unauthorized(description ?? challenged(answer, "error_description") ?? usual, detail);
  }
  if (answer.status === 403 && error === "insufficient_scope")
    return new InsufficientScope(challenged(answer, "scope"), detail);
  if (answer.status === 403) {
    return new Forbidden("the connection may not be used: it was revoked, or is on hold", detail);
  }
  if (answer.status === 410 && error === "cursor_expired") return new CursorExpired(detail);
  if (error === null) {
    const message = `the API answered ${answer.status} without an error of ours: check the base URL`;
    return new InvalidRequest(message, null, detail);
  }
  return new InvalidRequest(description ?? error, param, detail);
}

function readBody(text: string): ErrorBody {
  const body = jsonObject(text);
  const textOf = (name: string): string | null => (typeof body[name] === "string" ? body[name] : null);
  return { error: textOf("error"), error_description: textOf("error_description"), param: textOf("param") };
}

/** RFC 6750 §3: the challenge says what is wrong with the credential, and names the scope that the call needs. */
function challenged(answer: Response, name: "error_description" | "scope"): string | null {
  return new RegExp(`${name}="([^"]*)"`).exec(answer.headers.get("www-authenticate") ?? "")?.[1] ?? null;
}
