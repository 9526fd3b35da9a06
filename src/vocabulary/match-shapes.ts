import { type Static, Type } from 'typebox';
import { AssetIdSchema } from './building-page.ts';
import type { Category } from './categories.ts';
import { closed, Nullable, OneOf } from './schema.ts';
import type { Source } from './sources.ts';

const MATCH_VERDICTS = ['match', 'ambiguous', 'none'] as const;
export type MatchVerdict = (typeof MATCH_VERDICTS)[number];

/** Why a building is a candidate, strongest first. A closed set. */
export const MATCH_REASONS = ['sourceRecord', 'address', 'point', 'name', 'machiAza'] as const;
export type MatchReasonKind = (typeof MATCH_REASONS)[number];

export const MAX_CANDIDATES = 20;
export const DEFAULT_CANDIDATES = 5;

export const MatchReasonSchema = Type.Object(
  {
    kind: OneOf(MATCH_REASONS, {
      description:
        'sourceRecord: the record describes the building. address: the building has this house number. point: its ' +
        'footprint contains the point. name: one of its names or aliases is equal. machiAza: it is in the machi-aza of ' +
        'the address, and no source states its house number.',
    }),
    detail: Type.String({
      description: 'What the registry has: the record, the recorded address or name, or the machi-aza.',
      examples: ['東京都千代田区丸の内一丁目9番2号'],
    }),
  },
  { ...closed, description: 'A statement of the request that fits the building.' },
);

export const MatchCandidateSchema = Type.Object(
  {
    id: AssetIdSchema,
    path: Type.String({ description: 'The page of the building.' }),
    nameJa: Nullable(Type.String({ description: 'Japanese name; null if no source states one.' })),
    nameEn: Nullable(Type.String({ description: 'English name; null if no source states one.' })),
    addressJa: Nullable(Type.String({ description: 'Japanese address; null if no source states one.' })),
    score: Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'The share of the request that fits: a source record weighs 4, an address 3 (the machi-aza alone 1.5), a point 3, ' +
        'a name 2. The verdict does not follow from it.',
      examples: [1],
    }),
    reasons: Type.Array(MatchReasonSchema, { description: 'What fits, strongest first.' }),
  },
  { ...closed, description: 'A building that at least one statement of the request fits.' },
);
/** A candidate, and the categories of its uses. */
export interface FoundCandidate extends Static<typeof MatchCandidateSchema> {
  categories: Category[];
}

/** RCN-01 */
export const MatchAnswerSchema = Type.Object(
  {
    verdict: OneOf(MATCH_VERDICTS, {
      description:
        'match: exactly one building is accepted. ambiguous: several may be meant. none: none is accepted; candidates ' +
        'fit only in part.',
    }),
    candidates: Type.Array(MatchCandidateSchema, {
      maxItems: MAX_CANDIDATES,
      description: 'By score, highest first, then by ID.',
    }),
  },
  closed,
);
export type MatchAnswer = Static<typeof MatchAnswerSchema>;

/** As `MatchAnswer`, with what other surfaces show of the candidates. */
export interface FoundAnswer {
  verdict: MatchVerdict;
  /** The ID of the building that is accepted; null unless the verdict is `match`. */
  matched: string | null;
  candidates: FoundCandidate[];
}

/** Which building is this? At least one of name, address, point and record. */
export interface MatchQuestion {
  name?: string | undefined;
  address?: string | undefined;
  point?: { lat: number; lon: number } | undefined;
  record?: { source: Source; id: string } | undefined;
  /** Uses: one of them, or all. */
  types?: { uses: readonly string[]; match: 'any' | 'all' } | undefined;
  limit: number;
}
