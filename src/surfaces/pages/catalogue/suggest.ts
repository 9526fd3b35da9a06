import { formatCount } from './counts.ts';

const en = {
  suggestions: 'Suggestions',
  area: 'Area',
  building: 'Building',
  none: 'No suggestions',
  /** `{count}` is replaced by the script. */
  one: '1 suggestion',
  several: '{count} suggestions',
  oneBuilding: '1 building',
  buildings: '{count} buildings',
};

const ja: typeof en = {
  suggestions: '候補',
  area: '地域',
  building: '建物',
  none: '候補はありません',
  one: `候補${formatCount(1)}件`,
  several: '候補{count}件',
  oneBuilding: '1棟',
  buildings: '{count}棟',
};

/** Suggestions of the search boxes, for client/suggest.ts. */
export const suggestText = { en, ja };
