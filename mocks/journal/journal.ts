import type { ClientOperation } from '../../interface/operation-names.ts';
import {
  type Hide,
  hideKeys,
  type PreparedKeys,
  prepareKeys,
  shortestKey,
} from '../../text/redact.ts';
import { isText, type PlainResponse } from '../messages/response.ts';
import type { Exchange } from './exchange.ts';
import type { TesterAction } from './har.ts';
import { readHeaders } from './read-headers.ts';

/** A request and its response, for a journal. */
interface Messages extends Pick<Exchange, 'startedAt' | 'at'> {
  readonly operation?: ClientOperation | undefined;
  /** The id of the fault that matched it. */
  readonly fault?: number | undefined;
  /** Whether a static route of the dialect answered it. */
  readonly isStatic?: true | undefined;
  readonly request: Pick<Request, 'method' | 'url' | 'headers'>;
  readonly body?: Uint8Array | undefined;
  readonly response: PlainResponse;
}

/** The last exchanges of one world. */
export type Journal = ReturnType<typeof createJournal>;

/** The bytes that the journals of one mock share, so that even many worlds need limited memory. */
export interface JournalRoom {
  freeBytes: number;
  readonly journals: Set<JournalEntries>;
}

/** The entries of one journal, oldest first, and how many bytes of the common room they take. */
interface JournalEntries {
  size: number;
  readonly list: JournalEntry[];
}

/** An exchange, as it is kept until somebody reads it. */
interface JournalEntry {
  readonly number: number;
  readonly size: number;
  read(): Exchange;
}

export function createJournalRoom(bytes: number = 128 * 1024 * 1024): JournalRoom {
  return { freeBytes: bytes, journals: new Set() };
}

/** Drops entries of the largest journal, so that a busy world does not empty the journal of a quiet one. */
function makeRoom(room: JournalRoom): void {
  while (room.freeBytes < 0) {
    const journals = [...room.journals];
    if (journals.length === 0) return;
    const largest = journals.reduce((left, right) => (right.size > left.size ? right : left));
    dropOldest(room, largest);
  }
}

function dropOldest(room: JournalRoom, entries: JournalEntries): void {
  const size = entries.list.shift()?.size ?? 0;
  entries.size -= size;
  room.freeBytes += size;
}

/** Maximum number of exchanges in a journal. */
export const journalLength = 1000;

/**
 * Makes a journal that shows neither `secrets` nor the key of a request. Every request adds to it, so whatever can
 * wait is done when the journal is read: until then, headers are kept as they came and keys are not replaced. Only an
 * exchange with any other key is written at once, so that a key which a stranger made up, of any length, is not kept.
 */
export function createJournal(room: JournalRoom, secrets: readonly string[]) {
  const entries: JournalEntries = { size: 0, list: [] };
  room.journals.add(entries);
  const actions: (TesterAction & { after: number })[] = [];
  let addedCount = 0;
  let hideSecrets: Hide | undefined;
  const push = (entry: JournalEntry): void => {
    if (!room.journals.has(entries)) return;
    entries.list.push(entry);
    entries.size += entry.size;
    room.freeBytes -= entry.size;
    if (entries.list.length > journalLength) dropOldest(room, entries);
    if (room.freeBytes < 0) makeRoom(room);
  };
  const pushWritten = (exchange: Exchange): void => {
    const size = sizeOf([JSON.stringify(exchange)]);
    push({ number: exchange.number, size, read: () => structuredClone(exchange) });
  };
  const clear = (): void => {
    actions.length = 0;
    while (entries.list.length > 0) dropOldest(room, entries);
  };
  return {
    add(messages: Messages): void {
      const unknownKeys = sentKeys(messages.request.headers).filter(
        (key) => !secrets.includes(key),
      );
      const kept = keep(++addedCount, messages);
      if (unknownKeys.length > 0) {
        const hide = hideKeys(unknownKeys.filter(isReplaced), prepareOnce(secrets));
        pushWritten(writeExchange(kept, hide));
        return;
      }
      const read = (): Exchange => {
        hideSecrets ??= hideKeys([], prepareOnce(secrets));
        return writeExchange(kept, hideSecrets);
      };
      const { url, body, headers, pieces = [] } = kept;
      const size = sizeOf([url, body, ...pieces]) + headersLength(headers);
      push({ number: kept.number, size, read });
    },
    /** Oldest first. */
    exchanges: (): Exchange[] => entries.list.map((entry) => entry.read()),
    /** Those with a higher number, oldest first. The others are not even read. */
    exchangesAfter: (number: number): Exchange[] => {
      const first = entries.list.findLastIndex((entry) => entry.number <= number) + 1;
      return entries.list.slice(first).map((entry) => entry.read());
    },
    /** The number of exchanges, which takes no reading of them. */
    count: (): number => entries.list.length,
    /** Adds what a tester did, for the archive. */
    addAction(action: TesterAction): void {
      // An archive without exchanges begins with the restored world.
      if (action.kind === 'restored' && entries.list.length === 0) actions.length = 0;
      else actions.push({ ...action, after: addedCount });
      if (actions.length > journalLength) actions.shift();
    },
    /** What testers did, oldest first, each with the number of the exchange before it. */
    actions: (): readonly (TesterAction & { after: number })[] => actions,
    clear,
    /** Replaces all exchanges. */
    replace(exchanges: readonly Exchange[]): void {
      clear();
      addedCount = exchanges.at(-1)?.number ?? 0;
      for (const imported of exchanges) pushWritten(imported);
    },
    /** Clears it and gives up its part of the common room. After that, nothing is added. */
    close(): void {
      clear();
      room.journals.delete(entries);
    },
  };
}

/** Prepared secrets: all worlds of a mock with given keys have the same ones. */
const preparedSecrets = new WeakMap<readonly string[], PreparedKeys>();

function prepareOnce(secrets: readonly string[]): PreparedKeys {
  const prepared = preparedSecrets.get(secrets) ?? prepareKeys(secrets.filter(isReplaced));
  preparedSecrets.set(secrets, prepared);
  return prepared;
}

/** What a journal keeps of a request and its response. It includes no media, and nothing that holds a connection. */
type Kept = ReturnType<typeof keep>;

function keep(number: number, { request, response, ...messages }: Messages) {
  const { startedAt, at, operation, fault, isStatic, body } = messages;
  const { method, url, headers } = request;
  const { status, headers: responseHeaders } = response;
  const pieces = isText(response.body) ? response.body : undefined;
  return {
    number,
    startedAt,
    at,
    operation,
    fault,
    isStatic,
    method,
    url,
    headers,
    body,
    status,
    responseHeaders,
    pieces,
  };
}

function writeExchange(kept: Kept, hide: Hide): Exchange {
  const { number, startedAt, at, operation, fault, isStatic, pieces } = kept;
  const requestText = kept.body && utf8Text(kept.body);
  return {
    number,
    startedAt,
    at,
    ...(operation !== undefined && { operation }),
    ...(fault !== undefined && { fault }),
    ...(isStatic !== undefined && { static: isStatic }),
    request: {
      method: kept.method,
      url: hide(kept.url),
      headers: readHeaders(kept.headers, hide),
      ...(requestText !== undefined && { body: hide(requestText) }),
    },
    response: {
      status: kept.status,
      headers: readHeaders(Object.entries(kept.responseHeaders), hide),
      // `+` keeps the pieces shared in memory until the text is read; `join` would copy them now.
      ...(pieces && { body: pieces.reduce((text, piece) => text + hide(piece), '') }),
    },
  };
}

/** Clients send wrong keys that are ordinary words, and the mock accepts no key so short. */
function isReplaced({ length }: string): boolean {
  return length >= shortestKey;
}

/** Headers that know their length without being parsed. */
export interface MeasuredHeaders {
  /** Characters of all names and values. */
  readonly textLength: number;
}

function headersLength(headers: Headers): number {
  const { textLength } = headers as Partial<MeasuredHeaders>;
  return textLength ?? [...headers].flat().join('').length;
}

/** The bytes of an exchange besides its texts. */
const exchangeOverhead = 4 * 1024;

/** About how many bytes an exchange takes. An engine uses two for each character of a text that is not Latin-1. */
function sizeOf(texts: readonly (string | Uint8Array | undefined)[]): number {
  return texts.reduce((sum, text) => sum + 2 * (text?.length ?? 0), exchangeOverhead);
}

/** Maximum number of headers with a key of which each key is hidden: preparing each takes time. */
const maxSentKeys = 10;

/** The key of a request. If the header was sent more than once, it has all values, and each may have a key. */
function sentKeys(headers: Headers): string[] {
  const header = headers.get('authorization') ?? '';
  const values = header.includes(', ') ? [header, ...header.split(', ', maxSentKeys)] : [header];
  return values.map((value) => value.replace(/^\S+ +/, '').trim()).filter((key) => key !== '');
}

const bodyDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of some bytes; `undefined` if they are not UTF-8. */
function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return bodyDecoder.decode(bytes);
  } catch {
    return undefined;
  }
}
