export { partnerPages } from "./partner-pages.ts";
