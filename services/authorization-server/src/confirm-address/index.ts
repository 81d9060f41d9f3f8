export { confirmAddressRoutes } from "./confirm-address.route.ts";
