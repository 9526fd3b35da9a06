import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import { PLANNED_OR_INFERRED_CONFIDENCE } from '../../vocabulary/sources.ts';
import { dayInJapan } from '../../vocabulary/time.ts';
import type { Adapter } from '../adapter.ts';
import { observe } from '../draft.ts';
import { buildingName, parseArea, parseFiscalYear, tenureOf, tokyoAddress } from '../registers/cells.ts';
import {
  observeCompletion,
  observeDeveloper,
  observeStoreys,
  observeUnlessZero,
  readCell,
} from '../registers/observe-cells.ts';
import type { RegisterLayout } from '../registers/read-table.ts';
import { registerAdapter } from '../registers/register-adapter.ts';

/** Our own format: docs/sources/greenarchive.md. */
export const GREENARCHIVE_LAYOUT = {
  columns: {
    id: { headers: ['管理番号', 'id'], need: 'required' },
    name: { headers: ['建物名', 'name'], need: 'required' },
    address: { headers: ['所在地', 'address'], need: 'required' },
    gfa: { headers: ['延べ面積', '延べ面積(㎡)', 'gfaM2'], need: 'optional' },
    completed: { headers: ['完了年月', 'completionMonth'], need: 'optional' },
    filed: { headers: ['届出年度', 'filingYear'], need: 'optional' },
    structure: { headers: ['構造', '階数、構造', 'structure'], need: 'optional' },
    floorsAbove: { headers: ['地上階数', 'floorsAbove'], need: 'optional' },
    floorsBelow: { headers: ['地下階数', 'floorsBelow'], need: 'optional' },
    owner: { headers: ['建築主', 'developer'], need: 'optional' },
    use: { headers: ['用途', 'tenure'], need: 'optional' },
    url: { headers: ['URL'], need: 'optional' },
  },
  closed: true,
} as const satisfies RegisterLayout<string>;

export const greenarchive: Adapter = registerAdapter<keyof typeof GREENARCHIVE_LAYOUT.columns>({
  source: 'greenarchive',
  layout: GREENARCHIVE_LAYOUT,
  id: 'id',
  url: 'url',
  page: SOURCE_FACTS.greenarchive.url,
  describe(draft, row, reading) {
    const name = buildingName(row.cell('name'));
    if (name === undefined) draft.notes.push('no 建物名');
    observe(draft, 'nameJa', name);
    observe(draft, 'addressJa', tokyoAddress(row.cell('address')));
    const gfa = readCell(draft, '延べ面積', '2643.02', row.cell('gfa'), parseArea);
    observeUnlessZero(draft, 'gfaM2', '延べ面積', gfa);
    observeCompletion(draft, '完了年月', row.cell('completed'), reading);
    const { retrievedAt } = reading;
    // CON-08: without a completion date, the year of the filing is used.
    if (!draft.observations.some(({ field }) => field === 'yearBuilt')) {
      const filed = readCell(draft, '届出年度', '2008', row.cell('filed'), parseFiscalYear);
      if (filed !== undefined && filed > Number(dayInJapan(retrievedAt).slice(0, 4)))
        draft.notes.push('届出年度 is in the future');
      else observe(draft, 'yearBuilt', filed, { confidence: PLANNED_OR_INFERRED_CONFIDENCE });
    }
    observeStoreys(draft, row.cell('structure'), row.cell('floorsAbove'), row.cell('floorsBelow'));
    observeDeveloper(draft, row.cell('owner'));
    observe(draft, 'tenure', tenureOf(row.cells('use')));
    return undefined;
  },
});
