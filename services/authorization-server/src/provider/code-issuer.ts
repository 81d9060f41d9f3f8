import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type Provider from "oidc-provider";
import type { ApprovedAuthorization, CodeIssuer } from "../consent/index.ts";
import { AUTHORIZE_PATH } from "../paths.ts";
import { setApproval } from "./approval.ts";

/**
 * Runs the library once for what the merchant approved; the run ends in the code. The library gets a request made of the
 * validated parameters alone, on no connection, and its answer is dropped: it reads and sets no cookie of any browser.
 */
export function codeIssuer(provider: Provider): CodeIssuer {
  const failures = new WeakMap<IncomingMessage, Error>();
  provider.use(async (context, next) => {
    context.respond = false;
    await next();
  });
  provider.on("authorization.error", (context, error) => void failures.set(context.req, refused(error)));
  provider.on("server_error", (context, error) => void failures.set(context.req, error));
  const run = provider.callback();

  return {
    async issue(approved) {
      const request = requestFor(approved);
      setApproval(request, approved);
      await run(request, new ServerResponse(request));
      const failure = failures.get(request);
      if (failure) throw failure;
    },
    async stateOf(value) {
      const code = await provider.AuthorizationCode.find(value, { ignoreExpiration: true });
      if (code && "consumed" in code && code.consumed) return "redeemed";
      return code?.isExpired === false ? "usable" : "gone";
    },
  };
}

function requestFor(approved: ApprovedAuthorization): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  const query = new URLSearchParams({
    response_type: "code",
    client_id: approved.clientId,
    redirect_uri: approved.redirectUri,
    scope: approved.scope.join(" "),
    code_challenge: approved.codeChallenge,
    code_challenge_method: "S256",
  });
  request.method = "GET";
  request.url = `${AUTHORIZE_PATH}?${query}`;
  return request;
}

/** A refusal, 400: such as for a client that was disabled just now. */
function refused(error: Error): Error {
  return Object.assign(new Error(`the library refused: ${error.message}`), { statusCode: 400 });
}
