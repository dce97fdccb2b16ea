import { startCreations } from '../../../conformance/target/creations.ts';
import type { SendTo } from '../../../conformance/target/exchange.ts';
import type { Dialect } from '../../../interface/dialect.ts';
import { createMock, type Mock } from '../../../mocks/mock.ts';
import { type Connection, type ConnectionOptions, connect } from '../../target/connection.ts';
import { createRefusalTexts, type RefusalTexts } from '../equal/refusal-forms.ts';
import type { Clock } from '../run/run.ts';
import type { Service } from '../run/services.ts';
import { createRecorder, type ResponseRecorder } from './recorded-responses.ts';

/** A target, with what compare needs beside its connection. */
export interface Side {
  readonly name: string;
  /** The same for each sequence: its streams are deleted. */
  readonly service: Service & Connection;
  readonly recorder: ResponseRecorder;
  /** What responds as the target did in the sequence that was recorded last. */
  replay(send: SendTo): Service;
  /** Deletes what was created. Resolves to what remains, a line for each thing. */
  cleanUp(): Promise<string[]>;
}

/** A target that is compared. @throws TypeError for invalid options */
export function createSide(
  name: string,
  options: ConnectionOptions & { otherApiKey?: string },
): Side {
  const { otherApiKey, ...rest } = options;
  const recorder = createRecorder();
  const refusals = createRefusalTexts();
  const connectBoth = (listen: (send: SendTo) => SendTo) => ({
    ...connect(rest, listen),
    refusals,
    other:
      otherApiKey === undefined ? undefined : connect({ ...rest, apiKey: otherApiKey }, listen),
  });
  const service = connectBoth(recorder.listen);
  return {
    ...{ name, recorder, service },
    replay: (send) => connectBoth(() => send),
    async cleanUp() {
      return [...(await service.cleanUp()), ...((await service.other?.cleanUp()) ?? [])];
    },
  };
}

const origin = 'http://mock.test';

/** A new mock in this process, which goes live by its control API. */
export function mockService(dialect: Dialect | undefined, { now }: Clock): Service {
  const mock = createMock({ now, ...(dialect && { dialect }) });
  return worldOf(mock, 'test-compared', createRefusalTexts());
}

/** Sequences that one mock is used for: what they made stays in it. */
const mostSequences = 100;

/**
 * Mocks in this process. A sequence has a world of its own in a mock, as reading a dialect takes longer
 * than the requests of a sequence.
 */
export function createMocks({ now }: Clock): (dialect: Dialect) => Service {
  let mock: Mock | undefined;
  let text = '';
  let sequences = 0;
  const refusals = createRefusalTexts();
  return (dialect) => {
    const wanted = JSON.stringify(dialect);
    if (mock === undefined || wanted !== text || sequences % mostSequences === 0) {
      text = wanted;
      mock = createMock({ now, ...(isUsual(dialect) ? {} : { dialect }) });
    }
    sequences += 1;
    return worldOf(mock, `test-compared-${sequences}`, refusals);
  };
}

/** Without a dialect the mock responds faster. */
function isUsual({ rows, breaks }: Dialect): boolean {
  return Object.keys(rows).length === 0 && breaks === undefined;
}

/** What one key sees of a mock. */
function worldOf({ prefix, fetch }: Mock, apiKey: string, refusals: RefusalTexts): Service {
  const connection = connect({
    ...{ apiKey, baseUrl: origin + prefix, send: fetch },
    provider: { controlUrl: `${origin}/_mock` },
  });
  const target = { ...connection.target, apiKey: `${apiKey}-other` };
  return { ...connection, refusals, other: { target, creations: startCreations() } };
}
