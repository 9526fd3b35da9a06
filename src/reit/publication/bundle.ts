import { type Static, Type } from 'typebox';
import { ASSET_ID_PATTERN } from '../../vocabulary/asset-id.ts';
import { UNITS } from '../../vocabulary/reit-metrics.ts';
import { closed, Nullable, OneOf } from '../../vocabulary/schema.ts';
import { EXTRACTION_METHODS, SOURCES } from '../../vocabulary/sources.ts';
import { printable } from '../../vocabulary/text.ts';
import { type Measure, precisionKeys } from './measure.ts';

/** Has no white space, so that a path or a finding is one word. */
const Id = Type.String({ pattern: '^[^\\s\\p{C}]{1,200}$' });
/** A part of a field's path. */
const PathId = Type.String({ pattern: '^[^\\s/\\p{C}]{1,200}$' });
const Text = Type.String({ minLength: 1 });
/** A short keyword from an open list. */
const Token = Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$' });
const Day = Type.String({ description: 'YYYY-MM-DD' });
const Instant = Type.String({ description: 'ISO 8601 with a zone.' });
const Whole = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });

export const INTEREST_TYPES = ['realProperty', 'trustBeneficiary', 'equityStake', 'groundOnly'] as const;
export const TENURES = ['whole', 'coOwnership', 'quasiCoOwnership', 'sectional'] as const;

export const FractionSchema = Type.Object({ numerator: Whole, denominator: Whole }, closed);
export const IssuerSchema = Type.Object({ id: Id, nameJa: Text, edinetCode: Text }, closed);
export const HoldingSchema = Type.Object(
  {
    id: PathId,
    propertyCode: Text,
    nameJa: Text,
    interest: Type.Object(
      { type: OneOf(INTEREST_TYPES), tenure: OneOf(TENURES), share: Nullable(FractionSchema) },
      closed,
    ),
    amountBasis: OneOf(['interest', 'whole'], {
      description: 'Whether amounts are for the interest or for the whole property.',
    }),
    heldFrom: Day,
    heldTo: Nullable(Day),
  },
  closed,
);
export const PeriodSchema = Type.Object(
  {
    id: PathId,
    ordinal: Type.Integer({ minimum: 0, maximum: 100_000 }),
    labelJa: Text,
    startDate: Day,
    endDate: Day,
    days: Type.Integer({ minimum: 1, maximum: 100_000 }),
  },
  closed,
);
export const CitationSchema = Type.Object({ sourceUrl: Text, locator: Text }, closed);
export const EvidenceSchema = Type.Object({ revisionId: Id, locator: Text }, closed);
export const revisionKeys = {
  id: Id,
  lineageId: Id,
  source: OneOf(SOURCES),
  sourceRecordId: Text,
  title: Text,
  sourceUrl: Text,
  publishedAt: Instant,
  retrievedAt: Instant,
  contentHash: Text,
  extractionMethod: OneOf(EXTRACTION_METHODS),
  extractorVersion: Text,
  supersedes: Nullable(Id),
};
export const matchKeys = {
  holdingId: PathId,
  buildingId: Type.String({ pattern: ASSET_ID_PATTERN }),
  coverage: Token,
  evidence: Type.Array(Type.Object({ kind: Text, result: Text }, closed)),
  reviewId: Id,
  reviewedAt: Instant,
};
export const OwnershipSchema = Type.Object(
  {
    id: Id,
    holdingId: PathId,
    from: Day,
    to: Nullable(Day),
    share: Nullable(FractionSchema),
    trustee: Nullable(Text),
    propertyManager: Nullable(Text),
    evidence: Type.Array(EvidenceSchema),
  },
  closed,
);
export const transactionKeys = {
  id: Id,
  holdingId: PathId,
  type: Token,
  contractDate: Nullable(Day),
  deliveryDate: Nullable(Day),
  shareDelta: Nullable(FractionSchema),
  bundleId: Nullable(Id),
  counterparty: Nullable(Text),
  evidence: Type.Array(EvidenceSchema),
};

/** A cell as printed, read by read-figure.ts. */
export const PrintedSchema = Type.Object({ printed: Type.String(), unit: OneOf(UNITS), ...precisionKeys }, closed);

/** Checked in check-values.ts by the schema that its state selects, for precise faults. */
const Value = Type.Unknown();

/** bundle.json. Unknown keys, missing keys and wrong types are refused. */
export const BundleSchema = Type.Object(
  {
    issuer: IssuerSchema,
    holdings: Type.Array(HoldingSchema, { minItems: 1 }),
    periods: Type.Array(PeriodSchema, { minItems: 1 }),
    sourceRevisions: Type.Array(
      Type.Object(
        {
          ...revisionKeys,
          fields: Type.Array(
            Type.Object({ path: Type.String(), value: Value, citations: Type.Array(CitationSchema) }, closed),
          ),
        },
        closed,
      ),
      { minItems: 1 },
    ),
    matches: Type.Array(Type.Object(matchKeys, closed)),
    transactions: Type.Array(Type.Object({ ...transactionKeys, price: Value }, closed)),
    ownership: Type.Array(OwnershipSchema),
  },
  closed,
);

export type Fraction = Static<typeof FractionSchema>;
export type Holding = Static<typeof HoldingSchema>;
export type Period = Static<typeof PeriodSchema>;
export type Citation = Static<typeof CitationSchema>;
export type Ownership = Static<typeof OwnershipSchema>;
export type PrintedCell = Static<typeof PrintedSchema>;

/** A bundle of the right shape, whose values and references are not checked yet. */
export type RawBundle = Static<typeof BundleSchema>;

type Of<K extends keyof RawBundle> = RawBundle[K] extends (infer T)[] ? T : never;
export interface BundleField {
  path: string;
  value: Measure | null;
  citations: Citation[];
}
export type BundleRevision = Omit<Of<'sourceRevisions'>, 'fields'> & { fields: BundleField[] };
type Transaction = Omit<Of<'transactions'>, 'price'> & { price: Measure };
export type BundleMatch = Of<'matches'>;

/** A checked bundle: every reference resolves, every printed cell is a measure. */
export type Bundle = Omit<RawBundle, 'sourceRevisions' | 'transactions'> & {
  sourceRevisions: BundleRevision[];
  transactions: Transaction[];
};

/** Why a bundle is refused: the place as a JSON Pointer, what is wrong, and what to do. */
export interface BundleFault {
  path: string;
  problem: string;
  remedy: string;
}

export const fault = (path: string, problem: string, remedy: string): BundleFault => ({ path, problem, remedy });

/** One reference token of a JSON Pointer, with its slash. */
export const pointerStep = (key: string | number): string =>
  `/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** One line. The path may contain keys of the bundle, so it is escaped for a terminal. */
export function describeFault({ path, problem, remedy }: BundleFault): string {
  return `${path === '' ? 'the bundle' : printable(path)}: ${problem}; ${remedy}`;
}
