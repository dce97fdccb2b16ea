import { expect, test } from 'vitest';
import { createMock } from '../../mocks/mock.ts';
import { requirements } from '../checks/catalogue.ts';
import type { Report } from '../model/report.ts';
import { parseDeviations } from '../run/deviations.ts';
import { exitStatus } from '../run/verdict.ts';
import { run } from '../run.ts';
import type { Send } from '../target/exchange.ts';
import { parseReport, renderJson } from './json.ts';
import { rendererFor } from './render.ts';
import {
  conformant,
  deviating,
  interrupted,
  judged,
  sample,
  scoped,
  unjudgeable,
} from './sample.test-support.ts';
import { renderTerminal } from './terminal.ts';
import { headline } from './wording.ts';
import { findElements, parseXml } from './xml.test-support.ts';

const failed = sample.results.filter(({ id }) => id === 'RECORD-1');

const headlines: [title: string, status: number, report: Report][] = [
  ['Conformant', 0, conformant],
  ['Conformant in the area create', 0, scoped],
  [
    'Conformant in the areas create, record and authentication',
    0,
    judged({ ...conformant, areas: ['create', 'record', 'authentication'] }),
  ],
  ['Conformant, with 1 known deviation and 1 inapplicable requirement', 0, deviating],
  [
    'Conformant in the requirements CREATE-1 and CREATE-2',
    0,
    judged({ ...conformant, only: ['CREATE-1', 'CREATE-2'] }),
  ],
  [
    'Conformant in the areas create and authentication, with 1 known deviation and 1 inapplicable requirement',
    0,
    judged({ ...deviating, areas: ['create', 'authentication'] }),
  ],
  ['Not conformant', 1, sample],
  ['Not conformant in the area record', 1, judged({ ...sample, areas: ['record'] })],
  ['Incomplete in the area create', 2, judged({ ...scoped, results: [] })],
  ['Incomplete; the run was interrupted', 2, interrupted],
  [
    'Incomplete in the area create; the run was interrupted',
    2,
    judged({ ...interrupted, areas: ['create'] }),
  ],
  ['Not conformant; the run was interrupted', 1, judged({ ...interrupted, results: failed })],
  ['Cannot be judged', 4, unjudgeable],
];

test.each(headlines)('a report has the headline "%s"', (title, status, report) => {
  expect(headline(report)).toBe(title);
  expect(exitStatus(report)).toBe(status);
  expectHeadline(report, title);
});

/** Every format of a report has the same headline. */
function expectHeadline(report: Report, title: string): void {
  const lines = renderTerminal(report, { colours: false, width: 200 }).trim().split('\n');
  expect(lines.some((line) => line.startsWith(title))).toBe(true);
  expect(renderTerminal(report, { colours: false, detail: 'quiet' })).toMatch(title);
  expect(JSON.parse(renderJson(report))).toMatchObject({ verdict: report.verdict });
  expect(rendererFor('a.md')(report).split('\n')[0]).toContain(` ${title}: `);
  const html = rendererFor('a.html')(report);
  expect(html).toContain(`<h1>${title}</h1>`);
  expect(html).toContain(`<title>${title}: `);
  const junit = parseXml(rendererFor('a.xml')(report));
  expect(findElements(junit, 'testsuite').at(-1)?.text.trim().split('\n')[0]).toBe(title);
}

test('only a report on the whole interface has a badge, with the headline', () => {
  for (const report of [conformant, deviating]) {
    expect(rendererFor('a.svg')(report)).toContain(`>${headline(report).toLowerCase()}</text>`);
  }
  for (const report of [scoped, sample, interrupted, unjudgeable]) {
    expect(() => rendererFor('a.svg')(report)).toThrow(
      `There is a badge only for a target that conforms in all areas. ${headline(report)}.`,
    );
  }
});

test('a run with a known deviation says the same in every format', async () => {
  const report = await runWithDeviations();
  const title = 'Conformant, with 1 known deviation and 1 inapplicable requirement';
  const known = 'AUTH-1 failed, a known deviation (the gateway checks the key)';
  const inapplicable = 'MEDIA-7 inapplicable: recordings have no MP4';
  expect(report.reasons).toEqual([expect.stringContaining(known), inapplicable]);
  expect(headline(report)).toBe(title);
  expect(exitStatus(report)).toBe(0);
  expectHeadline(report, title);

  const texts = ['a.md', 'a.html', 'a.xml'].map((name) => rendererFor(name)(report));
  for (const text of [...texts, renderTerminal(report, { colours: false, width: 200 })]) {
    expect(text).toContain(known);
    expect(text).toContain(inapplicable);
  }
  expect(rendererFor('a.xml')(report)).toMatch(/<testsuites [^>]* failures="0" errors="0"/);
});

/** A run of the mock where it creates streams without a key too. */
async function runWithDeviations(): Promise<Report> {
  const mock = createMock({ now: Date.now, recordingDelay: 0 });
  const send: Send = (request) => {
    const open = request.method === 'POST' && !request.headers.has('authorization');
    if (open) request.headers.set('authorization', `Bearer ${mock.apiKey}`);
    return mock.fetch(request);
  };
  const deviations = {
    deviations: [{ requirement: 'AUTH-1', reason: 'the gateway checks the key' }],
    inapplicable: [{ requirement: 'MEDIA-7', reason: 'recordings have no MP4' }],
  };
  return run({
    baseUrl: 'http://mock.test/api',
    apiKey: mock.apiKey,
    send,
    provider: { controlUrl: 'http://mock.test/_mock' },
    deviations: parseDeviations(JSON.stringify(deviations), requirements),
  });
}

test.each([
  { name: 'the verdict', edit: { verdict: 'conformant' } },
  { name: 'the reasons', edit: { reasons: ['all is well'] } },
])('editing $name in a file changes nothing in what is rendered', ({ edit }) => {
  const unchanged = parseReport(renderJson(sample));
  const edited = parseReport(renderJson({ ...sample, ...edit } as Report));
  expect(edited).toEqual(sample);
  for (const name of ['a.json', 'a.xml', 'a.html', 'a.md']) {
    expect(rendererFor(name)(edited)).toBe(rendererFor(name)(unchanged));
  }
  expect(() => rendererFor('a.svg')(edited)).toThrow('Not conformant.');
});
