import type { FastifyInstance } from "fastify";
import { routesOf } from "./routes-of.ts";

/** Somewhat less than Node takes of headers, and either service of a body. */
const LARGE = "a".repeat(14_000);
/** Of a part of a path that is a parameter; a longer one belongs to no route. */
const LONGEST_PARAMETER = "a".repeat(200);

const HEADERS = ["user-agent", "cookie", "referer", "accept-language", "authorization", "x-forwarded-for", "origin"];

/**
 * As much as a stranger can send, to each route of `app` and to none: in the query, in each header, in the body.
 * @param queries more queries to send to each route
 */
export async function sendLargest(app: FastifyInstance, queries: readonly string[] = []): Promise<void> {
  const routes = [...routesOf(app), { method: "GET", path: `/${LARGE}` }, { method: "GET", path: `/%zz${LARGE}` }];
  for (const { method, path } of routes) {
    const url = path.replace(/:\w+|\*/g, LONGEST_PARAMETER);
    const ask = (rest: object, query = "") => app.inject({ method: method as "GET", url: `${url}?${query}`, ...rest });
    for (const query of [`a=${LARGE}`, LARGE, ...queries]) await ask({}, query);
    for (const name of HEADERS) await ask({ headers: { [name]: LARGE } });
    for (const kind of ["Bearer", "Basic"]) await ask({ headers: { authorization: `${kind} ${LARGE}` } });
    for (const type of ["application/x-www-form-urlencoded", "application/json", LARGE]) {
      await ask({
        headers: { "content-type": type },
        payload: type.endsWith("json") ? `{"a":"${LARGE}"}` : `a=${LARGE}`,
      });
    }
  }
}
