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

/** Lists the packages in the bundles, with their licenses, in `THIRD-PARTY-NOTICES.txt`. */
export function bundledPackages(outDir: string): Rolldown.Plugin {
  const folders = new Set<string>();
  return {
    name: 'bundled-packages',
    // Each bundle adds its own packages, so the last one lists them all.
    writeBundle() {
      for (const folder of [...this.getModuleIds()].flatMap(packageFolder)) folders.add(folder);
      const bundled = [...folders].sort().map(readPackage);
      writeFileSync(join(outDir, 'THIRD-PARTY-NOTICES.txt'), notices(bundled));
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
