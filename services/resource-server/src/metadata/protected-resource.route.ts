import { SCOPES } from "@partner-connect/contract";
import type { FastifyInstance } from "fastify";
import { METADATA_PATH, type ProtectedResources, RESOURCE_PATH } from "./protected-resource.ts";

export interface ProtectedResourceOptions {
  readonly resources: ProtectedResources;
  /** Of access tokens. */
  readonly issuer: string;
}

/** Protected resource metadata (RFC 9728), for everybody: which authorization server's access tokens the API takes. */
export function protectedResourceRoute(app: FastifyInstance, { resources, issuer }: ProtectedResourceOptions): void {
  for (const path of [`${METADATA_PATH}${RESOURCE_PATH}`, METADATA_PATH]) {
    app.get(path, async (request, reply) =>
      reply
        .type("application/json; charset=utf-8")
        .header("cache-control", "public, max-age=300")
        .send({
          resource: resources.calledAt(request.host).resource,
          authorization_servers: [issuer],
          scopes_supported: SCOPES,
          bearer_methods_supported: ["header"],
          resource_name: "Partner Connect API",
          resource_documentation: `${issuer}/docs`,
        }),
    );
  }
}
