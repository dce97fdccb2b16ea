import { deflateSync, gzipSync } from 'node:zlib';
import { type Endpoint, type Flaw, unknownName } from '../interface/dialect/errors.ts';
import { isObject } from '../interface/json.ts';
import { interfaceOperations } from '../interface/operations.ts';
import { recommendedProfiles } from '../interface/recommended-profiles.ts';
import type { TargetCall } from '../target/requests/call.ts';
import type { JsonObject } from '../target/requests/read-response.ts';
import { withMarkedName } from '../target/requests/run-names.ts';
import { creationPath, unknownPath } from '../target/requests/well-known.ts';

/** The method and path of an operation, with `{id}` in place of the id. */
export function routeOf(endpoint: Endpoint): Pick<TargetCall, 'method' | 'path'> {
  if (endpoint === 'unknownRoute') return { method: 'GET', path: unknownPath };
  const { method, path } = interfaceOperations[endpoint];
  return { method, path: path.replace(/\{\w+\}/, '{id}') };
}

/**
 * Makes a good request wrong. In its path and query, `{id}` stands for an id. A flaw that needs another
 * object's id, or a stream in some state, is left to the caller.
 */
export function makeWrong(call: TargetCall, flaw: Flaw, apiKey: string): TargetCall {
  const { path } = call;
  if ('state' in flaw || 'idOf' in flaw || 'good' in flaw) return call;
  if ('credential' in flaw) return { ...call, ...flaw };
  if ('authorization' in flaw) {
    const value = flaw.authorization.replace('{key}', () => apiKey);
    return withHeader(call, 'authorization', value);
  }
  if ('query' in flaw) return { ...call, path: withParameter(path, flaw.query) };
  if ('id' in flaw) return { ...call, path: path.replace('{id}', () => flaw.id) };
  if ('path' in flaw) return { ...call, path: flaw.path(path) };
  // A request that may write must not have a query.
  if ('method' in flaw) return { ...call, method: flaw.method, path: withoutQuery(path) };
  if ('type' in flaw) return withType(call, flaw.type);
  const body = namedBody(call, flaw);
  if ('form' in flaw) {
    const typed = withHeader(call, 'content-type', 'application/x-www-form-urlencoded');
    const texts = Object.entries(body).filter(([, value]) => typeof value !== 'object');
    return {
      ...typed,
      body: String(new URLSearchParams(texts.map(([key, value]) => [key, String(value)]))),
    };
  }
  if ('encoding' in flaw) {
    const compress = flaw.encoding === 'gzip' ? gzipSync : deflateSync;
    const compressed = new Uint8Array(compress(JSON.stringify(body)));
    return { ...withHeader(call, 'content-encoding', flaw.encoding), body: compressed };
  }
  return { ...call, body: wrongBody(body, flaw) };
}

/** The body to make wrong. A name in it must be marked before the body is text or bytes, in which nobody finds it. */
function namedBody(call: TargetCall, flaw: Flaw): JsonObject {
  return 'field' in flaw && isObject(call.body) ? call.body : bodyWithMark(call);
}

/** The body of a request, with the name of a stream that it creates marked as this run's. */
function bodyWithMark({ method, path, body }: TargetCall): JsonObject {
  const creates = method === 'POST' && creationPath.test(path);
  const named = creates ? withMarkedName(body) : body;
  return isObject(named) ? named : {};
}

/** Sets the content type of a request, and encodes its body as the type says. */
function withType(call: TargetCall, type: string | null): TargetCall {
  if (type === null) return { ...call, untyped: true };
  const typed = withHeader(call, 'content-type', type);
  if (!type.endsWith('utf-16')) return typed;
  const body = new Uint8Array(Buffer.from(JSON.stringify(bodyWithMark(call)), 'utf16le'));
  return { ...typed, body };
}

function withHeader(call: TargetCall, name: string, value: string): TargetCall {
  return { ...call, headers: { ...call.headers, [name]: value } };
}

function withoutQuery(path: string): string {
  return path.replace(/\?.*/, '');
}

/** Sets a query parameter, such as `record=1`; an empty one removes the whole query. */
function withParameter(path: string, parameter: string): string {
  if (parameter === '') return withoutQuery(path);
  const [name] = parameter.split('=');
  const parameters = path.slice(withoutQuery(path).length + 1).split('&');
  const otherParameters = parameters.filter((text) => text !== '' && !text.startsWith(`${name}=`));
  return `${withoutQuery(path)}?${[...otherParameters, parameter].join('&')}`;
}

/** A wrong body, as JSON or as the text or bytes to send. */
function wrongBody(body: JsonObject, flaw: Flaw): unknown {
  // An empty object must have something to cut off.
  const text = JSON.stringify(body).replace(/^\{\}$/, '{    }');
  if ('field' in flaw) return withField(body, flaw.field, flaw.value);
  if ('text' in flaw) return flaw.text;
  if ('spell' in flaw) return flaw.spell(text);
  if ('none' in flaw) return undefined;
  if ('cut' in flaw) return text.slice(0, -flaw.cut);
  if ('size' in flaw) return text.padEnd(flaw.size, ' ');
  if ('depth' in flaw) {
    const nested = '['.repeat(flaw.depth - 1) + ']'.repeat(flaw.depth - 1);
    return JSON.stringify({ ...body, [unknownName]: 0 }).replace(/0\}$/, `${nested}}`);
  }
  if ('mark' in flaw) return withMark(text, flaw.mark);
  if (!('bytes' in flaw)) return body;
  const { bytes } = flaw;
  const field = 'name' in body ? 'name' : unknownName;
  const json = JSON.stringify({ ...body, [field]: '{bytes}' }).replace('{bytes}', () => bytes);
  return new Uint8Array(Buffer.from(json, 'latin1'));
}

/** A text in an encoding, after its byte order mark. */
function withMark(text: string, encoding: 'utf-8' | 'utf-16'): Uint8Array {
  const marked = Buffer.from(`\ufeff${text}`, encoding === 'utf-8' ? 'utf8' : 'utf16le');
  return new Uint8Array(marked);
}

/** Two profiles, of which a flaw makes the first wrong. */
export const twoProfiles = [recommendedProfiles[0], recommendedProfiles[2]] as const;

/** The key in `profiles[].width`; empty in `profiles[]`, `undefined` in another path. */
export function keyOfProfile(path: string): string | undefined {
  return /^profiles\[\]\.?(.*)$/.exec(path)?.[1];
}

/** Sets a field of a body; `profiles[].width` is that of the first profile. `undefined` removes it. */
function withField(body: JsonObject, path: string, value: unknown): JsonObject {
  const key = keyOfProfile(path);
  if (key === undefined) return set(body, path, value);
  const { profiles = twoProfiles } = body;
  const [first, ...furtherProfiles] = Array.isArray(profiles) ? profiles : [];
  const changed =
    key === '' ? value : set(isObject(first) ? first : { ...twoProfiles[0] }, key, value);
  return { ...body, profiles: [changed, ...furtherProfiles] };
}

function set(object: JsonObject, key: string, value: unknown): JsonObject {
  const { [key]: _, ...otherKeys } = object;
  return value === undefined ? otherKeys : { ...otherKeys, [key]: value };
}
