import type { DescribedDocument, DescribedOperation } from "@partner-connect/public-api/document";

export interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: DescribedOperation;
  /** Such as 'List responses'. */
  readonly title: string;
}

export interface EndpointGroup {
  readonly heading: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}

/** In the order of the document's tags: what partners call comes before what client libraries read. */
export function endpointGroups({ paths, tags }: DescribedDocument): EndpointGroup[] {
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      title: titleOf(operation.operationId),
    })),
  );
  return tags.map(({ name, description }) => ({
    heading: name,
    description,
    endpoints: endpoints.filter(({ operation }) => operation.tags[0] === name),
  }));
}

/** Of `listResponses`: 'List responses'. */
function titleOf(operationId: string): string {
  const words = operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const named = words.replace("open id", "OpenID").replace("open api", "OpenAPI").replace("json web", "JSON web");
  return named.charAt(0).toUpperCase() + named.slice(1);
}

/** Below /docs. */
export const pageOf = ({ operation }: Endpoint): string => `reference/${operation.operationId}`;

export const OBJECTS_PAGE = "reference/objects";
