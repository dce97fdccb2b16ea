import { unlessPrevented } from '../../../conformance/target/failure.ts';
import {
  type Behaviours,
  type RespellableKey,
  respellableKeys,
} from '../../../interface/dialect/behaviours.ts';
import { readySession } from './probed-sessions.ts';
import { anyStream } from './probed-streams.ts';
import type { Probe } from './prober.ts';

/** Keys that only a session has. */
const keysOfSession: readonly RespellableKey[] = ['mp4URL', 'recordingUrl', 'parentId'];

/** Documented keys with another spelling, such as `mp4Url` or `created_at`; the key of the parent is found by its value. */
export const spelling: Probe<Behaviours['keys.spelling']> = async ({ ask }) => {
  const stream = await ask(anyStream);
  const session = await unlessPrevented(ask(readySession));
  const found = respellableKeys.flatMap((key) => {
    const shown = keysOfSession.includes(key) ? session?.shown : stream;
    if (shown === undefined || key in shown) return [];
    const type = key === 'createdAt' ? 'number' : 'string';
    const other = Object.keys(shown).find((one) =>
      key === 'parentId'
        ? shown[one] === session?.streamId
        : lettersOf(one).startsWith(lettersOf(key)) && typeof shown[one] === type,
    );
    return other === undefined ? [] : [[key, other] as const];
  });
  return Object.fromEntries(found);
};

function lettersOf(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, '');
}
