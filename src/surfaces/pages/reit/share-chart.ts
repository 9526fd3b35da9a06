import { type Html, html, raw } from '../html.ts';
import { shareText } from './amounts.ts';
import type { HoldingHistory } from './history.ts';

const [WIDTH, HEIGHT] = [640, 90];

/** The share that the REIT holds over time, of the whole interest. */
export function shareChart({ ownership, periods }: HoldingHistory): Html | undefined {
  const known = ownership.filter(({ share }) => share !== null).toSorted((a, b) => (a.from < b.from ? -1 : 1));
  const [first] = known;
  const end = periods.at(-1)?.endDate;
  if (first === undefined || end === undefined || end <= first.from) return undefined;
  const [start, stop] = [Date.parse(first.from), Date.parse(end)];
  const x = (day: string) =>
    Math.round(((Math.min(Date.parse(day), stop) - start) / (stop - start)) * (WIDTH - 16)) + 8;
  const bars = known.map(({ from, to, share }) => {
    const part = (share?.numerator ?? 0) / (share?.denominator ?? 1);
    const height = Math.round(part * 50);
    const [left, right] = [x(from), x(to ?? end)];
    return html`<rect class="bar" x="${left}" y="${62 - height}" width="${Math.max(right - left, 1)}" height="${height}"/><text class="start" x="${left}" y="${58 - height}">${shareText(share)}</text>`;
  });
  return html`<figure class="chart"><figcaption>Share held</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Share held from ${first.from} to ${end}; the table of ownership has every row">${bars}
${raw('<path class="ground" d="M8 62H632"/>')}<text class="start" x="8" y="80">${first.from}</text><text class="end" x="632" y="80">${end}</text></svg>
<p class="caption">The ownership table below has every row.</p></figure>`;
}
