import type { Asked } from '../../interface/errors.ts';
import { type RowId, silent } from '../../interface/silent.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { show } from '../target/expectations.ts';
import { unknownId } from '../target/gate.ts';
import {
  get,
  patch,
  post,
  recordedSessionsPath,
  recordPath,
  streamPath,
} from '../target/operations.ts';
import type { Call } from '../target/target.ts';
import type { CheckContext } from './check-context.ts';
import { derived, type Requirement } from './requirement.ts';

const common = {
  area: 'observe',
  level: 'observe',
  basis: derived('The interface is silent.'),
  needs: ['writes'],
  mutants: [],
} as const;

/** What the interface leaves open: noted for the report, never judged. */
export const observeRequirements: readonly Requirement[] = [
  {
    ...common,
    id: 'OBSERVE-1',
    clause: '7',
    statement: 'Statuses and bodies of errors.',
    async check(context) {
      const { id } = await context.createStream();
      const x = { name: 'x' };
      await observe(context, 'createStream', 'body:malformed', post('/stream', '{"name":'));
      await observe(context, 'createStream', 'field:name:missing', post('/stream', {}));
      await observe(
        context,
        'setRecord',
        'id:unknown',
        patch(recordPath(unknownId), { record: true }),
      );
      await observe(
        context,
        'setRecord',
        'field:record:text',
        patch(recordPath(id), { record: 'yes' }),
      );
      await observe(context, 'createStream', 'key:none', {
        ...post('/stream', x),
        credential: 'none',
      });
      await observe(context, 'createStream', 'key:wrong', {
        ...post('/stream', x),
        credential: 'wrong',
      });
    },
  },
  {
    ...common,
    id: 'OBSERVE-2',
    clause: '7',
    statement: 'Wrong types and unknown fields.',
    async check(context) {
      const name = 'conformance';
      await observe(context, 'createStream', 'field:name:number', post('/stream', { name: 7 }));
      await observe(context, 'createStream', 'field:name:empty', post('/stream', { name: '' }));
      await observe(
        context,
        'createStream',
        'field:unknown:given',
        post('/stream', { name, colour: 'red' }),
      );
      await observe(
        context,
        'createStream',
        'field:profiles:none',
        post('/stream', { name, profiles: [] }),
      );
      await observe(
        context,
        'createStream',
        'field:record:given',
        post('/stream', { name, record: true }),
      );
    },
  },
  {
    ...common,
    id: 'OBSERVE-3',
    clause: '4',
    statement: 'HEAD, OPTIONS and unsupported methods.',
    async check(context) {
      const { id } = await context.createStream();
      const path = recordedSessionsPath(id);
      await observeRow(context, 'http.head', { method: 'HEAD', path });
      await observeRow(context, 'http.options', {
        ...{ method: 'OPTIONS', path },
        credential: 'none',
      });
      const put = { method: 'PUT', path: `${streamPath(id)}/sessions`, body: {} };
      await observe(context, 'listSessionsOfStream', 'method:other', put);
    },
  },
  {
    ...common,
    id: 'OBSERVE-4',
    clause: '8',
    statement: 'Cross-origin and rate-limit headers.',
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
  {
    ...common,
    id: 'OBSERVE-5',
    clause: '4.3',
    statement: 'record=0, record=true and no record in a list.',
    async check(context) {
      const { id } = await context.createStream();
      const path = `${streamPath(id)}/sessions`;
      await observe(context, 'listSessionsOfStream', 'query:record:zero', get(`${path}?record=0`));
      await observe(
        context,
        'listSessionsOfStream',
        'query:record:true',
        get(`${path}?record=true`),
      );
      await observe(context, 'listSessionsOfStream', 'query:record:missing', get(path));
    },
  },
  {
    ...common,
    id: 'OBSERVE-6',
    clause: '4.4',
    statement: 'Which optional operations there are.',
    async check(context) {
      const { id } = await context.createStream();
      await observe(context, 'retrieveStream', 'operation:given', get(streamPath(id)));
      await observe(context, 'listStreams', 'operation:given', get('/stream'));
      await observe(context, 'listSessions', 'operation:given', get('/session'));
    },
  },
  {
    ...common,
    id: 'OBSERVE-7',
    clause: '8',
    statement: 'Paging of lists.',
    async check(context) {
      await context.createStream();
      const { status, headers } = await context.call(get('/stream?limit=1'));
      const link = headers.has('link') ? 'a Link' : 'no Link';
      note(context, 'list.next', `GET /stream?limit=1: ${status}, ${link}`);
    },
  },
  {
    ...common,
    id: 'OBSERVE-8',
    clause: '3',
    statement: 'Values of recordingStatus.',
    needs: ['session'],
    async check(context) {
      const { listed } = await context.recording('any');
      const values = new Set(listed.map((session) => session['recordingStatus']));
      note(context, 'sessions.status-before-ready', `values: ${show([...values])}`);
    },
  },
  {
    ...common,
    id: 'OBSERVE-9',
    clause: '3, 4.2',
    statement:
      'Switching recording while live, and the time from the end of a session until it is ready.',
    needs: ['writes', 'encoder'],
    async check(context) {
      const { off, readyAfter: ms } = await context.liveSwitches();
      noteCell(context, 'setRecord', 'state:live', off.response);
      const ready = ms === undefined ? 'not ready in time' : `ready after ${Math.round(ms)} ms`;
      note(context, 'time.ready', ready);
    },
  },
  {
    ...common,
    id: 'OBSERVE-10',
    clause: '2.1',
    statement: 'profiles and record of a stream that was created without them.',
    async check(context) {
      const { shown } = await context.createStream();
      note(context, 'profiles.default', show(shown['profiles']));
      note(context, 'record.default', show(shown['record']));
    },
  },
];

/** Sends a request with an error, and notes the response. */
async function observe(
  context: CheckContext,
  asked: Asked,
  error: string,
  request: Call,
): Promise<void> {
  noteCell(context, asked, error, await context.call(request));
}

/** Sends a request that asks for a silent behaviour, and notes the response. */
async function observeRow(context: CheckContext, id: RowId, request: Call): Promise<void> {
  note(context, id, summarize(await context.call(request)));
}

/** Notes what happens to an error, under its name in a dialect. */
function noteCell(
  { observe }: CheckContext,
  asked: Asked,
  error: string,
  response: TargetResponse,
): void {
  observe(`${asked}, ${error}: ${summarize(response)}`);
}

/** Notes a silent behaviour under the question of its row. */
function note({ observe }: CheckContext, id: RowId, found: string): void {
  observe(`${silent[id].question} ${found}`);
}

function summarize({ status, headers, text }: TargetResponse): string {
  const body = text === '' ? 'no body' : show(text.slice(0, 80));
  return [status, headers.get('content-type'), body].filter(Boolean).join(', ');
}
