import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import type { Adapter } from '../adapter.ts';
import { observe } from '../draft.ts';
import { buildingName, parseArea, tenureOf, tokyoAddress } from '../registers/cells.ts';
import { observeCompletion, observeDeveloper, observeUnlessZero, readCell } from '../registers/observe-cells.ts';
import type { RegisterLayout } from '../registers/read-table.ts';
import { registerAdapter } from '../registers/register-adapter.ts';

/** The columns that are read from the export and from the newer list; other columns are ignored. */
export const GREENBUILDING_LAYOUT = {
  columns: {
    id: { headers: ['建物番号'], need: 'required' },
    ward: { headers: ['地域'], need: 'optional' },
    name: { headers: ['建物名', '建物名称'], need: 'required' },
    address: { headers: ['所在地'], need: 'required' },
    owner: { headers: ['建築主'], need: 'optional' },
    gfa: { headers: ['延べ面積', '延べ面積(㎡)', '延べ床面積', '延床面積'], need: 'expected' },
    state: { headers: ['届出状況'], need: 'optional' },
    completed: { headers: ['工事完了(予定)年月', '工事完了(予定)年月日', '工事完了年月'], need: 'expected' },
    /** Twice in the export: for dwellings, then for the rest. Only the words for dwellings state a tenure. */
    use: { headers: ['用途'], need: 'expected', repeated: true },
  },
  headedBy: 'name',
  closed: false,
  spanning: ['id', 'ward', 'name', 'address', 'owner', 'gfa', 'state', 'completed'],
} as const satisfies RegisterLayout<string>;

export const greenbuilding: Adapter = registerAdapter<keyof typeof GREENBUILDING_LAYOUT.columns>({
  source: 'greenbuilding',
  layout: GREENBUILDING_LAYOUT,
  id: 'id',
  page: SOURCE_FACTS.greenbuilding.url,
  stated: /CSV出力件数:\s*([\d,]+)件/u,
  describe(draft, row, reading) {
    const name = buildingName(row.cell('name'));
    if (name === undefined) draft.notes.push('no 建物名');
    observe(draft, 'nameJa', name);
    observe(draft, 'addressJa', tokyoAddress(row.cell('address'), row.cell('ward')));
    const gfa = readCell(draft, '延べ面積', '2643.02', row.cell('gfa'), parseArea);
    observeUnlessZero(draft, 'gfaM2', '延べ面積', gfa);
    observeCompletion(draft, '工事完了(予定)年月', row.cell('completed'), reading, true);
    observeDeveloper(draft, row.cell('owner'));
    observe(draft, 'tenure', tenureOf(row.cells('use')));
    return undefined;
  },
});
