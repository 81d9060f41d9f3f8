export { passkeysRoutes } from "./passkeys.route.ts";
