import type { Json } from '../../files/read-json.ts';
import { RESERVED_SLUGS } from '../../vocabulary/area-names.ts';
import type { AreaEntry } from './entry.ts';
import {
  InvalidLine,
  MAX_ID_LENGTH,
  readGeometry,
  readOptionalText,
  readText,
  refuseUnknownKeys,
} from './read-values.ts';

const AREA_KEYS = new Set(['kind', 'level', 'code', 'parent', 'slug', 'nameJa', 'nameEn', 'boundary']);
const PARENT_LEVEL = { prefecture: null, ward: 'prefecture', machiAza: 'ward' } as const;

export function readArea(line: Json): AreaEntry {
  refuseUnknownKeys(line, AREA_KEYS, '');
  const { level } = line;
  if (level !== 'prefecture' && level !== 'ward' && level !== 'machiAza') {
    throw new InvalidLine('level must be prefecture, ward or machiAza');
  }
  const code = readText(line.code, 'code', 20);
  if (!(level === 'prefecture' ? /^\d{2}$/ : /^\d{3,20}$/).test(code)) {
    throw new InvalidLine(level === 'prefecture' ? 'code of a prefecture must be two digits' : 'code must be digits');
  }
  const parent = line.parent == null ? null : readText(line.parent, 'parent', 20);
  if ((parent === null) !== (PARENT_LEVEL[level] === null)) {
    throw new InvalidLine(
      level === 'prefecture' ? 'a prefecture has no parent' : `parent must be the code of a ${PARENT_LEVEL[level]}`,
    );
  }
  if (parent !== null && !code.startsWith(parent)) throw new InvalidLine(`code must begin with its parent's`);
  const slug = readText(line.slug, 'slug', 200);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug))
    throw new InvalidLine('slug must be lower-case ASCII words joined by hyphens');
  if (level === 'prefecture' && RESERVED_SLUGS.has(slug))
    throw new InvalidLine(`slug ${slug} is reserved for the service's own paths`);
  const boundary = line.boundary == null ? null : readGeometry(line.boundary, 'boundary');
  if (boundary?.type === 'Point') throw new InvalidLine('boundary must be a Polygon or MultiPolygon');
  return {
    kind: 'area',
    level,
    code,
    parent,
    slug,
    nameJa: readText(line.nameJa, 'nameJa', MAX_ID_LENGTH),
    nameEn: readOptionalText(line.nameEn, 'nameEn'),
    boundary,
  };
}
