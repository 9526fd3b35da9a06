import { type Static, Type } from 'typebox';
import { AssetIdSchema } from './building-page.ts';
import { closed, Nullable, OneOf } from './schema.ts';
import { SOURCES } from './sources.ts';

/** REF-01: what became of a source record. Of several buildings that it names, the first of these counts. */
export const DISPOSITIONS = [
  'contributes',
  'merged',
  'unplaced',
  'ambiguous',
  'unmatched',
  'retired',
  'withdrawn',
] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

/** Why a record contributes nothing. */
export type LeftOutReason = Exclude<Disposition, 'contributes' | 'merged'>;

/** REF-03: the reason of boundaries and rows of areas; `tatemono unmatched` counts them in these words. */
export const AREA_REASON = 'describes an area, not a building';

/** REF-02: the reason that `tatemono unmatched` prints; null for a record that contributes. */
export function reasonOf(disposition: Disposition): LeftOutReason | null {
  return disposition === 'contributes' || disposition === 'merged' ? null : disposition;
}

/** What decides the disposition of a record. */
interface Standing {
  /** Why matching assigned it to no building. */
  reason: 'unmatched' | 'ambiguous' | 'unplaced' | null;
  /** The building that it was assigned to; null for a record of a complex, whose buildings inherit from it. */
  building: { state: 'live' | 'merged' | 'retired'; area: string | null; version: number } | null;
  /** The building, or the one it was merged into, is retired. */
  isGone: boolean;
  /** Its newest whole revision says nothing any more. */
  isWithdrawn: boolean;
}

/** REF-01, REF-02: the one decision behind the look-up and `tatemono unmatched`. */
export function dispositionOf({ reason, building, isGone, isWithdrawn }: Standing): Disposition {
  if (isGone) return 'retired';
  if (isWithdrawn) return 'withdrawn';
  if (reason !== null) return reason;
  if (building?.state === 'merged') return 'merged';
  // A building without a version waits for the end of an ingest.
  if (building !== null && building.area === null && building.version > 0) return 'unplaced';
  return 'contributes';
}

export const SourceRecordSchema = Type.Object(
  {
    source: OneOf(SOURCES, { description: 'The source of the record.' }),
    sourceRecordId: Type.String({ description: 'The record inside the source.', examples: ['way/104390193'] }),
    disposition: OneOf(DISPOSITIONS, {
      description:
        'contributes: it belongs to a published building. merged: its building was merged into `assetId`. unplaced: its ' +
        'building is in no known area. ambiguous: it fits several buildings. unmatched: it fits none. retired: its ' +
        'building was retired; `assetId` is the successor, if there is one. withdrawn: its newest whole revision says ' +
        'nothing any more.',
    }),
    assetId: Nullable(AssetIdSchema),
    path: Nullable(Type.String({ description: 'The page of the building.' })),
    reason: Nullable(
      Type.String({
        description:
          'Why it contributes nothing, as `tatemono unmatched` prints it; null if it contributes. Boundaries and rows of ' +
          'areas belong to no building: `describes an area, not a building`.',
        examples: ['unmatched'],
      }),
    ),
    sourceUrl: Type.String({ description: 'Where the record can be read.' }),
    retrievedAt: Type.String({ format: 'date-time', description: 'When its current revision was retrieved.' }),
    fieldsWon: Type.Array(Type.String(), {
      description: 'The fields whose published value is from this record, as in the sources of the building.',
    }),
  },
  { ...closed, description: 'What became of a source record.' },
);
export type SourceRecordAnswer = Static<typeof SourceRecordSchema>;
