import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rolldown } from 'tsdown';

/** Writes the licenses of the packages that the bundle holds to `THIRD-PARTY-NOTICES.txt`. */
export function thirdPartyNotices(): Rolldown.Plugin {
  return {
    name: 'third-party-notices',
    generateBundle() {
      const folders = new Set([...this.getModuleIds()].flatMap(packageFolder));
      const source = [intro, ...[...folders].sort().map(notice)].join(`\n${'-'.repeat(80)}\n\n`);
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source });
    },
  };
}

const intro = `livestream-mock is bundled with the packages below, unchanged. The source of each is
published in the npm registry under the name and version given here.
`;

function packageFolder(moduleId: string): string[] {
  const match = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(moduleId.replaceAll('\\', '/'));
  return match ? [match[0]] : [];
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  if (file === undefined) {
    return `${name} ${version}, ${license}\n`;
  }
  return `${name} ${version}, ${license}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
