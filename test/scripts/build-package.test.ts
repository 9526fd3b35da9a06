import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childEnvironment } from '../support/child-environment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'tatemono-package-'));
const modules = join(dir, 'app', 'node_modules');
const installed = join(modules, 'tatemono');
afterAll(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

/** Packs a copy of this project, and installs the package in an empty folder beside the dependencies of this one. */
beforeAll(() => {
  const source = join(dir, 'source');
  for (const name of ['bin', 'src', 'sample', 'deploy', 'scripts', 'docs']) {
    cpSync(join(root, name), join(source, name), { recursive: true });
  }
  for (const name of ['package.json', 'package-lock.json', 'README.md', 'README.ja.md', 'CHANGELOG.md', 'LICENSE']) {
    cpSync(join(root, name), join(source, name));
  }
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'), 'junction');
  mkdirSync(installed, { recursive: true });
  const isWindows = process.platform === 'win32';
  const env = childEnvironment({ npm_config_cache: join(dir, 'cache') });
  const options = { cwd: source, env, encoding: 'utf8', stdio: 'pipe', shell: isWindows } as const;
  const packed = execFileSync('npm', ['pack', '--json', '--offline', '--pack-destination', dir], options);
  const [{ filename }] = JSON.parse(packed.slice(packed.search(/^\[/m))) as [{ filename: string }];
  execFileSync('tar', ['-xzf', filename, '-C', relative(dir, installed), '--strip-components=1'], { cwd: dir });
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!name.startsWith('.')) symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
});

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));

describe('the published package', () => {
  it('OPS-04 has the code without types, and nothing that only developers need', () => {
    const files = filesIn(installed);
    expect(files).toContain('dist/main.js');
    expect(files).toContain('sample/osm/tokyo.osm');
    expect([...new Set(files.map((file) => file.split('/')[0]))].sort()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.ja.md',
        'README.md',
        'bin',
        'deploy',
        'dist',
        'npm-shrinkwrap.json',
        'package.json',
        'sample',
      ].sort(),
    );
    expect(files.filter((file) => /\.ts$|tsconfig/.test(file))).toEqual([]);
    for (const file of files.filter((file) => /^dist\/.*\.js$/.test(file))) {
      const code = readFileSync(join(installed, file), 'utf8');
      expect(code, file).not.toMatch(/['"`]\.{1,2}\/[^'"`]*\.ts['"`]/);
      expect(code.split('\n')).toHaveLength(
        readFileSync(join(root, 'src', file.slice('dist/'.length).replace(/\.js$/, '.ts')), 'utf8').split('\n').length,
      );
    }
  });

  it('OPS-04 names the versions of its dependencies, without those of developers', () => {
    const { packages } = JSON.parse(readFileSync(join(installed, 'npm-shrinkwrap.json'), 'utf8')) as {
      packages: Record<string, { version?: string; dev?: boolean; devDependencies?: object }>;
    };
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const [name, version] of Object.entries(manifest.dependencies)) {
      expect(packages[`node_modules/${name}`]?.version).toBe(version);
    }
    for (const name of ['vitest', 'typescript']) expect(packages).not.toHaveProperty([`node_modules/${name}`]);
    expect(Object.values(packages).filter(({ dev, devDependencies }) => dev || devDependencies)).toEqual([]);
  });

  it('OPS-04 serves the sample from an empty folder: records, searches, pages, their scripts and tiles', async () => {
    const cwd = join(dir, 'app');
    const child = spawn(process.execPath, [join(installed, 'bin', 'tatemono.js'), 'serve'], {
      cwd,
      env: childEnvironment({ PORT: '0' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    try {
      const origin = await new Promise<string>((resolve, reject) => {
        const hear = (chunk: Buffer) => {
          said += chunk;
          const match = /tatemono serves (http:\S+)\/japan\n/.exec(said);
          if (match) resolve(match[1] as string);
        };
        child.stdout.on('data', hear);
        child.stderr.on('data', hear);
        void ended.then((code) => reject(new Error(`ended with ${code}: ${said}`)));
      });
      expect(said).toContain('the bundled sample has been loaded');
      const get = async (path: string) => {
        const response = await fetch(new URL(path, origin));
        expect(response.status, path).toBe(200);
        return response;
      };
      expect(await (await get('/japan/api/v1/assets/ASSET-JP-13-00000007')).json()).toMatchObject({
        id: 'ASSET-JP-13-00000007',
      });
      const { total } = (await (await get(`/japan/api/v1/assets?q=${encodeURIComponent('ビル')}`)).json()) as {
        total: number;
      };
      expect(total).toBeGreaterThan(10);
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
      expect(await (await get('/japan/mcp/server-card')).json()).toMatchObject({ version });
      expect((await (await get('/japan/tiles/14/14551/6451')).arrayBuffer()).byteLength).toBeGreaterThan(100);

      // Every script of the page, and whatever those import, in turn.
      const page = await (await get('/japan/areas')).text();
      const scripts = new Set(page.match(/\/japan\/assets\/[\w.-]+/g));
      expect(scripts.size).toBeGreaterThan(3);
      for (const path of scripts) {
        const code = await (await get(path)).text();
        expect(code).not.toMatch(/['"]\.\/[\w-]+\.(ts|js)['"]/);
        for (const imported of code.match(/\/japan\/assets\/[\w.-]+/g) ?? []) scripts.add(imported);
      }
      expect([...scripts].some((path) => path.includes('draw-map'))).toBe(true);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
    expect(readdirSync(cwd).sort()).toEqual(['data', 'node_modules']);
  });
});
