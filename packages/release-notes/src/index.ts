export { releaseNotes } from "./release-notes.ts";
