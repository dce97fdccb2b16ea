import { expect, test } from 'vitest';
import { openBrowser } from '../../tools/browser.test-support.ts';
import { byNight } from '../../tools/nightly.test-support.ts';
import type { Report } from '../model/report.ts';
import { renderAnnotations } from './annotations.ts';
import { rendererFor } from './renderer-for.ts';
import { sectionsOf } from './report-sections.ts';
import { hostile, judged, sample } from './sample.test-support.ts';
import { renderTerminal } from './terminal.ts';
import { parseXml } from './xml.test-support.ts';

const attacks = [
  hostile,
  ...['</script>', '<script>document.title="taken over"</script>', '</title></style></summary>'],
  ...['" onclick="x" ', "'", '&#60;b>', ']]>', '<!--', '\r\n::error::x', '##[add-mask]'],
  ...['so\n \u00a0 ::add-mask::x', '##vso[task.setvariable]x', "##teamcity[buildStatus text='x']"],
  ...['\u001b[2J', '\u202e', '\ud800', '\0', '```\n~~~', '|', '# x', '<a href="x">', 'plain words'],
];

/** Keys whose values a target cannot choose, as they follow a schema. */
const fixed = new Set(['format', 'area', 'level', 'outcome', 'provider', 'verdict', 'kind']);

/** The sample with most of its texts replaced by attacks. The same seed gives the same report. */
function hostileReport(number: number): Report {
  let state = number;
  const pick = (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
  const spoil = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') {
      if (fixed.has(name) || pick(4) === 0) return value;
      return `${attacks[pick(attacks.length)]}${attacks[pick(attacks.length)]}`;
    }
    if (Array.isArray(value)) return value.map((item) => spoil(item, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spoil(item, key)]));
  };
  return judged(spoil({ ...sample, only: ['CREATE-1'] }, '') as Report);
}

const reports = Array.from({ length: byNight(60, 15) }, (_, number) => hostileReport(number));

test('nothing in a hostile report becomes markup in HTML or XML', async () => {
  const page = await (await openBrowser()).newPage();
  const read = async (html: string) => {
    await page.setContent(html);
    const names = page.locator('*').evaluateAll((all) => all.map(({ localName }) => localName));
    return [...new Set(await names)].sort();
  };
  const ours = await read(rendererFor('a.html')(sample));
  for (const report of reports) {
    const found = await read(rendererFor('a.html')(report));
    expect(ours).toEqual(expect.arrayContaining(found));
    expect(ours).not.toContain('script');
    expect(await page.title()).not.toBe('taken over');
    expect(parseXml(rendererFor('a.xml')(report)).name).toBe('testsuites');
    expect(parseXml(rendererFor('a.svg')(report)).children).toHaveLength(4);
  }
});

test('nothing in a hostile report becomes a command in Markdown, on a terminal or in annotations', () => {
  for (const report of reports) {
    const markdown = rendererFor('a.md')(report).replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, '');
    expect(markdown.replace(/<\/?(details|summary)>|[@#]<!-- -->/g, '')).not.toMatch(/[<>]/);
    for (const line of renderAnnotations(sectionsOf(report)).trimEnd().split('\n')) {
      expect(line).toMatch(/^::(error|warning) title=[^:]*::[^\r\n]*$/);
    }
    for (const detail of ['quiet', 'normal', 'verbose'] as const) {
      const text = renderTerminal(report, { colours: false, detail });
      expect(text).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
      expect(text).not.toMatch(/^\s*::|##\w*\[/m);
    }
  }
});
