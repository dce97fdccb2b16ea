import { createHash } from 'node:crypto';
import { shorten } from '../../../text/phrases.ts';
import { hideKeys } from '../../../text/redact.ts';
import { visible } from '../../../text/visible.ts';
import type { Responder } from '../../http/app.ts';
import { notesOf } from '../../http/arrival.ts';
import { whipPath } from '../../http/routes.ts';
import { andThen } from '../../http/settle.ts';
import { requestPath } from '../../messages/request-path.ts';
import type { Notice, Operator } from '../../service/operator.ts';

/** How the log writes: lines of JSON for programs, or lines of text for people. */
export const logForms = ['json', 'text'] as const;

export type LogForm = (typeof logForms)[number];

/** A notice of the mock, of its store or of its server. */
interface LogNotice extends Omit<Notice, 'kind'> {
  readonly kind: Notice['kind'] | keyof typeof serverNotices;
}

/** What only the log of a server says, by kind. */
const serverNotices = {
  'store-away': 'the store no longer responds',
  'store-back': 'the store responds again',
  'store-loss': 'the store has lost changes that it had confirmed',
  'store-repaired': 'an incomplete change at the end of a file was removed',
  'change-lost': 'the server ends with a change that was not kept',
  'ingest-refused': 'an encoder or a camera was refused',
  'fault-unused': 'the server ends, and a fault has matched nothing',
} as const;

/** One request, as the log has it. */
interface LoggedRequest {
  readonly time: string;
  readonly method: string;
  readonly path: string;
  /** 0 if a fault has broken the connection. */
  readonly status: number;
  /** Until the response began. */
  readonly milliseconds: number;
  readonly world?: string;
  /** The id of the fault that matched it. */
  readonly fault?: number;
}

/** What a server writes about what happens to it. */
export type Log = ReturnType<typeof createLog>;

/** The longest texts in a line, in characters. Longer ones are cut. */
const longestMessage = 1_500;
const longestPath = 500;

/** What comes as often as requests do is said at most once in this many milliseconds. */
const silence = 60_000;

const frequentKinds: ReadonlySet<LogNotice['kind']> = new Set(['key-refused', 'limit', 'not-kept']);

interface LogSettings {
  /** Without a form, the log has only notices, as text. */
  readonly form?: LogForm | undefined;
  /** The keys of the mock if they are secrets, which no line may show. */
  readonly apiKeys?: readonly string[] | undefined;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** Makes the log of a server. `write` gets one line at a time, with its line break. */
export function createLog(
  write: (line: string) => unknown,
  { form, apiKeys, now = Date.now }: LogSettings = {},
) {
  const hide = hideKeys(apiKeys ?? []);
  /** What the log calls the world of a key: the key or, if that is a secret, the beginning of its digest. */
  const nameOf = apiKeys === undefined ? (apiKey: string) => apiKey : shortDigestOf;
  const timestamp = () => new Date(now()).toISOString();
  const mayFollow = limitFrequentNotices(now);
  const tell = (notice: LogNotice): void => {
    const left = mayFollow(notice);
    if (left === undefined) return;
    const { kind, apiKey } = notice;
    const name = apiKey && nameOf(apiKey);
    const more = left === 0 ? '' : ` (and ${left} more since the last such line)`;
    const message = oneLine(hide(notice.message), longestMessage) + more;
    if (form === 'json') {
      write(`${JSON.stringify({ time: timestamp(), notice: kind, message, world: name })}\n`);
    } else {
      const about = name === undefined ? '' : `world ${name}: `;
      write(`livestream-mock: ${about}${message}\n`);
    }
  };
  const log = (request: LoggedRequest): void => {
    write(`${form === 'json' ? JSON.stringify(request) : textOf(request)}\n`);
  };
  return {
    tell,
    /** How a mock reports to this log. */
    operator: { tell, logsRequests: form !== undefined } satisfies Operator,
    /** Lets the log have a line for each request, if that was asked for. */
    withRequests(respond: Responder): Responder {
      if (form === undefined) return respond;
      return (request) => {
        const time = timestamp();
        const begin = performance.now();
        return andThen(respond(request), (response) => {
          const milliseconds = Number((performance.now() - begin).toFixed(3));
          const { method } = request;
          const { status } = response;
          const path = hide(pathToShow(request));
          const { world, fault } = notesOf(request) ?? {};
          log({
            time,
            method,
            path,
            status,
            milliseconds,
            ...(world !== undefined && { world: nameOf(world.apiKey) }),
            ...(fault !== undefined && { fault }),
          });
          return response;
        });
      };
    },
  };
}

/**
 * Makes the function that says whether a notice may follow those before it: `undefined` if not, or else how many like it
 * were left out before.
 */
function limitFrequentNotices(now: () => number): (notice: LogNotice) => number | undefined {
  const latest = new Map<string, { readonly at: number; left: number }>();
  return ({ kind, message }) => {
    if (!frequentKinds.has(kind)) return 0;
    // The first words of a limit say which it is.
    const subject = kind === 'limit' ? `limit ${message.split(':', 1)}` : kind;
    const before = latest.get(subject);
    const at = now();
    if (before !== undefined && at - before.at < silence) {
      before.left += 1;
      return undefined;
    }
    latest.set(subject, { at, left: 0 });
    return before?.left ?? 0;
  };
}

/** The path of a request, without what is secret in it: a stream key lets anybody go live. */
function pathToShow(request: Request): string {
  const path = requestPath(request);
  const shown = path.startsWith(`${whipPath}/`) ? `${whipPath}/[stream key]` : path;
  return oneLine(shown, longestPath);
}

function oneLine(text: string, longest: number): string {
  return visible(shorten(text.replace(/\s+/g, ' '), longest));
}

function shortDigestOf(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, 12);
}

function textOf({ time, method, path, status, milliseconds, world, fault }: LoggedRequest): string {
  return [
    time.slice(11, 23),
    method.padEnd(6),
    status === 0 ? 'cut' : status,
    `${milliseconds.toFixed(1)} ms`.padStart(9),
    path,
    ...(world === undefined ? [] : [world]),
    ...(fault === undefined ? [] : [`fault ${fault}`]),
  ].join(' ');
}
