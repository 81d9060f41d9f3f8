import { Html } from "@partner-connect/service-runtime/html";
import { lexer, Parser, type Tokens } from "marked";
import { guideText, withSupportUrl } from "./guides.ts";

/** What a refusal is known by. */
export interface Refused {
  readonly what: string;
  /** `POST /oauth/api/token` */
  readonly call: string;
  readonly status: number;
  readonly error: string | null;
  readonly reason: string;
}

/** What the guide on errors says of a refusal, in English. Trusted markup. */
export interface Cure {
  readonly cause: Html;
  readonly cure: Html;
  /** Of the guide's section. */
  readonly path: string;
}

type Section = keyof typeof PIECES;

/**
 * By which words of its row a reason is found, where the status and the error of the answer stand in several rows of a section. A reason
 * is the service's own word; `*`: every other one.
 */
const PIECES = {
  "When the browser comes back": { "*": "error=invalid_request" },
  "When the browser does not come back": {
    client_disabled: "your client is disabled",
    invalid_redirect_uri: "redirect_uri is not registered",
    invalid_state: "state is missing",
  },
  "Token endpoint": {
    refresh_token_expired: "refresh token expired",
    grant_revoked: "grant revoked (stable)",
    connection_disabled: "grant revoked (stable)",
    grant_superseded: "superseded by a newer authorization",
    unknown_refresh_token: "on a refresh",
    unknown_code: "on an exchange",
    code_of_another_client: "on an exchange",
    redirect_uri_mismatch: "on an exchange",
    code_verifier_mismatch: "on an exchange",
    code_replayed: "on an exchange",
    code_replayed_late: "the code was used before",
    client_disabled: "this client is disabled",
    malformed_batch: "refresh_tokens has none",
    scope_exceeded: "invalid_scope",
    invalid_parameter: "with param",
    unknown_cursor: "with param",
  },
  API: {},
} satisfies Record<string, Readonly<Record<string, string>>>;

interface Row {
  /** As it is read. */
  readonly text: string;
  readonly first: string;
  readonly cause: Html;
  readonly cure: Html;
}

let sections: ReadonlyMap<string, { readonly path: string; readonly rows: readonly Row[] }> | undefined;

/** What the guide says of a refusal; null: nothing. Of several rows that fit, the first. */
export function cureOf(refused: Refused): Cure | null {
  sections ??= readSections();
  const name = sectionOf(refused);
  const section = sections.get(name);
  const pieces: Readonly<Record<string, string>> = PIECES[name];
  const piece = pieces[refused.reason] ?? pieces["*"];
  const rows = section?.rows ?? [];
  const row = piece === undefined ? rowOfAnswer(rows, refused) : rows.find(({ text }) => text.includes(piece));
  return section && row ? { cause: row.cause, cure: row.cure, path: section.path } : null;
}

function sectionOf({ what, call, error }: Refused): Section {
  if (what === "authorize_refused")
    return error === null ? "When the browser does not come back" : "When the browser comes back";
  return call.includes(" /oauth/") ? "Token endpoint" : "API";
}

/** A token of a batch that failed has its place among the results of a 200. Some rows name the status alone. */
function rowOfAnswer(rows: readonly Row[], { status, error }: Refused): Row | undefined {
  if (status === 200) return rows.find(({ first }) => first.includes("temporarily_unavailable"));
  const ofStatus = rows.filter(({ first }) => first.includes(String(status)));
  return ofStatus.find(({ first }) => first.includes(error ?? "")) ?? ofStatus[0];
}

function readSections() {
  const found = new Map<string, { path: string; rows: Row[] }>();
  let rows: Row[] = [];
  for (const token of lexer(withSupportUrl(guideText("errors"), null))) {
    if (token.type === "heading") {
      rows = [];
      const heading: string = token["text"];
      found.set(heading, { path: `/docs/errors#${heading.toLowerCase().replaceAll(" ", "-")}`, rows });
    } else if (token.type === "table") rows.push(...(token as Tokens.Table).rows.map(rowOf));
  }
  return found;
}

/** The last cell is the cure, and the one before it the cause. */
function rowOf(cells: readonly Tokens.TableCell[]): Row {
  const [cause, cure] = cells.slice(-2).map(({ tokens }) => new Html(Parser.parseInline(tokens)));
  const texts = cells.map(({ text }) => text.replaceAll(/[`"]/g, ""));
  const none = new Html("");
  return { text: texts.join(" | "), first: texts[0] ?? "", cause: cause ?? none, cure: cure ?? none };
}
