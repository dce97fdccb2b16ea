import type { Evidence } from '../../target/requests/evidence.ts';
import { requirements } from '../checks/catalogue.ts';
import type { Report, Result } from '../model/report.ts';
import { judge } from '../run/verdict.ts';

/** What a hostile target might send to take over the program that shows it. */
export const hostile: string = [
  '</script><img src=x onerror="document.title=\'taken over\'">',
  '</code></pre></details><script>document.title="taken over"</script>',
  ']]> --> &amp; <!-- \' "',
  '\u001b[31mred\u001b[0m \u009b2J \u0000NUL \u0007 \r\b',
  '``` ```` | a | b |',
  'override \u202e gpj.exe \ufeff\u200b \ud800 \ufffe',
  '👩‍👩‍👧 @everyone #1 [a](javascript:alert(1)) $x$ **b**',
].join('\n');

/** The result of a requirement that the target satisfies. */
export const passed: Result = {
  id: 'CREATE-1',
  area: 'create',
  clause: '4.1',
  level: 'must',
  statement: 'A stream is created with a name alone.',
  basis: { kind: 'stated' },
  outcome: 'pass',
  observations: [],
  evidence: [],
  duration: 12,
};

const created: Evidence = {
  curl: `curl -X POST http://127.0.0.1:4100/api/stream -H 'authorization: Bearer $LIVESTREAM_API_KEY' -H 'content-type: application/json' --data '{"name":"conformance"}'`,
  status: 201,
  headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': '49' },
  body: '{"id":"6c1f6d1e-8a53-4d2e-9a4e-0f3c6e0b3c11","name":"conformance"}',
  duration: 7.4,
};

const refused: Evidence = {
  curl: `curl -X PATCH http://127.0.0.1:4100/api/stream/6c1f6d1e-8a53-4d2e-9a4e-0f3c6e0b3c11/record -H 'authorization: Bearer $LIVESTREAM_API_KEY' -H 'content-type: application/json' --data '{"record":true}'`,
  status: 200,
  headers: { 'content-type': 'application/json', server: 'example', 'x-odd': hostile },
  body: hostile,
  duration: 1234,
};

const unanswered: Evidence = {
  curl: 'curl http://127.0.0.1:4100/recordings/index.m3u8',
  failure: 'connect ECONNREFUSED 127.0.0.1:4100',
  duration: 3,
};

const remedy =
  'A recorded session is needed: name a stream that has one (--recorded-stream), or say how to go live (--control-url, --ingest-command or --manual).';

/** A result that passed, except for the given properties. */
function result(id: string, clause: string, statement: string, given: Partial<Result>): Result {
  return { ...passed, id, clause, statement, ...given };
}

const record = { area: 'record', outcome: 'fail' } as const;
const blocked = { area: 'list', outcome: 'blocked', message: remedy } as const;

const results: readonly Result[] = [
  passed,
  ...[2, 3, 4, 5, 6, 7, 8].map((number) => ({ ...passed, id: `CREATE-${number}` })),
  result('CREATE-9', '4.1', 'A created stream has a playbackId.', {
    level: 'should',
    deviation: { reason: 'The playbackId came with release 3.', expires: '2026-12-31' },
  }),
  result('RECORD-1', '4.2', 'Recording is turned on with 204 and no body.', {
    ...record,
    message: `Expected status 204 and no body, got status 200 and ${JSON.stringify(hostile.slice(0, 80))}.`,
    observations: [`The response has a body: ${hostile.slice(0, 60)}`],
    evidence: [refused, created],
    duration: 1241,
  }),
  result('RECORD-2', '4.2 rules 2 and 5', 'The record value of a session stays.', {
    ...record,
    outcome: 'unmet',
    level: 'should',
    basis: { kind: 'derived', because: 'a session is read-only, and only future ones inherit.' },
    message: 'Expected record to stay true on the session, got false.',
    evidence: [created],
    deviation: {
      reason: 'It shows that of its parent; ticket 812 | *soon*.',
      expires: '2026-12-31',
    },
  }),
  result('LIST-1', '4.3', 'With record=1 only recorded sessions are listed.', blocked),
  result('LIST-2', '2.3', 'A listed session carries the parentId that was asked for.', blocked),
  result('LIST-3', '4.3', 'The list of a stream that was never live is empty.', {
    ...blocked,
    level: 'should',
    message: 'The check has to write: run without --read-only.',
  }),
  result('AUTH-1', '5', 'A request without a key is refused.', {
    area: 'authentication',
    basis: { kind: 'derived', because: 'the header is required on every request.' },
    outcome: 'inapplicable',
    message: 'The owner of the target says: the gateway in front of it checks the key.',
  }),
  result('MEDIA-1', '2.3', 'recordingUrl is the address of an HLS playlist.', {
    area: 'media',
    outcome: 'error',
    message: 'The check itself failed: TypeError: cannot read segments of undefined.',
    evidence: [unanswered],
  }),
  result('MEDIA-2', '1', 'Without profiles nothing is transcoded.', {
    area: 'media',
    outcome: 'untestable',
    message: 'No request can tell whether something was transcoded and not shown.',
  }),
  result('OBSERVE-1', '7', 'How the target answers a stream without a name.', {
    area: 'observe',
    level: 'observe',
    outcome: 'noted',
    observations: ['Without a name: 422 {"errors":["name: expected a string"]}.', 'Empty: 201.'],
  }),
];

/** A report, completed with the verdict and reasons that follow from it. */
export function judged(report: Omit<Report, 'verdict' | 'reasons'>): Report {
  return { ...report, ...judge(report) };
}

/** A report with every outcome, a known deviation, and what a hostile target might send. */
export const sample: Report = judged({
  format: 'livestream-mock/conformance-report',
  version: 1,
  suite: '0.1.0',
  target: 'http://127.0.0.1:4100/api',
  startedAt: '2026-11-20T14:00:00.000Z',
  duration: 12_345,
  provider: 'none',
  readOnly: false,
  results,
  leftBehind: [`stream 6c1f6d1e-8a53-4d2e-9a4e-0f3c6e0b3c11 (${hostile.slice(0, 40)})`],
  complete: true,
});

/** A report of a target that conforms to the interface. */
export const conformant: Report = judged({
  ...sample,
  leftBehind: [],
  results: requirements.map((requirement) => {
    const { id, area, clause, level, statement, basis } = requirement;
    const outcome = level === 'observe' ? ('noted' as const) : passed.outcome;
    const result: Result = { ...passed, id, area, clause, level, statement, basis, outcome };
    if (!('untestable' in requirement)) return result;
    return { ...result, outcome: 'untestable', message: requirement.untestable };
  }),
});

/** The report of a target that conforms, with other results. */
function conformantBut(change: (result: Result) => object, more: Partial<Report> = {}): Report {
  const results = conformant.results.map((result) => ({ ...result, ...change(result) }));
  return judged({ ...conformant, results, ...more });
}

const known: Partial<Record<string, object>> = {
  'AUTH-1': { outcome: 'inapplicable', message: 'the gateway checks the key' },
  'CREATE-1': {
    outcome: 'fail',
    message: 'expected status 201, got 200',
    deviation: { reason: 'it answers 200 until release 3' },
  },
};

/** A report of a target whose owner lists CREATE-1 as a deviation and AUTH-1 as inapplicable. */
export const deviating: Report = conformantBut(({ id }) => known[id] ?? {});

/** A report of one area. */
export const scoped: Report = judged({
  ...conformant,
  areas: ['create'],
  results: conformant.results.filter(({ area }) => area === 'create'),
});

/** The report of an interrupted run that could not delete everything that it had created. */
export const interrupted: Report = conformantBut(
  ({ area }) =>
    area === 'create' ? {} : { outcome: 'untested', message: 'the run was interrupted' },
  { interrupted: true, leftBehind: Array.from({ length: 50 }, (_, i) => `stream ${i + 1}`) },
);

/** A report of a target that cannot be judged. */
export const unjudgeable: Report = conformantBut(
  () => ({ outcome: 'blocked', message: 'nothing listens' }),
  {
    unjudgeable:
      'The target cannot be reached: nothing listens there. Start it, or check its address.',
  },
);

const failed: Result = { ...passed, outcome: 'fail', evidence: [created] };
const switched = { ...failed, ...record, clause: '4.2', message: 'expected status 204, got 200' };
// The response that decides it has no body.
const silent = { curl: 'curl http://127.0.0.1:4100/api/silent', status: 204, duration: 1 };

/** A target without sessions that breaks three rules, one of which fails three checks. */
export const broken: Report = judged({
  ...sample,
  results: [
    passed,
    { ...failed, id: 'CREATE-9', clause: '2.1', message: 'streamKey: expected four groups' },
    { ...failed, id: 'CREATE-10', message: 'playbackId: got nothing', evidence: [silent, created] },
    ...['RECORD-1', 'RECORD-2', 'RECORD-4'].map((id) => ({ ...switched, id })),
    ...['LIST-1', 'LIST-2', 'LIST-3'].map((id) => ({ ...passed, ...blocked, id })),
  ],
  leftBehind: ['stream 1', 'stream 2', 'stream 3'],
});
