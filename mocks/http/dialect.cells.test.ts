import { describe, expect, test } from 'vitest';
import { convert, wordsFor } from '../../interface/accepted.ts';
import { type Cell, isRefusal } from '../../interface/cells.ts';
import {
  type Asked,
  askedNames,
  errorsOf,
  isShared,
  type Mutation,
  type RequestError,
} from '../../interface/errors.ts';
import { usualMatrix, type WrittenCell, writeCell } from '../../interface/refusals.ts';
import {
  type Answer,
  type Client,
  clientOf,
  connect,
  mockWith,
  readAnswer,
} from './dialect.test-support.ts';
import { makeSubjects, otherKey, ownKey, wrongRequest } from './wrong-request.test-support.ts';

/** An error and the cell that a mock has for it. */
interface Case {
  readonly error: RequestError;
  readonly cell: Cell;
}

/**
 * What is given at all hides what becomes of its value, and a limit what is cut to it, so these are asked
 * alone; the others do not meet.
 */
function inRounds(cases: readonly Case[]): (readonly Case[])[] {
  const rounds: Case[][] = [];
  for (const one of cases) {
    const { id } = one.error;
    const isAlone = alone.test(id);
    const round = rounds.find(
      (known) => !isAlone && known.every(({ error }) => error.id !== id && !alone.test(error.id)),
    );
    if (round === undefined) rounds.push([one]);
    else round.push(one);
  }
  return rounds;
}

const alone = /:(given|small|large)$|:record:missing$/;

async function clientWith(asked: Asked, cases: readonly Case[]): Promise<Client> {
  const own: Record<string, WrittenCell> = {};
  const shared: Record<string, WrittenCell> = {};
  for (const { error, cell } of cases) {
    const gate = `${error.id.slice(0, error.id.lastIndexOf(':'))}:given`;
    if (gate !== error.id && usualMatrix[asked].has(gate)) own[gate] = 'kept';
    (isShared(error.id) ? shared : own)[error.id] = writeCell(cell);
  }
  // An unknown path is noticed last of all, so that the errors of keys are told there too.
  const orders = { unknownRoute: ['key', 'no-key', 'body', 'route'] } as const;
  const refusals = { '*': shared, [asked]: own };
  return connect(mockWith({ refusals, orders }, { apiKeys: [ownKey, otherKey] }), ownKey);
}

/** Sends the wrong requests of all cases, each about streams of its own. */
async function sendAll(
  asked: Asked,
  cases: readonly Case[],
  expectIt: (one: Case, sent: Sent) => unknown,
) {
  for (const round of inRounds(cases)) {
    const client = await clientWith(asked, round);
    for (const one of round) {
      for (const wrong of one.error.wrong) {
        const subjects = await makeSubjects(client);
        const { request, id } = await wrongRequest(asked, [wrong], client, subjects);
        const answer = await readAnswer(await client.mock.fetch(request));
        await expectIt(one, { answer, id, wrong, client });
      }
    }
  }
}

interface Sent {
  readonly answer: Answer;
  readonly id: string;
  readonly wrong: Mutation;
  readonly client: Client;
}

/** What a limit is at, so that every wrong value is beyond it. */
function boundsOf({ ladder, id }: RequestError): { above?: number; below?: number } {
  const [usual, next] = ladder ?? [];
  if (usual === undefined || next === undefined) return {};
  return id.endsWith(':small') ? { above: next, below: usual } : { above: usual, below: next };
}

/** A refusal that no error has without a dialect. */
const refused = { status: 418, body: 'empty' } as const;

describe.each(askedNames)('%s', (asked) => {
  test('refuses each error as its cell says', async () => {
    const cases = errorsOf[asked].map((error) => ({
      error,
      cell: { ...refused, ...boundsOf(error) },
    }));
    await sendAll(asked, cases, ({ error: { id } }, { answer, wrong }) => {
      expect([id, wrong, answer.status, answer.text]).toEqual([id, wrong, 418, '']);
    });
  });

  // Nothing is answered at an unknown path.
  if (asked === 'unknownRoute') return;
  test('accepts each error as its cell says', async () => {
    const cases = errorsOf[asked].flatMap((error) =>
      wordsFor(asked, error.id).map((word) => ({ error, cell: cellWith(word, error) })),
    );
    await sendAll(asked, cases, ({ error, cell }, sent) =>
      expectAccepted(asked, error, cell, sent),
    );
  });
});

test('nothing is wrong with the value of a field that is dropped', async () => {
  const dropped = {
    'field:record:given': 'dropped',
    'field:profiles[].gop:given': 'dropped',
  } as const;
  const { send } = await clientOf({ refusals: { '*': { '*': 412 }, createStream: dropped } });
  const profile = { name: '720p', bitrate: 2_000_000, fps: 30, width: 1280, height: 720 };
  const profiles = [{ ...profile, gop: null }];
  const { status, json } = await send('POST /api/stream', { name: 'a', record: 'yes', profiles });
  expect([status, json]).toMatchObject([201, { record: false, profiles: [profile] }]);
});

function cellWith(word: ReturnType<typeof wordsFor>[number], error: RequestError): Cell {
  const bounds = word === 'kept' || word === 'accepted' ? {} : boundsOf(error);
  if (word === 'redirect') return { redirect: 308 };
  return word === 'constant' ? { constant: 'constant', ...bounds } : { as: word, ...bounds };
}

async function expectAccepted(asked: Asked, error: RequestError, cell: Cell, sent: Sent) {
  const { answer, wrong } = sent;
  const about = `${error.id} ${JSON.stringify(cell)} ${JSON.stringify(wrong).slice(0, 60)}`;
  if ('redirect' in cell) return expect([about, answer.status]).toEqual([about, 308]);
  // A body that is read as an empty object lacks fields, and a deep one has an unknown one.
  const isRead = error.id.startsWith('body:') && answer.status === 422;
  expect([about, isRead || answer.status < 300]).toEqual([about, true]);
  if (!('field' in wrong) || !isCompared(error, cell)) return undefined;
  const value = 'value' in wrong ? wrong.value : undefined;
  return expect([about, await shownAfter(asked, wrong.field, sent)]).toEqual([
    about,
    isRefusal(cell) ? undefined : convert(cell, value),
  ]);
}

/** Whether a stream shows what becomes of a value: what is dropped it had before, or has by default. */
function isCompared({ id }: RequestError, cell: Cell): boolean {
  if ('as' in cell && cell.as.endsWith('dropped')) return false;
  if (id === 'field:record:missing') return false;
  return !/field:(profiles|multistream|creatorId):/.test(id);
}

/** What a stream shows of a field after a request. */
async function shownAfter(
  asked: Asked,
  field: string,
  { answer, id, client }: Sent,
): Promise<unknown> {
  const { json } = asked === 'createStream' ? answer : await client.send(`GET /api/stream/${id}`);
  if (!field.startsWith('profiles[]')) return json[field];
  const [profile] = (json['profiles'] ?? []) as Record<string, unknown>[];
  const key = field.slice('profiles[].'.length);
  return key === '' ? profile : profile?.[key];
}
