import { printable } from '../../vocabulary/text.ts';
import type { Dossier } from '../life/commands.ts';
import type { LifeEvent } from '../life/life.ts';
import { allowedSurfaces, PERMITTED_SURFACES } from '../life/permissions.ts';
import { changedAnchors } from './anchors.ts';
import { describeFinding } from './findings.ts';
import { buildingsOf } from './outline.ts';

const MAX_NOTE = 1_000;
const label = (name: string) => name.padEnd(17);

/** How a publication stands, what it still needs, and what happened to it so far. */
export function describeStatus({ id, computedAt, document, events, facts, standing, predecessors }: Dossier): string[] {
  const { state, data, match, permission, served } = standing;
  const holdings = document.holdings.map(
    ({ propertyCode, nameJa }) => `${printable(propertyCode)} ${printable(nameJa)}`,
  );
  return [
    `${label('state')}${state}`,
    `${label('publication')}${id}`,
    `${label('computed')}${computedAt}`,
    `${label('issuer')}${printable(document.issuer.nameJa)} (${printable(document.issuer.id)})`,
    ...(document.supersedes === undefined ? [] : [`${label('supersedes')}${document.supersedes}`]),
    ...holdings.map((holding) => `${label('holding')}${holding}`),
    ...buildingLines(document, facts),
    `${label('data review')}${data}`,
    `${label('match review')}${match}`,
    `${label('permission')}${permission}`,
    ...permissionLines(facts),
    `${label('served on')}${served.join(', ') || 'no surface'}`,
    ...predecessors.map((other) => `${label('in its place')}${other.id}`),
    ...facts.findings.map((finding) => `${label('finding')}${describeFinding(finding)}: ${finding.remedy}`),
    ...events.map((event) => `${label('event')}${describeEvent(event)}`),
  ];
}

/** One line of a list, its parts parted by tabs. */
export function describeInList({ id, outline, document, standing }: Dossier): string {
  const codes = document.holdings.map(({ propertyCode }) => printable(propertyCode)).join(' ');
  return [standing.state, id, printable(document.issuer.id), codes, buildingsOf(outline).join(' ')].join('\t');
}

/** Where a building is no longer what it was when the document was composed, what of it changed. */
function buildingLines(document: Dossier['document'], { anchors }: Dossier['facts']): string[] {
  return document.buildingMatches.map(({ holdingId, buildingId, anchors: before }) => {
    const now = anchors.get(buildingId);
    const changed = now === undefined ? [] : changedAnchors(before, now);
    const said =
      now === undefined
        ? 'not published now'
        : changed.length === 0
          ? 'as composed'
          : changed.map((name) => `${name} ${show(before[name])} → ${show(now[name])}`).join(', ');
    return `${label('building')}${buildingId} (${printable(holdingId)}): ${said}`;
  });
}

const show = (value: unknown) => printable(JSON.stringify(value) ?? 'none');

/** Each source of the snapshot, and where it may be shown; a surface needs all of them. */
function permissionLines({ publicationId, document, permissions }: Dossier['facts']): string[] {
  const sources = [...new Set(document.sourceRevisions.map(({ source }) => source))].filter((s) => s !== 'dnk').sort();
  return sources.map((source) => {
    const own = document.sourceRevisions.filter((revision) => revision.source === source);
    const allowed = allowedSurfaces({ ...document, sourceRevisions: own }, permissions, publicationId);
    const denied = PERMITTED_SURFACES.filter((surface) => !allowed.includes(surface));
    const not = denied.length === 0 ? '' : `; not on ${denied.join(', ')}`;
    return `${label('source')}${source}: ${allowed.length === 0 ? 'allowed nowhere' : `allowed on ${allowed.join(', ')}${not}`}`;
  });
}

function describeEvent(event: LifeEvent): string {
  const note = (text: string) => printable(text, MAX_NOTE);
  switch (event.type) {
    case 'checked':
      return `${event.at} checked`;
    case 'reviewed':
      return `${event.at} ${event.review} review: ${event.verdict} by ${note(event.by)}: ${note(event.note)}`;
    case 'activated':
      return `${event.at} activated by ${note(event.by)}`;
    case 'suspended':
      return `${event.at} suspended: ${note(event.reason)}`;
    case 'withdrawn':
      return `${event.at} withdrawn by ${note(event.by)}: ${note(event.reason)}`;
  }
}
