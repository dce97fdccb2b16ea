import type { ClientOperation } from '../../interface/operation-names.ts';
import { isText, type PlainResponse } from '../messages/response.ts';
import type { Arranged, Exchange } from './exchange.ts';
import { type Hide, hideSecrets } from './hide-secrets.ts';
import { copyExchange, createShow, type KeptExchange } from './show.ts';
import { sizeOfExchange, sizeOfMessages } from './size.ts';

/** A request and its response, to be added to a journal. */
interface Messages {
  readonly startedAt: number;
  readonly at: number;
  /** The id of the fault that matched it. */
  readonly fault: number | undefined;
  readonly operation: ClientOperation | undefined;
  /** Whether a static route of the dialect answered it. */
  readonly isStatic?: true | undefined;
  readonly request: Request;
  readonly body: Uint8Array | undefined;
  readonly response: PlainResponse;
}

/** The last exchanges of one world. */
export interface Journal {
  add(messages: Messages): void;
  /** Oldest first. */
  exchanges(): Exchange[];
  /** Notes what a tester did, which an archive tells. */
  arrange(arranged: Arranged): void;
  /** What testers did, oldest first, each with the number of the exchange before it. */
  arranged(): readonly (Arranged & { after: number })[];
  clear(): void;
  /** Replaces all exchanges. */
  replace(exchanges: readonly Exchange[]): void;
  /** Clears it, gives up its part of the common room, and adds nothing any more. */
  close(): void;
}

/** Bytes that the journals of one mock share, so that many worlds stay bounded too. */
export interface JournalRoom {
  left: number;
  readonly journals: Set<Entries>;
}

/** The entries of one journal, oldest first, and the bytes that they take of the common room. */
interface Entries {
  size: number;
  readonly list: Entry[];
}

/** An exchange of this mock, or an imported one. */
type Entry = { readonly size: number } & (KeptExchange | { readonly imported: Exchange });

/** Makes the room for the journals of one mock. */
export function createJournalRoom(bytes: number = 128 * 1024 * 1024): JournalRoom {
  return { left: bytes, journals: new Set() };
}

/** Drops entries of the largest journal, so that a busy world does not empty a quiet one's journal. */
function makeRoom(room: JournalRoom): void {
  while (room.left < 0) {
    const [first, ...others] = room.journals;
    if (first === undefined) return;
    dropOldest(
      room,
      others.reduce((largest, entries) => (entries.size > largest.size ? entries : largest), first),
    );
  }
}

function dropOldest(room: JournalRoom, entries: Entries): void {
  const size = entries.list.shift()?.size ?? 0;
  entries.size -= size;
  room.left += size;
}

/** Most exchanges in a journal. */
const journalLength = 1000;

/**
 * Makes a journal that shows neither `secrets` nor the key of a request. Every request adds to it, so
 * what can wait is done when it is read: headers are kept as they came, and keys are replaced then.
 */
export function createJournal(room: JournalRoom, secrets: readonly string[]): Journal {
  const entries: Entries = { size: 0, list: [] };
  room.journals.add(entries);
  const arranged: (Arranged & { after: number })[] = [];
  let added = 0;
  let hide: Hide | undefined;
  const push = (entry: Entry): void => {
    if (!room.journals.has(entries)) return;
    entries.list.push(entry);
    entries.size += entry.size;
    room.left -= entry.size;
    if (entries.list.length > journalLength) dropOldest(room, entries);
    if (room.left < 0) makeRoom(room);
  };
  const clear = (): void => {
    arranged.length = 0;
    while (entries.list.length > 0) dropOldest(room, entries);
  };
  return {
    add({ startedAt, at, operation, fault, isStatic, request, body, response }) {
      push({
        size: sizeOfMessages(request, body, response),
        number: ++added,
        startedAt,
        at,
        fault,
        operation,
        isStatic,
        method: request.method,
        url: request.url,
        headers: request.headers,
        body,
        status: response.status,
        responseHeaders: response.headers,
        responseBody: isText(response.body) ? response.body : undefined,
      });
    },
    exchanges() {
      hide ??= hideSecrets(secrets);
      const show = createShow(secrets, hide);
      return entries.list.map((entry) =>
        'imported' in entry ? copyExchange(entry.imported) : show(entry),
      );
    },
    arrange(one) {
      arranged.push({ ...one, after: added });
      if (arranged.length > journalLength) arranged.shift();
    },
    arranged: () => arranged,
    clear,
    replace(exchanges) {
      clear();
      added = exchanges.at(-1)?.number ?? 0;
      for (const imported of exchanges) push({ size: sizeOfExchange(imported), imported });
    },
    close() {
      clear();
      room.journals.delete(entries);
    },
  };
}
