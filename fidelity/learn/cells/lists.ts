import { Blocked } from '../../../conformance/target/failure.ts';
import { recordedSessionsPath } from '../../../conformance/target/operations.ts';
import { wordsFor } from '../../../interface/accepted.ts';
import type { AcceptedAs } from '../../../interface/cells.ts';
import type { Asked } from '../../../interface/errors.ts';
import { textOf } from '../../json.ts';
import { type Asking, type Question, Unsayable } from '../asking/asking.ts';
import { recordsIn } from '../asking/records.ts';
import { severalSessions } from '../asking/sessions.ts';
import { findOnPages, severalStreams } from '../asking/streams.ts';

type ListName = 'listStreams' | 'listSessionsOfStream' | 'listSessions';

/** A list of several records, and where it is. */
export interface KnownList {
  readonly path: string;
  /** The stream whose sessions it shows. */
  readonly streamId: string;
}

/** Each list, with several records. */
export const knownLists: Readonly<Record<ListName, Question<KnownList>>> = {
  async listStreams({ ask, readOnly }) {
    if (!readOnly) await ask(severalStreams);
    return { path: '/stream', streamId: '' };
  },
  async listSessionsOfStream({ ask }) {
    const { streamId } = await ask(severalSessions);
    return { path: recordedSessionsPath(streamId), streamId };
  },
  async listSessions(asking) {
    await asking.ask(severalSessions);
    const [first] =
      recordsIn(await asking.send({ method: 'GET', path: '/session' }))?.records ?? [];
    // A stream that went live, and whose sessions are not the first of the list anyway.
    const { live, streams } = asking.creations;
    const other = streams.find((id) => live.has(id) && id !== first?.['parentId']);
    return { path: '/session', streamId: other ?? '' };
  },
};

/** Whether what is asked for is a list. */
export function isList(asked: Asked): asked is ListName {
  return asked in knownLists;
}

/** The ids on the first page of a list, in their order. @throws Blocked where it is refused */
async function idsOf(asking: Asking, path: string): Promise<readonly string[]> {
  const response = await asking.send({ method: 'GET', path });
  const shown = recordsIn(response);
  if (shown?.isList) return shown.records.map(({ id }) => textOf(id));
  throw new Blocked(`a list: it got status ${response.status}`);
}

/** An address with one more parameter. */
export function withQuery(path: string, query: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}${query}`;
}

/** What became of a query parameter that a list accepted. */
export async function readList(
  asking: Asking,
  asked: ListName,
  error: string,
  shown: readonly (readonly string[])[],
): Promise<AcceptedAs> {
  const words = wordsFor(asked, error);
  const list = await asking.ask(knownLists[asked]);
  const [, name = '', kind = ''] = error.split(':');
  const [only] = words;
  if (words.length === 1 && only !== undefined && only !== 'constant' && only !== 'redirect')
    return only;
  const all = await idsOf(asking, list.path);
  if (all.length < 2) throw new Blocked('a list of two records');
  const word = await wordOf(asking, { name, kind, path: list.path, all, shown });
  if (words.includes(word)) return word;
  throw new Unsayable(`expected one of ${words.join(', ')}, got ${word}`);
}

interface Listed {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  /** What the list shows without the parameter. */
  readonly all: readonly string[];
  /** What it shows with each value of it. */
  readonly shown: readonly (readonly string[])[];
}

async function wordOf(
  asking: Asking,
  { name, kind, path, all, shown }: Listed,
): Promise<AcceptedAs> {
  const [first = []] = shown;
  switch (`${name}:${kind}`) {
    case 'limit:fraction':
      if (first.length === all.length) return 'dropped';
      return first.length === 2 ? 'rounded' : 'truncated';
    case 'limit:large':
      return 'kept';
    case 'record:given':
      return recordWord(asking, path);
    case 'order:given': {
      // The usual order may be the one that was asked for.
      const other = await idsOf(asking, withQuery(path, 'order=createdAt-true'));
      return other.join() === first.join() ? 'dropped' : 'kept';
    }
    default:
      if (kind === 'given' || name === 'parentId') {
        return all.join() === first.join() ? 'dropped' : 'kept';
      }
      return shown.every((ids) => ids.length === 0) ? 'empty' : 'dropped';
  }
}

/** A list may be the same without the parameter, and new sessions may be on its last page. */
async function recordWord(asking: Asking, path: string): Promise<AcceptedAs> {
  const { unrecorded } = await asking.ask(severalSessions);
  const other = await findOnPages(
    asking,
    path.includes('record=1') ? path : withQuery(path, 'record=1'),
    ({ id, record }) => record === false || unrecorded.includes(textOf(id)),
  );
  return other === undefined ? 'kept' : 'dropped';
}
