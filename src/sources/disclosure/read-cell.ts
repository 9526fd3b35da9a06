import type { Field, FieldScalar } from '../../vocabulary/fields.ts';
import { type PartialDate, parseJapaneseDate, toDay, toMonth } from '../../vocabulary/japanese.ts';
import type { PrintedUnit } from '../../vocabulary/printed-figure.ts';
import { printable } from '../../vocabulary/text.ts';
import { isYenUnit } from '../../vocabulary/yen-scales.ts';
import { COLUMNS, type ColumnDefinition, type ColumnKind, type PropertyColumn } from './columns.ts';
import { parseFigure, stripMarks, toYen } from './figures.ts';
import { oneLine, propertyAddress } from './names.ts';
import { parseStructure } from './structure.ts';
import type { Units } from './units.ts';
import { splitUses } from './uses.ts';

/** What a cell says: values of fields, and what could not be taken. */
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
  if (unit === undefined) return none(`${field} is left out: neither cell, header nor caption says its unit`);
  if (!isYenUnit(unit)) return unreadable(field, text);
  const yen = toYen(figure.decimal, unit);
  return yen === undefined ? none(`${field} is no whole number of yen that can be kept`) : one(field, yen);
}

function readArea(text: string, units: Units, field: Field): CellReading {
  const figure = parseFigure(text);
  if (figure.kind !== 'number') return unreadable(field, text);
  const stated = figure.unit ?? units.area;
  if (stated === undefined) return none(`${field} is left out: neither cell, header nor caption says its unit`);
  return stated === 'm2'
    ? one(field, Number(figure.decimal))
    : none(`${field} is left out: it is not in square metres`);
}

function readRate(text: string, units: Units, field: Field): CellReading {
  const figure = parseFigure(text);
  if (figure.kind !== 'number') return unreadable(field, text);
  const rate = Number(figure.decimal);
  if (figure.unit === '%') return one(field, rate);
  if (figure.unit !== undefined) return unreadable(field, text);
  if (units.rate === undefined) return none(`${field} is left out: nothing says that it is in per cent`);
  if (rate > 0 && rate <= 1) return none(`${field} is left out: under a header in per cent it looks like a fraction`);
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
    stripMarks(text)
      .normalize('NFKC')
      .replace(/\s+/gu, '')
      .replace(/(?:竣工|新築|取得|頃|築)$/u, ''),
  );
}

function readDay(text: string, _: Units, field: Field): CellReading {
  const date = dateIn(text);
  if (date === undefined) return unreadable(field, text);
  const day = toDay(date);
  return day === undefined ? none(`${field} is left out: its day is not stated`) : one(field, day);
}

function readCompletion(text: string): CellReading {
  const date = dateIn(text);
  if (date === undefined) return unreadable('completionMonth', text);
  const month = toMonth(date);
  const year: [Field, FieldScalar] = ['yearBuilt', date.year];
  return { values: month === undefined ? [year] : [['completionMonth', month], year], notes: [] };
}

function readUses(text: string): CellReading {
  const { known, unknown } = splitUses(stripMarks(text));
  return {
    values: known.map((use) => ['assetTypes', use]),
    notes: unknown.map((use) => `the use "${printable(oneLine(use), 40)}" is not known`),
  };
}

function readStructure(text: string): CellReading {
  const parsed = parseStructure(stripMarks(text));
  const values = (['structure', 'floorsAbove', 'floorsBelow'] as const).flatMap((field): [Field, FieldScalar][] => {
    const value = parsed[field];
    return value === undefined ? [] : [[field, value]];
  });
  return values.length === 0 ? unreadable('structure', text) : { values, notes: [] };
}
