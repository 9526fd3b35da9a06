import { toDay } from '../../vocabulary/japanese.ts';
import { SOURCE_FACTS } from '../../vocabulary/source-facts.ts';
import type { Adapter } from '../adapter.ts';
import { observe } from '../draft.ts';
import { addressText, buildingName, isLater, parseDate, parseUnitCount } from '../registers/cells.ts';
import { observeCompletion, observeStoreys, observeUnlessZero, readCell } from '../registers/observe-cells.ts';
import type { RegisterLayout } from '../registers/read-table.ts';
import { registerAdapter } from '../registers/register-adapter.ts';

/** Our own format: docs/sources/mankan.md. */
export const MANKAN_LAYOUT = {
  columns: {
    id: { headers: ['認定コード', 'id'], need: 'required' },
    name: { headers: ['マンション名', 'name'], need: 'required' },
    address: { headers: ['所在地', 'address'], need: 'required' },
    certified: { headers: ['認定日', 'managementPlanCertifiedOn'], need: 'required' },
    completed: { headers: ['竣工年月', 'completionMonth'], need: 'optional' },
    structure: { headers: ['構造', 'structure'], need: 'optional' },
    floorsAbove: { headers: ['地上階数', 'floorsAbove'], need: 'optional' },
    floorsBelow: { headers: ['地下階数', 'floorsBelow'], need: 'optional' },
    units: { headers: ['総戸数', 'unitCount'], need: 'optional' },
    url: { headers: ['URL'], need: 'optional' },
  },
  closed: true,
} as const satisfies RegisterLayout<string>;

export const mankan: Adapter = registerAdapter<keyof typeof MANKAN_LAYOUT.columns>({
  source: 'mankan',
  layout: MANKAN_LAYOUT,
  id: 'id',
  url: 'url',
  page: SOURCE_FACTS.mankan.url,
  describe(draft, row, reading) {
    const name = buildingName(row.cell('name'));
    // Several condominiums may share an address, and every certified one has a name.
    if (name === undefined) return 'no マンション名: add it as on the certificate';
    observe(draft, 'nameJa', name);
    observe(draft, 'addressJa', addressText(row.cell('address')));
    const { retrievedAt } = reading;
    const certified = readCell(draft, '認定日', '2026-06-25', row.cell('certified'), (cell) => {
      const date = parseDate(cell);
      return date === undefined || toDay(date) === undefined ? undefined : date;
    });
    if (certified !== undefined && isLater(certified, retrievedAt)) draft.notes.push('認定日 is in the future');
    else if (certified !== undefined) observe(draft, 'managementPlanCertifiedOn', toDay(certified));
    observeCompletion(draft, '竣工年月', row.cell('completed'), reading);
    observeStoreys(draft, row.cell('structure'), row.cell('floorsAbove'), row.cell('floorsBelow'));
    const units = readCell(draft, '総戸数', '120', row.cell('units'), parseUnitCount);
    observeUnlessZero(draft, 'unitCount', '総戸数', units);
    return undefined;
  },
});
