import { isObject } from '../../interface/json.ts';
import {
  type InterfaceOperationName,
  isInterfaceOperation,
  statedOperationNames,
} from '../../interface/operation-names.ts';
import { interfaceOperations } from '../../interface/operations.ts';
import type { Exchange } from '../../mocks/journal/exchange.ts';
import { shorten } from '../../text/phrases.ts';
import { hiddenKey } from '../../text/redact.ts';

/** A request that an app sent, in words, and how often. */
export interface SentNote {
  readonly text: string;
  readonly times: number;
}

/** What an app sent in all runs of its tests. These are notes: an app may send what no clause describes. */
export interface SentRequests {
  /** How many requests were seen, without those for media. */
  readonly total: number;
  /** The operations that the interface states, but the tests never used, such as `POST /stream`. */
  readonly unused: readonly string[];
  /** Requests, or parts of them, that no clause describes. */
  readonly undescribed: readonly SentNote[];
  /** Requests that the plain mock refused, by reason. What only a variant refuses is not the app's fault. */
  readonly refused: readonly SentNote[];
}

/** Different notes of one kind that are counted; an app's tests decide how many there would be. */
const mostNotes = 200;

/** The values of query parameters that the clauses describe. */
const describedQueries: Partial<Record<InterfaceOperationName, Readonly<Record<string, string>>>> =
  { listSessionsOfStream: { record: '1' } };

/** The fields of bodies that the clauses describe. */
const describedFields: Partial<Record<InterfaceOperationName, readonly string[]>> = {
  createStream: ['name', 'profiles', 'record'],
  setRecord: ['record'],
};

const describedProfileFields: readonly string[] = ['name', 'bitrate', 'fps', 'width', 'height'];

/** Counts what an app sends, from one exchange after another. */
export function tallySentRequests() {
  let total = 0;
  const used = new Set<string>();
  const undescribed = new Map<string, number>();
  const refused = new Map<string, number>();
  return {
    /** @param isPlain whether the plain mock answered it: others also refuse what an app may send */
    add(exchange: Exchange, isPlain: boolean): void {
      const { operation } = exchange;
      // A player requests media at addresses that the service has handed out.
      if (operation !== undefined && !isInterfaceOperation(operation)) return;
      total += 1;
      if (operation !== undefined) used.add(operation);
      for (const text of undescribedIn(exchange, operation)) count(undescribed, text);
      const reason = isPlain ? refusalIn(exchange, operation) : undefined;
      if (reason !== undefined) count(refused, reason);
    },
    read: (): SentRequests => ({
      total,
      unused: statedOperationNames.filter((name) => !used.has(name)).map(lineOf),
      undescribed: notesOf(undescribed),
      refused: notesOf(refused),
    }),
  };
}

function count(notes: Map<string, number>, text: string): void {
  const before = notes.get(text);
  if (before === undefined && notes.size >= mostNotes) return;
  notes.set(text, (before ?? 0) + 1);
}

/** The most frequent first. */
function notesOf(notes: ReadonlyMap<string, number>): SentNote[] {
  return [...notes]
    .map(([text, times]) => ({ text, times }))
    .toSorted((left, right) => right.times - left.times);
}

/** What a request is, with parameters in braces. */
function lineOf(operation: InterfaceOperationName): string {
  const { method, path } = interfaceOperations[operation];
  return `${method} ${path}`;
}

/** What no clause describes about a request, in words. */
function undescribedIn(
  { request }: Exchange,
  operation: InterfaceOperationName | undefined,
): string[] {
  const { method, url, headers, body } = request;
  const line = operation === undefined ? `${method} ${routeOf(url)}` : lineOf(operation);
  const isJson = /^application\/([\w.+-]*\+)?json\b/i.test(headers['content-type'] ?? '');
  const given = headers['content-type'];
  const type = given === undefined ? 'no content type' : `the content type ${shorten(given, 80)}`;
  return [
    ...(url.includes(hiddenKey) ? [`${line}: an API key in the address`] : []),
    ...(body && !isJson ? [`${line}: a body with ${type}`] : []),
    ...(operation === undefined
      ? [`${line}: no such operation`]
      : undescribedPartsOf(request, operation)),
  ];
}

function undescribedPartsOf(
  { url, body }: Exchange['request'],
  operation: InterfaceOperationName,
): string[] {
  const line = lineOf(operation);
  const queries = undescribedQueries(url, operation).map(
    (text) => `${line}: the query parameter ${text}`,
  );
  if (!('clause' in interfaceOperations[operation]))
    return [`${line}: no clause names it`, ...queries];
  const fields = undescribedFields(body, operation).map((name) => `${line}: the field ${name}`);
  return [...queries, ...fields];
}

function undescribedQueries(url: string, operation: InterfaceOperationName): string[] {
  const known = describedQueries[operation] ?? {};
  const pairs = URL.canParse(url) ? [...new URL(url).searchParams] : [];
  return [...new Set(pairs.filter(([name, value]) => known[name] !== value).map(nameQuery))];

  function nameQuery([name, value]: [string, string]): string {
    return Object.hasOwn(known, name) ? `${shorten(`${name}=${value}`, 80)}` : shorten(name, 80);
  }
}

/** The names of fields in a body, with their path. */
function undescribedFields(body: string | undefined, operation: InterfaceOperationName): string[] {
  const known = describedFields[operation];
  const value = body === undefined ? undefined : parse(body);
  if (known === undefined || !isObject(value)) return [];
  const profiles: unknown[] = Array.isArray(value['profiles']) ? value['profiles'] : [];
  const ofProfiles = profiles.filter(isObject).flatMap((profile) =>
    Object.keys(profile)
      .filter((name) => !describedProfileFields.includes(name))
      .map((name) => `profiles[].${shorten(name, 80)}`),
  );
  const own = Object.keys(value).filter((name) => !known.includes(name));
  return [...new Set([...own.map((name) => shorten(name, 80)), ...ofProfiles])];
}

/** Why a request was refused; `undefined` if it was not, or if the tests themselves asked for it with a fault. */
function refusalIn(
  { request, response, fault }: Exchange,
  operation: InterfaceOperationName | undefined,
): string | undefined {
  if (response.status < 400 || fault !== undefined) return undefined;
  const line =
    operation === undefined ? `${request.method} ${routeOf(request.url)}` : lineOf(operation);
  const value = response.body === undefined ? undefined : parse(response.body);
  const [first] = isObject(value) && Array.isArray(value['errors']) ? value['errors'] : [];
  const reason = typeof first === 'string' ? `: ${withoutIds(shorten(first, 200))}` : '';
  return `${line}: ${response.status}${reason}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The path of an address, with `{id}` in place of ids. */
function routeOf(url: string): string {
  const path = /^\w+:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? url;
  return shorten(withoutIds(path), 120);
}

function withoutIds(text: string): string {
  return text.replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, '{id}');
}
