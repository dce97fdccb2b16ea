import type { TargetCall } from '../../target/requests/call.ts';
import type { TargetResponse } from '../../target/requests/exchange.ts';
import { quoteBody } from '../../target/requests/shown-body.ts';
import { unknownId } from '../../target/requests/well-known.ts';
import { get, patchRecord, post, streamPath } from '../../target/streams/stream-requests.ts';
import { show } from '../../text/phrases.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';

const name = 'check';
const unjudged = { level: 'observe', because: 'The interface is silent.' } as const;

/** What the interface leaves open, and a reader of the report should know. It is noted, never judged. `learn` finds out more. */
export const observeRequirements = requirementsOf('observe', ['writes'], {
  'OBSERVE-1': observed('7', 'Statuses and bodies of errors.', (id) => ({
    'createStream, body:malformed': post('/stream', '{"name":'),
    'createStream, field:name:missing': post('/stream', {}),
    'setRecord, id:unknown': patchRecord(unknownId, { record: true }),
    'setRecord, field:record:text': patchRecord(id, { record: 'yes' }),
    'createStream, key:none': { ...post('/stream', { name }), credential: 'none' },
    'createStream, key:wrong': { ...post('/stream', { name }), credential: 'wrong' },
  })),
  'OBSERVE-6': observed('4.4', 'Which optional operations there are.', (id) => ({
    'retrieveStream, operation:given': get(streamPath(id)),
    'listStreams, operation:given': get('/stream'),
    'listSessions, operation:given': get('/session'),
  })),
  'OBSERVE-8': {
    clause: '3',
    statement: 'Values of recordingStatus.',
    ...unjudged,
    needs: ['session'],
    async check({ addObservation, recording }) {
      const { sessions } = await recording('any');
      const values = new Set(sessions.map((session) => session['recordingStatus']));
      addObservation(`recordingStatus: ${show([...values])}`);
    },
  },
});

/** Sends requests that are made from the id of a stream, and notes each response under the name that a dialect has for it. */
function observed(
  clause: string,
  statement: string,
  requests: (streamId: string) => Readonly<Record<string, TargetCall>>,
): ListedRequirement {
  return {
    ...unjudged,
    clause,
    statement,
    async check({ call, createStream, addObservation }) {
      const stream = await createStream();
      for (const [entryName, request] of Object.entries(requests(stream.id))) {
        addObservation(`${entryName}: ${summarize(await call(request))}`);
      }
    },
  };
}

function summarize({ status, headers, text }: TargetResponse): string {
  const body = text === '' ? 'no body' : quoteBody(text, 80);
  return [status, headers.get('content-type'), body].filter(Boolean).join(', ');
}
