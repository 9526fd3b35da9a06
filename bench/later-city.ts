import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

const CHANGED = 100;

/** The records of a city a month later: every hundredth has one more floor, the others are the same lines. */
export async function writeLaterCity(from: string, to: string): Promise<void> {
  const out = createWriteStream(to, { highWaterMark: 1 << 20 });
  let records = 0;
  for await (const line of createInterface({ input: createReadStream(from) })) {
    const isChanged = line.startsWith('{"kind":"record"') && records++ % CHANGED === 0;
    if (!out.write(`${isChanged ? addFloor(line) : line}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');
}

interface Line {
  observations: { field: string; value: unknown }[];
}

function addFloor(line: string): string {
  const record = JSON.parse(line) as Line;
  const floors = record.observations.find(({ field }) => field === 'floorsAbove');
  const others = record.observations.filter((observation) => observation !== floors);
  const observations = [...others, { field: 'floorsAbove', value: Number(floors?.value ?? 0) + 1 }];
  return JSON.stringify({ ...record, retrievedAt: '2026-11-01T00:00:00Z', observations });
}
