import type { AreaSummary } from '../../../vocabulary/api-shapes.ts';
import { count, MAX_LISTED, short } from './words.ts';

/** An area as text: its counts, and a line per area inside. */
export function digestArea({ area, buildingCount, latestRecordedAt, children, coverage }: AreaSummary): string {
  const english = area.nameEn === null ? '' : ` (${short(area.nameEn)})`;
  const known = Object.entries(coverage).map(([field, number]) => `${field} ${number}`);
  const lines = [
    `# ${short(area.nameJa)}${english}`,
    '',
    `- ${area.level} ${area.slug}, code ${area.code}, page ${area.path}`,
    `- ${count(buildingCount, 'published building')}, the latest recorded ${latestRecordedAt}`,
    `- buildings that have each field: ${known.join(', ')}`,
  ];
  if (children.length > 0) {
    const inside = children.map(
      ({ slug, nameJa, nameEn, path, buildingCount: number }) =>
        `- ${slug}: ${short(nameJa)}${nameEn === null ? '' : ` (${short(nameEn)})`}, ${number}, ${path}`,
    );
    lines.push('', '## Areas inside, with their buildings', '', ...inside.slice(0, MAX_LISTED));
    if (inside.length > MAX_LISTED) lines.push(`and ${inside.length - MAX_LISTED} more, in the structured content.`);
  }
  return lines.join('\n');
}
