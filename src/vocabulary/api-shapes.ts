import { type Static, Type } from 'typebox';
import { BuildingPageSchema } from './building-page.ts';
import { FIELD_NAMES } from './fields.ts';
import { closed, Nullable } from './schema.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** SEA-01: twenty records a page, and no parameter changes that. */
export const PAGE_SIZE = 20;
/** SEA-06: a page above this one is empty. */
export const LAST_PAGE = 50;
/** SEA-05: with q, counting stops here. */
export const TOTAL_CAP = 1_000;

export const SearchEnvelopeSchema = Type.Object(
  {
    items: Type.Array(BuildingPageSchema, {
      maxItems: PAGE_SIZE,
      description: 'Full records, the most recently recorded first, then by ID.',
    }),
    page: Type.Integer({ minimum: 1, description: 'The requested page; 1 if none was given.' }),
    total: count('How many buildings match. With q, counting stops at 1,000.'),
    totalCapped: Type.Boolean({ description: 'True if more than 1,000 buildings match q; total is then 1,000.' }),
  },
  closed,
);
export type SearchEnvelope = Static<typeof SearchEnvelopeSchema>;

/** The parameters of a search (contract 4.2). */
export const SearchQuerySchema = Type.Object({
  q: Type.Optional(
    Type.String({
      description:
        'Words to look for, separated by spaces. A building matches if one of its searchable values (ID, Japanese ' +
        'name, English name, Japanese address, or one alias) contains every word. Case and character width do not ' +
        'matter; there is no transliteration or fuzzy matching.',
      examples: ['丸の内 ビル'],
    }),
  ),
  prefecture: Type.Optional(Type.String({ description: 'Slug of a prefecture.', examples: ['tokyo'] })),
  ward: Type.Optional(
    Type.String({
      description: 'Slug of a ward, in the given prefecture or, without one, in any.',
      examples: ['chiyoda-ku'],
    }),
  ),
  machiAza: Type.Optional(
    Type.String({
      description: 'Slug of a machi-aza, in the given ward or, without one, in any.',
      examples: ['marunouchi-1-chome'],
    }),
  ),
  type: Type.Optional(
    Type.String({
      description:
        'A use. It is first resolved to its category, so that residential and apartments return the same buildings; ' +
        'any of the uses of a building may match. A word without a category finds the buildings that published it as their ' +
        'use; words without a particular use (tower, building) are not treated as unspecified.',
      examples: ['office'],
    }),
  ),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 1,
      description:
        'Page number, from 1; a page has 20 buildings. Pages past the last, or above 50, are empty, however large the number.',
    }),
  ),
});
/** SEA-06: a page may have a number that only a bigint holds exactly. */
export type SearchQuery = Omit<Static<typeof SearchQuerySchema>, 'page'> & { page?: number | bigint };

/** OWN-01 */
export const OwnerPortfolioSchema = Type.Object(
  {
    owner: Type.String({ description: 'The owner as recorded; the requested name if nothing matches.' }),
    items: Type.Array(BuildingPageSchema, {
      description: 'Every building whose published owner has this name, the most recently recorded first.',
    }),
  },
  closed,
);
export type OwnerPortfolio = Static<typeof OwnerPortfolioSchema>;

const path = () => Type.String({ description: 'The page of this area.', examples: ['/japan/tokyo/chiyoda-ku'] });
const slug = () => Type.String({ description: 'The name of the area in paths and filters.', examples: ['chiyoda-ku'] });

export const AreaChildSchema = Type.Object(
  {
    slug: slug(),
    nameJa: Type.String(),
    nameEn: Nullable(Type.String()),
    path: path(),
    buildingCount: count('Published buildings in this area.'),
  },
  closed,
);

const coverage = Object.fromEntries(FIELD_NAMES.map((field) => [field, count(`Buildings that have ${field}.`)]));

/** ARE-01 */
export const AreaSummarySchema = Type.Object(
  {
    area: Type.Object(
      {
        level: Type.Unsafe<'prefecture' | 'ward' | 'machiAza'>({
          type: 'string',
          enum: ['prefecture', 'ward', 'machiAza'],
          description: 'The level of the area in the tree.',
        }),
        code: Type.String({ description: 'The code of the area in the Address Base Registry.' }),
        slug: slug(),
        nameJa: Type.String(),
        nameEn: Nullable(Type.String()),
        path: path(),
      },
      closed,
    ),
    buildingCount: count('Published buildings in this area.'),
    latestRecordedAt: Type.String({
      format: 'date-time',
      description: 'When a record of one of them last changed. ISO 8601, UTC.',
    }),
    children: Type.Array(AreaChildSchema, {
      description: 'The areas inside this one that have published buildings, by code. Empty for a machi-aza.',
    }),
    coverage: Type.Object(coverage, { ...closed, description: 'How many of the buildings have each field.' }),
  },
  closed,
);
export type AreaSummary = Static<typeof AreaSummarySchema>;

/** The same for Japan, whose children are the prefectures; null if nothing is published. */
export type CountrySummary = Pick<AreaSummary, 'buildingCount' | 'children' | 'coverage'> & {
  latestRecordedAt: string | null;
};
