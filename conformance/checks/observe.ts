import type { TargetResponse } from '../target/exchange.ts';
import { show } from '../target/expectations.ts';
import { post, recordCall, recordedPath, streamPath, unknownId } from '../target/operations.ts';
import type { Call } from '../target/target.ts';
import type { CheckContext } from './check-context.ts';
import type { Need, Requirement, TestableRequirement } from './requirement.ts';

/** What the interface leaves silent: noted of the target, never judged. */
export const observeRequirements: readonly Requirement[] = [
  observes('OBSERVE-1', '7', 'Statuses and bodies of errors.', async (context) => {
    const { id } = await context.createStream();
    await noteResponse(context, 'malformed JSON', post('{"name":'));
    await noteResponse(context, 'missing name', post({}));
    await noteResponse(context, 'unknown stream', recordCall(unknownId, { record: true }));
    await noteResponse(context, 'record not a boolean', recordCall(id, { record: 'yes' }));
    await noteResponse(context, 'no key', { ...post({ name: 'x' }), credential: 'none' });
    await noteResponse(context, 'wrong key', { ...post({ name: 'x' }), credential: 'wrong' });
  }),
  observes('OBSERVE-2', '7', 'Wrong types and unknown fields.', async (context) => {
    await noteResponse(context, 'numeric name', post({ name: 7 }));
    await noteResponse(context, 'empty name', post({ name: '' }));
    await noteResponse(context, 'unknown field', post({ name: 'conformance', colour: 'red' }));
    await noteResponse(context, 'profiles: []', post({ name: 'conformance', profiles: [] }));
    await noteResponse(
      context,
      'record: true at creation',
      post({ name: 'conformance', record: true }),
    );
  }),
  observes('OBSERVE-3', '4', 'HEAD, OPTIONS and unsupported methods.', async (context) => {
    const { id } = await context.createStream();
    const path = recordedPath(id);
    await noteResponse(context, 'HEAD of the list', { method: 'HEAD', path });
    await noteResponse(context, 'OPTIONS of the list', {
      method: 'OPTIONS',
      path,
      credential: 'none',
    });
    await noteResponse(context, 'PUT /stream', { method: 'PUT', path: '/stream', body: {} });
  }),
  observes('OBSERVE-4', '8', 'Cross-origin and rate-limit headers.', async (context) => {
    const { id } = await context.createStream();
    const { headers } = await context.call({
      method: 'GET',
      path: recordedPath(id),
      headers: { origin: 'https://conformance.invalid' },
    });
    const told = [...headers].filter(([name]) =>
      /^(access-control-|(x-)?ratelimit|retry-after)/.test(name),
    );
    context.observe(told.map(([name, value]) => `${name}: ${value}`).join('; ') || 'none');
  }),
  observes(
    'OBSERVE-5',
    '4.3',
    'record=0, record=true and no record in a list.',
    async (context) => {
      const { id } = await context.createStream();
      for (const query of ['?record=0', '?record=true', '']) {
        const path = `${streamPath(id)}/sessions${query}`;
        await noteResponse(context, `sessions${query}`, { method: 'GET', path });
      }
    },
  ),
  observes('OBSERVE-6', '4.4', 'Which optional operations there are.', async (context) => {
    const { id } = await context.createStream();
    for (const path of [streamPath(id), '/stream', '/session']) {
      await noteResponse(context, `GET ${path.replace(id, '{id}')}`, { method: 'GET', path });
    }
  }),
  observes('OBSERVE-7', '8', 'Paging of lists.', async (context) => {
    await context.createStream();
    const response = await context.call({ method: 'GET', path: '/stream?limit=1' });
    const link = response.headers.get('link');
    context.observe(
      `GET /stream?limit=1: ${response.status}, ${link === null ? 'no Link' : 'a Link'}`,
    );
  }),
  observes(
    'OBSERVE-8',
    '3',
    'Values of recordingStatus.',
    async (context) => {
      const { listed } = await context.recording('any');
      context.observe(
        `values: ${show([...new Set(listed.map((session) => session['recordingStatus']))])}`,
      );
    },
    ['session'],
  ),
  observes(
    'OBSERVE-9',
    '3, 4.2',
    'Switching recording while live, and the time from the end of a session until it is ready.',
    async (context) => {
      const stream = await context.createStream();
      await context.setRecord(stream.id, true);
      const end = await context.goLive(stream);
      await noteResponse(
        context,
        'record off while live',
        recordCall(stream.id, { record: false }),
      );
      const ended = context.now();
      const ready = await end();
      context.observe(ready ? `ready after ${context.now() - ended} ms` : 'not ready in time');
    },
    ['writes', 'encoder'],
  ),
  observes(
    'OBSERVE-10',
    '2.1',
    'profiles and record where they were left out.',
    async (context) => {
      const { shown } = await context.createStream();
      context.observe(`profiles: ${show(shown['profiles'])}; record: ${show(shown['record'])}`);
    },
  ),
];

async function noteResponse(
  { call, observe }: CheckContext,
  what: string,
  request: Call,
): Promise<void> {
  observe(`${what}: ${summary(await call(request))}`);
}

function summary({ status, headers, text }: TargetResponse): string {
  const type = headers.get('content-type');
  return [status, type, text === '' ? 'no body' : show(text.slice(0, 80))]
    .filter(Boolean)
    .join(', ');
}

function observes(
  id: string,
  clause: string,
  statement: string,
  check: (context: CheckContext) => Promise<void>,
  needs: readonly Need[] = ['writes'],
): TestableRequirement {
  return {
    id,
    area: 'observe',
    level: 'observe',
    clause,
    statement,
    basis: { kind: 'derived', because: 'The interface is silent.' },
    needs,
    mutants: [],
    check,
  };
}
