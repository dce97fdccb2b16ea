import type { ClientOperation } from '../../interface/operation-names.ts';
import { isText, type PlainResponse } from '../messages/response.ts';
import type { Exchange } from './exchange.ts';
import { type Hide, hideSecrets } from './hide-secrets.ts';
import { copyExchange, createShow, type Kept } from './show.ts';
import { sizeOfExchange, sizeOfHappening } from './size.ts';

/** What there is to keep of a request and its answer. */
interface Happening {
  readonly startedAt: number;
  readonly at: number;
  /** The id of the fault that met it. */
  readonly fault: number | undefined;
  readonly operation: ClientOperation | undefined;
  readonly request: Request;
  readonly body: Uint8Array | undefined;
  readonly answer: PlainResponse;
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
  let hideAll: Hide | undefined;
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
    add({ startedAt, at, operation, fault, request, body, answer }) {
      const answerBody = isText(answer.body) ? answer.body : undefined;
      push({
        size: sizeOfHappening(request, body, answer),
        number: ++added,
        startedAt,
        at,
        fault,
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
    exchanges() {
      hideAll ??= hideSecrets(secrets);
      const show = createShow(secrets, hideAll);
      return entries.map((entry) =>
        'imported' in entry ? copyExchange(entry.imported) : show(entry),
      );
    },
    clear,
    replace(exchanges) {
      clear();
      added = exchanges.at(-1)?.number ?? 0;
      for (const imported of exchanges) push({ size: sizeOfExchange(imported), imported });
    },
    close() {
      clear();
      room.journals.delete(shelf);
    },
  };
}
