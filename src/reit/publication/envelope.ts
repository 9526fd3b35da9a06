import { type Static, Type } from 'typebox';
import { AssetIdSchema } from '../../vocabulary/building-page.ts';
import type { Served } from '../life/reit.ts';
import { DocumentSchema, PUBLICATION_ID_PATTERN } from './document.ts';
import { closed } from './schema.ts';

export const PublicationSchema = Type.Object(
  {
    id: Type.String({ pattern: PUBLICATION_ID_PATTERN, description: 'Names this very snapshot, on every surface.' }),
    computedAt: Type.String({ format: 'date-time', description: 'When it was composed. ISO 8601, UTC.' }),
    document: DocumentSchema,
  },
  closed,
);
/** REIT-01 */
export const EnvelopeSchema = Type.Object(
  {
    buildingId: AssetIdSchema,
    publications: Type.Array(PublicationSchema, {
      description: 'Empty where none is accepted for this building and surface.',
    }),
  },
  closed,
);
export type Envelope = Static<typeof EnvelopeSchema>;

/** REIT-01: what is accepted, joined of bytes: what is kept is sent as it is, unread. */
export function joinEnvelope(buildingId: string, served: readonly Served[]): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from(`{"buildingId":${JSON.stringify(buildingId)},"publications":[`)];
  for (const [i, { id, computedAt, body }] of served.entries()) {
    const head = `"id":${JSON.stringify(id)},"computedAt":${JSON.stringify(computedAt)},"document":`;
    parts.push(Buffer.from(`${i === 0 ? '' : ','}{${head}`), body, CLOSE_OBJECT);
  }
  return Buffer.concat([...parts, CLOSE]);
}
const CLOSE_OBJECT = Buffer.from('}');
const CLOSE = Buffer.from(']}');
