import { show } from '../expectations.ts';
import type { Lab } from '../lab.ts';
import { post, recordCall, recordedPath, streamPath, unknownId } from '../operations.ts';
import type { Answer } from '../target/exchange.ts';
import type { Call } from '../target.ts';
import type { Need, Requirement, TestableRequirement } from './requirement.ts';

/** What the interface leaves silent: noted of the target, never judged. */
export const observeRequirements: readonly Requirement[] = [
  observes('OBSERVE-1', '7', 'Statuses and bodies of errors.', async (lab) => {
    const { id } = await lab.createStream();
    await noteAnswer(lab, 'malformed JSON', post('{"name":'));
    await noteAnswer(lab, 'missing name', post({}));
    await noteAnswer(lab, 'unknown stream', recordCall(unknownId, { record: true }));
    await noteAnswer(lab, 'record not a boolean', recordCall(id, { record: 'yes' }));
    await noteAnswer(lab, 'no key', { ...post({ name: 'x' }), credential: 'none' });
    await noteAnswer(lab, 'wrong key', { ...post({ name: 'x' }), credential: 'wrong' });
  }),
  observes('OBSERVE-2', '7', 'Wrong types and unknown fields.', async (lab) => {
    await noteAnswer(lab, 'numeric name', post({ name: 7 }));
    await noteAnswer(lab, 'empty name', post({ name: '' }));
    await noteAnswer(lab, 'unknown field', post({ name: 'conformance', colour: 'red' }));
    await noteAnswer(lab, 'profiles: []', post({ name: 'conformance', profiles: [] }));
    await noteAnswer(lab, 'record: true at creation', post({ name: 'conformance', record: true }));
  }),
  observes('OBSERVE-3', '4', 'HEAD, OPTIONS and unsupported methods.', async (lab) => {
    const { id } = await lab.createStream();
    const path = recordedPath(id);
    await noteAnswer(lab, 'HEAD of the list', { method: 'HEAD', path });
    await noteAnswer(lab, 'OPTIONS of the list', { method: 'OPTIONS', path, credential: 'none' });
    await noteAnswer(lab, 'PUT /stream', { method: 'PUT', path: '/stream', body: {} });
  }),
  observes('OBSERVE-4', '8', 'Cross-origin and rate-limit headers.', async (lab) => {
    const { id } = await lab.createStream();
    const { headers } = await lab.call({
      method: 'GET',
      path: recordedPath(id),
      headers: { origin: 'https://conformance.invalid' },
    });
    const told = [...headers].filter(([name]) =>
      /^(access-control-|(x-)?ratelimit|retry-after)/.test(name),
    );
    lab.observe(told.map(([name, value]) => `${name}: ${value}`).join('; ') || 'none');
  }),
  observes('OBSERVE-5', '4.3', 'record=0, record=true and no record in a list.', async (lab) => {
    const { id } = await lab.createStream();
    for (const query of ['?record=0', '?record=true', '']) {
      const path = `${streamPath(id)}/sessions${query}`;
      await noteAnswer(lab, `sessions${query}`, { method: 'GET', path });
    }
  }),
  observes('OBSERVE-6', '4.4', 'Which optional operations there are.', async (lab) => {
    const { id } = await lab.createStream();
    for (const path of [streamPath(id), '/stream', '/session']) {
      await noteAnswer(lab, `GET ${path.replace(id, '{id}')}`, { method: 'GET', path });
    }
  }),
  observes('OBSERVE-7', '8', 'Paging of lists.', async (lab) => {
    await lab.createStream();
    const answer = await lab.call({ method: 'GET', path: '/stream?limit=1' });
    const link = answer.headers.get('link');
    lab.observe(`GET /stream?limit=1: ${answer.status}, ${link === null ? 'no Link' : 'a Link'}`);
  }),
  observes(
    'OBSERVE-8',
    '3',
    'Values of recordingStatus.',
    async (lab) => {
      const { listed } = await lab.recording('any');
      lab.observe(
        `values: ${show([...new Set(listed.map((session) => session['recordingStatus']))])}`,
      );
    },
    ['session'],
  ),
  observes(
    'OBSERVE-9',
    '3, 4.2',
    'Switching recording while live, and the time from the end of a session until it is ready.',
    async (lab) => {
      const stream = await lab.createStream();
      await lab.setRecord(stream.id, true);
      const end = await lab.goLive(stream);
      await noteAnswer(lab, 'record off while live', recordCall(stream.id, { record: false }));
      const ended = lab.now();
      const ready = await end();
      lab.observe(ready ? `ready after ${lab.now() - ended} ms` : 'not ready in time');
    },
    ['writes', 'encoder'],
  ),
  observes('OBSERVE-10', '2.1', 'profiles and record where they were left out.', async (lab) => {
    const { shown } = await lab.createStream();
    lab.observe(`profiles: ${show(shown['profiles'])}; record: ${show(shown['record'])}`);
  }),
];

async function noteAnswer({ call, observe }: Lab, what: string, request: Call): Promise<void> {
  observe(`${what}: ${summary(await call(request))}`);
}

function summary({ status, headers, text }: Answer): string {
  const type = headers.get('content-type');
  return [status, type, text === '' ? 'no body' : show(text.slice(0, 80))]
    .filter(Boolean)
    .join(', ');
}

function observes(
  id: string,
  clause: string,
  statement: string,
  check: (lab: Lab) => Promise<void>,
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
