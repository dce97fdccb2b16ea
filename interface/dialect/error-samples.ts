import type { Json } from '../json.ts';
import type { Flaw, RequestError } from './errors.ts';

/** A key in samples, which is no key of anybody. */
const sampleKey = 'my-key';
const samplePath = '/stream/1';
const sampleBody = JSON.stringify({ name: 'Harbour camera' });

const sampleProfileBody = JSON.stringify({ profiles: [{ fps: 30, bitrate: 500_000 }] });

/** The part of a request that is wrong: as a client would write it, or in words. */
type Sample =
  | { readonly literal: string; readonly words?: never }
  | { readonly words: string; readonly literal?: never };

const sampleCredentials = {
  none: { words: 'no authorization header' },
  wrong: { literal: 'authorization: Bearer another-key' },
  cut: { literal: `authorization: Bearer ${sampleKey.slice(0, -1)}` },
  extended: { literal: `authorization: Bearer ${sampleKey}0` },
} as const;

const sampleIds = {
  unknown: { literal: '/stream/00000000-0000-4000-8000-000000000000' },
  deleted: { words: 'the id of a deleted stream' },
  'other-key': { words: 'the id of a stream of another key' },
  session: { words: 'the id of a session in the place of that of a stream' },
  child: { words: 'the id of a session in the list of streams' },
  stream: { words: 'the id of a stream in the place of that of a session' },
} as const;

/** Maximum number of characters of a sample. */
const longest = 60;

/** A sample of an error, beyond the limit of the mock if that has one. `{id}` in it stands for the id of a stream. */
export function errorSampleOf(error: RequestError): Sample {
  const flaw = sampleFlawOf(error);
  const sample: Sample = flaw === undefined ? { words: 'none' } : describeFlaw(flaw);
  const { literal = '' } = sample;
  return literal.length > longest ? { literal: `${literal.slice(0, longest)}…` } : sample;
}

/** The first flaw that the mock does not accept unchanged. Those of a limit are its steps but the first, which is valid. */
function sampleFlawOf({ flaws, limitSteps = [], defaultCell }: RequestError): Flaw | undefined {
  const { above } = defaultCell;
  const steps = limitSteps.slice(1);
  const beyond = above === undefined ? 0 : steps.findIndex((step) => step > above);
  return flaws[Math.max(0, beyond)];
}

function describeFlaw(flaw: Flaw): Sample {
  if ('credential' in flaw) return sampleCredentials[flaw.credential];
  if ('authorization' in flaw) {
    const header = flaw.authorization.replace('{key}', sampleKey);
    return { literal: `authorization: ${header}`.trim() };
  }
  if ('id' in flaw) return { literal: `/stream/${flaw.id}` };
  if ('idOf' in flaw) return sampleIds[flaw.idOf];
  if ('state' in flaw) {
    const { state, sets } = flaw;
    const request = sets === undefined ? 'a request' : JSON.stringify(sets);
    return { words: `${request} while the stream is ${state}` };
  }
  if ('query' in flaw) {
    return flaw.query === '' ? { words: 'no such parameter' } : { literal: `?${flaw.query}` };
  }
  if ('method' in flaw) return { literal: `${flaw.method} ${samplePath}` };
  if ('path' in flaw) return { literal: flaw.path(samplePath) };
  if ('spell' in flaw) return { literal: flaw.spell(sampleProfileBody) };
  if ('form' in flaw) return { literal: String(new URLSearchParams({ name: 'Harbour camera' })) };
  return describeBodyFlaw(flaw) ?? { words: 'the request itself' };
}

function describeBodyFlaw(flaw: Flaw): Sample | undefined {
  if ('text' in flaw) return flaw.text === '' ? { words: 'an empty body' } : { literal: flaw.text };
  if ('none' in flaw) return { words: 'no body' };
  if ('cut' in flaw) return { literal: sampleBody.slice(0, -flaw.cut) };
  if ('bytes' in flaw) return { words: `the bytes ${hexOf(flaw.bytes)} in a string` };
  if ('mark' in flaw) return { words: `a byte order mark of ${flaw.mark} before the JSON` };
  if ('type' in flaw) {
    const { type } = flaw;
    return type === null ? { words: 'no content type' } : { literal: `content-type: ${type}` };
  }
  if ('encoding' in flaw) return { literal: `content-encoding: ${flaw.encoding}` };
  if ('size' in flaw) return { words: `a body of ${flaw.size} bytes` };
  if ('depth' in flaw) return { words: `${flaw.depth} levels` };
  return 'field' in flaw ? describeField(flaw.field, flaw.value) : undefined;
}

/** A body, or the profile in it, with one field. */
function describeField(path: string, value: Json | undefined): Sample {
  if (value === undefined) return { words: `no ${path}` };
  if (path === 'profiles[]') return { literal: JSON.stringify({ profiles: [value] }) };
  const [, ofProfile] = /^profiles\[\]\.(.+)$/.exec(path) ?? [];
  const body = ofProfile === undefined ? { [path]: value } : { profiles: [{ [ofProfile]: value }] };
  return { literal: JSON.stringify(body) };
}

/** Bytes that a text holds in Latin-1. */
function hexOf(bytes: string): string {
  return [...bytes].map((byte) => byte.charCodeAt(0).toString(16).toUpperCase()).join(' ');
}
