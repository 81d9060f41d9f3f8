import { type Html, html } from "../merchant-page/html.ts";
import { plainName } from "../merchant-page/name.ts";

/** Icons of the app and the shop, side by side. They are decoration: the heading says the same. */
export function pair(app: string): Html {
  return html`<div class="pair" aria-hidden="true">
<span><bdi>${initial(app)}</bdi></span>
<i></i>
<span class="own"><svg viewBox="0 0 24 24" width="24" height="24"><path d="M4 10.5V19a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-8.5M3 8l1.6-4h14.800L21 8a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0ZM9.5 20v-5.5h5V20"/></svg></span>
</div>`;
}

/** The first grapheme: a letter with its marks, or a whole emoji. */
function initial(name: string): string {
  const [first] = new Intl.Segmenter().segment(plainName(name));
  return first?.segment.toUpperCase() ?? "";
}
