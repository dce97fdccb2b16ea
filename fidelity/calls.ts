import { deflateSync, gzipSync } from 'node:zlib';
import type { JsonObject } from '../conformance/target/expectations.ts';
import { unknownPath } from '../conformance/target/gate.ts';
import type { TargetCall } from '../conformance/target/target.ts';
import type { Endpoint, Mutation } from '../interface/dialect/errors.ts';
import { isObject } from '../interface/json.ts';
import { interfaceOperations } from '../interface/operations.ts';
import { recommendedProfiles } from '../interface/recommended-profiles.ts';

/** The method and path of an operation, with `{id}` in place of the id. */
export function routeOf(operation: Endpoint): Pick<TargetCall, 'method' | 'path'> {
  if (operation === 'unknownRoute') return { method: 'GET', path: unknownPath };
  const { method, path } = interfaceOperations[operation];
  return { method, path: path.replace(/\{\w+\}/, '{id}') };
}

/** Decodes an id from a path; `undefined` if its percent-encoding is invalid. */
export function decodeId(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/**
 * Makes a good request wrong. In its path and query, `{id}` stands for an id. A mutation that needs another
 * object's id, or a stream in some state, is left to the caller.
 */
export function makeWrong(call: TargetCall, mutation: Mutation, apiKey: string): TargetCall {
  const { path } = call;
  if ('state' in mutation || 'idOf' in mutation || 'good' in mutation) return call;
  if ('credential' in mutation) return { ...call, ...mutation };
  if ('authorization' in mutation) {
    const value = mutation.authorization.replace('{key}', () => apiKey);
    return withHeader(call, 'authorization', value);
  }
  if ('query' in mutation) return { ...call, path: withParameter(path, mutation.query) };
  if ('id' in mutation) return { ...call, path: path.replace('{id}', () => mutation.id) };
  if ('path' in mutation) return { ...call, path: mutation.path(path) };
  // A request that may write must not have a query.
  if ('method' in mutation) return { ...call, method: mutation.method, path: withoutQuery(path) };
  if ('type' in mutation) return withType(call, mutation.type);
  const body = isObject(call.body) ? call.body : {};
  if ('encoding' in mutation) {
    const pack = mutation.encoding === 'gzip' ? gzipSync : deflateSync;
    const packed = new Uint8Array(pack(JSON.stringify(body)));
    return { ...withHeader(call, 'content-encoding', mutation.encoding), body: packed };
  }
  return { ...call, body: wrongBody(body, mutation) };
}

/** Sets the content type of a request, and encodes its body as the type says. */
function withType(call: TargetCall, type: string | null): TargetCall {
  if (type === null) return { ...call, untyped: true };
  const typed = withHeader(call, 'content-type', type);
  if (!type.endsWith('utf-16')) return typed;
  return {
    ...typed,
    body: new Uint8Array(Buffer.from(JSON.stringify(call.body ?? {}), 'utf16le')),
  };
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
  const own = path.slice(withoutQuery(path).length + 1).split('&');
  const others = own.filter((one) => one !== '' && !one.startsWith(`${name}=`));
  return `${withoutQuery(path)}?${[...others, parameter].join('&')}`;
}

type BodyKey = 'field' | 'text' | 'none' | 'cut' | 'size' | 'depth' | 'bytes';
type WrongBody = Extract<Mutation, { [Key in BodyKey]: Record<Key, unknown> }[BodyKey]>;

/** A wrong body, as JSON or as the text or bytes to send. */
function wrongBody(body: JsonObject, mutation: WrongBody): unknown {
  // An empty object must have something to cut off.
  const text = JSON.stringify(body).replace(/^\{\}$/, '{    }');
  if ('field' in mutation) return withField(body, mutation.field, mutation.value);
  if ('text' in mutation) return mutation.text;
  if ('none' in mutation) return undefined;
  if ('cut' in mutation) return text.slice(0, -mutation.cut);
  if ('size' in mutation) return text.padEnd(mutation.size, ' ');
  if ('depth' in mutation) {
    const nested = '['.repeat(mutation.depth - 1) + ']'.repeat(mutation.depth - 1);
    return JSON.stringify({ ...body, [furtherField]: 0 }).replace(/0\}$/, `${nested}}`);
  }
  const { bytes } = mutation;
  const field = 'name' in body ? 'name' : furtherField;
  const written = JSON.stringify({ ...body, [field]: '{bytes}' }).replace('{bytes}', () => bytes);
  return new Uint8Array(Buffer.from(written, 'latin1'));
}

/** A key that services do not know. */
const furtherField = 'livestreamMockUnknown';

const [largest, , smallest] = recommendedProfiles;

/** Sets a field of a body; `profiles[].width` is that of the first profile. `undefined` removes it. */
function withField(body: JsonObject, path: string, value: unknown): JsonObject {
  const [, key] = /^profiles\[\]\.?(.*)$/.exec(path) ?? [];
  if (key === undefined) return set(body, path, value);
  const { profiles = [largest, smallest] } = body;
  const [first, ...others] = Array.isArray(profiles) ? profiles : [];
  const changed = key === '' ? value : set(isObject(first) ? first : { ...largest }, key, value);
  return { ...body, profiles: [changed, ...others] };
}

function set(object: JsonObject, key: string, value: unknown): JsonObject {
  const { [key]: _, ...others } = object;
  return value === undefined ? others : { ...others, [key]: value };
}
