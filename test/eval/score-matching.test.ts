import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { describe, type Label, score } from '../../eval/matching/score.ts';
import { SETS } from '../../eval/matching/sets.ts';

const folder = join(import.meta.dirname, '../../eval/matching');
const label = (plateau: string, osm: string, as: Label['label']): Label => ({
  set: 's',
  plateau,
  osm,
  label: as,
  why: 'w',
});

it('counts correct, wrong and missed pairs, and lists every disagreement', () => {
  const labels = [
    label('a', '1', 'same'),
    label('b', '2', 'same'),
    label('c', '3', 'different'),
    label('d', '4', 'either'),
    label('e', '4', 'either'),
    label('f', '5', 'either'),
    label('g', '5', 'either'),
    label('h', '6', 'either'),
    label('h', '7', 'either'),
  ];
  const decided = [
    { plateau: 'a', osm: '1' },
    { plateau: 'c', osm: '3' },
    { plateau: 'e', osm: '4' },
    { plateau: 'h', osm: '7' },
    { plateau: 'x', osm: '9' },
  ];
  const result = score(labels, decided);
  expect(result).toEqual({
    right: 3,
    wrong: 2,
    missed: 2,
    disagreements: [
      'wrong: plateau c and osm 3 (w)',
      'wrong: plateau x and osm 9 (not labelled)',
      'missed: plateau b and osm 2 (w)',
      'missed: plateau f and osm 5 (w)',
    ],
  });
  expect(describe(result)).toBe('precision 0.600, recall 0.600, F1 0.600 (3 right, 2 wrong, 2 missed)');
});

it('labels belong to known sets, each pair once, with a picture of every disputed pair', () => {
  const labels: Label[] = parse(readFileSync(join(folder, 'labels.csv')), { columns: true });
  const names = labels.map(({ set, plateau, osm }) => `${set}-${osm}-${plateau}`.replaceAll('/', '-'));
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(labels.map(({ set }) => set))).toEqual(new Set(SETS.map(({ name }) => name)));
  for (const picture of readdirSync(join(folder, 'pictures'))) expect(names).toContain(picture.replace('.svg', ''));
  labels.forEach(({ label: as }, i) => {
    if (as === 'either') expect(existsSync(join(folder, 'pictures', `${names[i]}.svg`))).toBe(true);
  });
});
