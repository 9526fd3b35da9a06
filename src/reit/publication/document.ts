import { type Static, Type } from 'typebox';
import { AssetIdSchema } from '../../vocabulary/building-page.ts';
import { closed, Nullable, OneOf } from '../../vocabulary/schema.ts';
import { AnchorsSchema } from './anchors.ts';
import {
  CitationSchema,
  HoldingSchema,
  IssuerSchema,
  matchKeys,
  OwnershipSchema,
  PeriodSchema,
  revisionKeys,
  transactionKeys,
} from './bundle.ts';
import { ConsensusSchema, MeasureSchema } from './measure.ts';

export const SCHEMA_VERSION = 'reit/1';
const PUBLICATION_ID_PATTERN = '^rp_[0-9a-f]{64}$';

const AGREEMENT_STATUSES = ['agreed', 'singleSource', 'missing', 'conflict', 'unresolved'] as const;
const OUTCOMES = ['pass', 'fail', 'notEvaluable'] as const;
const Text = Type.String();

export const ObservationSchema = Type.Object(
  { revisionId: Text, path: Text, value: Nullable(MeasureSchema) },
  { ...closed, description: 'What one revision states, unchanged; revisionId and path lead to its citations.' },
);
export const AgreementFieldSchema = Type.Object(
  {
    path: Type.String({ description: 'The metric.' }),
    status: OneOf(AGREEMENT_STATUSES),
    value: Nullable(ConsensusSchema),
    observations: Type.Array(ObservationSchema),
  },
  closed,
);
export const AgreementSchema = Type.Object(
  {
    algorithmVersion: Text,
    groups: Type.Array(
      Type.Object({ holdingId: Text, periodId: Text, fields: Type.Array(AgreementFieldSchema) }, closed),
    ),
  },
  closed,
);
export const FinancialCheckSchema = Type.Object(
  {
    id: Text,
    kind: Text,
    version: Type.Integer(),
    holdingId: Text,
    periodId: Text,
    outcome: OneOf(OUTCOMES),
    blocking: Type.Boolean(),
    expected: Nullable(Type.String({ description: 'What the parts give.' })),
    actual: Nullable(Type.String({ description: 'What is reported.' })),
    inputs: Type.Array(Type.Object({ revisionId: Text, path: Text }, closed)),
  },
  closed,
);

/** REIT-02: a publication's immutable content. Older ones have no agreement. */
export const DocumentSchema = Type.Object(
  {
    schemaVersion: Text,
    supersedes: Type.Optional(
      Type.String({
        pattern: PUBLICATION_ID_PATTERN,
        description: 'The withdrawn publication of the property that this one replaces; absent if none.',
      }),
    ),
    issuer: IssuerSchema,
    metrics: Type.Array(Text),
    sourceRevisions: Type.Array(
      Type.Object({ ...revisionKeys, fields: Type.Record(Type.String(), Nullable(MeasureSchema)) }, closed),
    ),
    revisionHeads: Type.Array(Type.Object({ lineageId: Text, revisionId: Text }, closed)),
    holdings: Type.Array(HoldingSchema),
    periods: Type.Array(PeriodSchema),
    buildingMatches: Type.Array(Type.Object({ ...matchKeys, anchors: AnchorsSchema, anchorHash: Text }, closed)),
    transactions: Type.Array(Type.Object({ ...transactionKeys, price: MeasureSchema }, closed)),
    ownership: Type.Array(OwnershipSchema),
    financialChecks: Type.Array(FinancialCheckSchema),
    fieldCitations: Type.Array(
      Type.Object({ revisionId: Text, path: Text, citations: Type.Array(CitationSchema) }, closed),
    ),
    attributions: Type.Array(Type.Object({ source: Text, text: Text }, closed)),
    agreement: Type.Optional(AgreementSchema),
  },
  closed,
);

export type MetricObservation = Static<typeof ObservationSchema>;
export type AgreementStatus = (typeof AGREEMENT_STATUSES)[number];
export type AgreementField = Static<typeof AgreementFieldSchema>;
export type FinancialCheck = Static<typeof FinancialCheckSchema>;
export type Document = Static<typeof DocumentSchema>;
export type SourceRevision = Document['sourceRevisions'][number];

/** REIT-01: the same ID means the same bytes on every surface. computedAt is not part of them. */
export interface Publication {
  id: string;
  computedAt: string;
  document: Document;
}

export const PublicationSchema = Type.Object(
  {
    id: Type.String({ pattern: PUBLICATION_ID_PATTERN, description: 'Identifies this snapshot on every surface.' }),
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
      description: 'Empty if none is accepted for this building and surface.',
    }),
  },
  closed,
);
export type Envelope = Static<typeof EnvelopeSchema>;

/** REIT-01: joins the stored bytes of the accepted publications without parsing them. */
export function joinEnvelope(
  buildingId: string,
  served: readonly { id: string; computedAt: string; body: Uint8Array }[],
): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from(`{"buildingId":${JSON.stringify(buildingId)},"publications":[`)];
  for (const [i, { id, computedAt, body }] of served.entries()) {
    const head = `"id":${JSON.stringify(id)},"computedAt":${JSON.stringify(computedAt)},"document":`;
    parts.push(Buffer.from(`${i === 0 ? '' : ','}{${head}`), body, CLOSE_OBJECT);
  }
  return Buffer.concat([...parts, CLOSE]);
}
const CLOSE_OBJECT = Buffer.from('}');
const CLOSE = Buffer.from(']}');
