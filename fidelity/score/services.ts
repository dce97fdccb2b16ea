import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { serveSecondImplementation } from '../../conformance/second-implementation.test-support.mjs';
import { makeMedia } from '../../conformance/second-implementation-media.test-support.ts';
import type { Dialect } from '../../interface/dialect.ts';
import { type Behaviours, type RowId, rowIds } from '../../interface/silent.ts';
import type { RefusalBody } from '../../interface/silent-row.ts';
import { compare } from '../compare/compare.ts';
import { learn } from '../learn/learn.ts';
import { unlikeRows } from '../unlike/unlike-dialect.test-support.ts';
import { startUnlikeService } from '../unlike/unlike-service.test-support.ts';
import {
  type Inexpressible,
  inexpressibleOfSecond,
  inexpressibleOfUnlike,
} from './inexpressible.ts';
import { describeUnexpected } from './unexpected.ts';

/** A service that runs, and how to reach it. */
interface RunningService {
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly apiKey: string;
  readonly otherApiKey?: string;
  close(): unknown;
}

/** A service that nobody fitted to `learn` and `compare`. */
interface Service {
  start(ffmpeg: string): Promise<RunningService>;
  /** What was written down of it before `learn` met it. */
  readonly expected?: Partial<Behaviours>;
  /** Rows whose expectation no client can verify, each with the reason. */
  readonly unverifiable?: Partial<Record<RowId, string>>;
  /** Differences that no dialect can say, with their reasons. */
  readonly inexpressible: readonly Inexpressible[];
}

const services: Readonly<Record<'second implementation' | 'unlike', Service>> = {
  'second implementation': {
    start: startSecondImplementation,
    inexpressible: inexpressibleOfSecond,
  },
  unlike: {
    start: () => startUnlikeService(),
    expected: unlikeRows,
    unverifiable: {
      'http.head': 'a response to HEAD has no body',
      'time.ready': 'it was written down as 0, and is 50 ms, which looks differ about',
      'sessions.status-before-ready': 'it is ready before some looks',
      'sessions.addresses-before-ready': 'it is ready before some looks',
    },
    inexpressible: inexpressibleOfUnlike,
  },
};

export type ServiceName = keyof typeof services;

/** The services that nobody fitted. */
export const serviceNames: readonly ServiceName[] = Object.keys(services) as ServiceName[];

async function startSecondImplementation(ffmpeg: string): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'second-implementation-'));
  const seconds = 3.2;
  makeMedia(ffmpeg, folder, seconds);
  const apiKey = 'an-odd/key+of=its.own';
  const { close, ...addresses } = await serveSecondImplementation({ folder, seconds, apiKey });
  const end = (): void => {
    close();
    rmSync(folder, { recursive: true });
  };
  return { ...addresses, apiKey, close: end };
}

/** How a service was learned and imitated: a line for each thing that is not as it should be. */
interface JudgedService {
  /** What was learned otherwise than it was written down; `undefined` where nothing was. */
  readonly deviations: string[] | undefined;
  /** What `compare` finds beside what no dialect can say, and what kept it from searching. */
  readonly differences: string[];
}

/**
 * Learns a service, and compares it with a mock that has the dialect.
 * @param ffmpeg makes the media of the second implementation
 */
export async function judgeService(
  name: ServiceName,
  operations: number,
  ffmpeg: string = process.env['FFMPEG_PATH'] ?? 'ffmpeg',
): Promise<JudgedService> {
  const service: Service = services[name];
  const { inexpressible } = service;
  const { controlUrl, otherApiKey, close, ...target } = await service.start(ffmpeg);
  try {
    const second = otherApiKey === undefined ? {} : { otherApiKey };
    const options = { ...target, ...second, provider: { controlUrl } };
    const isKnown = (part: 'signature' | 'requests', text: string): boolean =>
      inexpressible.some((one) => one[part]?.test(text));
    const learned = await learn(options);
    const compared = await compare({
      ...{ ...options, dialect: learned.dialect, operations },
      time: Number.POSITIVE_INFINITY,
      leaveOut: ({ operation, about }) => isKnown('requests', [operation, ...about].join(', ')),
    });
    const unexpected = describeUnexpected(compared, operations);
    const obstacles = [learned.unreachable, learned.withoutSessions].flatMap((one) => one ?? []);
    return {
      deviations: deviationsOf(learned.dialect, service),
      differences: [...obstacles, ...unexpected.filter((one) => !isKnown('signature', one))],
    };
  } finally {
    await close();
  }
}

function deviationsOf(
  { rows }: Dialect,
  { expected, unverifiable = {} }: Service,
): string[] | undefined {
  if (expected === undefined) return undefined;
  const usual = rows['refusal.body'];
  return rowIds
    .filter((id) => id !== 'refusal.body' && !(id in unverifiable))
    .filter((id) => !isDeepStrictEqual(withBody(rows[id], usual), withBody(expected[id], usual)))
    .map((id) => `learned ${id} ${JSON.stringify(rows[id])}, not ${JSON.stringify(expected[id])}`);
}

/** A value whose refusal says its body, as a client meets it. */
function withBody(value: unknown, usual: RefusalBody | undefined): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('status' in value) return { body: usual, ...value };
  return 'refusal' in value ? { ...value, refusal: withBody(value.refusal, usual) } : value;
}
