import type { ClientSummary } from "@partner-connect/directory";
import { fields } from "../../terminal/table.ts";

/** Stands for the public base URL where nobody knows it. */
const UNKNOWN_BASE = "BASE";

/** What the operator sends to the partner beside the secret. */
export function handover(client: ClientSummary, publicBaseUrl: string | null): string {
  const base = publicBaseUrl ?? UNKNOWN_BASE;
  const shown: [string, string][] = [
    ["discovery", `${base}/.well-known/oauth-authorization-server`],
    ["guide", `${base}/docs`],
  ];
  const asks = client.grantTypes.includes("authorization_code");
  if (asks) shown.push(["link", authorizeLink(client, base)]);
  return [
    `Send to the partner as well:\n\n${fields(shown)}`,
    ...(asks
      ? [
          `The link is for merchants. STATE and CODE_CHALLENGE are made anew for each of them: ${base}/docs/first-connection says how.`,
        ]
      : []),
    ...(publicBaseUrl
      ? []
      : [`${UNKNOWN_BASE} is the public address of Partner Connect, which is not known here: set PUBLIC_BASE_URL.`]),
  ].join("\n\n");
}

/** RFC 6749 §4.1.1, RFC 7636 §4.3: complete but for what the partner makes for each authorization. */
function authorizeLink({ clientId, redirectUris, scope }: ClientSummary, base: string): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUris[0] ?? "",
    scope: scope.join(" "),
    state: "STATE",
    code_challenge: "CODE_CHALLENGE",
    code_challenge_method: "S256",
  });
  return `${base}/oauth/api/authorize?${query}`;
}
