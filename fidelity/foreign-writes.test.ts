import { describe, expect, test } from 'vitest';
import type { ProviderChoice } from '../conformance/providers/choice.ts';
import { run } from '../conformance/run.ts';
import { compare } from './compare/compare.ts';
import { claims, elsewhere, type LaxService, serveLax } from './lax-service.test-support.ts';
import type { LearnOptions } from './learn/ask-target.ts';
import { learn } from './learn/learn.ts';

/** What the three tools are given; not all of them have every option. */
interface Given extends Pick<LaxService, 'send'> {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly patience: number;
  readonly provider?: ProviderChoice;
  readonly readOnly?: boolean;
  readonly otherApiKey?: string;
}

/** Time that moves only when somebody waits. */
function standingClock(): Pick<LearnOptions, 'now' | 'pause'> {
  let time = Date.now();
  return {
    now: () => time,
    async pause(milliseconds) {
      time += milliseconds;
    },
  };
}

const tools = {
  check: (given: Given) => run(given),
  'check of one area': (given: Given) => run({ ...given, areas: ['inheritance'] }),
  learn: (given: Given) => learn({ ...given, ...standingClock(), streams: 3 }),
  compare: (given: Given) => compare({ ...given, time: 300 }),
  'compare with a second target': (given: Given) =>
    compare({ ...given, time: 300, other: { ...given } }),
} as const;

const sources: Readonly<Record<string, (service: LaxService) => ProviderChoice | undefined>> = {
  'no source': () => undefined,
  '--recorded-stream': ({ named }) => ({ recordedStream: named }),
  '--control-url': ({ controlUrl }) => ({ controlUrl }),
  '--ingest-command': ({ controlUrl }) => ({
    ingestCommand: {
      command: `curl -sX POST "${controlUrl}/streams/$STREAM_ID/start"`,
      mediaFile: '/dev/null',
    },
  }),
};

const more: Readonly<Record<string, Pick<Given, 'readOnly' | 'otherApiKey'>>> = {
  'no more': {},
  '--other-api-key': { otherApiKey: 'test-other' },
  '--read-only': { readOnly: true },
};

/** Every combination of options: nothing goes live where nothing may be written, and compare always writes. */
const combinations = Object.keys(tools).flatMap((tool) =>
  Object.keys(sources).flatMap((source) =>
    Object.keys(more)
      .filter((option) => !(option === '--read-only' && /control|ingest/.test(source)))
      .filter((option) => !/^check.*other|^compare.*read/.test(tool + option))
      .map((option) => ({ tool: tool as keyof typeof tools, source, option })),
  ),
);

describe('on a service that accepts everything, what the user has stays as it is', () => {
  test.for(combinations)('$tool, $source, $option', async ({ tool, source, option }) => {
    const service = await serveLax();
    await expectUntouched(service, tool, source, option);
  });
});

test.for(Object.keys(sources))(
  'nor do routes change it that --allow lets write, %s',
  async (source) => {
    const service = await serveLax();
    const { baseUrl, send, named } = service;
    const paths = [
      '/stream',
      '/streams',
      '/stream/{id}',
      '/session/{id}',
      '/asset/{id}',
      '/playback/{id}',
    ];
    const others = [named, elsewhere].flatMap((id) => [`/asset/${id}`, `/stream/${id}/clips`]);
    const allow = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
    const routes = [...paths, ...others].flatMap((path) =>
      allow.map((method) => ({ method, path, body: {} })),
    );
    const provider = sources[source]?.(service);
    const options = {
      baseUrl,
      send,
      apiKey: 'test-lax',
      patience: 100,
      ...(provider && { provider }),
    };
    const before = service.foreign();
    const { leftBehind } = await learn({
      ...options,
      ...standingClock(),
      streams: 3,
      routes,
      allow,
    });
    expect(leftBehind.join()).toContain('--allow');
    expect(service.foreign()).toEqual(before);
  },
);

describe('a stream that the user has is not taken for one of the run', () => {
  const everyTool = Object.keys(tools) as (keyof typeof tools)[];

  test.for(everyTool)('answered to each creation, though named: %s', async (tool) => {
    const service = await serveLax({ idOfNew: 'USERS-STREAM' });
    await expectUntouched(service, tool, '--recorded-stream', 'no more');
  });

  test.for(everyTool)('answered to each creation: %s', async (tool) => {
    const service = await serveLax({ idOfNew: elsewhere.toUpperCase() });
    await expectUntouched(service, tool, '--control-url', 'no more');
  });

  const rows = everyTool.flatMap((tool) => claims.map((claim) => ({ tool, claim })));

  test.for(rows)('claimed in $claim: $tool', async ({ tool, claim }) => {
    const service = await serveLax({ claims: claim });
    await expectUntouched(service, tool, '--control-url', 'no more');
  });
});

async function expectUntouched(
  service: LaxService,
  tool: keyof typeof tools,
  source: string,
  option: string,
): Promise<void> {
  const before = service.foreign();
  const provider = sources[source]?.(service);
  const { baseUrl, send } = service;
  await tools[tool]({
    baseUrl,
    send,
    apiKey: 'test-lax',
    patience: 100,
    ...more[option],
    ...(provider && { provider }),
  });
  expect(service.foreign()).toEqual(before);
  // The value that it has already may be sent to a session.
  const harmless = /^PATCH \/stream\/users-stream-session-\d\/record \{"record":true\}$/;
  expect(service.foreignWrites.filter((line) => !harmless.test(line))).toEqual([]);
}

const withSessions = ['--control-url', '--ingest-command'];

describe('sessions that a service shows as streams of their own', () => {
  const rows = Object.keys(tools).flatMap((tool) =>
    withSessions.map((source) => ({ tool: tool as keyof typeof tools, source })),
  );

  test.for(rows)('are deleted: $tool, $source', async ({ tool, source }) => {
    const service = await serveLax();
    expect(await leftBehind(service, tool, source)).toEqual([]);
    expect(service.left()).toEqual([]);
  });

  test.for(rows)('are named where they stay: $tool, $source', async ({ tool, source }) => {
    const service = await serveLax({ keepsSessions: true });
    const lines = await leftBehind(service, tool, source);
    const left = service.left().map(({ id, parentId }) => `session ${id} of stream ${parentId}`);
    expect(left.length).toBeGreaterThan(0);
    expect(lines).toEqual(expect.arrayContaining(left));
  });
});

async function leftBehind(
  service: LaxService,
  tool: keyof typeof tools,
  source: string,
): Promise<readonly string[]> {
  const provider = sources[source]?.(service);
  const { baseUrl, send } = service;
  const ended = await tools[tool]({
    baseUrl,
    send,
    apiKey: 'test-lax',
    patience: 100,
    ...(provider && { provider }),
  });
  return ended.leftBehind;
}
