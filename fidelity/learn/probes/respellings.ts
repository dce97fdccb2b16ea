import type { JsonObject } from '../../../conformance/target/expectations.ts';
import { Blocked } from '../../../conformance/target/failure.ts';
import type { Breaks } from '../../../interface/breaks.ts';
import { documentedKeys } from '../../../interface/silent-creation.ts';
import { readySession } from '../questions/known-sessions.ts';
import type { Question } from '../questions/probe.ts';
import { anyStream } from '../questions/streams.ts';

type Respellings = NonNullable<Breaks['key-spelling']>;
type DocumentedKey = keyof Respellings;

/** How a value looks that a documented key has. */
const looks: Readonly<Record<DocumentedKey, (value: unknown, parent: unknown) => boolean>> = {
  mp4URL: (value) => isAddress(value, '.mp4'),
  recordingUrl: (value) => isAddress(value, '.m3u8'),
  playbackId: (value) => typeof value === 'string' && /^[\w-]{8,40}$/.test(value),
  streamKey: (value) => typeof value === 'string' && /^\w{4}(-\w{4}){3}$/.test(value),
  createdAt: (value) => Number.isInteger(value) && Number(value) > 1e12,
  parentId: (value, parent) => value === parent,
};

const keysOfStream = ['playbackId', 'streamKey', 'createdAt'] as const;
const keysOfSession = ['mp4URL', 'recordingUrl', 'parentId'] as const;

/** Keys whose value looks like that of many others, so that the spelling has to tell as well. */
const manyLookAlike: ReadonlySet<DocumentedKey> = new Set(['playbackId', 'createdAt']);

/** Documented keys that are spelled otherwise: another key has a value that looks like theirs. */
export const respellings: Question<Respellings> = async ({ ask }) => {
  const stream = await ask(anyStream);
  const session = await ask(readySession).catch(withoutSession);
  return {
    ...respelled(stream, keysOfStream),
    ...(session && respelled(session.shown, keysOfSession, session.streamId)),
  };
};

function withoutSession(error: unknown): undefined {
  if (!(error instanceof Blocked)) throw error;
}

function respelled(
  shown: JsonObject,
  keys: readonly DocumentedKey[],
  parent?: string,
): Respellings {
  const found = keys.flatMap((key) => {
    if (key in shown) return [];
    const others = Object.keys(shown).filter(
      (other) => !documented.has(other) && looks[key](shown[other], parent),
    );
    const near = others.find((one) => isNear(one, key));
    const other = near ?? (manyLookAlike.has(key) ? undefined : others[0]);
    return other === undefined || !/^[A-Za-z_]\w{0,60}$/.test(other) ? [] : [[key, other] as const];
  });
  return Object.fromEntries(found);
}

/** Every documented key, and `mp4Url`, which many services send too. */
const documented: ReadonlySet<string> = new Set(Object.values(documentedKeys).flat());

/** Whether a key begins with the same word. */
function isNear(other: string, key: string): boolean {
  const [word = ''] = /^[a-z\d]+/.exec(key) ?? [];
  return other.toLowerCase().startsWith(word);
}

function isAddress(value: unknown, ending: string): boolean {
  return (
    typeof value === 'string' && URL.canParse(value) && new URL(value).pathname.endsWith(ending)
  );
}
