import {
  type Behaviours,
  type RespellableKey,
  respellableKeys,
} from '../../../interface/dialect/behaviours.ts';
import { unlessPrevented } from '../../../target/requests/failure.ts';
import { readySession } from './probed-sessions.ts';
import { anyStream } from './probed-streams.ts';
import type { Probe } from './prober.ts';

/** Keys that only a session has. */
const keysOfSession: readonly RespellableKey[] = ['mp4URL', 'recordingUrl', 'parentId'];

/** Documented keys with another spelling, such as `mp4Url` or `created_at`; the key of the parent is found by its value. */
export const spelling: Probe<Behaviours['keys.spelling']> = async ({ ask }) => {
  const stream = await ask(anyStream);
  const ready = await unlessPrevented(ask(readySession));
  const spellings = respellableKeys.flatMap((key) => {
    const item = keysOfSession.includes(key) ? ready?.session : stream;
    if (item === undefined || key in item) return [];
    const type = key === 'createdAt' ? 'number' : 'string';
    const spelled = Object.keys(item).find((candidate) =>
      key === 'parentId'
        ? item[candidate] === ready?.streamId
        : lettersOf(candidate).startsWith(lettersOf(key)) && typeof item[candidate] === type,
    );
    return spelled === undefined ? [] : [[key, spelled] as const];
  });
  return Object.fromEntries(spellings);
};

function lettersOf(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, '');
}
