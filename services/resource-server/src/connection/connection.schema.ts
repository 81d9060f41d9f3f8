import { PLANS } from "@partner-connect/contract";
import {
  COUNTED,
  example,
  jsonAnswer,
  TIMESTAMP,
  text,
  textOrNull,
} from "@partner-connect/contract/openapi";
import Type from "typebox";
import { ANY_SCOPE_ANSWERS } from "../errors/error.schema.ts";

const OF_TOKEN = {
  id: "con_018d1e2f6a1c7d3e8b4f5a6c7d8e9f01",
  shop: {
    id: "shop_018c2a90f3b4756e9d21c0de5f6a7b89",
    name: "Harbour Coffee",
    domain: "harbour-coffee.example",
    plan: "advanced_attribution",
  },
  client_id: "client_5f0c1a2b3d4e5f6071829304",
  scope: "responses:read sources:write",
  connected_at: "2024-01-18T19:12:44.310Z",
  last_used_at: "2024-03-01T11:02:09.000Z",
  expires_at: "2024-03-31T11:02:09.000Z",
};

const NOTHING = { connected_at: null, last_used_at: null, expires_at: null };
const OF_API_KEY = {
  id: null,
  shop: OF_TOKEN.shop,
  client_id: null,
  scope: OF_TOKEN.scope,
  ...NOTHING,
};

const Shop = {
  id: text("It never changes.", OF_TOKEN.shop.id),
  name: text("As merchants see it; it may change.", OF_TOKEN.shop.name),
  domain: textOrNull("The shop's domain, if it is known.", OF_TOKEN.shop.domain),
  plan: text("The shop's plan. New values may be added.", OF_TOKEN.shop.plan, {
    "x-extensible-enum": PLANS,
  }),
};

const Connection = Type.Object(
  {
    id: textOrNull("The connection's id. Null for an API key.", OF_TOKEN.id),
    shop: Type.Object(Shop, { description: "The shop whose data this credential reads." }),
    client_id: textOrNull("The client that is connected. Null for an API key.", OF_TOKEN.client_id),
    scope: text(
      "The scopes that this credential can use now, space-separated; may be empty. A refreshed access token may have more.",
      OF_TOKEN.scope,
    ),
    connected_at: textOrNull(
      "When the shop was connected. Null for an API key.",
      OF_TOKEN.connected_at,
      TIMESTAMP,
    ),
    last_used_at: textOrNull(
      "Last use of the refresh token. May lag by 1/720 of the token's lifetime (one hour for 30 days). Null for an API key.",
      OF_TOKEN.last_used_at,
      TIMESTAMP,
    ),
    expires_at: textOrNull(
      "The refresh token is valid at least until then; each refresh extends it. Null for an API key, and while " +
        "the code of a new approval is not exchanged yet.",
      OF_TOKEN.expires_at,
      TIMESTAMP,
    ),
  },
  { $id: "Connection", description: "The shop and scopes of a credential." },
);

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
    ...ANY_SCOPE_ANSWERS,
  },
};
