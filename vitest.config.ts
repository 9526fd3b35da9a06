import { accessSync, constants, globSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** How a test file asks for PostgreSQL or for a browser. */
const SERVICE = /\b(onBothEngines|onPostgres|startPostgres|preparePrograms|startStandbyCluster|useBrowser)\b/;
/** Mocks a module, changes the catalogue of the pages, or measures the memory of its process. */
const ALONE = /vi\.mock|markCatalogue|--expose-gc/;

/** Serves a registry, which takes longer than most. */
const LONG = /\b(openServed\w+|serverOn|openSmallRegistry|openPageTown|IngestPlace)\b/;

const files = globSync('test/**/*.test.ts').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const filesWhere = (wanted: (text: string) => boolean) =>
  files.flatMap(({ path, text }) => (wanted(text) ? path.replaceAll('\\', '/') : []));
const needsService = (text: string) => SERVICE.test(text);
const runsAlone = (text: string) => ALONE.test(text);

/** Starts the long files of a project first, so that none of them is left alone at the end; vitest knows which only from an earlier run. */
class LongFirst extends BaseSequencer {
  override async sort(specs: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(readFileSync(moduleId, 'utf8'));
    const projects = Map.groupBy(await super.sort(specs), (spec) => spec.project.name);
    return [...projects.values()].flatMap((own) => {
      const { long = [], short = [] } = Object.groupBy(own, (spec) => (isLong(spec) ? 'long' : 'short'));
      return [...long, ...short];
    });
  }
}

/** Test databases in memory, if there is plenty: SQLite then does not wait for the disk at each commit. */
function temporaryFolder(): { TMPDIR?: string } {
  const [folder, plenty] = ['/dev/shm', 4 * 2 ** 30];
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return process.env.TMPDIR === undefined && Math.min(bavail * bsize, freemem()) > plenty ? { TMPDIR: folder } : {};
  } catch {
    return {};
  }
}

const project = (name: string, include: string[], globalSetup: string[], isolate = false) => ({
  extends: true as const,
  test: { name, include, globalSetup: ['test/support/compile-cache.ts', ...globalSetup], isolate },
});

export default defineConfig({
  test: {
    setupFiles: ['test/support/each-file.ts'],
    // Enough for a machine that is busy with something else.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // One more than the cores that they are meant for: a file that waits leaves its core to another.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    env: temporaryFolder(),
    // To start a process and to import the service takes longer than most files of tests: files share both.
    projects: [
      // Projects run in the order of their names, so that the many short files of the last keep every worker busy to the end.
      project('alone', filesWhere(runsAlone), [], true),
      project(
        'unit',
        filesWhere((text) => !needsService(text) && !runsAlone(text)),
        [],
      ),
      project('services', filesWhere(needsService), [
        'test/support/postgres-cluster.ts',
        'test/support/browser-server.ts',
      ]),
    ],
  },
});
