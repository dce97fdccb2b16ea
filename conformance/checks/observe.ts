import type { Asked } from '../../interface/errors.ts';
import { type RowId, silent } from '../../interface/silent.ts';
import type { TargetResponse } from '../target/exchange.ts';
import { show } from '../target/expectations.ts';
import { unknownId } from '../target/gate.ts';
import { get, patchRecord, post, streamPath } from '../target/operations.ts';
import type { TargetCall } from '../target/target.ts';
import type { CheckContext } from './check-context.ts';
import { type ListedRequirement, requirementsOf } from './requirement.ts';

const name = 'conformance';
const unjudged = { level: 'observe', because: 'The interface is silent.', mutants: [] } as const;

/** What is observed: what happens to an error, or a silent behaviour, as a dialect names them. */
type Observed = `${Asked}, ${string}` | RowId;

/** What the interface leaves open, as far as a reader of the report needs it: noted, never judged. `learn` asks the rest. */
export const observeRequirements = requirementsOf({ area: 'observe', needs: ['writes'] }, [
  observed('OBSERVE-1', '7', 'Statuses and bodies of errors.', (id) => ({
    'createStream, body:malformed': post('/stream', '{"name":'),
    'createStream, field:name:missing': post('/stream', {}),
    'setRecord, id:unknown': patchRecord(unknownId, { record: true }),
    'setRecord, field:record:text': patchRecord(id, { record: 'yes' }),
    'createStream, key:none': { ...post('/stream', { name }), credential: 'none' },
    'createStream, key:wrong': { ...post('/stream', { name }), credential: 'wrong' },
  })),
  observed('OBSERVE-6', '4.4', 'Which optional operations there are.', (id) => ({
    'retrieveStream, operation:given': get(streamPath(id)),
    'listStreams, operation:given': get('/stream'),
    'listSessions, operation:given': get('/session'),
  })),
  {
    id: 'OBSERVE-8',
    clause: '3',
    statement: 'Values of recordingStatus.',
    ...unjudged,
    needs: ['session'],
    async check(context) {
      const { listed } = await context.recording('any');
      const values = new Set(listed.map((session) => session['recordingStatus']));
      note(context, 'sessions.status', `values: ${show([...values])}`);
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
