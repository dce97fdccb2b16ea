import type { IncomingMessage } from 'node:http';
import { Refusal } from './unlike-refusals.test-support.ts';
import type { Profile, StreamSettings } from './unlike-store.test-support.ts';

type JsonObject = Readonly<Record<string, unknown>>;

const largestBody = 65_536;
const longestName = 255;
const mostProfiles = 10;
const longestDuration = 86_400;

const profileRanges = {
  bitrate: [1, 100_000_000],
  fps: [0, 240],
  width: [1, 4096],
  height: [1, 4096],
} as const;

/** Reads to the end even when the body is too large, so that the client can see the answer. */
async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= largestBody) chunks.push(chunk);
  }
  if (size > largestBody) throw new Refusal('BODY_TOO_LARGE');
  return Buffer.concat(chunks).toString('utf8');
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('BODY_NOT_JSON');
  }
  if (!isObject(value)) throw new Refusal('BODY_NOT_JSON');
  return value;
}

async function readOptionalObject(request: IncomingMessage): Promise<JsonObject | undefined> {
  const text = await readText(request);
  if (text === '') return undefined;
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') throw new Refusal('CONTENT_TYPE_REFUSED');
  return parseObject(text);
}

async function readObject(request: IncomingMessage): Promise<JsonObject> {
  const body = await readOptionalObject(request);
  if (body === undefined) throw new Refusal('BODY_MISSING');
  return body;
}

/** A null counts as a missing field throughout. */
function required(value: unknown, field: string): unknown {
  if (value === undefined || value === null) throw new Refusal('FIELD_MISSING', { field });
  return value;
}

function nameOf(value: unknown, field: string): string {
  const name = required(value, field);
  if (typeof name !== 'string') throw new Refusal('FIELD_TYPE', { field });
  if (name === '' || name.length > longestName) throw new Refusal('FIELD_RANGE', { field });
  return name;
}

function booleanOf(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw new Refusal('FIELD_TYPE', { field });
  return value;
}

function profileNumber(profile: JsonObject, key: keyof typeof profileRanges, at: string): number {
  const field = `${at}.${key}`;
  const number = required(profile[key], field);
  const [least, most] = profileRanges[key];
  if (typeof number !== 'number' || !Number.isInteger(number)) {
    throw new Refusal('FIELD_TYPE', { field });
  }
  if (number < least || number > most) throw new Refusal('FIELD_RANGE', { field });
  return number;
}

function profileOf(value: unknown, index: number): Profile {
  const at = `profiles[${index}]`;
  if (!isObject(value)) throw new Refusal('FIELD_TYPE', { field: at });
  const { name } = value;
  return {
    name: nameOf(name, `${at}.name`),
    bitrate: profileNumber(value, 'bitrate', at),
    fps: profileNumber(value, 'fps', at),
    width: profileNumber(value, 'width', at),
    height: profileNumber(value, 'height', at),
  };
}

function profilesOf(value: unknown): readonly Profile[] | undefined {
  if (value === undefined || value === null) return undefined;
  const field = 'profiles';
  if (!Array.isArray(value)) throw new Refusal('FIELD_TYPE', { field });
  if (value.length > mostProfiles) throw new Refusal('FIELD_RANGE', { field });
  return value.map(profileOf);
}

/** Fields it does not know are dropped; streams are recorded unless told otherwise. */
export async function readStreamSettings(request: IncomingMessage): Promise<StreamSettings> {
  const { name, record, profiles } = await readObject(request);
  return {
    name: nameOf(name, 'name'),
    record: booleanOf(record ?? true, 'record'),
    profiles: profilesOf(profiles),
  };
}

export async function readRecord(request: IncomingMessage): Promise<boolean> {
  const { record, ...others } = await readObject(request);
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new Refusal('FIELD_UNKNOWN', { field: unknown });
  return booleanOf(required(record, 'record'), 'record');
}

/** The seconds a session is to have lasted, or undefined to stay live. */
export async function readDuration(request: IncomingMessage): Promise<number | undefined> {
  const body = await readOptionalObject(request);
  if (body === undefined) return undefined;
  const field = 'duration';
  const duration = required(body[field], field);
  if (typeof duration !== 'number') throw new Refusal('FIELD_TYPE', { field });
  if (duration < 0.001 || duration > longestDuration) throw new Refusal('FIELD_RANGE', { field });
  return duration;
}
