import type { SourceFile } from '../../files/source-file.ts';
import { cutObjects } from './cut-objects.ts';
import { findLines } from './find-rows.ts';
import { addPiece, type Pieces, placeOf, plainBytes, type Wanted } from './piece.ts';

/** Entities of Wikidata: members of `entities`, or one to a line of a dump. */
export async function findEntities(file: SourceFile, wanted: readonly Wanted[]): Promise<Pieces> {
  const pieces: Pieces = new Map();
  for await (const { line, offset, bytes } of cutObjects(plainBytes(file), 3)) {
    const id = parse(bytes)?.id;
    for (const each of wanted) {
      if (each.id === id) addPiece(pieces, each, { what: 'entity', at: placeOf(line, offset), bytes });
    }
  }
  const inLines = wanted.filter((each) => !pieces.has(each));
  if (inLines.length > 0) for (const [each, found] of await findLines(file, inLines)) pieces.set(each, found);
  return pieces;
}

/** Replies of Nominatim: the whole document, the members of a list or of `features`, or one to a line. */
export async function findReplies(file: SourceFile, wanted: readonly Wanted[]): Promise<Pieces> {
  if (/\.(ndjson|jsonl)$/i.test(file.name)) return findLines(file, wanted);
  const pieces: Pieces = new Map();
  for (const depth of [3, 2, 1]) {
    for await (const { line, offset, bytes } of cutObjects(plainBytes(file), depth)) {
      const reply = parse(bytes);
      if (reply === undefined) continue;
      for (const each of wanted) {
        if (pieces.has(each) || !isReply(reply, each.id)) continue;
        addPiece(pieces, each, { what: 'reply', at: placeOf(line, offset), bytes });
      }
    }
  }
  return pieces;
}

/** Nominatim writes node, N or W; a record without an OSM ID is a place, or named by where it is. */
function isReply(reply: Record<string, unknown>, id: string): boolean {
  const text = JSON.stringify(reply);
  const [type = '', number = ''] = id.split('/');
  if (number === '') {
    const [lat = '', lon = ''] = id.split(',');
    return text.includes(lat) && text.includes(lon) && 'display_name' in reply;
  }
  if (type === 'place') return String(reply.place_id) === number;
  const own = (reply.properties ?? reply) as Record<string, unknown>;
  const said = (own.geocoding ?? own) as Record<string, unknown>;
  return String(said.osm_id) === number && String(said.osm_type ?? '').toLowerCase()[0] === type[0];
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
