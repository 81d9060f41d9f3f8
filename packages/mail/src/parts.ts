import { Html, html } from "@partner-connect/service-runtime/html";

interface Link {
  readonly label: string;
  readonly url: string;
}

/** A part of a mail, with any of these. */
export interface Part {
  readonly text?: string;
  /** Label and value. A value may have several lines, and no label. */
  readonly rows?: readonly (readonly [label: string, value: string])[];
  readonly link?: Link;
  /** A link, shown as a button. */
  readonly button?: Link | undefined;
}

export interface Contents {
  readonly language: string;
  readonly title: string;
  readonly product: string;
  /** The color of buttons and links. */
  readonly color: string;
  readonly parts: readonly Part[];
  readonly footer: Part;
}

export function textPart({ parts, footer }: Contents): string {
  const paragraphs = [...parts.map(textOf), `-- \n${textOf(footer)}`];
  return `${paragraphs.filter(Boolean).join("\n\n")}\n`;
}

function textOf({ text, rows = [], link, button }: Part): string {
  const lines = rows.map(
    ([label, value]) => `${label && `${label}: `}${value.replaceAll("\n", "; ")}`,
  );
  const links = [link, button].map((each) => each && `${each.label}: ${each.url}`);
  return [text, ...lines, ...links].filter(Boolean).join("\n");
}

/**
 * The stylesheet. Mail programs without dark mode or stylesheets show black on white. The logo is a
 * letter, because mails have no images.
 */
const style = (color: string) => `:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:16px;background:#fff;color:#1c2126;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main,footer{max-width:560px;margin:0 auto;overflow-wrap:anywhere}
.brand{font-weight:600}
.brand b{display:inline-block;width:28px;margin-right:10px;border-radius:8px;line-height:28px;text-align:center;background:${color};color:#fff}
h1{font-size:22px;font-weight:600;line-height:1.3;margin:8px 0 16px;text-wrap:balance}
table{border-spacing:0}
th{text-align:left;vertical-align:top;font-weight:normal;color:#56606a;padding:4px 16px 4px 0;overflow-wrap:normal}
td{vertical-align:top;padding:4px 0;white-space:pre-line}
a{color:${color}}
.action{display:inline-block;padding:10px 18px;border-radius:6px;background:${color};color:#fff;text-decoration:none;font-weight:600}
footer{margin-top:32px;border-top:1px solid #ccd2d8;padding-top:12px;font-size:14px;color:#56606a}
@media (prefers-color-scheme:dark){
body{background:#16191d;color:#e8eaed}
th,footer{color:#a8b1ba}
a:not(.action){color:#e8eaed}
footer{border-color:#3a4148}}`;

function htmlOf({ text, rows = [], link, button }: Part): Html {
  const cells = rows.map(([label, value]) =>
    label === ""
      ? html`<tr><td colspan="2">${value}</td></tr>`
      : html`<tr><th scope="row">${label}</th><td>${value}</td></tr>`,
  );
  return html`${text && html`<p>${text}${link && html`<br><a href="${link.url}">${link.label}</a>`}</p>`}
${cells.length > 0 && html`<table>${cells}</table>`}
${button && html`<p><a class="action" href="${button.url}">${button.label}</a></p>`}`;
}

export function htmlPart({ language, title, product, color, parts, footer }: Contents): Html {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(style(color))}</style>
</head>
<body>
<main>
<p class="brand"><b aria-hidden="true">${[...product][0]?.toUpperCase()}</b>${product}</p>
<h1>${title}</h1>
${parts.map(htmlOf)}
</main>
<footer>
${htmlOf(footer)}
</footer>
</body>
</html>
`;
}
