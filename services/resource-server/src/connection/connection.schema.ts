import { PLANS } from "@partner-connect/access-token";
import Type, { type TSchema } from "typebox";
import { ERROR_ANSWERS } from "../errors/error.schema.ts";
import { orNull, TIMESTAMP } from "../openapi/record.schema.ts";

const time = (description: string): TSchema => orNull("string", { ...TIMESTAMP, description });

const Connection = Type.Object(
  {
    id: orNull("string", { description: "The connection, for as long as it is connected. Null for an API key." }),
    shop: Type.Object(
      {
        id: Type.String({ description: "It never changes." }),
        name: Type.String({ description: "As merchants see it; it may change." }),
        domain: orNull("string", { description: "The shop's domain, if it is known." }),
        plan: Type.Enum([...PLANS], { description: "What the shop has bought. More plans may come." }),
      },
      { description: "The shop whose data this credential reads." },
    ),
    client_id: orNull("string", { description: "The client that is connected. Null for an API key." }),
    scope: Type.String({
      description:
        "What calls with this credential may use now, separated by spaces; may be empty. An access token that was refreshed may have more.",
    }),
    connected_at: time("When the shop was connected. Null for an API key."),
    last_used_at: time(
      "The last use of the refresh token; it may lag behind by a 720th of its life, an hour of 30 days. Null for an API key.",
    ),
    expires_at: time(
      "Until then the refresh token lives at least, without another refresh; each refresh extends it. Null for an API key, and while " +
        "the code of a new approval is not exchanged yet.",
    ),
  },
  { $id: "Connection" },
);

export const CONNECTION_SCHEMAS = [Connection];

/** Any valid credential may ask, whatever its scopes. */
export const readConnectionSchema = {
  operationId: "readConnection",
  summary: "For which shop this credential speaks, and what it may do.",
  response: { 200: Type.Ref("Connection#", { description: "The connection." }), ...errorsOfAnyScope() },
};

function errorsOfAnyScope(): Omit<typeof ERROR_ANSWERS, 400> {
  const { 400: _, ...answers } = ERROR_ANSWERS;
  return answers;
}
