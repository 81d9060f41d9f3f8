import { type Html, html } from "../page/html.ts";
import type { ChannelCounts, Period } from "./channel-counts.ts";

/** Units of the drawing; the page stretches it to its own width. */
const HEIGHT = 200;
const COLUMN = 20;
const GAP = 4;

/** Columns in one colour for each channel, with the same numbers as a table behind them. */
export function chartView(counts: ChannelCounts | null): Html {
  if (counts === null) return html``;
  const { question, channels, periods } = counts;
  const most = Math.max(...periods.map(total));
  const width = periods.length * COLUMN;
  const names = [periods[0], periods[Math.floor(periods.length / 2)], periods.at(-1)].map((period) => period?.name);
  return html`<section class="card" aria-labelledby="channels">
<h2 id="channels">${question}</h2>
<ul class="legend">${channels.map((channel, index) => html`<li><svg class="key" viewBox="0 0 1 1" aria-hidden="true"><rect class="channel-${index}" width="1" height="1"/></svg>${channel}</li>`)}</ul>
<p class="scale">up to ${most.toLocaleString("en")} a ${periods[0]?.name.length === 7 ? "month" : "day"}</p>
<svg class="chart" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Columns of how often each was named over time. The table below has the numbers.">
${periods.map((period, index) => column(period, index * COLUMN, most, channels))}
<path class="ground" d="M0 ${HEIGHT}H${width}"/>
</svg>
<p class="scale spread">${[...new Set(names)].map((name) => html`<span>${name}</span>`)}</p>
<details><summary>The numbers</summary>
<div class="scroll" tabindex="0" role="region" aria-label="The numbers">
<table><thead><tr><th scope="col">When</th>${channels.map((channel) => html`<th scope="col">${channel}</th>`)}</tr></thead>
<tbody>${periods.map(({ name, counts: row }) => html`<tr><th scope="row">${name}</th>${row.map((amount) => html`<td>${amount}</td>`)}</tr>`)}</tbody></table>
</div></details>
</section>`;
}

function column({ name, counts }: Period, x: number, most: number, channels: readonly string[]): Html[] {
  let top = HEIGHT;
  return counts.map((amount, index) => {
    const height = (amount / most) * HEIGHT;
    top -= height;
    const place = html`<rect class="channel-${index}" x="${x + GAP / 2}" width="${COLUMN - GAP}" y="${top.toFixed(2)}" height="${height.toFixed(2)}">`;
    return html`${place}<title>${name}: ${channels[index]} ${amount}</title></rect>`;
  });
}

function total({ counts }: Period): number {
  return counts.reduce((sum, amount) => sum + amount, 0);
}
