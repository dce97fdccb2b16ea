import type { Answer } from './http/answer.ts';

/** One request and its answer, as a world's journal keeps it; API keys are replaced. */
export interface Exchange {
  /** Counts the exchanges of a world from 1. */
  readonly number: number;
  /** When it was answered: milliseconds since 1970 on the world's clock. */
  readonly at: number;
  /** Name of the operation or of the media route; left out where the route is unknown. */
  readonly operation?: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    /** The body as it came; left out where there was none. */
    readonly body?: string;
  };
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    /** The body, where it is text; media is left out. */
    readonly body?: string;
  };
}

/** What there is to keep of a request and its answer. */
interface Happening {
  readonly at: number;
  readonly operation: string | undefined;
  readonly request: Request;
  readonly body: Uint8Array | undefined;
  /** What must not be read in a journal: the key that came. */
  readonly secret: string | undefined;
  readonly answer: Answer;
}

/** The last exchanges of one world. */
export interface Journal {
  add(happening: Happening): void;
  /** Oldest first. */
  exchanges(): Exchange[];
  clear(): void;
}

/** Bytes that the journals of one mock share, so that many worlds stay bounded too. */
export interface JournalRoom {
  left: number;
}

/** Exchanges that a journal keeps. */
const journalLength = 1000;
/** Bytes that an exchange is taken to cost beside its bodies. */
const overhead = 2 * 1024;

interface Entry extends Omit<Happening, 'request' | 'answer'> {
  readonly number: number;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly status: number;
  readonly answerHeaders: Answer['headers'];
  readonly answerBody: string | undefined;
  readonly size: number;
}

/**
 * Makes a journal. Adding is done at every request, so all that can wait is left for reading:
 * headers are kept as they came, and keys are replaced when somebody looks.
 */
export function createJournal(room: JournalRoom): Journal {
  const entries: Entry[] = [];
  let added = 0;
  const drop = (): void => {
    room.left += entries.shift()?.size ?? 0;
  };
  return {
    add({ request, answer, ...kept }) {
      const answerBody = typeof answer.body === 'string' ? answer.body : undefined;
      const size = overhead + (kept.body?.length ?? 0) + (answerBody?.length ?? 0);
      entries.push({
        ...kept,
        number: ++added,
        method: request.method,
        url: request.url,
        headers: request.headers,
        status: answer.status,
        answerHeaders: answer.headers,
        answerBody,
        size,
      });
      room.left -= size;
      while (entries.length > journalLength || (room.left < 0 && entries.length > 1)) drop();
    },
    exchanges: () => entries.map(show),
    clear() {
      while (entries.length > 0) drop();
    },
  };
}

function show(entry: Entry): Exchange {
  const { number, at, operation, body, answerBody, secret } = entry;
  const clean = (text: string): string =>
    secret === undefined ? text : text.replaceAll(secret, '[API key]');
  const cleanAll = (headers: Iterable<[string, string]>): Record<string, string> =>
    Object.fromEntries([...headers].map(([name, value]) => [name, clean(value)]));
  return {
    number,
    at,
    ...(operation !== undefined && { operation }),
    request: {
      method: entry.method,
      url: clean(entry.url),
      headers: cleanAll(entry.headers),
      ...(body !== undefined && { body: clean(new TextDecoder().decode(body)) }),
    },
    answer: {
      status: entry.status,
      headers: cleanAll(Object.entries(entry.answerHeaders)),
      ...(answerBody !== undefined && { body: clean(answerBody) }),
    },
  };
}
