const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** Digits are grouped in the same way in both languages. */
export const formatCount = (value: number): string => grouped.format(value);

const plural =
  (one: string, several = `${one}s`) =>
  (value: number) =>
    `${formatCount(value)} ${value === 1 ? one : several}`;

const counted = (counter: string) => (value: number) => `${formatCount(value)}${counter}`;

const en = {
  buildings: plural('building'),
  conflicts: plural('conflict'),
  fields: plural('field'),
  floors: plural('floor'),
  periods: plural('period'),
  sourceRecords: plural('source record'),
  venues: plural('venue'),
  versions: plural('version'),
};

const ja: typeof en = {
  buildings: counted('棟'),
  conflicts: (value) => `相違${formatCount(value)}件`,
  fields: counted('項目'),
  floors: counted('階'),
  periods: counted('期'),
  sourceRecords: (value) => `出典レコード${formatCount(value)}件`,
  venues: (value) => `施設${formatCount(value)}件`,
  versions: counted('版'),
};

/** Numbers with the word that they count. */
export const countsText = { en, ja };
