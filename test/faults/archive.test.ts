import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '../support/command.ts';
import { onBothEngines, type TestDatabase } from '../support/engines.ts';
import { Random } from '../support/random.ts';
import { complete, placeOf, SAMPLE } from './commands.ts';
import { seed, shortOrLong, tell, timeout } from './length.ts';
import { differences, stateOf } from './state.ts';
import { expectClean } from './verified.ts';

const DAMAGES = shortOrLong(2, 60);

function archivedFiles({ dir }: TestDatabase): string[] {
  const archive = join(dir, 'archive');
  return readdirSync(archive, { recursive: true, encoding: 'utf8' })
    .map((name) => join(archive, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

/** Flips one bit, or cuts the file off, at a random place. */
function damage(path: string, random: Random): string {
  const bytes = readFileSync(path);
  const at = random.below(bytes.length);
  if (random.chance(0.5)) {
    truncateSync(path, at);
    return `cut off at ${at}`;
  }
  bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
  writeFileSync(path, bytes);
  return `a bit of byte ${at}`;
}

onBothEngines('a damaged file in the archive', (fresh, engine) => {
  it('FLT-03 is found and named by verify, changes nothing that is served, and is mended by ingesting it again', {
    timeout,
  }, async () => {
    const database = await fresh();
    const { env } = placeOf(database);
    const inputs = (['abr', 'osm', 'wikidata'] as const).map((source) => {
      return ['ingest', source, join(SAMPLE, source), '--retrieved-at', '2026-09-01T00:00:00Z'];
    });
    for (const args of inputs) await complete(database, args);
    const before = await stateOf(database);
    await expectClean(database);
    const random = new Random(seed);
    const files = archivedFiles(database);
    for (let i = 0; i < DAMAGES; i++) {
      const path = random.pick(files);
      const whole = readFileSync(path);
      const where = `${damage(path, random)} of ${path} (seed ${seed}, ${engine})`;
      const found = await runHere(env, 'verify');
      expect([where, found.code]).toEqual([where, 1]);
      expect(`${found.stdout}${found.stderr}`).toContain(path.slice(-62));
      expect([where, differences(await stateOf(database), before)]).toEqual([where, []]);
      // Restored by hand, or by ingesting the same files again.
      if (random.chance(0.5)) writeFileSync(path, whole);
      else for (const args of inputs) await complete(database, args);
      expect([where, readFileSync(path).equals(whole)]).toEqual([where, true]);
      expect([where, differences(await stateOf(database), before)]).toEqual([where, []]);
      await expectClean(database, where);
    }
    tell(`${engine}, seed ${seed}: ${DAMAGES} damages in ${files.length} files found, named and mended`);
  });

  it('FLT-03 is never shown as the source of a value by an audit', { timeout }, async () => {
    const database = await fresh();
    const { env } = placeOf(database);
    await complete(database, ['ingest', 'abr', join(SAMPLE, 'abr'), '--retrieved-at', '2026-09-01T00:00:00Z']);
    await complete(database, ['ingest', 'osm', join(SAMPLE, 'osm'), '--retrieved-at', '2026-09-02T00:00:00Z']);
    expect((await runHere(env, 'audit', '50', '--source', 'osm')).code).toBe(0);
    const random = new Random(seed);
    for (const path of archivedFiles(database)) damage(path, random);
    const { code, stdout, stderr } = await runHere(env, 'audit', '50', '--source', 'osm');
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`.match(/the file in the archive is damaged/g)?.length).toBeGreaterThanOrEqual(50);
    await complete(database, ['republish', '--all']);
  });
});
