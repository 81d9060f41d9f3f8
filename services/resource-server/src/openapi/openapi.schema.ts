import type { OperationSchema } from "@partner-connect/public-api/document";
import Type from "typebox";

export const openApiSchema: OperationSchema = {
  operationId: "getOpenApi",
  summary: "This document.",
  response: {
    200: {
      description: "OpenAPI 3.1, with the addresses of this system.",
      headers: ["x-request-id", "cache-control"],
      content: { "application/json": { schema: Type.Unsafe({ type: "object" }) } },
    },
  },
};
