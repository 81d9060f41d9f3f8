import type { ActivityCounters } from "@partner-connect/connections/activity";
import {
  type AnsweredRequest,
  answeredRequest,
  Counter,
  countRefusals,
  factsOf,
  onAnswer,
  type Registry,
} from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The kind of endpoint for which requests are counted. Default: only refusals are counted. */
    readonly counts?: keyof typeof ENDED_BY;
  }
}

/** The kinds of endpoints, each with the `cause` that the metric has for its revocations. */
const ENDED_BY = {
  tokens: "code_replayed",
  partner_calls: "partner",
  partner_pages: "partner",
  account_pages: "merchant",
  authorizations: "merchant",
  sign_ins: "merchant",
} as const;

export function countOutcomes(
  app: FastifyInstance,
  registry: Registry,
  activity: ActivityCounters,
): void {
  countRefusals(app, registry);
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers: [registry] });
  const tokenRequests = counter(
    "partner_connect_token_requests_total",
    "Token requests, by grant type ('none': unknown) and outcome: 'issued', or the reason of the refusal. Each token of a batch counts.",
    "grant_type",
    "outcome",
  );
  const authorizations = counter(
    "partner_connect_authorizations_total",
    "Steps of authorizations: begun, approved, declined, refused, passkey_asked.",
    "outcome",
  );
  const revocations = counter(
    "partner_connect_revocations_total",
    "Connections that this service ended, by cause. Revocations by operators are in the audit log.",
    "cause",
  );
  const signIns = counter(
    "partner_connect_sign_ins_total",
    "Attempts to sign in, by outcome.",
    "outcome",
  );

  onAnswer(app, (request, reply) => {
    const { outcome, reason, tokens, grantType = "none" } = factsOf(request);
    const { counts, limit } = request.routeOptions.config;
    if (counts && outcome === "revoked") revocations.inc({ cause: ENDED_BY[counts] });
    if (tokens) {
      const { issued, refused, failed } = tokens;
      for (const [word, count] of Object.entries({ issued, ...refused, ...failed }))
        if (count > 0) tokenRequests.inc({ grant_type: grantType, outcome: word }, count);
      countTokenRequest(activity, answeredRequest(request, reply.statusCode));
    } else if (counts === "tokens") {
      tokenRequests.inc({
        grant_type: grantType,
        outcome: reply.statusCode === 200 ? "issued" : (reason ?? `status_${reply.statusCode}`),
      });
      countTokenRequest(activity, answeredRequest(request, reply.statusCode));
    } else if (counts === "partner_calls") {
      countCallOfClient(activity, answeredRequest(request, reply.statusCode));
    } else if (outcome !== undefined) {
      if (limit === "authorize" && outcome === "refused")
        activity.addRefusal("authorize_refused", answeredRequest(request, reply.statusCode));
      // A route of another kind, such as a sign-in, responds 400 if its authorization is refused.
      if (counts === "authorizations" || reply.statusCode === 400) authorizations.inc({ outcome });
      else if (counts === "sign_ins") signIns.inc({ outcome });
    }
  });
}

/** Counts an authenticated request for its client. A rate-limited one was not authenticated. */
function countTokenRequest(activity: ActivityCounters, answered: AnsweredRequest): void {
  const { clientId, grantType, status, tokens } = answered;
  if (clientId === undefined) return;
  if (tokens) {
    const { issued, refused, failed } = tokens;
    if (issued > 0) activity.add(clientId, "refreshes", "", issued);
    for (const [reason, count] of Object.entries(refused))
      activity.addRefusal("token_refused", answered, reason, count);
    for (const [reason, count] of Object.entries(failed))
      activity.addRefusal("token_failed", answered, reason, count);
  } else if (status === 200)
    activity.add(clientId, grantType === "refresh_token" ? "refreshes" : "exchanges");
  else activity.addRefusal(status >= 500 ? "token_failed" : "token_refused", answered);
}

function countCallOfClient(activity: ActivityCounters, answered: AnsweredRequest): void {
  if (answered.clientId === undefined) return;
  // Somebody else may have caused a 401, by sending this client's id.
  if (answered.status !== 401) activity.add(answered.clientId, "calls");
  if (answered.status >= 400) activity.addApiRefusal(answered);
}
