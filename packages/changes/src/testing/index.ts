export { type ModelOptions, type ModelResult, runModel } from "./model.ts";
export { openFeed, type TestFeed, testFeed } from "./test-feed.ts";
