import { findCategory } from '../../vocabulary/categories.ts';
import type { Field, FieldScalar } from '../../vocabulary/fields.ts';
import {
  kanjiNumbersToDigits,
  type PartialDate,
  parseJapaneseDate,
  toDay,
  toMonth,
} from '../../vocabulary/japanese.ts';
import { isYenUnit, type PrintedUnit } from '../../vocabulary/printed-figure.ts';
import { printable } from '../../vocabulary/text.ts';
import { COLUMNS, type ColumnDefinition, type ColumnKind, type PropertyColumn } from './columns.ts';
import { parseFigure, stripFootnoteMarks, toYen, type Units } from './figures.ts';
import { oneLine, propertyAddress } from './names.ts';

/** The values of a cell, and notes about what cannot be used. */
interface CellReading {
  values: [Field, FieldScalar][];
  notes: string[];
}

const NOTHING: CellReading = { values: [], notes: [] };

const READERS: Readonly<Record<ColumnKind, (text: string, units: Units, field: Field) => CellReading>> = {
  text: (text, _, field) => one(field, field === 'addressJa' ? propertyAddress(text) : oneLine(text)),
  money: readMoney,
  area: readArea,
  rate: readRate,
  count: readCount,
  day: readDay,
  month: readCompletion,
  use: readUses,
  structure: readStructure,
  floors: (text) => {
    const { values, notes } = readStructure(text);
    return { values: values.filter(([name]) => name !== 'structure'), notes };
  },
};

export function readPropertyCell(column: PropertyColumn, text: string, units: Units): CellReading {
  const { kind, field }: ColumnDefinition = COLUMNS[column];
  if (parseFigure(text).kind === 'none') return NOTHING;
  return READERS[kind](text, units, field ?? 'nameJa');
}

function one(field: Field, value: FieldScalar): CellReading {
  return { values: [[field, value]], notes: [] };
}

function none(note: string): CellReading {
  return { values: [], notes: [note] };
}

function unreadable(field: string, text: string): CellReading {
  return none(`${field} cannot be read from "${printable(oneLine(text), 40)}"`);
}

function readMoney(text: string, units: Units, field: Field): CellReading {
  const figure = parseFigure(text);
  if (figure.kind !== 'number') return unreadable(field, text);
  const unit = figure.unit ?? units.money;
  if (unit === undefined) return none(`${field} left out: neither cell, header nor caption states its unit`);
  if (!isYenUnit(unit)) return unreadable(field, text);
  const yen = toYen(figure.decimal, unit);
  return yen === undefined ? none(`${field} is not a whole number of yen in the supported range`) : one(field, yen);
}

function readArea(text: string, units: Units, field: Field): CellReading {
  const figure = parseFigure(text);
  if (figure.kind !== 'number') return unreadable(field, text);
  const stated = figure.unit ?? units.area;
  if (stated === undefined) return none(`${field} left out: neither cell, header nor caption states its unit`);
  return stated === 'm2' ? one(field, Number(figure.decimal)) : none(`${field} left out: not in square metres`);
}

function readRate(text: string, units: Units, field: Field): CellReading {
  const figure = parseFigure(text);
  if (figure.kind !== 'number') return unreadable(field, text);
  const rate = Number(figure.decimal);
  if (figure.unit === '%') return one(field, rate);
  if (figure.unit !== undefined) return unreadable(field, text);
  if (units.rate === undefined) return none(`${field} left out: not stated to be in per cent`);
  if (rate > 0 && rate <= 1) return none(`${field} left out: looks like a fraction under a header in per cent`);
  return one(field, rate);
}

const COUNTED: ReadonlySet<PrintedUnit> = new Set<PrintedUnit>(['戸', '室', '区画', '棟']);

function readCount(text: string, _: Units, field: Field): CellReading {
  const figure = parseFigure(text);
  return figure.kind === 'number' && (figure.unit === undefined || COUNTED.has(figure.unit))
    ? one(field, Number(figure.decimal))
    : unreadable(field, text);
}

export function dateIn(text: string): PartialDate | undefined {
  return parseJapaneseDate(
    stripFootnoteMarks(text)
      .normalize('NFKC')
      .replace(/\s+/gu, '')
      .replace(/(?:竣工|新築|取得|頃|築)$/u, ''),
  );
}

function readDay(text: string, _: Units, field: Field): CellReading {
  const date = dateIn(text);
  if (date === undefined) return unreadable(field, text);
  const day = toDay(date);
  return day === undefined ? none(`${field} left out: no day stated`) : one(field, day);
}

function readCompletion(text: string): CellReading {
  const date = dateIn(text);
  if (date === undefined) return unreadable('completionMonth', text);
  const month = toMonth(date);
  const year: [Field, FieldScalar] = ['yearBuilt', date.year];
  return { values: month === undefined ? [year] : [['completionMonth', month], year], notes: [] };
}

function readUses(text: string): CellReading {
  const { known, unknown } = splitUses(stripFootnoteMarks(text));
  return {
    values: known.map((use) => ['assetTypes', use]),
    notes: unknown.map((use) => `unknown use "${printable(oneLine(use), 40)}"`),
  };
}

function readStructure(text: string): CellReading {
  const parsed = parseStructure(stripFootnoteMarks(text));
  const values = (['structure', 'floorsAbove', 'floorsBelow'] as const).flatMap((field): [Field, FieldScalar][] => {
    const value = parsed[field];
    return value === undefined ? [] : [[field, value]];
  });
  return values.length === 0 ? unreadable('structure', text) : { values, notes: [] };
}

interface Structure {
  structure: string | undefined;
  floorsAbove: number | undefined;
  floorsBelow: number | undefined;
}

const BELOW = /(?:地下|(?<![a-z])b)(\d{1,2})(?:階|f)?/gu;
const ABOVE = [/地上(\d{1,3})階?(?:建て?)?/gu, /(\d{1,3})階(?:建て?)?/gu, /(?<![\da-z])(\d{1,3})f(?![a-z])/gu];
const BUILT_FLAT = /平(?:屋|家)(?:建て?)?/gu;
const TOWER = /塔屋(?:付き?)?\d*階?(?:建て?)?(?:付き?)?|ph\d*f?/gu;
const KIND = /造|コンクリート|鉄骨|鉄筋|木|ブロック|(?<![a-z])(?:s|rc|src|cft|pc|w)(?![a-z])/u;

/**
 * 鉄骨鉄筋コンクリート造 地下2階付25階建, S・RC造B1/12F, SRC造B2F/25F, RC造 地上10階 地下1階. Different numbers of floors
 * (several buildings in one cell) make them unknown.
 */
export function parseStructure(text: string): Structure {
  const plain = text.slice(0, 300).normalize('NFKC').replace(/\s+/gu, ' ').trim();
  let rest = plain
    .toLowerCase()
    .replace(/[〇零一二三四五六七八九十百]+(?=階)/gu, kanjiNumbersToDigits)
    .replace(/rc(?=[\db])|src(?=[\db])/gu, '$& ')
    .replace(TOWER, ' ');
  const take = (pattern: RegExp): number[] => {
    const found: number[] = [];
    rest = rest.replace(pattern, (_, floors: string | number) => {
      found.push(typeof floors === 'string' ? Number(floors) : 1);
      return '|';
    });
    return found;
  };
  const below = take(BELOW);
  const above = [...ABOVE.flatMap(take), ...take(BUILT_FLAT)];
  const words = rest
    .split('|')
    .map((word) => word.replace(/^[\s付建て/・、,.()-]+|[\s/・、,.(-]+$/gu, '').replace(/^\)+/u, ''))
    .filter((word) => KIND.test(word));
  const kind = words.length === 0 ? undefined : restoreCase(words.join('、'));
  return { structure: kind, floorsAbove: onlyOne(above), floorsBelow: onlyOne(below) };
}

function onlyOne(floors: number[]): number | undefined {
  return new Set(floors).size === 1 ? floors[0] : undefined;
}

/** Latin letters are abbreviations: SRC, RC, S. */
function restoreCase(text: string): string {
  return text.toUpperCase();
}

const BETWEEN = /[・、,，/／\n;+＋]|及び|および|並びに|又は/u;

interface Uses {
  known: string[];
  unknown: string[];
}

/** The uses in a cell: one word, or several (事務所・店舗). A known word that contains a separator is one use. */
export function splitUses(text: string): Uses {
  const whole = text.trim();
  if (findCategory(whole) !== undefined) return { known: [whole], unknown: [] };
  const uses: Uses = { known: [], unknown: [] };
  for (const part of whole.split(BETWEEN)) {
    const word = part.trim();
    if (word === '') continue;
    const bare = word.replace(/[(（][^()（）]*[)）]/gu, '').trim();
    const known = [word, bare].find((use) => use !== '' && findCategory(use) !== undefined);
    if (known === undefined) uses.unknown.push(word);
    else if (!uses.known.includes(known)) uses.known.push(known);
  }
  return uses;
}
