import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import {
  type Behaviours,
  documentedKeys,
  type RespellableKey,
  respellableKeys,
} from '../../../interface/silent.ts';
import type { Question } from './asking.ts';
import { readySession } from './sessions.ts';
import { anyStream } from './streams.ts';

/** How a value looks that a documented key has. */
const looks: Readonly<Record<RespellableKey, (value: unknown, parent: unknown) => boolean>> = {
  mp4URL: (value) => isAddress(value, '.mp4'),
  recordingUrl: (value) => isAddress(value, '.m3u8'),
  playbackId: (value) => typeof value === 'string' && /^[\w-]{8,40}$/.test(value),
  streamKey: (value) => typeof value === 'string' && /^\w{4}(-\w{4}){3}$/.test(value),
  createdAt: (value) => Number.isInteger(value) && Number(value) > 1e12,
  parentId: (value, parent) => value === parent,
};

const keysOfSession: ReadonlySet<RespellableKey> = new Set(['mp4URL', 'recordingUrl', 'parentId']);
/** Keys whose value looks like that of many others, so that the spelling has to tell as well. */
const manyLookAlike: ReadonlySet<RespellableKey> = new Set(['playbackId', 'createdAt']);
/** Every documented key, and `mp4Url`, which many services send too. */
const documented: ReadonlySet<string> = new Set(Object.values(documentedKeys).flat());

/** Documented keys that are spelled otherwise: another key has a value that looks like theirs. */
export const spelling: Question<Behaviours['keys.spelling']> = async ({ ask }) => {
  const stream = await ask(anyStream);
  const session = await ask(readySession).catch((error: unknown) => {
    if (error instanceof Blocked) return undefined;
    throw error;
  });
  const found = respellableKeys.flatMap((key) => {
    const shown = keysOfSession.has(key) ? session?.shown : stream;
    const other = shown && respelled(shown, key, session?.streamId);
    return other === undefined ? [] : [[key, other] as const];
  });
  return Object.fromEntries(found);
};

function respelled(shown: JsonObject, key: RespellableKey, parent: unknown): string | undefined {
  if (key in shown) return undefined;
  const others = Object.keys(shown).filter(
    (other) => !documented.has(other) && looks[key](shown[other], parent),
  );
  const [word = ''] = /^[a-z\d]+/.exec(key) ?? [];
  const near = others.find((one) => one.toLowerCase().startsWith(word));
  // Many services say mp4Url.
  const usual = key === 'mp4URL' && 'mp4Url' in shown ? 'mp4Url' : undefined;
  return near ?? usual ?? (manyLookAlike.has(key) ? undefined : others[0]);
}

function isAddress(value: unknown, ending: string): boolean {
  return (
    typeof value === 'string' && URL.canParse(value) && new URL(value).pathname.endsWith(ending)
  );
}
