import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type Provider from "oidc-provider";
import type { ApprovedAuthorization, CodeIssuer } from "../consent/index.ts";
import { setApproval } from "./approval.ts";
import { AUTHORIZE_PATH } from "./provider.ts";

/**
 * Has the library authorize what the merchant approved, in one run that ends in the code. It is given a request made of
 * the validated parameters alone, on no connection, and its answer goes nowhere: it reads no cookie of any browser and
 * sets none.
 */
export function codeIssuer(provider: Provider): CodeIssuer {
  const faults = new WeakMap<IncomingMessage, Error>();
  provider.use(async (context, next) => {
    context.respond = false;
    await next();
  });
  provider.on("authorization.error", (context, error) => void faults.set(context.req, refused(error)));
  provider.on("server_error", (context, error) => void faults.set(context.req, error));
  const run = provider.callback();

  return {
    async issue(approved) {
      const request = requestFor(approved);
      setApproval(request, approved);
      await run(request, new ServerResponse(request));
      const fault = faults.get(request);
      if (fault) throw fault;
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

/** Such as for a client that was disabled just now: of the request, not of ours. */
function refused(error: Error): Error {
  return Object.assign(new Error(`the library refused: ${error.message}`), { statusCode: 400 });
}
