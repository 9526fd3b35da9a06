import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openStorage } from '../../src/storage/open-storage.ts';
import { onBothEngines } from '../support/engines.ts';

const COLUMNS = ['pos', 'building', 'area', 'uses', 'fields', 'text', 'footprint', 'height', 'flags', 'site'] as const;

/** Text that no database refuses: no NUL, no half of a surrogate pair. */
const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''));
const small = fc.integer();
const large = fc.oneof(fc.bigInt({ min: 1n, max: 2n ** 49n }).map(Number), fc.constantFrom(1, 2 ** 31, 2 ** 32));
const real = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const entries = fc.uniqueArray(
  fc.tuple(
    large,
    large,
    fc.option(text),
    small,
    small,
    text,
    fc.option(real),
    fc.option(real),
    small,
    fc.option(fc.uint8Array({ maxLength: 20_000, size: 'max' })),
  ),
  { selector: ([pos]) => pos, maxLength: 8 },
);

onBothEngines('rows that are written', (fresh) => {
  it('are read as they were, however they were written', async () => {
    const storage = openStorage((await fresh()).url, () => {});
    const stored = async () => {
      const rows = await storage.db.selectFrom('search_entry').select(COLUMNS).orderBy('pos').execute();
      return rows.map((row) => COLUMNS.map((column) => toPlain(row[column])));
    };
    await fc.assert(
      fc.asyncProperty(entries, entries, async (rows, more) => {
        const unique = (list: typeof rows) => list.map((row, i) => row.with(1, row[0] * 8 + i) as typeof row);
        const [first, second] = [unique(rows), unique(more)];
        await storage.transaction(async (tx) => {
          await tx.db.deleteFrom('search_entry').execute();
          await tx.insert('search_entry', COLUMNS, first);
          await tx.insertNew('search_entry', COLUMNS, second);
        });
        expect(await stored()).toEqual(joined(second, first));
        await storage.transaction((tx) => tx.upsert('search_entry', COLUMNS, second));
        expect(await stored()).toEqual(joined(first, second));
        await storage.transaction((tx) => tx.update('search_entry', COLUMNS, first));
        expect(await stored()).toEqual(joined(second, first));
        const sites = first.map((row) => [row[0], null]);
        await storage.transaction((tx) => tx.update('search_entry', ['pos', 'site'], sites));
        const withoutSite = first.map((row) => row.with(-1, null) as typeof row);
        expect(await stored()).toEqual(joined(second, withoutSite));
      }),
      { numRuns: 15 },
    );
    await storage.close();
  });

  it('are seen by the statements that follow in their transaction', async () => {
    const storage = openStorage((await fresh()).url, () => {});
    const seen = await storage.transaction(async (tx) => {
      await tx.insert('todo', ['name'], [['a'], ['b']]);
      await tx.insertNew('todo', ['name'], [['b'], ['c']]);
      await tx.db.deleteFrom('todo').where('name', 'in', ['a']).execute();
      return tx.all<{ name: string }>('select name from todo order by name', []);
    });
    expect(seen.map(({ name }) => name)).toEqual(['b', 'c']);
    await storage.close();
  });

  it('fail with their transaction, and with the first cause', async () => {
    const storage = openStorage((await fresh()).url, () => {});
    await storage.transaction((tx) => tx.insert('todo', ['name'], [['a']]));
    const failing = storage.transaction(async (tx) => {
      await tx.insert('todo', ['name'], [['b']]);
      await tx.insert('todo', ['name'], [['c'], ['a']]);
      await tx.insert('todo', ['name'], [['d']]);
      await tx.db.selectFrom('todo').selectAll().execute();
    });
    await expect(failing).rejects.toThrow(/unique/i);
    expect(await storage.db.selectFrom('todo').selectAll().execute()).toEqual([{ name: 'a' }]);
    const unread = storage.transaction((tx) => tx.insert('todo', ['name'], [['a']]));
    await expect(unread).rejects.toThrow(/unique/i);
    // The connection is in order afterwards.
    await storage.transaction((tx) => tx.insert('todo', ['name'], [['e']]));
    expect(await storage.db.selectFrom('todo').selectAll().orderBy('name').execute()).toHaveLength(2);
    await storage.close();
  });

  it('may be more than the database takes at once', async () => {
    const storage = openStorage((await fresh()).url, () => {});
    const docs = new Uint8Array(200_000).fill(7);
    const rows = (from: number) => Array.from({ length: 60 }, (_, i) => [BigInt(from + i), docs]);
    await storage.transaction(async (tx) => {
      await tx.insert('search_posting', ['key', 'docs'], rows(0));
      await tx.upsert('search_posting', ['key', 'docs'], rows(30));
    });
    const { count } = await storage.db
      .selectFrom('search_posting')
      .select((eb) => eb.fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(90);
    await storage.close();
  });
});

type Row = readonly unknown[];

/** Both lists in order; a row of the second replaces one of the first. */
function joined(first: readonly Row[], second: readonly Row[]): unknown[][] {
  const byKey = new Map([...first, ...second].map((row) => [row[0] as number, row]));
  return [...byKey.values()].sort((a, b) => Number(a[0]) - Number(b[0])).map((row) => row.map(toPlain));
}

const toPlain = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);
