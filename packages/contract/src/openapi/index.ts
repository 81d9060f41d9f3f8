export {
  AUTHORIZE_PATH,
  BASE_URL,
  HEADERS,
  type HeaderName,
  IGNORED_PARAMETERS,
  TOKEN_PATH,
} from "./base.ts";
export * from "./describe.ts";
export * from "./described.ts";
export * from "./document.ts";
export { limitParameter, listSchema, PAGE_LIMIT, pageParameters } from "./list.ts";
export * from "./source.ts";
export { swaggerOptions } from "./swagger.ts";
