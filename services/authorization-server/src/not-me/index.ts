export { notMeRoutes } from "./not-me.route.ts";
