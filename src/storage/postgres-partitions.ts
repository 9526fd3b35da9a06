import type pg from 'pg';
import { prefectureOfAsset } from '../vocabulary/asset-id.ts';

const PARTITIONED = ['building', 'building_version', 'page', 'nearby'] as const;
const IDS_PER_PREFECTURE = 100_000_000;

/**
 * PRT-01: adds the partitions of prefectures that have no building yet. A partition is created apart and then attached,
 * which readers and other writers do not notice; a second process that adds partitions waits.
 */
export async function addPartitions(client: pg.ClientBase, ids: readonly number[]): Promise<void> {
  const wanted = new Set(ids.map(prefectureOfAsset));
  const missing = async () => {
    const { rows } = await client.query<{ name: string | null }>(
      `select i.inhrelid::regclass::text as name from pg_partitioned_table p
        left join pg_inherits i on i.inhparent = p.partrelid where p.partrelid = 'building'::regclass`,
    );
    // No row if the table is that of an earlier version, which a migration is tested with.
    const known = new Set(rows.map(({ name }) => name));
    return [...wanted].filter((prefecture) => rows.length > 0 && !known.has(`building_${prefecture}`));
  };
  if ((await missing()).length === 0) return;
  await client.query('lock table building in share update exclusive mode');
  for (const prefecture of await missing()) {
    const [from, to] = [0, 1].map((more) => (Number(prefecture) + more) * IDS_PER_PREFECTURE);
    for (const table of PARTITIONED) {
      const partition = `${table}_${prefecture}`;
      await client.query(`create table ${partition} (like ${table} including all)`);
      await client.query(`alter table ${table} attach partition ${partition} for values from (${from}) to (${to})`);
    }
  }
}
