import { parseWholeId } from '../../../registry/identity.ts';
import { parseBody } from '../../../registry/records.ts';
import type { Registry } from '../../../registry/registry.ts';
import { type AssetKey, formatAssetId } from '../../../vocabulary/asset-id.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import { spellingKey } from '../../../vocabulary/disagreement.ts';
import type { ScalarField } from '../../../vocabulary/fields.ts';
import type { Text } from '../catalogue/catalogue.ts';
import { FIELD_GROUPS, type Label } from '../catalogue/labels.ts';

/** UI-67: at most this many buildings side by side. */
export const MAX_COMPARED = 4;
/** Further parameters are not read. */
const MAX_READ = 40;

/** What a comparison shows, and what the request asked for in vain. */
export interface Compared {
  buildings: readonly BuildingPage[];
  notices: readonly string[];
  /** Whether rows without a difference are hidden. */
  onlyDifferences: boolean;
}

/** UI-67: the first four buildings; every other ID is answered with a notice. */
export async function readCompared(registry: Registry, parameters: URLSearchParams, t: Text): Promise<Compared> {
  const asked = parameters
    .getAll('id')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '');
  const keys = asked.slice(0, MAX_READ).map(parseWholeId);
  const known = keys.filter((key) => key !== undefined);
  const malformed = keys.length - known.length;
  const notices: string[] = malformed === 0 ? [] : [t.compare.malformed(malformed)];
  const buildings = new Map<string, BuildingPage>();
  const repeated = new Set<string>();
  let left = asked.length - keys.length;
  for (const key of known) {
    const id = formatAssetId(key);
    if (buildings.has(id)) repeated.add(id);
    else if (buildings.size === MAX_COMPARED) left += 1;
    else {
      const found = await find(registry, key);
      if (found === undefined) notices.push(await explain(registry, id, t));
      else if (buildings.has(found.id)) repeated.add(found.id);
      else buildings.set(found.id, found);
      if (found !== undefined && found.id !== id) notices.push(t.compare.moved(id, found.id));
    }
  }
  for (const id of repeated) notices.push(t.compare.repeated(id));
  if (left > 0) notices.push(t.compare.tooMany(left));
  const onlyDifferences = parameters.get('only') === 'differences';
  return { buildings: [...buildings.values()], notices: [...new Set(notices)], onlyDifferences };
}

/** ID-04: the building of an ID, or the one that replaced it. */
async function find(registry: Registry, key: AssetKey): Promise<BuildingPage | undefined> {
  const found = await registry.getPage(formatAssetId(key));
  if (found.ok) return parseBody<BuildingPage>(found.value.body);
  if (found.failure.kind !== 'movedBuilding') return undefined;
  const survivor = await registry.getPage(formatAssetId(found.failure.survivor));
  return survivor.ok ? parseBody<BuildingPage>(survivor.value.body) : undefined;
}

async function explain(registry: Registry, id: string, t: Text): Promise<string> {
  const former = await registry.findFormer(id);
  return former !== undefined && former.survivor === null ? t.compare.retired(id) : t.compare.unknown(id);
}

/** One field of all buildings. */
export interface ComparedRow {
  field: ScalarField;
  /** Whether two known values differ. Names and addresses always do, so they are not marked. */
  differs: boolean;
}

interface ComparedGroup {
  id: string;
  title: Label;
  rows: readonly ComparedRow[];
}

/** The fields that any of the buildings has, by group. */
export function compareFields(buildings: readonly BuildingPage[]): ComparedGroup[] {
  return FIELD_GROUPS.map(({ id, title, fields }) => ({
    id,
    title,
    rows: fields.flatMap((field) => {
      const values = buildings.flatMap((building) => building.fields[field] ?? []);
      if (values.length === 0) return [];
      const isIdentity = id === 'name-and-place';
      return [{ field, differs: !isIdentity && new Set(values.map(({ value }) => comparable(value))).size > 1 }];
    }),
  }));
}

/** Texts that differ only in spelling are the same. */
const comparable = (value: string | number) => (typeof value === 'string' ? spellingKey(value) : value);

export const categoriesDiffer = (buildings: readonly BuildingPage[]): boolean =>
  new Set(
    buildings.map(({ assetTypes }) =>
      assetTypes
        .map(({ category }) => category)
        .toSorted()
        .join(),
    ),
  ).size > 1;

/** The address of a comparison. */
export function comparePath(ids: readonly string[], onlyDifferences = false, path = '/japan/compare'): string {
  const parameters = [...ids.map((id) => `id=${id}`), ...(onlyDifferences ? ['only=differences'] : [])];
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`;
}
