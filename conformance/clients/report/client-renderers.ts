import { htmlOf } from '../../report/html.ts';
import { junitOf } from '../../report/junit.ts';
import { markdownOf } from '../../report/markdown.ts';
import { byEnding } from '../../report/renderer-for.ts';
import type { ClientReport } from '../client-report.ts';
import { renderClientJson } from './client-json.ts';
import { clientSectionsOf } from './client-sections.ts';

const renderers = {
  '.json': renderClientJson,
  '.xml': (report) => junitOf(clientSectionsOf(report)),
  '.html': (report) => htmlOf(clientSectionsOf(report)),
  '.md': (report) => markdownOf(clientSectionsOf(report)),
} as const satisfies Readonly<Record<string, (report: ClientReport) => string>>;

/**
 * The function that writes a report on an app in the format of a file.
 * @throws TypeError for an extension without a renderer: call this before a long run.
 */
export function clientRendererFor(fileName: string): (report: ClientReport) => string {
  return byEnding(renderers, fileName);
}
