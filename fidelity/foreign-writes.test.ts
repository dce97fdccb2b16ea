import { describe, expect, test } from 'vitest';
import { run } from '../conformance/run-suite.ts';
import type { ProviderChoice } from '../target/providers/provider-choice.ts';
import { byNight } from '../tools/nightly.test-support.ts';
import { standingClock } from './clock.test-support.ts';
import { compare } from './compare/compare.ts';
import {
  claims,
  elsewhere,
  type LaxOptions,
  type LaxService,
  serveLax,
} from './lax-service.test-support.ts';
import { learn } from './learn/learn.ts';

/** What the three tools are given; not all of them have every option. */
interface Given extends Pick<LaxService, 'send' | 'baseUrl'> {
  readonly apiKey: string;
  readonly patience: number;
  readonly provider?: ProviderChoice;
  readonly readOnly?: boolean;
  readonly otherApiKey?: string;
}

/** Every request takes 10 ms, on a clock that moves only then and when somebody waits. */
function timed<Options extends Pick<LaxService, 'send'>>(options: Options) {
  const clock = standingClock();
  const send: LaxService['send'] = (request) => clock.pause(10).then(() => options.send(request));
  return { ...options, ...clock, send };
}

const tools = {
  check: (given: Given) => run(given),
  'check of one area': (given: Given) => run({ ...given, areas: ['inheritance'] }),
  learn: (given: Given) => learn({ ...timed(given), streams: 3 }),
  compare: (given: Given) => compare({ ...timed(given), time: 2_000 }),
  'compare with a second target': (given: Given) =>
    compare({ ...timed(given), time: 2_000, secondTarget: given }),
} as const;

const sources: Readonly<Record<string, (service: LaxService) => Pick<Given, 'provider'>>> = {
  'no source': () => ({}),
  '--recorded-stream': ({ named }) => ({ provider: { recordedStream: named } }),
  '--control-url': ({ controlUrl }) => ({ provider: { controlUrl } }),
  '--ingest-command': ({ controlUrl }) => {
    const command = `curl -sX POST "${controlUrl}/streams/$STREAM_ID/start"`;
    return { provider: { ingestCommand: { command, mediaFile: '/dev/null' } } };
  },
};

const more: Readonly<Record<string, Pick<Given, 'readOnly' | 'otherApiKey'>>> = {
  'no more': {},
  '--other-api-key': { otherApiKey: 'test-other' },
  '--read-only': { readOnly: true },
};

/** A tool with its options, and a service that accepts everything. */
interface Use {
  readonly tool: keyof typeof tools;
  readonly source: string;
  readonly option: string;
  /** What else the service does wrong. */
  readonly lax: LaxOptions;
}

const everyTool = Object.keys(tools) as (keyof typeof tools)[];
/** By day, tests that do not depend on the source of sessions use this one. */
const sourcesNow = byNight(Object.keys(sources), ['--control-url']);
const usual = { option: 'no more', lax: {} };

/** What every tool is given. */
function given({ baseUrl, send }: LaxService): Given {
  return { baseUrl, send, apiKey: 'test-lax', patience: 100 };
}

function use({ tool, source, option }: Use, service: LaxService) {
  return tools[tool]({ ...given(service), ...more[option], ...sources[source]?.(service) });
}

/**
 * Every combination of options: nothing goes live where nothing may be written, and compare always writes.
 * Another key changes the same requests with every source, so by day it is tried with one.
 */
const combinations: readonly Use[] = everyTool.flatMap((tool) =>
  Object.keys(sources).flatMap((source) =>
    Object.keys(more)
      .filter((option) => !(option === '--read-only' && /control|ingest/.test(source)))
      .filter((option) => !/^(check|compare).*other|^compare.*read/.test(tool + option))
      .filter((option) => option !== '--other-api-key' || sourcesNow.includes(source))
      .map((option) => ({ tool, source, option, lax: {} })),
  ),
);

/** Services that claim that a stream of the user belongs to the run. */
const claiming: readonly Use[] = everyTool.flatMap((tool) => [
  { ...usual, tool, source: '--recorded-stream', lax: { idOfNew: 'USERS-STREAM' } },
  { ...usual, tool, source: '--control-url', lax: { idOfNew: elsewhere.toUpperCase() } },
  ...claims.map((claim) => ({ ...usual, tool, source: '--control-url', lax: { claims: claim } })),
]);

describe('on a service that accepts everything, what the user has stays as it is, and nothing else is left', () => {
  test.for([...combinations, ...claiming])('$tool, $source, $option, $lax', async (row) => {
    const service = await serveLax(row.lax);
    const before = service.foreign();
    const { leftBehind } = await use(row, service);
    expect(service.foreign()).toEqual(before);
    if (Object.keys(row.lax).length === 0) {
      expect([leftBehind, service.left()]).toEqual([[], []]);
    }
    // A session may be sent the value that it already has.
    const harmless = /^PATCH \/stream\/users-stream-session-\d\/record \{"record":true\}$/;
    expect(service.foreignWrites.filter((line) => !harmless.test(line))).toEqual([]);
  });

  test.for(sourcesNow)('routes that --allow lets write, %s', async (source) => {
    const service = await serveLax();
    const ids = [service.named, elsewhere];
    const paths = [
      ...['/stream', '/streams', '/stream/{id}', '/session/{id}', '/asset/{id}', '/playback/{id}'],
      ...ids.flatMap((id) => [`/asset/${id}`, `/stream/${id}/clips`]),
    ];
    const allow = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
    const routes = paths.flatMap((path) => allow.map((method) => ({ method, path, body: {} })));
    const before = service.foreign();
    const { leftBehind } = await learn({
      ...timed(given(service)),
      ...sources[source]?.(service),
      streams: 3,
      routes,
      allow,
    });
    expect(leftBehind.join()).toContain('--allow');
    expect(service.foreign()).toEqual(before);
  });
});

const withSessions = sourcesNow
  .filter((source) => /control|ingest/.test(source))
  .flatMap((source) => everyTool.map((tool) => ({ ...usual, tool, source })));

test.for(withSessions)(
  'sessions that a service shows as streams of their own are named where they stay: $tool, $source',
  async (row) => {
    const service = await serveLax({ keepsSessions: true });
    const { leftBehind } = await use(row, service);
    const left = service.left().map(({ id, parentId }) => `session ${id} of stream ${parentId}`);
    expect(left.length).toBeGreaterThan(0);
    expect(leftBehind).toEqual(expect.arrayContaining(left));
  },
);
