export { accountRoutes } from "./account.route.ts";
