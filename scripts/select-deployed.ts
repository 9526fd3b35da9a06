/** What this project reads of a software bill of materials in CycloneDX. */
export interface Bom {
  metadata: { component: { 'bom-ref': string; name: string } };
  components: { 'bom-ref': string; name: string; version: string; scope?: string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

interface LockFile {
  name: string;
  packages: Record<string, { version?: string; dev?: boolean; optional?: boolean }>;
}

/**
 * The part of the bill that is deployed. `npm sbom --omit=dev` cannot be used: it also omits packages that are deployed and
 * that a development tool needs too, such as pg.
 */
export function selectDeployed(bom: Bom, { name, packages }: LockFile): Bom {
  const deployed = new Map<string, 'required' | 'optional'>();
  for (const [path, { version, dev, optional }] of Object.entries(packages)) {
    const own = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (path !== '' && !dev) deployed.set(`${own}@${version}`, optional ? 'optional' : 'required');
  }
  const root = bom.metadata.component['bom-ref'];
  return {
    ...bom,
    metadata: { ...bom.metadata, component: { ...bom.metadata.component, name } },
    components: bom.components.flatMap((component) => {
      const scope = deployed.get(component['bom-ref']);
      return scope === undefined ? [] : [{ ...component, scope }];
    }),
    dependencies: bom.dependencies
      .filter(({ ref }) => ref === root || deployed.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => deployed.has(each)) })),
  };
}
