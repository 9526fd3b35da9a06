import { BrokenFile } from '../files/broken-file.ts';
import type { SourceFile } from '../files/source-file.ts';
import { findFilesNear, type IngestedFile } from '../observations/origins.ts';
import type { Db } from '../storage/storage.ts';
import type { Audited } from './audit.ts';
import { findCodes, findEntities, findRowsByStart } from './cut/find-records.ts';
import { findHtmlRows } from './cut/find-table-rows.ts';
import type { RawPiece, RecordQuery } from './cut/piece.ts';
import { ArchivedInput } from './read-raw.ts';

/**
 * Raw data outside the record that its value depends on: the entry of a code list, the machi-aza row with the postcode, the
 * items that a Wikidata item refers to, the tables in other files of a filing.
 */
interface Supplement {
  /** The keys to look for, from the raw record of the value. */
  keysOf(audited: Audited): string[];
  isIn(file: string, origin: IngestedFile): boolean;
  find(file: SourceFile, keys: ReadonlySet<string>): Promise<Map<string, RawPiece[]>>;
}

const SUPPLEMENTS: readonly Supplement[] = [
  {
    keysOf: ({ value, pieces }) =>
      value.provenance.source !== 'plateau'
        ? []
        : pieces.flatMap(({ bytes }) => codesIn(bytes.toString('utf8'), value.kind)),
    isIn: (file) => /codelists\/[^/]+\.xml$/i.test(file),
    find: async (file, keys) => new Map([...(await findCodes(file, keys))].map(([key, piece]) => [key, [piece]])),
  },
  {
    keysOf: ({ value: { kind, provenance } }) =>
      provenance.source === 'abr' && kind === 'postcode'
        ? [`${provenance.sourceRecordId.split('-').slice(0, 2).join(',')},`]
        : [],
    isIn: (file) => /town(?:(?!town|pos)[^/])*\.csv$/i.test(file),
    find: findRowsByStart,
  },
  {
    keysOf: ({ value: { kind, provenance }, pieces }) =>
      provenance.source === 'wikidata' ? pieces.flatMap(({ bytes }) => itemsIn(bytes, NAMING[kind])) : [],
    isIn: () => true,
    async find(file, keys) {
      const wanted = [...keys].map((id) => ({
        source: 'wikidata',
        id,
        line: 0,
        name: undefined,
        venues: [],
        outline: false,
        size: undefined,
      }));
      return new Map([...(await findEntities(file, wanted))].map(([{ id }, pieces]) => [id, pieces]));
    },
  },
  {
    keysOf: ({ value: { provenance }, origin }) => {
      const name = origin?.statement.observations.find(({ field }) => field === 'nameJa')?.value;
      return provenance.source === 'edinet' && origin?.source === 'edinet' && name !== undefined ? [String(name)] : [];
    },
    isIn: (file, origin) => file !== origin.file && folderOf({ file }) === folderOf(origin) && /\.html?$/i.test(file),
    async find(file, keys) {
      const found = await findHtmlRows(file, [...keys].map(named));
      return new Map([...found].map(([{ name = '' }, pieces]) => [name, pieces]));
    },
  },
];

/** A query for a record by its name alone. */
const named = (name: string): RecordQuery => ({
  source: '',
  id: '',
  line: 0,
  name,
  venues: [],
  outline: false,
  size: undefined,
});

/** Wikidata properties whose published value is the label of another item. */
const NAMING: Readonly<Record<string, string>> = { architect: 'P84', ownerPublic: 'P127' };

const CODED: Readonly<Record<string, RegExp>> = {
  assetTypes: /<(?:\w+:)?(?:usage|detailedUsage\d?|orgUsage\d?|majorUsage\d?)(\s[^<>]*)>([^<]+)</g,
  nameJa: /<(?:\w+:)?name(\s[^<>]*)>([^<]+)</g,
};

function codesIn(text: string, kind: string): string[] {
  const pattern = CODED[kind];
  if (pattern === undefined) return [];
  return [...text.matchAll(pattern)].flatMap(([, attributes = '', code = '']) => {
    const list = /codeSpace="([^"<>]+)"/.exec(attributes)?.[1];
    return list === undefined ? [] : `${list.slice(list.lastIndexOf('/') + 1)}#${code.trim()}`;
  });
}

function itemsIn(bytes: Buffer, property: string | undefined): string[] {
  if (property === undefined) return [];
  try {
    const { claims } = JSON.parse(bytes.toString('utf8')) as { claims?: Record<string, unknown> };
    return [...JSON.stringify(claims?.[property] ?? '').matchAll(/"id":"(Q\d+)"/g)].map(([, id]) => id as string);
  } catch {
    return [];
  }
}

/** More than the code lists of a city. */
const MOST_FILES = 300;

/** Adds the pieces that values need in addition to their records, from files of the same ingest. */
export async function addSupplements(db: Db, archiveDir: string, values: readonly Audited[]): Promise<void> {
  for (const supplement of SUPPLEMENTS) {
    const needing = values
      .map((each) => ({ each, keys: supplement.keysOf(each) }))
      .filter(({ keys }) => keys.length > 0);
    for (const inside of Map.groupBy(needing, ({ each }) => folderOf(each.origin)).values()) {
      const origin = inside[0]?.each.origin;
      if (origin === undefined) continue;
      const files = (await findFilesNear(db, origin))
        .filter(({ file }) => supplement.isIn(file, origin))
        .slice(0, MOST_FILES);
      const found = await findIn(archiveDir, files, supplement, new Set(inside.flatMap(({ keys }) => keys)));
      for (const { each, keys } of inside) {
        each.pieces.push(...[...new Set(keys)].flatMap((key) => found.get(key) ?? []));
      }
    }
  }
}

const folderOf = (origin: Pick<IngestedFile, 'file'> | undefined) =>
  origin?.file.slice(0, origin.file.lastIndexOf('/'));

async function findIn(
  archiveDir: string,
  files: readonly IngestedFile[],
  { find }: Supplement,
  keys: ReadonlySet<string>,
): Promise<Map<string, RawPiece[]>> {
  const found = new Map<string, RawPiece[]>();
  for (const [sha256, inside] of Map.groupBy(files, (file) => file.sha256)) {
    const input = await ArchivedInput.open(archiveDir, sha256);
    if (!input.ok) continue;
    try {
      for (const { source, file: name } of inside) {
        const file = await input.value.find(source, name);
        if (!file.ok) continue;
        for (const [key, pieces] of await find(file.value, keys)) if (!found.has(key)) found.set(key, pieces);
      }
    } catch (error) {
      // The record itself is shown without the supplement.
      if (!(error instanceof BrokenFile)) throw error;
    } finally {
      input.value.close();
    }
  }
  return found;
}
