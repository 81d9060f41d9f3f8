import { readQuery, takeJson, validateRequests } from "@partner-connect/service-runtime";
import type { FastifyInstance } from "fastify";
import { type ApiError, invalidRequest, malformedBody } from "../errors/api-error.ts";

export function validate(app: FastifyInstance): void {
  takeJson(app, malformedBody);
  validateRequests(app, { parse: readQuery, refuse });
  app.setSerializerCompiler(() => JSON.stringify); // response schemas are only documentation
}

export const refuse = (name: string, problem: string): ApiError =>
  invalidRequest(name, name === "body" ? `The body ${problem}.` : `${name} ${problem}.`);
