import type { StoredVersion } from '../../../registry/versions.ts';
import type { BuildingPage } from '../../../vocabulary/building-page.ts';
import type { Canonical } from '../../../vocabulary/canonical.ts';
import type { PageSettings } from '../page-settings.ts';
import type { ReitHistories } from '../reit/publication-history.ts';

/** What a building page and its Markdown twin are made of. */
export interface ShownBuilding extends Pick<PageSettings, 'origin' | 't' | 'today'> {
  building: BuildingPage;
  /** The stored current version, if the view needs more than the record. */
  current: Canonical | undefined;
  /** Stored versions, the newest first, for the history: those shown and the one before them. */
  versions: readonly StoredVersion[];
  reit: ReitHistories;
}

/** Versions on one page of the history. */
export const VERSIONS_SHOWN = 10;
