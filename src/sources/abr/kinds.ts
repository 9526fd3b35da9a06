interface KindOfTable {
  /** As the registry calls it. */
  title: string;
  /** What its header row must have. */
  columns: readonly string[];
  /** What its header row may have; blank where it has not. */
  optional: readonly string[];
  /** What only the header rows of other kinds have. */
  without: readonly string[];
}

const POINT = ['rep_lon', 'rep_lat', 'rep_srid'] as const;
const TOWN = ['lg_code', 'machiaza_id', 'city', 'ward', 'oaza_cho', 'chome', 'koaza'] as const;

/** The tables that are read, known by their header rows: files are renamed, headers are not. */
export const KINDS = {
  prefecture: {
    title: 'prefectures (mt_pref)',
    columns: ['lg_code', 'pref', 'pref_roma'],
    optional: ['ablt_date'],
    without: ['city', 'machiaza_id'],
  },
  ward: {
    title: 'municipalities (mt_city)',
    columns: ['lg_code', 'pref', 'pref_roma', 'county', 'county_roma', 'city', 'city_roma', 'ward', 'ward_roma'],
    optional: ['ablt_date'],
    without: ['machiaza_id'],
  },
  machiAza: {
    title: 'machi-aza (mt_town)',
    columns: [
      ...TOWN,
      'pref',
      'pref_roma',
      'county',
      'county_roma',
      'city_roma',
      'ward_roma',
      'oaza_cho_roma',
      'chome_number',
      'koaza_roma',
    ],
    optional: ['ablt_date', 'rsdt_addr_flg', 'koaza_aka_code', 'post_code'],
    without: ['blk_id', 'prc_id'],
  },
  areaPoint: {
    title: 'positions of prefectures and municipalities (mt_pref_pos, mt_city_pos)',
    columns: ['lg_code', ...POINT],
    optional: [],
    without: ['machiaza_id'],
  },
  machiAzaPoint: {
    title: 'positions of machi-aza (mt_town_pos)',
    columns: ['lg_code', 'machiaza_id', ...POINT],
    optional: ['rsdt_addr_flg'],
    without: ['blk_id', 'prc_id'],
  },
  block: {
    title: 'blocks (mt_rsdtdsp_blk)',
    columns: [...TOWN, 'blk_id', 'blk_num'],
    optional: ['ablt_date'],
    without: ['rsdt_id'],
  },
  blockPoint: {
    title: 'positions of blocks (mt_rsdtdsp_blk_pos)',
    columns: ['lg_code', 'machiaza_id', 'blk_id', ...POINT],
    optional: [],
    without: ['rsdt_id', 'blk_num'],
  },
  residence: {
    title: 'residences (mt_rsdtdsp_rsdt)',
    columns: [...TOWN, 'blk_id', 'rsdt_id', 'rsdt2_id', 'blk_num', 'rsdt_num', 'rsdt_num2'],
    optional: ['ablt_date'],
    without: [],
  },
  residencePoint: {
    title: 'positions of residences (mt_rsdtdsp_rsdt_pos)',
    columns: ['lg_code', 'machiaza_id', 'blk_id', 'rsdt_id', 'rsdt2_id', ...POINT],
    optional: [],
    without: ['blk_num'],
  },
  parcel: {
    title: 'parcels (mt_parcel)',
    columns: [...TOWN, 'prc_id', 'prc_num1', 'prc_num2', 'prc_num3'],
    optional: ['ablt_date'],
    without: [],
  },
  parcelPoint: {
    title: 'positions of parcels (mt_parcel_pos)',
    columns: ['lg_code', 'machiaza_id', 'prc_id', ...POINT],
    optional: [],
    without: ['prc_num1'],
  },
} as const satisfies Record<string, KindOfTable>;

export type TableKind = keyof typeof KINDS;

type Column<K extends TableKind> = (typeof KINDS)[K]['columns'][number] | (typeof KINDS)[K]['optional'][number];

/** The cells of a row by column. */
export type Cells<K extends TableKind> = Readonly<Record<Column<K>, string>>;

export function kindOf(header: readonly string[]): TableKind | undefined {
  return (Object.keys(KINDS) as TableKind[]).find((kind) => {
    const { columns, without }: KindOfTable = KINDS[kind];
    return columns.every((c) => header.includes(c)) && !without.some((c) => header.includes(c));
  });
}

export const TITLES: string = Object.values(KINDS)
  .map(({ title }) => title)
  .join(', ');
