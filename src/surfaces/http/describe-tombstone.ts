import { cleanText } from '../../vocabulary/text.ts';
import type { Tombstone } from '../../vocabulary/tombstone.ts';

/** Longer texts are cut. */
const MAX_LENGTH = 200;

/** UI-26: what an ID was and why no building has it any more, as plain text for the API and MCP. */
export function describeTombstone({ retiredAt, reason, mergedInto, last, nearby }: Tombstone): string {
  const into = mergedInto === null ? 'it was retired' : `it was merged into ${mergedInto}, which was retired`;
  const why = reason === null ? '' : ` (${short(reason)})`;
  const parts = [`no building has this id any more: ${into} on ${dayOf(retiredAt)}${why}.`];
  if (last !== null) {
    const name = [last.nameJa, last.nameEn].find((text) => text !== null) ?? 'an unnamed building';
    const address = last.addressJa === null ? '' : `, ${short(last.addressJa)}`;
    const dates = `recorded from ${dayOf(last.firstRecordedAt)}; its last version is ${last.version}, of ${dayOf(last.recordedAt)}`;
    parts.push(`It was ${short(name)}${address}, ${dates}.`);
  }
  if (nearby.length > 0) parts.push(`Nearby: ${nearby.map(({ id }) => id).join(', ')}.`);
  return parts.join(' ');
}

const dayOf = (instant: string) => instant.slice(0, 10);

function short(text: string): string {
  const characters = [...cleanText(text)];
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : characters.join('');
}
