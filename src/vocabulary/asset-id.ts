/** ID-01: `ASSET-JP-` + two-digit prefecture code + `-` + eight digits. The prefix is this one constant. */
export const ASSET_PREFIX = 'ASSET';

export const ASSET_ID_PATTERN = `^${ASSET_PREFIX}-JP-\\d{2}-\\d{8}$`;

/** For error messages. */
export const ID_FORM = `${ASSET_PREFIX}-JP-<2-digit prefecture code>-<8 digits>`;

const NUMBERS_PER_PREFECTURE = 100_000_000;
const HEAD = `${ASSET_PREFIX}-JP-`;
const FORM = new RegExp(ASSET_ID_PATTERN);
const PREFECTURE_END = HEAD.length + 2;

/** An asset ID as one integer (prefecture × 10⁸ + number), the key in storage. */
export type AssetKey = number;

export function parseAssetId(text: string): AssetKey | undefined {
  if (!FORM.test(text)) return undefined;
  return assetKey(text.slice(HEAD.length, PREFECTURE_END), Number(text.slice(PREFECTURE_END + 1)));
}

export function formatAssetId(key: AssetKey): string {
  const digits = String(key).padStart(10, '0');
  return `${HEAD}${digits.slice(0, 2)}-${digits.slice(2)}`;
}

export function assetKey(prefecture: string, number: number): AssetKey {
  return Number(prefecture) * NUMBERS_PER_PREFECTURE + number;
}

export function prefectureOfAsset(key: AssetKey): string {
  return String(Math.floor(key / NUMBERS_PER_PREFECTURE)).padStart(2, '0');
}
