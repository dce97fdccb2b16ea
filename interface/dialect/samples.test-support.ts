import * as z from 'zod';
import { type BehaviourId, type Behaviours, definitionOf, respellableKeys } from './behaviours.ts';

/** The behaviours whose values are not a few words. */
type Sampled = {
  [Id in BehaviourId]: string extends Behaviours[Id]
    ? Id
    : Behaviours[Id] extends string
      ? never
      : Id;
}[BehaviourId];

/** Values that are not the mock's own, at least one of each kind; for a behaviour with several names, some. */
const samples: {
  readonly [Id in Sampled]: readonly Behaviours[Id][] | readonly Partial<Behaviours[Id]>[];
} = {
  'record.default': [true],
  'profiles.default': [
    { omitted: 'absent', none: 'absent' },
    { omitted: 'null', none: 'null', null: 'null' },
    { omitted: [{ name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 }] },
  ],
  'stream.further-keys': [
    {},
    { kind: 'stream', isActive: null, region: 'text', tags: [], owner: { id: 0 } },
  ],
  'session.further-keys': [{}, { kind: 'session', name: null, thumbnail: 'text', viewers: 0 }],
  'keys.by-place': [
    { streamOnceLive: { issues: null }, listSessions: { parentStream: { id: 'text' } } },
    { retrieveSession: { viewsToday: 0 }, listSessionsOfStream: { version: 'text' } },
    { streamWhileLive: { isHealthy: false }, sessionWhileLive: { userId: null } },
    { sessionAmongStreams: { region: 'text' } },
    { streamRecorded: { storage: { days: 0 } }, listStreams: { status: 'IDLE', viewers: 0 } },
  ],
  'keys.missing': [
    { listStreams: ['playbackId', 'streamKey'] },
    { createStream: ['profiles'], sessionWhileLive: ['name'], streamWhileLive: ['renditions'] },
  ],
  'playback.shows': [{ title: 'text', isLive: false, playlist: { url: '{hls}' } }],
  'keys.spelling': respellableKeys.map((key) => ({ [key]: `${key}Other` })),
  'response.shows': [
    { updateStream: 'stream', deleteStream: 'stream' },
    { deleteStream: { status: 200, json: { deleted: true } }, terminateStream: { status: 202 } },
  ],
  'response.wrapped': [
    { retrieveStream: { stream: '{result}' } },
    { listStreams: { data: '{result}', page: 0 }, listSessions: { data: '{result}' } },
  ],
  'list.page-size': [
    { listStreams: 2 },
    { listSessionsOfStream: 5, listSessions: 2 },
    { listStreams: 'all', listSessions: 'all' },
  ],
  'list.cursor': ['offset', { prefix: 'skip' }],
  'list.next': [
    { listStreams: 'not', listSessionsOfStream: 'not', listSessions: 'not' },
    { listStreams: 'x-next-cursor', listSessions: 'not' },
    { listSessionsOfStream: 'x-next-cursor' },
  ],
  'list.order': [
    { listStreams: 'oldest-first' },
    { listStreams: 'last-seen-first' },
    { listSessionsOfStream: 'oldest-first', listSessions: 'oldest-first' },
  ],
  'list.record': [
    { absent: 'recorded', 0: 'all' },
    { true: 'all', other: 'recorded', empty: 'unrecorded' },
  ],
  'sessions.appear': [
    { listSessionsOfStream: 'at-end' },
    { listSessionsOfStream: 'when-ready', listSessions: 'when-ready' },
    { recordedOnly: 'at-end' },
  ],
  'sessions.status': [
    { beforeReady: 'processing', unrecorded: 'none' },
    { beforeReady: 'absent', unrecorded: null },
    { beforeReady: null },
  ],
  'sessions.addresses': [
    { beforeReady: 'present', unrecorded: 'null' },
    { beforeReady: 'null', unrecorded: 'empty' },
    { beforeReady: 'empty', unrecorded: 'present' },
  ],
  'time.ready': [0, 5_000],
  'time.listed': [500],
  'http.json-type': ['application/json', 'application/vnd.stream+json'],
  'http.headers': [
    { 'x-powered-by': 'Express', 'cache-control': 'no-store' },
    { 'content-security-policy': 'text', vary: 'accept-encoding' },
  ],
  'http.etag-of': [{ changes: 'present' }, { refusals: 'present' }],
  'http.head': [{ status: 404 }, { status: 405 }],
  'http.options': [
    { known: 'ok', unknown: { status: 404 } },
    { known: 'methods' },
    { known: { status: 405 } },
  ],
  'cors.origins': [
    { requests: 'any', preflights: 'any' },
    { requests: 'none', preflights: 'none' },
    { requests: { status: 403 }, preflights: { status: 403 } },
    { requests: 'echo', preflights: 'none' },
  ],
  'cors.without-origin': [
    { 'access-control-allow-credentials': 'present' },
    { 'access-control-allow-origin': 'absent', 'access-control-expose-headers': 'absent' },
  ],
  'cors.exposed-headers': [[], ['link']],
  'cors.allowed-headers': [['authorization', 'content-type'], []],
  'cors.allowed-methods': [['GET', 'POST'], []],
  'cors.max-age': [null, 86_400],
};

/** Every value with which tests try a behaviour, the mock's own first. */
export function samplesOf(id: BehaviourId): readonly unknown[] {
  const { values, defaultValue } = definitionOf(id);
  return [
    ...new Set([
      defaultValue,
      ...(values instanceof z.ZodEnum ? values.options : samples[id as Sampled]),
    ]),
  ];
}
