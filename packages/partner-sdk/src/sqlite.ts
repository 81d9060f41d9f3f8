export { SqliteStore } from "./stores/sqlite-store.ts";
