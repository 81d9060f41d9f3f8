import { guideText } from "./guides.ts";

/** The guides of each group of the navigation, by the names of their files. */
const GROUPS = {
  Begin: ["overview", "concepts", "first-connection"],
  Build: ["tokens", "pagination", "sync", "changes", "many-shops", "webhooks"],
  Operate: ["errors", "rate-limits", "limits", "disconnecting", "plans", "partner-pages"],
  "Go live": [
    ...["test-your-integration", "going-to-production", "personal-data"],
    ...["security-and-support", "versioning", "changelog"],
  ],
  Tools: ["typescript", "python", "libraries", "tools"],
};

/** The names of the files in guides/, in the order of the navigation. */
export const GUIDES: readonly string[] = Object.values(GROUPS).flat();

/** The groups as a sidebar of VitePress, with links below /docs. */
export const NAVIGATION = Object.entries(GROUPS).map(([text, names]) => ({
  text,
  items: names.map(itemOf),
}));

/** The item's text is the heading of the guide. */
function itemOf(name: string) {
  const [, text = ""] = /^# (.+)/.exec(guideText(name)) ?? [];
  return { text, link: name === "overview" ? "/" : `/${name}` };
}
