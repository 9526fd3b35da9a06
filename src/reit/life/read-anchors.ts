import { decodeCanonical } from '../../registry/canonical-codec.ts';
import { isAmong, listParameter, type Reads } from '../../storage/storage.ts';
import { type AssetKey, formatAssetId, parseAssetId } from '../../vocabulary/asset-id.ts';
import { type Anchors, anchorsOf, type Lifecycle } from '../publication/anchors.ts';

interface Row {
  id: AssetKey;
  state: Lifecycle;
  canonical: string | null;
  published: AssetKey | null;
  machi_aza: string | null;
  ward: string | null;
  prefecture: string | null;
}

const NOTHING_KNOWN = { fields: {}, footprint: null, point: null };

/** The anchors of buildings as they are now; of one that was never published, or is not any more, there are none. */
export async function readAnchors(reads: Reads, buildingIds: readonly string[]): Promise<Map<string, Anchors>> {
  const keys = buildingIds.map(parseAssetId).filter((key) => key !== undefined);
  const rows = await reads.all<Row>(
    `select b.id, b.state, v.canonical, p.building as published,
        m.slug as machi_aza, w.slug as ward, f.slug as prefecture
      from building b
      left join building_version v on v.building = b.id and v.version = b.version
      left join page p on p.building = b.id
      left join area m on m.code = b.area
      left join area w on w.code = m.parent
      left join area f on f.code = w.parent
      where ${isAmong(reads, 'b.id')}`,
    [listParameter(reads, keys)],
  );
  const anchors = new Map<string, Anchors>();
  for (const { id, state, canonical, published, machi_aza, ward, prefecture } of rows) {
    if (state === 'live' && published === null) continue;
    const buildingId = formatAssetId(id);
    const areaPath = machi_aza === null ? null : `/japan/${prefecture}/${ward}/${machi_aza}`;
    const known = canonical === null ? NOTHING_KNOWN : decodeCanonical(canonical);
    anchors.set(buildingId, anchorsOf({ buildingId, lifecycle: state, areaPath, canonical: known }));
  }
  return anchors;
}
