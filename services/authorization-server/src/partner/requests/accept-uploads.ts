import type { FastifyInstance, FastifyRequest } from "fastify";

/** Bytes of a posted form with a file: below the gateway's limit. */
const BODY_LIMIT = 96 * 1024;

/** Forms of this plugin may have a file (RFC 7578). A text field becomes a string, a file a `Buffer`; one that was not chosen is left out. */
export function acceptUploads(app: FastifyInstance): void {
  const options = { parseAs: "buffer", bodyLimit: BODY_LIMIT } as const;
  app.addContentTypeParser("multipart/form-data", options, async ({ headers }: FastifyRequest, body: Buffer) => {
    const type = headers["content-type"] ?? "";
    const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } })
      .formData()
      .catch((cause: unknown) => {
        throw Object.assign(new Error("the form can't be read", { cause }), { statusCode: 400 });
      });
    const fields: Record<string, string | Buffer> = {};
    for (const [name, value] of form) {
      if (typeof value === "string") fields[name] = value;
      else if (value.size > 0) fields[name] = Buffer.from(await value.arrayBuffer());
    }
    return fields;
  });
}
