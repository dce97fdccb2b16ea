import type { Exchange } from '../../../conformance/model/report.ts';
import type { TargetResponse } from '../../../conformance/target/exchange.ts';
import { isSuccess, type JsonObject } from '../../../conformance/target/expectations.ts';
import { isObject } from '../../json.ts';
import { nextToldBy } from '../../next-page.ts';
import type { Finding } from '../equal/finding.ts';
import { readJson } from '../equal/read-json.ts';
import { isPending } from '../equal/records.ts';
import type { RequestMove } from '../moves/move.ts';
import { type MadeRecord, recognize } from './made-records.ts';
import { compareMedia } from './media.ts';
import { createForOtherKey, noteChange } from './note-change.ts';
import type { Run } from './run.ts';
import { sendBoth } from './send-both.ts';
import type { Two } from './services.ts';
import type { Shown } from './timing.ts';
import { needsOtherKey } from './to-call.ts';
import { compareSteady } from './varying-refusals.ts';

/** Two responses, and how they differ. */
interface Result {
  readonly responses: Two<TargetResponse>;
  readonly findings: readonly Finding[];
  /** Whether only one side changed something: what follows cannot be compared. */
  readonly onlyOneChanged: boolean;
}

/**
 * Sends a request to both sides, again while only time may be what differs.
 * @throws NoResponse or CheckFailure if a side does not respond in full
 */
export async function requestBoth(
  run: Run,
  move: RequestMove,
  exchanges: Two<Exchange[]>,
): Promise<Result | undefined> {
  if (needsOtherKey(move) && !(await createForOtherKey(run))) return undefined;
  const deadline = run.clock.now() + run.patience;
  for (let pause = 20; ; pause = Math.min(2 * pause, 2_000)) {
    const from = run.clock.now();
    const responses = await sendBoth(run, move, exchanges);
    const shown = [sessionsIn(run, responses[0], 0), sessionsIn(run, responses[1], 1)] as const;
    const isCut = responses.map((response) => nextToldBy(response) !== 'not');
    const lateness = run.timing.judge(shown, { from, to: run.clock.now() }, isCut);
    const isSettled = move.untilReady !== true || lateness !== undefined || !isAnyPending(shown);
    if ((lateness === 'ask again' || !isSettled) && run.clock.now() < deadline) {
      run.onAskAgain?.();
      await run.clock.pause(pause);
      continue;
    }
    // What has not settled in time is not known; what was recorded had settled.
    if (lateness === 'ask again' && run.patience > 0) {
      return { responses, findings: [], onlyOneChanged: false };
    }
    const found =
      typeof lateness === 'object'
        ? [lateness]
        : [
            ...(await compareSteady(run, move, responses)),
            ...(await compareReady(run, move, shown)),
          ];
    const span = { from, to: run.clock.now() };
    const onlyOneChanged = await noteChange(run, move, responses, span);
    return { responses, findings: found, onlyOneChanged };
  }
}

/** How the media of the first recording differs, where the move waited for it. */
async function compareReady(
  { services, correspondence }: Run,
  { untilReady }: RequestMove,
  shown: Two<Shown>,
): Promise<Finding[]> {
  if (untilReady !== true) return [];
  const [session] = shown[0].keys();
  const one = session && shown[0].get(session);
  const other = session && shown[1].get(session);
  if (one?.['recordingStatus'] !== 'ready' || other?.['recordingStatus'] !== 'ready') return [];
  return compareMedia(services, [one, other], correspondence.ids);
}

function isAnyPending(shown: Two<Shown>): boolean {
  return shown.some((sessions) => [...sessions.values()].some(isPending));
}

function sessionsIn({ made }: Run, response: TargetResponse, side: 0 | 1): Shown {
  const body = isSuccess(response) ? readJson(response) : undefined;
  const records = Array.isArray(body) ? body : [body];
  const entries = records.filter(isObject).flatMap((record): [MadeRecord, JsonObject][] => {
    const session = recognize(made, side, record);
    return session?.kind === 'session' ? [[session, record]] : [];
  });
  return new Map(entries);
}
