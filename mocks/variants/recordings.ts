import type { Rewrite } from '../messages/client-request.ts';
import { rewriteObjects } from './rewrite.ts';
import { keepPlain, type VariantTable } from './variant.ts';

/** What the interface leaves open about recordings, and the time until they are ready. */
export const recordingVariants = {
  'recording-takes-30s': {
    statement: 'A recording was ready 30 seconds after its session had ended.',
    clause: '3',
    argument: 'Clause 3 shows no transition, so none has a time limit.',
    metBy: 'look at a recorded session in the 30 seconds after its end',
    ofTest:
      'If only a test waits for less, let it advance its clock by a minute, or give its mock a recordingDelay.',
    audience: 'app',
    dialect: { behaviours: { 'time.ready': 30_000 } },
  },
  'recording-at-once': {
    statement: 'A recording was ready as soon as its session had ended.',
    clause: '3',
    argument: 'Clause 3 shows no transition, so a recording need not wait in another state.',
    metBy: 'look at a recorded session in the second after its end',
    ofTest:
      'If a test has to see a recording that is not ready: with the fixtures, give its mock a recordingDelay; otherwise, list the variant in the file of --known.',
    audience: 'app',
    dialect: { behaviours: { 'time.ready': 0 } },
  },
  'processing-first': {
    statement: 'Until a recording was ready, its recordingStatus was "processing".',
    clause: '3',
    argument: 'Clause 3 names only ready; other values are not shown.',
    metBy: 'look at a recorded session before its recording is ready',
    audience: 'app',
    dialect: { behaviours: { 'sessions.status': { beforeReady: 'processing' } } },
  },
  'statusless-first': {
    statement: 'Until a recording was ready, its session had no recordingStatus.',
    clause: '3',
    argument: 'Clause 3 promises the field only for a recording that is available.',
    metBy: 'look at a recorded session before its recording is ready',
    audience: 'app',
    dialect: { behaviours: { 'sessions.status': { beforeReady: 'absent' } } },
  },
  'unheard-of-statuses': {
    statement:
      'Until a recording was ready, its recordingStatus went through words that nobody had heard of: "ingested", "remuxing", "archiving".',
    clause: '3',
    argument: 'Clause 3 names only ready; other values and transitions are not shown.',
    metBy: 'look at a recorded session before its recording is ready',
    audience: 'app',
    dialect: { behaviours: { 'sessions.status': { beforeReady: 'ingested' } } },
    rewrite: continueStatuses('ingested', ['remuxing', 'archiving']),
  },
  'addressed-first': {
    statement:
      'A session had a recordingUrl and an mp4URL before its recording was ready, and nothing was there yet.',
    clause: '3',
    argument:
      'Clause 3 says that ready has both addresses, and not that any other value lacks them.',
    metBy: 'look at a recorded session before its recording is ready',
    audience: 'app',
    dialect: { behaviours: { 'sessions.addresses': { beforeReady: 'present' } } },
  },
  'records-by-default': {
    statement: 'A stream that was created without record was recorded.',
    clause: '2.1',
    argument: '2.1 says that record need not be sent, and names no default.',
    metBy: 'create a stream without record',
    audience: 'app',
    dialect: { behaviours: { 'record.default': true } },
  },
  'live-switch-accepted': {
    statement: 'Recording could be switched while the stream was live.',
    clause: '4.2',
    argument: '4.2 forbids a change of sessions, and says nothing about a stream that is live.',
    metBy: 'switch the recording of a stream while it is live',
    ofTest: keepPlain('the refusal'),
    audience: 'app',
    dialect: { errors: { setRecord: { state: { live: 'accepted' } } } },
  },
  'duration-longer': {
    statement: 'sourceSegmentsDuration was almost two seconds more than was sent.',
    clause: '2.3',
    argument: '2.3 does not say how exact the number is.',
    metBy: 'look at a session that has ended',
    ofTest:
      'If only a test expects exactly the duration that it gave, let it allow for two seconds.',
    audience: 'app',
    rewrite: changeDuration((seconds) => seconds + 1.75),
  },
  'duration-shorter': {
    statement:
      'sourceSegmentsDuration lacked the last second and a half of what was sent, if that was longer.',
    clause: '2.3',
    argument: '2.3 speaks of the source segments, and an unfinished one need not count.',
    metBy: 'look at a session that has ended',
    ofTest:
      'If only a test expects exactly the duration that it gave, let it allow for two seconds.',
    audience: 'app',
    rewrite: changeDuration((seconds) => (seconds > 1.5 ? seconds - 1.5 : seconds)),
  },
  'duration-whole': {
    statement: 'sourceSegmentsDuration was a whole number of seconds, rounded up.',
    clause: '2.3',
    argument: '2.3 allows whole numbers, and does not say how they are rounded.',
    metBy: 'look at a session whose length is no whole number of seconds',
    ofTest:
      'If only a test expects exactly the duration that it gave, let it allow for two seconds.',
    audience: 'app',
    rewrite: changeDuration((seconds) => Math.ceil(seconds)),
  },
} as const satisfies VariantTable;

/** Changes the duration of every session, wherever it is shown. */
function changeDuration(change: (seconds: number) => number): Rewrite {
  return rewriteObjects((view) =>
    typeof view['parentId'] === 'string' && typeof view['sourceSegmentsDuration'] === 'number'
      ? { ...view, sourceSegmentsDuration: change(view['sourceSegmentsDuration']) }
      : view,
  );
}

/** Shows the next word each time that a session is shown whose status is the first one. The last word stays. */
function continueStatuses(first: string, others: readonly [string, ...string[]]): Rewrite {
  const words = [first, ...others];
  return (next) => {
    const shown = new Map<string, number>();
    return rewriteObjects((view) => {
      const { id, recordingStatus } = view;
      if (recordingStatus !== first || !isText(id)) return view;
      const count = shown.get(id) ?? 0;
      shown.set(id, count + 1);
      return { ...view, recordingStatus: words[Math.min(count, words.length - 1)] ?? first };
    })(next);
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
