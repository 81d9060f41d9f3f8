import { PLANS } from "@partner-connect/contract";
import {
  COUNTED,
  example,
  exampleOf,
  jsonAnswer,
  TIMESTAMP,
  text,
  textOrNull,
} from "@partner-connect/contract/openapi";
import Type from "typebox";
import { UNSCOPED_ERROR_ANSWERS } from "../errors/error.schema.ts";

const Shop = {
  id: text("It never changes.", "shop_018c2a90f3b4756e9d21c0de5f6a7b89"),
  name: text("As merchants see it; it may change.", "Harbour Coffee"),
  domain: textOrNull("The shop's domain, if it is known.", "harbour-coffee.example"),
  plan: text("The shop's plan. New values may be added.", "advanced_attribution", {
    "x-extensible-enum": PLANS,
  }),
};

const Connection = Type.Object(
  {
    id: textOrNull(
      "The connection's id. Null for an API key.",
      "con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01",
    ),
    shop: Type.Object(Shop, { description: "The shop whose data this credential reads." }),
    client_id: textOrNull(
      "The client that is connected. Null for an API key.",
      "client_5f0c1a2b3d4e5f6071829304",
    ),
    scope: text(
      "The scopes that this credential can use now, space-separated; may be empty. A refreshed access token may have more.",
      "responses:read sources:write",
    ),
    connected_at: textOrNull(
      "When the shop was connected. Null for an API key.",
      "2024-01-18T19:12:44.310Z",
      TIMESTAMP,
    ),
    last_used_at: textOrNull(
      "Last use of the refresh token. May lag by 1/720 of the token's lifetime (one hour for 30 days). Null for an API key.",
      "2024-03-01T11:02:09.000Z",
      TIMESTAMP,
    ),
    expires_at: textOrNull(
      "The refresh token is valid at least until then; each refresh extends it. Null for an API key, and while " +
        "the code of a new approval is not exchanged yet.",
      "2024-03-31T11:02:09.000Z",
      TIMESTAMP,
    ),
  },
  { $id: "Connection", description: "The shop and scopes of a credential." },
);

const OF_TOKEN = exampleOf(Connection);
const NOTHING = { connected_at: null, last_used_at: null, expires_at: null };
const OF_API_KEY = { ...OF_TOKEN, id: null, client_id: null, ...NOTHING };

export const schema = {
  operationId: "getConnection",
  tags: ["Connection"],
  summary: "Returns the shop and scopes of this credential.",
  description: "Works with any valid credential, regardless of its scopes.",
  response: {
    200: jsonAnswer(Connection, "The connection.", [...COUNTED, "cache-control", "vary"], {
      access_token: example("With an access token", OF_TOKEN),
      api_key: example("With the shop's own API key", OF_API_KEY),
    }),
    ...UNSCOPED_ERROR_ANSWERS,
  },
};
