import type { Answer } from '../http/answer.ts';
import { sentKey } from '../http/credential.ts';
import type { ClientOperation } from '../http/operation-names.ts';
import type { Exchange } from './exchange.ts';

/** What there is to keep of a request and its answer. */
interface Happening {
  readonly at: number;
  readonly operation: ClientOperation | undefined;
  readonly request: Request;
  readonly body: Uint8Array | undefined;
  readonly answer: Answer;
}

/** The last exchanges of one world. */
export interface Journal {
  add(happening: Happening): void;
  /** Oldest first. */
  exchanges(): Exchange[];
  clear(): void;
  /** Puts others in the place of all. */
  replace(exchanges: readonly Exchange[]): void;
  /** Forgets all, and takes no part in the common room any more. */
  close(): void;
}

/** Bytes that the journals of one mock share, so that many worlds stay bounded too. */
export interface JournalRoom {
  left: number;
  readonly journals: Set<Shelf>;
}

/** What one journal takes of the common room. */
interface Shelf {
  size: number;
  readonly entries: Entry[];
}

/** Makes the room for the journals of one mock. */
export function createJournalRoom(bytes: number = 128 * 1024 * 1024): JournalRoom {
  return { left: bytes, journals: new Set() };
}

/** Gives room up where most is taken, so that a busy world does not empty a quiet one's journal. */
function makeRoom(room: JournalRoom): void {
  while (room.left < 0) {
    const [first, ...others] = room.journals;
    if (first === undefined) return;
    dropOldest(
      room,
      others.reduce((most, shelf) => (shelf.size > most.size ? shelf : most), first),
    );
  }
}

function dropOldest(room: JournalRoom, shelf: Shelf): void {
  const size = shelf.entries.shift()?.size ?? 0;
  shelf.size -= size;
  room.left += size;
}

/** Exchanges that a journal keeps. */
const journalLength = 1000;
/** Bytes that an exchange is taken to cost beside its bodies. */
const overhead = 2 * 1024;

/** What stays of a request and its answer: no media, and nothing that holds on to a connection. */
interface Kept {
  readonly number: number;
  readonly at: number;
  readonly operation: ClientOperation | undefined;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array | undefined;
  readonly status: number;
  readonly answerHeaders: Answer['headers'];
  readonly answerBody: string | undefined;
}

/** An exchange as it happened here, or as it was imported. */
type Entry = { readonly size: number } & (Kept | { readonly imported: Exchange });

/**
 * Makes a journal that shows none of `secrets`, nor the key that a request came with. Adding is done at every request, so all that can wait is left for reading:
 * headers are kept as they came, and keys are replaced when somebody looks.
 */
export function createJournal(room: JournalRoom, secrets: readonly string[]): Journal {
  const shelf: Shelf = { size: 0, entries: [] };
  room.journals.add(shelf);
  const { entries } = shelf;
  let added = 0;
  const push = (entry: Entry): void => {
    entries.push(entry);
    shelf.size += entry.size;
    room.left -= entry.size;
    if (entries.length > journalLength) dropOldest(room, shelf);
    if (room.left < 0) makeRoom(room);
  };
  const clear = (): void => {
    while (entries.length > 0) dropOldest(room, shelf);
  };
  return {
    add({ at, operation, request, body, answer }) {
      const answerBody = typeof answer.body === 'string' ? answer.body : undefined;
      push({
        size: overhead + (body?.length ?? 0) + (answerBody?.length ?? 0),
        number: ++added,
        at,
        operation,
        method: request.method,
        url: request.url,
        headers: request.headers,
        body,
        status: answer.status,
        answerHeaders: answer.headers,
        answerBody,
      });
    },
    exchanges: () =>
      entries.map((entry) =>
        'imported' in entry ? structuredClone(entry.imported) : show(entry, secrets),
      ),
    clear,
    replace(exchanges) {
      clear();
      added = exchanges.at(-1)?.number ?? 0;
      for (const imported of exchanges) {
        const { request, answer } = imported;
        const size = overhead + (request.body?.length ?? 0) + (answer.body?.length ?? 0);
        push({ size, imported });
      }
    },
    close() {
      clear();
      room.journals.delete(shelf);
    },
  };
}

const placeholder = '[API key]';
/** What is shorter is no key, and would be found in any text. */
const shortestKey = 6;

/** The ways in which a key can be written: as it is, in an address, in JSON. */
function spellings(secrets: readonly string[]): string[] {
  return secrets
    .filter(({ length }) => length >= shortestKey)
    .flatMap((key) => [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]);
}

function show(kept: Kept, secrets: readonly string[]): Exchange {
  const { number, at, operation, body, answerBody } = kept;
  const hidden = spellings([...secrets, sentKey(kept.headers) ?? '']);
  const clean = (text: string): string =>
    hidden.reduce((rest, spelling) => rest.replaceAll(spelling, placeholder), text);
  const cleanAll = (headers: Iterable<[string, string]>): Record<string, string> =>
    Object.fromEntries(
      [...headers].map(([name, value]) => [
        name,
        name === 'authorization' ? value.replace(/(^\S+ +)?.+/, `$1${placeholder}`) : clean(value),
      ]),
    );
  return {
    number,
    at,
    ...(operation !== undefined && { operation }),
    request: {
      method: kept.method,
      url: clean(kept.url),
      headers: cleanAll(kept.headers),
      ...(body !== undefined && { body: clean(new TextDecoder().decode(body)) }),
    },
    answer: {
      status: kept.status,
      headers: cleanAll(Object.entries(kept.answerHeaders)),
      ...(answerBody !== undefined && { body: clean(answerBody) }),
    },
  };
}
