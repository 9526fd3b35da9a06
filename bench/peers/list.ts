import { postgresTrigrams, sqliteTrigrams } from './databases.ts';
import { flexSearch, flexSearchParts, miniSearch, orama } from './in-memory.ts';
import type { Peer } from './peer.ts';

export const PEERS: readonly Peer[] = [
  miniSearch,
  flexSearch,
  flexSearchParts,
  orama,
  sqliteTrigrams,
  postgresTrigrams,
];
