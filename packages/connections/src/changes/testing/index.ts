export { runModel } from "./model.ts";
export { openFeed, type TestFeed } from "./test-feed.ts";
