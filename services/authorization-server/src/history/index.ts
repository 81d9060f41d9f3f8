export { historyRoutes } from "./history.route.ts";
