/** Writes small OSM files in the format of real ones. */

export interface Square {
  way: number;
  west: number;
  south: number;
  /** In degrees. */
  size: number;
  tags: Readonly<Record<string, string>>;
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

export function tagsXml(tags: Readonly<Record<string, string>>): string {
  return Object.entries(tags)
    .map(([k, v]) => `    <tag k="${escapeXml(k)}" v="${escapeXml(v)}"/>\n`)
    .join('');
}

export function nodeXml(id: number, lon: number, lat: number, tags: Readonly<Record<string, string>> = {}): string {
  return `  <node id="${id}" lat="${lat}" lon="${lon}" user="mapper" uid="1">\n${tagsXml(tags)}  </node>\n`;
}

export function wayXml(id: number, refs: readonly number[], tags: Readonly<Record<string, string>> = {}): string {
  return `  <way id="${id}">\n${refs.map((ref) => `    <nd ref="${ref}"/>\n`).join('')}${tagsXml(tags)}  </way>\n`;
}

export function relationXml(
  id: number,
  members: readonly (readonly ['way' | 'relation' | 'node', number, string])[],
  tags: Readonly<Record<string, string>>,
): string {
  const lines = members.map(([type, ref, role]) => `    <member type="${type}" ref="${ref}" role="${role}"/>\n`);
  return `  <relation id="${id}">\n${lines.join('')}${tagsXml(tags)}  </relation>\n`;
}

/** A way around a square, with its nodes `way * 10 + 0..3`. */
export function squareXml({ way, west, south, size, tags }: Square): string {
  const corners = [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
  ] as const;
  const nodes = corners.map(([lon, lat], i) => nodeXml(way * 10 + i, round(lon), round(lat)));
  return (
    nodes.join('') +
    wayXml(
      way,
      [0, 1, 2, 3, 0].map((i) => way * 10 + i),
      tags,
    )
  );
}

export function osmXml(...elements: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<osm version="0.6" generator="test">\n${elements.join('')}</osm>\n`;
}

/** One building with these tags. */
export function buildingXml(tags: Readonly<Record<string, string>>): string {
  return osmXml(squareXml({ way: 1, west: 139.77, south: 35.62, size: 0.001, tags: { building: 'yes', ...tags } }));
}

function round(degrees: number): number {
  return Math.round(degrees * 1e7) / 1e7;
}
