import swagger, { type FastifyDynamicSwaggerOptions } from "@fastify/swagger";
import {
  answer,
  COUNTED,
  HEADERS,
  type HeaderName,
  IGNORED_PARAMETERS,
  swaggerOptions,
} from "@partner-connect/contract/openapi";
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import Type from "typebox";

const BASE = {
  openapi: "3.1.0",
  info: {
    title: "Partner Connect internal API",
    version: "1.0",
    description:
      "For the survey product: merchants, shops and responses come in under the product's own ids, and the sources that partners create go out. Every call can be repeated.",
  },
  servers: [{ url: "/" }],
  tags: [
    { name: "Directory", description: "Merchants, shops, and who belongs to which." },
    { name: "Survey", description: "A shop's questions and responses." },
    { name: "Sources", description: "Attribution sources that partners create." },
    { name: "Discovery", description: "This description." },
  ],
  components: {
    securitySchemes: {
      product_key: { type: "http", scheme: "bearer", description: "A key of `partner-connect product-key create`." },
    },
  },
} as const;

const headers = Object.fromEntries(
  [...COUNTED, "retry-after", "www-authenticate", IGNORED_PARAMETERS].map((name) => [
    name,
    HEADERS[name as HeaderName],
  ]),
);

/** Collects the schemas of routes added afterwards. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  const securityOf = ({ needsNoKey }: FastifyContextConfig) => (needsNoKey ? [] : [{ product_key: [] }]);
  await app.register(swagger, swaggerOptions(securityOf, { base: BASE, headers }) as FastifyDynamicSwaggerOptions);
}

/** GET /internal/openapi.json. */
export function openApiRoute(app: FastifyInstance): void {
  const schema = {
    operationId: "getOpenApi",
    tags: ["Discovery"],
    summary: "This document.",
    description: "OpenAPI 3.1. No key is required.",
    response: {
      200: answer("The document.", ["x-request-id"], {
        "application/json": { schema: Type.Unsafe({ type: "object" }) },
      }),
    },
  };
  app.get("/internal/openapi.json", { schema, config: { needsNoKey: true } }, () => app.swagger());
}

const ID = /^[A-Za-z0-9._~-]{1,64}$/;
const ID_WORDS = "1 to 64 of A-Z, a-z, 0-9, `.`, `_`, `~` and `-`";

/** Whether the product may use it as an id of a merchant, a shop or a response. */
export const isId = (value: string): boolean => ID.test(value);

export const mustBeId = `must be ${ID_WORDS}`;
