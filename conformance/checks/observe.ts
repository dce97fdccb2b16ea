import type { Asked } from '../../interface/errors.ts';
import { type RowId, silent } from '../../interface/silent.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { show } from '../target/expectations.ts';
import { unknownId } from '../target/gate.ts';
import { get, patchRecord, post, recordedSessionsPath, streamPath } from '../target/operations.ts';
import type { TargetCall } from '../target/target.ts';
import type { CheckContext } from './check-context.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';

const name = 'conformance';
const unjudged = { level: 'observe', because: 'The interface is silent.', mutants: [] } as const;

/** What is observed: what happens to an error, or a silent behaviour, as a dialect names them. */
type Observed = `${Asked}, ${string}` | RowId;

/** What the interface leaves open: noted for the report, never judged. */
export const observeRequirements = requirementsOf({ area: 'observe', needs: ['writes'] }, [
  observed('OBSERVE-1', '7', 'Statuses and bodies of errors.', (id) => ({
    'createStream, body:malformed': post('/stream', '{"name":'),
    'createStream, field:name:missing': post('/stream', {}),
    'setRecord, id:unknown': patchRecord(unknownId, { record: true }),
    'setRecord, field:record:text': patchRecord(id, { record: 'yes' }),
    'createStream, key:none': { ...post('/stream', { name }), credential: 'none' },
    'createStream, key:wrong': { ...post('/stream', { name }), credential: 'wrong' },
  })),
  observed('OBSERVE-2', '7', 'Wrong types and unknown fields.', () => ({
    'createStream, field:name:number': post('/stream', { name: 7 }),
    'createStream, field:name:empty': post('/stream', { name: '' }),
    'createStream, field:unknown:given': post('/stream', { name, colour: 'red' }),
    'createStream, field:profiles:none': post('/stream', { name, profiles: [] }),
    'createStream, field:record:given': post('/stream', { name, record: true }),
  })),
  observed('OBSERVE-3', '4', 'HEAD, OPTIONS and unsupported methods.', (id) => ({
    'http.head': { method: 'HEAD', path: recordedSessionsPath(id) },
    'http.options': { method: 'OPTIONS', path: recordedSessionsPath(id), credential: 'none' },
    'listSessionsOfStream, method:other': {
      method: 'PUT',
      path: `${streamPath(id)}/sessions`,
      body: {},
    },
  })),
  {
    id: 'OBSERVE-4',
    clause: '8',
    statement: 'Cross-origin and rate-limit headers.',
    ...unjudged,
    async check(context) {
      const { id } = await context.createStream();
      const { headers } = await context.call({
        ...get(recordedSessionsPath(id)),
        headers: { origin: 'https://conformance.invalid' },
      });
      const found = [...headers].filter(([name]) =>
        /^(access-control-|(x-)?ratelimit|retry-after)/.test(name),
      );
      const shown = found.map(([name, value]) => `${name}: ${value}`).join('; ') || 'none';
      note(context, 'cors.origins', shown);
    },
  },
  observed('OBSERVE-5', '4.3', 'record=0, record=true and no record in a list.', (id) => ({
    'listSessionsOfStream, query:record:zero': get(`${streamPath(id)}/sessions?record=0`),
    'listSessionsOfStream, query:record:true': get(`${streamPath(id)}/sessions?record=true`),
    'listSessionsOfStream, query:record:missing': get(`${streamPath(id)}/sessions`),
  })),
  observed('OBSERVE-6', '4.4', 'Which optional operations there are.', (id) => ({
    'retrieveStream, operation:given': get(streamPath(id)),
    'listStreams, operation:given': get('/stream'),
    'listSessions, operation:given': get('/session'),
  })),
  {
    id: 'OBSERVE-7',
    clause: '8',
    statement: 'Paging of lists.',
    ...unjudged,
    async check(context) {
      await context.createStream();
      const { status, headers } = await context.call(get('/stream?limit=1'));
      const link = headers.has('link') ? 'a Link' : 'no Link';
      note(context, 'list.next', `GET /stream?limit=1: ${status}, ${link}`);
    },
  },
  {
    id: 'OBSERVE-8',
    clause: '3',
    statement: 'Values of recordingStatus.',
    ...unjudged,
    needs: ['session'],
    async check(context) {
      const { listed } = await context.recording('any');
      const values = new Set(listed.map((session) => session['recordingStatus']));
      note(context, 'sessions.status-before-ready', `values: ${show([...values])}`);
    },
  },
  {
    id: 'OBSERVE-9',
    clause: '3, 4.2',
    statement:
      'Switching recording while live, and the time from the end of a session until it is ready.',
    ...unjudged,
    needs: ['writes', 'encoder'],
    async check(context) {
      const { off, readyAfter: ms } = await context.liveSwitches();
      note(context, 'setRecord, state:live', summarize(off.response));
      const ready = ms === undefined ? 'not ready in time' : `ready after ${Math.round(ms)} ms`;
      note(context, 'time.ready', ready);
    },
  },
  {
    id: 'OBSERVE-10',
    clause: '2.1',
    statement: 'profiles and record of a stream that was created without them.',
    ...unjudged,
    async check(context) {
      const { shown } = await context.createStream();
      note(context, 'profiles.default', show(shown['profiles']));
      note(context, 'record.default', show(shown['record']));
    },
  },
]);

/** Sends requests, given the id of a stream, and notes each response. */
function observed(
  id: string,
  clause: string,
  statement: string,
  requests: (streamId: string) => { readonly [what in Observed]?: TargetCall },
): ListedRequirement {
  return {
    ...unjudged,
    id,
    clause,
    statement,
    async check(context) {
      const stream = await context.createStream();
      const entries = Object.entries(requests(stream.id)) as [Observed, TargetCall][];
      for (const [what, request] of entries) {
        note(context, what, summarize(await context.call(request)));
      }
    },
  };
}

function note({ observe }: CheckContext, what: Observed, found: string): void {
  observe(`${what in silent ? silent[what as RowId].question : `${what}:`} ${found}`);
}

function summarize({ status, headers, text }: TargetResponse): string {
  const body = text === '' ? 'no body' : show(text.slice(0, 80));
  return [status, headers.get('content-type'), body].filter(Boolean).join(', ');
}
