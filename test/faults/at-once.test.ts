import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { keepCopy, onBothEngines } from '../support/engines.ts';
import { Random } from '../support/random.ts';
import { id, MARUNOUCHI, record, square } from '../support/records.ts';
import { begin, complete } from './commands.ts';
import { seed, shortOrLong, tell, timeout } from './length.ts';
import { differences, type State, stateOf } from './state.ts';
import { writeTown } from './story.ts';
import { expectClean } from './verified.ts';

const ROUNDS = shortOrLong(1, 10);
const WAITING = 'another tatemono process is writing to this database; waiting for it to finish\n';

/** New footprints beside the town, whose IDs depend on who comes first, and another height of one of its buildings. */
function writeOthers(dir: string): string {
  const file = join(dir, 'others.ndjson');
  const lines = Array.from({ length: 40 }, (_, i) => {
    const geometry = square([MARUNOUCHI[0] + i * 0.0004, MARUNOUCHI[1] - 0.01], 0.0001);
    return record('osm', `way/9${i}`, { nameJa: `南${i}ビル` }, { area: '131010001001', geometry });
  });
  lines.push(record('plateau', 'bldg-14', { heightM: 99 }, { building: id(14) }));
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

const orders = <T>(list: readonly T[]): T[][] =>
  list.length === 0
    ? [[]]
    : list.flatMap((one) => orders(list.filter((other) => other !== one)).map((rest) => [one, ...rest]));

onBothEngines('two ingests and a merge at once', (fresh, engine) => {
  it('FLT-07 wait for one another, and leave what one order of them leaves', { timeout }, async () => {
    const database = await fresh();
    const [town, later, others] = [
      writeTown(database.dir, 80),
      writeTown(database.dir, 100, 1),
      writeOthers(database.dir),
    ];
    await complete(database, ['ingest', 'records', town]);
    const start = await keepCopy(database);
    const commands = [
      ['ingest', 'records', later],
      ['ingest', 'records', others],
      ['merge', id(13), id(14)],
    ];
    const random = new Random(seed);
    const inOrder = new Map<string, State>();
    const serial = await fresh();
    const stateAfter = async (order: string[][]) => {
      const key = JSON.stringify(order);
      const known = inOrder.get(key);
      if (known !== undefined) return known;
      await start.copyTo(serial);
      for (const args of order) await complete(serial, args);
      const state = await stateOf(serial);
      inOrder.set(key, state);
      return state;
    };
    let waited = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await start.copyTo(database);
      const ended: string[][] = [];
      const finished = await Promise.all(
        random.shuffle(commands).map(async (args) => {
          const { code, stderr } = await begin(database, args).ended;
          ended.push(args);
          return { code, stderr };
        }),
      );
      for (const { code, stderr } of finished) {
        expect([code, ['', WAITING].includes(stderr) ? '' : stderr]).toEqual([0, '']);
        if (stderr === WAITING) waited += 1;
      }
      const state = await stateOf(database);
      // The order in which they ended is most probably the one.
      const all = [ended, ...orders(commands)];
      let closest: string[] | undefined;
      for (const order of all) {
        const left = differences(state, await stateAfter(order));
        if (closest === undefined || left.length < closest.length) closest = left;
        if (closest.length === 0) break;
      }
      expect(closest).toEqual([]);
      await expectClean(database);
    }
    tell(`${engine}, seed ${seed}: ${ROUNDS} rounds, ${waited} commands waited for another`);
  });
});
