import { get } from './benchmarks/get.ts';
import { ingest } from './benchmarks/ingest.ts';
import { map } from './benchmarks/map.ts';
import { mcp } from './benchmarks/mcp.ts';
import { mixed } from './benchmarks/mixed.ts';
import { pages } from './benchmarks/pages.ts';
import { reit } from './benchmarks/reit.ts';
import { search } from './benchmarks/search.ts';
import { sourceRecords } from './benchmarks/source-records.ts';
import { largeSources, sources } from './benchmarks/sources.ts';
import { summaries } from './benchmarks/summaries.ts';
import { tiles } from './benchmarks/tiles.ts';
import { verify } from './benchmarks/verify.ts';
import { work, workers } from './benchmarks/workers.ts';
import type { Benchmark } from './harness/benchmark.ts';

export const BENCHMARKS: readonly Benchmark[] = [
  ...[ingest, verify, work, sources, largeSources],
  ...[get, search, summaries, sourceRecords, mixed, workers],
  ...[pages, tiles, map],
  ...[mcp, reit],
];
