import type { TargetResponse } from '../target/exchange.ts';
import { show } from '../target/expectations.ts';
import {
  get,
  patch,
  post,
  recordedSessionsPath,
  recordPath,
  streamPath,
  unknownId,
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
      await observe(context, 'malformed JSON', post('/stream', '{"name":'));
      await observe(context, 'missing name', post('/stream', {}));
      await observe(context, 'unknown stream', patch(recordPath(unknownId), { record: true }));
      await observe(context, 'record not a boolean', patch(recordPath(id), { record: 'yes' }));
      await observe(context, 'no key', { ...post('/stream', x), credential: 'none' });
      await observe(context, 'wrong key', { ...post('/stream', x), credential: 'wrong' });
    },
  },
  {
    ...common,
    id: 'OBSERVE-2',
    clause: '7',
    statement: 'Wrong types and unknown fields.',
    async check(context) {
      const name = 'conformance';
      await observe(context, 'numeric name', post('/stream', { name: 7 }));
      await observe(context, 'empty name', post('/stream', { name: '' }));
      await observe(context, 'unknown field', post('/stream', { name, colour: 'red' }));
      await observe(context, 'profiles: []', post('/stream', { name, profiles: [] }));
      await observe(context, 'record: true at creation', post('/stream', { name, record: true }));
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
      await observe(context, 'HEAD of the list', { method: 'HEAD', path });
      await observe(context, 'OPTIONS of the list', {
        ...{ method: 'OPTIONS', path },
        credential: 'none',
      });
      await observe(context, 'PUT /stream', { method: 'PUT', path: '/stream', body: {} });
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
      context.observe(found.map(([name, value]) => `${name}: ${value}`).join('; ') || 'none');
    },
  },
  {
    ...common,
    id: 'OBSERVE-5',
    clause: '4.3',
    statement: 'record=0, record=true and no record in a list.',
    async check(context) {
      const { id } = await context.createStream();
      for (const query of ['?record=0', '?record=true', '']) {
        const path = `${streamPath(id)}/sessions${query}`;
        await observe(context, `sessions${query}`, get(path));
      }
    },
  },
  {
    ...common,
    id: 'OBSERVE-6',
    clause: '4.4',
    statement: 'Which optional operations there are.',
    async check(context) {
      const { id } = await context.createStream();
      await observe(context, 'GET /stream/{id}', get(streamPath(id)));
      await observe(context, 'GET /stream', get('/stream'));
      await observe(context, 'GET /session', get('/session'));
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
      context.observe(`GET /stream?limit=1: ${status}, ${link}`);
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
      context.observe(`values: ${show([...values])}`);
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
      const { goLive, now } = context;
      const stream = await context.createStream();
      await context.setRecord(stream.id, true);
      const end = await goLive(stream);
      const recordOff = patch(recordPath(stream.id), { record: false });
      await observe(context, 'record off while live', recordOff);
      const ended = now();
      const ready = await end();
      context.observe(ready ? `ready after ${now() - ended} ms` : 'not ready in time');
    },
  },
  {
    ...common,
    id: 'OBSERVE-10',
    clause: '2.1',
    statement: 'profiles and record of a stream that was created without them.',
    async check(context) {
      const { shown } = await context.createStream();
      context.observe(`profiles: ${show(shown['profiles'])}; record: ${show(shown['record'])}`);
    },
  },
];

/** Sends a request, and notes the status, content type and body of the response. */
async function observe(context: CheckContext, what: string, request: Call): Promise<void> {
  context.observe(`${what}: ${summarize(await context.call(request))}`);
}

function summarize({ status, headers, text }: TargetResponse): string {
  const body = text === '' ? 'no body' : show(text.slice(0, 80));
  return [status, headers.get('content-type'), body].filter(Boolean).join(', ');
}
