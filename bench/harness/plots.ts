import type { Spread } from './report.ts';

const FONT = 'font-family="system-ui, sans-serif" font-size="12"';
const TEXT = '#57606a';
const MET = '#2f7d4f';
const MISSED = '#c2412d';
const LINES = ['#2f6fb2', '#c2412d', '#2f7d4f', '#8250a8'] as const;

export interface Bar {
  label: string;
  /** As a share of what the target allows. */
  used: Spread;
  isMet: boolean;
}

const BAR = { height: 16, gap: 6, labels: 410, width: 380, most: 2.5 };

/** How much of each target is used, with the spread of the rounds; the target is a line. */
export function plotTargets(bars: readonly Bar[]): string {
  const step = BAR.height + BAR.gap;
  const height = bars.length * step + 34;
  const x = (used: number) => BAR.labels + (Math.min(used, BAR.most) / BAR.most) * BAR.width;
  const rows = bars.map(({ label, used, isMet }, i) => {
    const y = 24 + i * step;
    const middle = y + BAR.height / 2;
    const beyond = used.median > BAR.most ? ` ${used.median.toFixed(1)} times` : '';
    return [
      `<text x="${BAR.labels - 8}" y="${y + 12}" text-anchor="end" fill="${TEXT}">${escapeXml(label)}</text>`,
      `<rect x="${BAR.labels}" y="${y}" width="${n(x(used.median) - BAR.labels)}" height="${BAR.height}" fill="${isMet ? MET : MISSED}"/>`,
      `<path d="M${n(x(used.lowest))} ${middle}H${n(x(used.highest))}" stroke="#1f2328"/>`,
      beyond === ''
        ? ''
        : `<text x="${BAR.labels + BAR.width + 6}" y="${y + 12}" fill="${TEXT}">${beyond.trim()}</text>`,
    ].join('');
  });
  const line = `<path d="M${n(x(1))} 18V${height - 8}" stroke="#1f2328" stroke-dasharray="4 3"/>`;
  const title = `<text x="${n(x(1))}" y="12" text-anchor="middle" fill="${TEXT}">target</text>`;
  return svg(BAR.labels + BAR.width + 90, height, [...rows, line, title]);
}

export interface Series {
  label: string;
  unit: string;
  points: readonly { buildings: number; spread: Spread }[];
}

const CHART = { width: 250, height: 130, left: 52, top: 30, bottom: 26, perRow: 3 };

/** One small chart per figure over the number of buildings; both axes are logarithmic. */
export function plotGrowth(series: readonly Series[]): string {
  const rows = Math.ceil(series.length / CHART.perRow);
  const full = { width: CHART.width + CHART.left + 20, height: CHART.height + CHART.top + CHART.bottom };
  const charts = series.map((each, i) => {
    const origin = `translate(${(i % CHART.perRow) * full.width} ${Math.floor(i / CHART.perRow) * full.height})`;
    return `<g transform="${origin}">${chart(each, LINES[i % LINES.length] as string)}</g>`;
  });
  return svg(Math.min(series.length, CHART.perRow) * full.width, rows * full.height, charts);
}

function chart({ label, unit, points }: Series, colour: string): string {
  const sizes = points.map(({ buildings }) => Math.log10(buildings));
  const values = points.flatMap(({ spread }) => [spread.lowest, spread.highest]).map((value) => Math.log10(value));
  const [first, last] = [Math.min(...sizes), Math.max(...sizes)];
  const [low, high] = [
    Math.floor(Math.min(...values)),
    Math.max(Math.ceil(Math.max(...values)), Math.floor(Math.min(...values)) + 1),
  ];
  const x = (buildings: number) => CHART.left + ((Math.log10(buildings) - first) / (last - first)) * CHART.width;
  const y = (value: number) => CHART.top + ((high - Math.log10(value)) / (high - low)) * CHART.height;
  const line = points.map(
    ({ buildings, spread }, i) => `${i === 0 ? 'M' : 'L'}${n(x(buildings))} ${n(y(spread.median))}`,
  );
  const bottom = CHART.top + CHART.height;
  return [
    `<text x="${CHART.left}" y="18" fill="${TEXT}">${escapeXml(label)}, ${escapeXml(unit)}</text>`,
    `<path d="M${CHART.left} ${CHART.top}V${bottom}H${CHART.left + CHART.width}" fill="none" stroke="#afb8c1"/>`,
    ...Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)).map(
      (value) =>
        `<text x="${CHART.left - 6}" y="${n(y(value) + 4)}" text-anchor="end" fill="${TEXT}">${short(value)}</text>`,
    ),
    ...points.map(({ buildings, spread }) =>
      [
        `<path d="M${n(x(buildings))} ${n(y(spread.lowest))}V${n(y(spread.highest))}" stroke="${colour}"/>`,
        `<circle cx="${n(x(buildings))}" cy="${n(y(spread.median))}" r="3" fill="${colour}"/>`,
        `<text x="${n(x(buildings))}" y="${bottom + 16}" text-anchor="middle" fill="${TEXT}">${short(buildings)}</text>`,
      ].join(''),
    ),
    `<path d="${line.join('')}" fill="none" stroke="${colour}"/>`,
  ].join('');
}

function svg(width: number, height: number, parts: readonly string[]): string {
  const box = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  const background = `<rect width="${width}" height="${height}" fill="#fff"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${box} ${FONT}>\n${[background, ...parts].join('\n')}\n</svg>\n`;
}

const n = (value: number) => String(Math.round(value * 10) / 10);
const short = (value: number) => value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 });

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
