import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'tsdown';

/** A package that is in the bundle, and the text of its license. */
interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string | undefined;
}

/**
 * Writes what the bundles hold of other packages: their licenses to `THIRD-PARTY-NOTICES.txt`, and a
 * bill of materials (CycloneDX) to `sbom.cdx.json`.
 */
export function bundledPackages(outDir: string): Rolldown.Plugin {
  const folders = new Set<string>();
  return {
    name: 'bundled-packages',
    // Each bundle that is written adds its own, so the last one writes of all.
    writeBundle() {
      for (const folder of [...this.getModuleIds()].flatMap(packageFolder)) folders.add(folder);
      const bundled = [...folders].sort().map(readPackage);
      writeFileSync(join(outDir, 'THIRD-PARTY-NOTICES.txt'), notices(bundled));
      writeFileSync(join(outDir, 'sbom.cdx.json'), `${JSON.stringify(sbom(bundled), null, 2)}\n`);
    },
  };
}

function packageFolder(moduleId: string): string[] {
  const match = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(moduleId.replaceAll('\\', '/'));
  return match ? [match[0]] : [];
}

function readPackage(folder: string): Bundled {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file && readFileSync(join(folder, file), 'utf8').trim();
  return { name, version, license, text };
}

const intro = `livestream-mock is bundled with the packages below, unchanged. The source of each is
published in the npm registry under the name and version given here.
`;

function notices(bundled: readonly Bundled[]): string {
  const parts = bundled.map(({ name, version, license, text }) => {
    const line = `${name} ${version}, ${license}\n`;
    return text === undefined ? line : `${line}\n${text}\n`;
  });
  return [intro, ...parts].join(`\n${'-'.repeat(80)}\n\n`);
}

/** It has no date and no serial number, so the same bundle gives the same bytes. */
function sbom(bundled: readonly Bundled[]): object {
  const own = readPackage('.');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: component(own) },
    components: bundled.map(component),
    dependencies: [{ ref: purlOf(own), dependsOn: bundled.map(purlOf) }],
  };
}

function component(of: Bundled): object {
  const purl = purlOf(of);
  const { name, version, license } = of;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    licenses: [{ license: { id: license } }],
    purl,
  };
}

/** A package as a package URL; the `@` of a scope is escaped in it. */
function purlOf({ name, version }: Bundled): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
