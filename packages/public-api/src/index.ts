export * from "./oauth/protocol.ts";
export { BASE_URL, DOCUMENT_FILE, type PublicUrls, servedDocument } from "./served-document.ts";
export { TOOL_FILES } from "./tool-files.ts";
