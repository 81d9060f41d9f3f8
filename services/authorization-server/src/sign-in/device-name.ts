const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, "Android"],
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/**
 * What a person knows a browser by, such as 'Firefox, Linux', from its header `user-agent`. Null where the header says none of these: nothing
 * of it is shown as it came.
 */
export function deviceName(userAgent: string | undefined): string | null {
  const named = (kinds: typeof BROWSERS) => kinds.find(([form]) => form.test(userAgent ?? ""))?.[1];
  const parts = [named(BROWSERS), named(SYSTEMS)].filter((name) => name !== undefined);
  return parts.length === 0 ? null : parts.join(", ");
}
