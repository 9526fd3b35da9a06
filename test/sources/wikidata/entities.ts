/** Entities in the format of Special:EntityData and of the dumps, in short form. */

export const ref = (item: string) => ({
  value: { 'entity-type': 'item', 'numeric-id': Number(item.slice(1)), id: item },
  type: 'wikibase-entityid',
});
export const text = (value: string) => ({ value, type: 'string' });
export const amount = (value: string, unit = '1') => ({
  value: { amount: value, unit: unit === '1' ? unit : `http://www.wikidata.org/entity/${unit}` },
  type: 'quantity',
});
export const time = (value: string, precision = 11, calendar = 'Q1985727') => ({
  value: {
    time: `${value}T00:00:00Z`,
    timezone: 0,
    before: 0,
    after: 0,
    precision,
    calendarmodel: `http://www.wikidata.org/entity/${calendar}`,
  },
  type: 'time',
});
export const point = (latitude: number, longitude: number, precision: number | null = 0.0001, globe = 'Q2') => ({
  value: { latitude, longitude, altitude: null, precision, globe: `http://www.wikidata.org/entity/${globe}` },
  type: 'globecoordinate',
});

export interface Said {
  datavalue?: unknown;
  rank?: string;
  snaktype?: string;
  qualifiers?: Record<string, unknown[]>;
}

/** A snak of a qualifier. */
export const snak = (datavalue: unknown) => ({ snaktype: 'value', datavalue });
export const ranked = (rank: string, datavalue: unknown): Said => ({ datavalue, rank });
export const qualified = (datavalue: unknown, property: string, ...values: unknown[]): Said => ({
  datavalue,
  qualifiers: { [property]: values.map(snak) },
});

type Claims = Record<string, (Said | ReturnType<typeof ref> | ReturnType<typeof text> | object)[]>;

export function entity(id: string, labels: Record<string, string>, claims: Claims = {}, more: object = {}) {
  return {
    pageid: 1,
    ns: 0,
    title: id,
    type: 'item',
    id,
    labels: Object.fromEntries(Object.entries(labels).map(([language, value]) => [language, { language, value }])),
    descriptions: {},
    aliases: {},
    claims: Object.fromEntries(
      Object.entries(claims).map(([property, all]) => [property, all.map((said) => claim(id, property, said))]),
    ),
    sitelinks: {},
    ...more,
  };
}

function claim(id: string, property: string, said: Said | object) {
  const full: Said = 'type' in said ? { datavalue: said } : said;
  const { datavalue, rank = 'normal', snaktype = 'value', qualifiers } = full;
  return {
    mainsnak: { snaktype, property, ...(datavalue === undefined ? {} : { datavalue }) },
    type: 'statement',
    id: `${id.toLowerCase()}$1`,
    rank,
    ...(qualifiers === undefined ? {} : { qualifiers }),
  };
}

export const IN_TOKYO = { P17: [ref('Q17')], P625: [point(35.681, 139.767)] };
export const OFFICE = { P31: [ref('Q1021645')], ...IN_TOKYO };
