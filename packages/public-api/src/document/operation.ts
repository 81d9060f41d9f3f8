import type { Scope } from "@partner-connect/contract";
import type { TSchema } from "typebox";

export const TAGS = {
  Authorization: "Connecting a shop: the authorization code flow with PKCE, and refreshing access tokens.",
  Connections: "All shops of a partner's client: which are connected, and what is new at which.",
  Connection: "The shop that a credential speaks for.",
  Responses: "What customers answered.",
  Questions: "What customers were asked.",
  Sources: "Attribution sources that partners add to a shop.",
  Discovery: "What client libraries read to configure themselves.",
} as const;

export type Tag = keyof typeof TAGS;

export interface Operation {
  readonly method: "get" | "post";
  readonly path: string;
  readonly tag: Tag;
  /** Who may call it. `client` authenticates by HTTP Basic; `credential` is an access token with that scope, or an API key. */
  readonly caller: "anybody" | "client" | { readonly credential: Scope | "any" };
  readonly schema: OperationSchema;
}

/** What the route of an endpoint says of it. Where a body is validated, it is by this. */
export interface OperationSchema {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly querystring?: ObjectSchema;
  readonly headers?: ObjectSchema;
  readonly body?: TSchema | RequestBody;
  /** Of a body that is a schema alone: JSON. */
  readonly examples?: Examples;
  readonly response: Readonly<Record<number, Answer>>;
}

export interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[] | undefined;
}

export interface RequestBody {
  readonly description: string;
  readonly content: Content;
}

export type Content = Readonly<Record<string, { readonly schema: TSchema; readonly examples?: Examples }>>;

export type Examples = Readonly<Record<string, Example>>;

export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface Answer {
  /** Its name among the components of the document, where several operations give the same one. */
  readonly component?: string;
  readonly description: string;
  /** Names of {@link HEADERS}. */
  readonly headers?: readonly string[];
  readonly content?: Content;
}
