/** The colours of maps: those of the page, and those of the schemes. */
import type { ExpressionSpecification } from 'maplibre-gl';
import type { MapWords } from '../catalogue/map.ts';
import type { MapState } from './map-view.ts';

/** Told apart on light and dark ground, and in the order of the legend. */
const USE_COLOURS: Readonly<Record<keyof MapWords['uses'], string>> = {
  residential: '#cf9a1f',
  office: '#3f78c4',
  retail: '#d1495b',
  hotel: '#9b5fc0',
  industry: '#8a6d5b',
  public: '#2f9c98',
  culture: '#c76fa5',
  transport: '#5f7488',
};
const YEAR_COLOURS = ['#7a4fb3', '#4a7fc1', '#2fa39a', '#7fb84a', '#dfb224'];
const HEIGHT_COLOURS = ['#5b8fc7', '#3fa7a0', '#8cbf5a', '#dfb224', '#e2832e', '#c9413a'];

/** The colour of the page by the name of its custom property. */
export type PageColours = (name: (typeof PAGE_COLOURS)[number]) => string;

const PAGE_COLOURS = [
  '--map-sea',
  '--map-land',
  '--map-unknown',
  '--accent',
  '--strong-line',
  '--muted',
  '--surface',
  '--ink',
] as const;

/** As they are now, light or dark. All are set before any is read, so that the browser computes them once. */
export function pageColours(place: HTMLElement): PageColours {
  const probe = document.createElement('span');
  for (const name of PAGE_COLOURS) {
    const part = document.createElement('span');
    part.style.color = `var(${name})`;
    probe.append(part);
  }
  place.append(probe);
  const found = new Map(PAGE_COLOURS.map((name, i) => [name, getComputedStyle(probe.children[i] as Element).color]));
  probe.remove();
  return (name) => found.get(name) ?? '#888';
}

/** UI-83: by use, year or height; grey if that is not known. */
export function colourOf({ scheme, colour, words }: MapState): ExpressionSpecification {
  const unknown = colour('--map-unknown');
  if (scheme === 'use') {
    const pairs = Object.entries(words.useGroups).flatMap(([group, uses]) => [
      uses,
      USE_COLOURS[group as keyof typeof USE_COLOURS],
    ]);
    return ['match', ['get', 'category'], ...pairs, unknown] as unknown as ExpressionSpecification;
  }
  const [property, limits, scale] =
    scheme === 'year'
      ? (['built', words.yearClasses, YEAR_COLOURS] as const)
      : (['height', words.heightClasses, HEIGHT_COLOURS] as const);
  const steps = limits.flatMap((limit, i) => [limit, scale[i + 1] as string]);
  return [
    'case',
    ['has', property],
    ['step', ['get', property], scale[0] as string, ...steps],
    unknown,
  ] as unknown as ExpressionSpecification;
}

export function schemeRows({ scheme, words, colour }: MapState): [kind: string, colour: string, text: string][] {
  const rows: [string, string, string][] =
    scheme === 'use'
      ? Object.entries(words.uses).map(([group, text]) => [
          'square',
          USE_COLOURS[group as keyof typeof USE_COLOURS],
          text,
        ])
      : scheme === 'year'
        ? words.years.map((text, i) => ['square', YEAR_COLOURS[i] as string, text])
        : words.heights.map((text, i) => ['square', HEIGHT_COLOURS[i] as string, text]);
  return [...rows, ['square', colour('--map-unknown'), words.unknown]];
}
