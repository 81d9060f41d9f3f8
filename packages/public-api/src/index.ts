export { IGNORED_PARAMETERS, nameIgnored } from "./ignored-parameters.ts";
export * from "./oauth/protocol.ts";
export { type ApiInformation, BASE_URL, DOCUMENT_FILE, type PublicUrls, servedDocument } from "./served-document.ts";
