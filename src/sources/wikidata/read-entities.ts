import type { SourceFile } from '../adapter.ts';
import { isObject, type Json, own, readJson, readJsonLines } from '../read-json.ts';

export type Found = { line: number; entity: Json } | { line: number; fault: string };

const MAX_DOCUMENT_BYTES = 64 << 20;
const HEAD_BYTES = 256;
const PORTION = 200;

/** The entities of a file in some portions: of one document (Special:EntityData), or of a dump, line by line. */
export async function* readEntities(file: SourceFile): AsyncGenerator<Found[]> {
  if (/^\ufeff?\s*\{\s*"(entities|success)"\s*:/.test(await headOf(file))) {
    const entities = entitiesIn(await readJson(file, MAX_DOCUMENT_BYTES));
    for (let at = 0; at < entities.length; at += PORTION) {
      yield entities.slice(at, at + PORTION).map((entity, index) => ({ line: at + index + 1, entity }));
    }
    return;
  }
  for await (const lines of readJsonLines(file)) {
    yield lines.flatMap((found): Found[] => {
      if ('fault' in found) return [found];
      const { line, value } = found;
      if (typeof value !== 'object' || value === null) return [{ line, fault: 'the line is no entity' }];
      return entitiesIn(value).map((entity) => ({ line, entity }));
    });
  }
}

function entitiesIn(value: unknown): Json[] {
  if (Array.isArray(value)) return value.filter(isObject);
  const entities = own(value, 'entities');
  if (entities !== undefined) return (isObject(entities) ? Object.values(entities) : []).filter(isObject);
  return isObject(value) ? [value] : [];
}

async function headOf(file: SourceFile): Promise<string> {
  let head = Buffer.alloc(0);
  for await (const chunk of file.bytes()) {
    head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
    if (head.length >= HEAD_BYTES) break;
  }
  return head.toString('utf8');
}
