import { unknownName } from '../../interface/dialect/errors.ts';
import { isObject } from '../../interface/json.ts';
import { jsonOf } from './bounded-json.ts';
import { Blocked } from './failure.ts';
import { hasMarkedName } from './run-names.ts';
import {
  charactersCut,
  creationPath,
  idEndings,
  isSafeMethod,
  longestId,
  notAnId,
  unknownId,
  unknownPath,
} from './well-known.ts';

/** Every request to a target passes through it. It stops those that may change what this run did not create. */
export type WriteGate = ReturnType<typeof createGate>;

/** A stream or session in a response. */
type SeenItem = Readonly<Record<string, unknown>>;

/** A request as it is sent. */
interface Outgoing {
  readonly method?: string | undefined;
  readonly url: string;
}

/** What the gate reads of a response. */
interface SeenResponse {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Headers;
  /** The body of the request. */
  readonly sent?: string | undefined;
}

/** A request was not sent, as it might change what this run did not create. This is a bug in this program. */
export class ForeignWrite extends Error {
  override readonly name = 'ForeignWrite';
}

/** The query with the parameter of this project that no service knows. */
const harmlessQuery = new RegExp(`^\\?${unknownName}=(1|text)$`);

/** The path of one stream or session, or of something below it. */
const pathOfOne = /^\/(?:stream|session)\/([^/]+)(?:\/[a-z-]+)?\/?$/i;
const pathOfStream = /^\/stream\/([^/]+)\/?$/i;
const recordPath = /^\/stream\/([^/]+)\/record$/;
const pathOfSome = /^\/(?:stream|session)(?:\/|$)/i;
const sessionsPath = /^\/stream\/([^/]+)\/sessions$/i;
/** Streams and sessions, wherever a service puts them. */
const pathWithStreams = /\/(?:stream|session)s?(?:\/|$)/i;
const controlRequestPath = /^\/streams\/([^/]+)\/(start|stop)$/;
/** An id, or a part of a path, that cannot mean a different one, however a server decodes it. */
const plainId = /^(?!\.*$)[\w.~!'()*:@=+$,;&-]+$/;
/** An identifier that is no counter and is so long that no stream has it as its id by chance. */
const unlikelyId = /^(?=.*[a-z]).{12,}$/i;

/**
 * How many characters at the end of an id may count up from one stream to the next. If another id begins like it before
 * them, ids may be counted, so that a shortened one could mean the stream of somebody else.
 */
const charactersCounted = 12;

/** Why a stream is not the run's, although a creation returned its id. */
const doubts = {
  known: 'the service had shown its id before',
  repeated: 'another creation returned the same id',
  old: 'its createdAt lies over 20 minutes before the date of the response',
  unproven: 'its creation had no name of its own, and its createdAt lies before the run',
  child: 'its parentId names a stream that the run did not create, so it may be a session',
  unfit: 'its id does not fit into a path without the risk that it means another one',
  shared: 'the service shows another stream for an id that no stream has',
  shortened: 'another id begins like it',
  alias: 'it is the playback id or stream key of one, and may be the id of another',
} as const;
type Doubt = keyof typeof doubts;
/** Until there are two, nothing shows that each creation gets a stream of its own. */
const alone = 'no other creation returned another id';

/** By how many milliseconds a new stream may be older than the response says. */
const greatestAge = 20 * 60_000;
/** Milliseconds within which two times are the same, as some services count seconds. */
const granularity = 1_000;
/** By how many milliseconds a session may seem older than the streams of the run: it may be dated by another machine. */
const clockSkew = 60_000;

/**
 * A gate that has not learned anything yet.
 *
 * An id in a successful creation proves little: a service may find an existing stream by its name, its key or
 * anything else. A stream belongs to the run if its id is new, another creation returned another id, and no
 * date says that it is old. If its name is not marked as the run's, its date must not lie before the run.
 * @param holdsNothingElse whether the service is a new mock in this process, where every id is the run's
 */
export function createGate({ holdsNothingElse = false } = {}) {
  const bases = { interface: new Set<string>(), control: new Set<string>() } as const;
  /** Ids that this run made up. */
  const madeUp = new Set<string>([unknownId, notAnId]);
  /** Streams that this run created, and the sessions of each with their streams. */
  const ownStreams = new Set<string>();
  const ownSessions = new Map<string, string>();
  /**
   * The streams of this run by their playback ids and stream keys, in lower case; `undefined` for those that may mean
   * another stream.
   */
  const aliases = new Map<string, string | undefined>();
  /** Ids of streams of this run without their last characters, with the whole ids. */
  const shortened = new Map<string, string>();
  /** The ids that the service has shown, by how they begin, in lower case; `undefined` if several begin so. */
  const idsByBeginning = new Map<string, string | undefined>();
  /** Streams of this run that it has deleted, so that no stream has their ids any more. */
  const gone = new Set<string>();
  /** Ids in successful creations; in lower case, as a server may ignore case. */
  const returnedIds = new Set<string>();
  /** Why returned ids are not the run's; in lower case. */
  const doubtful = new Map<string, Doubt>();
  /** The earliest time that the service showed for a stream of this run, in milliseconds since 1970. */
  let firstTime: number | undefined;
  /** Ids that never belong to this run, whatever a target says later; in lower case, as a server may ignore case. */
  const foreignIds = new Set<string>();
  /** Requests to which the user consented. */
  const allowed = new Set<string>();
  let isReadOnly = false;
  let hasCreated = false;
  /**
   * Whether the service shows another stream for an id that no stream has: a write to such an id, or to that of a
   * session, may change that one.
   */
  let mistakesIds = false;
  let refused: ForeignWrite | undefined;

  /** The paths below the addresses of a kind: one address may be below another. */
  const pathsBelow = (kind: keyof typeof bases, url: string): string[] => {
    const [address = ''] = url.split(/[?#]/);
    return [...bases[kind]].flatMap((base) =>
      address.startsWith(`${base}/`) ? [address.slice(base.length)] : [],
    );
  };
  const isForeign = (id: unknown): boolean => foreignIds.has(idText(id).toLowerCase());
  const isProven = (): boolean => holdsNothingElse || ownStreams.size > 1;
  const ownsStream = (id: string): boolean => ownStreams.has(id) && isProven() && !isForeign(id);
  const isMadeFromOne = (id: string): boolean => endedId(id) !== undefined || shortened.has(id);
  const isMistaken = (id: string): boolean =>
    mistakesIds && (madeUp.has(id) || gone.has(id) || ownSessions.has(id) || isMadeFromOne(id));
  const isAlias = (id: string): boolean => aliases.has(id.toLowerCase());
  const noteBeginning = (id: unknown): void => {
    const known = idText(id).toLowerCase();
    const beginning = beginningOf(known);
    if (beginning === '') return;
    const isShared = idsByBeginning.has(beginning) && idsByBeginning.get(beginning) !== known;
    idsByBeginning.set(beginning, isShared ? undefined : known);
  };
  /** Whether no other id begins like this one. */
  const beginsAlone = (id: string): boolean => {
    const known = id.toLowerCase();
    return unlikelyId.test(beginningOf(known)) && idsByBeginning.get(beginningOf(known)) === known;
  };
  /** Whether no id begins like this one, which is shorter than the ids of streams. */
  const isUnlikeAny = (id: string): boolean => !idsByBeginning.has(beginningOf(id.toLowerCase()));
  /** Whether a text is the playback id or stream key of one of this run's streams, and nothing else has it. */
  const ownsAlias = (text: string): boolean =>
    !mistakesIds && !isForeign(text) && ownsStream(aliases.get(text.toLowerCase()) ?? '');
  /**
   * Whether an id is made from one of this run's streams, and no other stream has it: the stream's id with an ending
   * that this run made up or without its last characters, or its playback id or stream key.
   */
  const isDerived = (id: string): boolean => {
    if (mistakesIds || isForeign(id)) return false;
    const whole = shortened.get(id);
    if (whole !== undefined) return ownsStream(whole) && beginsAlone(whole) && isUnlikeAny(id);
    const ended = endedId(id);
    return ended === undefined ? ownsAlias(id) : ownsStream(ended);
  };
  const owns = (id: unknown): boolean => {
    const text = idText(id);
    if (isForeign(text) || isMistaken(text)) return false;
    return madeUp.has(text) || ownsStream(text) || ownsStream(ownSessions.get(text) ?? '');
  };
  const protect = (id: unknown): void => {
    if (idText(id) !== '') foreignIds.add(idText(id).toLowerCase());
    noteBeginning(id);
  };
  /** Why the dates of a new stream do not show that it is new. */
  const doubtOfTime = ({ createdAt }: SeenItem, response: SeenResponse): Doubt | undefined => {
    const time = readTime(createdAt);
    const date = readTime(response.headers?.get('date'));
    if (time !== undefined && date !== undefined && time < date - greatestAge) return 'old';
    if (hasMarkedName(response.sent)) return undefined;
    const isOlder = time !== undefined && firstTime !== undefined && time < firstTime - granularity;
    return isOlder ? 'unproven' : undefined;
  };
  const doubtOf = (id: string, stream: SeenItem, response: SeenResponse): Doubt | undefined => {
    if (!plainId.test(id)) return 'unfit';
    if (returnedIds.has(id.toLowerCase())) return 'repeated';
    if (isForeign(id)) return 'known';
    const parentId = idText(stream['parentId']);
    if (parentId !== '' && !ownsStream(parentId)) return 'child';
    return holdsNothingElse ? undefined : doubtOfTime(stream, response);
  };
  const noteAliases = (id: string, { playbackId, streamKey }: SeenItem): void => {
    for (const alias of [playbackId, streamKey].map(idText)) {
      const isUsable = plainId.test(alias) && unlikelyId.test(alias);
      const known = alias.toLowerCase();
      const isTaken = returnedIds.has(known) || (isAlias(alias) && aliases.get(known) !== id);
      if (alias !== '') aliases.set(known, isUsable && !isTaken ? id : undefined);
    }
  };
  /** Takes a stream as the run's, or does not touch it from now on. */
  const judgeCreated = (stream: SeenItem, response: SeenResponse): void => {
    const id = idText(stream['id']);
    if (id === '') return;
    const doubt = doubtOf(id, stream, response);
    returnedIds.add(id.toLowerCase());
    noteBeginning(id);
    if (doubt === undefined) {
      ownStreams.add(id);
      noteAliases(id, stream);
      const time = readTime(stream['createdAt']);
      if (time !== undefined) firstTime = Math.min(time, firstTime ?? time);
      return;
    }
    doubtful.set(id.toLowerCase(), doubt);
    protect(id);
  };
  const adoptSession = (id: unknown, parentId: unknown): void => {
    const text = idText(id);
    if (plainId.test(text) && !isForeign(text) && !ownStreams.has(text)) {
      ownSessions.set(text, idText(parentId));
      returnedIds.add(text.toLowerCase());
    }
  };

  const mayWrite = ({ method }: Outgoing, path: string): boolean =>
    (method === 'POST' && creationPath.test(path)) ||
    path.toLowerCase().replace(/\/$/, '') === unknownPath ||
    owns(idInPath(pathOfOne.exec(path)?.[1]));
  /** Only switching recording is tried with an id that is made from one of this run's. */
  const maySwitch = ({ method }: Outgoing, path: string): boolean =>
    method === 'PATCH' && isDerived(idInPath(recordPath.exec(path)?.[1]));
  const mayControl = ({ method }: Outgoing, path: string): boolean =>
    method === 'POST' && owns(idInPath(controlRequestPath.exec(path)?.[1]));
  const mayPass = (request: Outgoing): boolean => {
    const { href, search } = new URL(request.url);
    // A server may also take an id from the query.
    if (isReadOnly || (search !== '' && !harmlessQuery.test(search))) return false;
    return (
      allowed.has(lineOf(request)) ||
      pathsBelow('interface', href).some(
        (path) => mayWrite(request, path) || maySwitch(request, path),
      ) ||
      pathsBelow('control', href).some((path) => mayControl(request, path))
    );
  };
  /** Whether a user can consent to writing to a path: it must not name what this run did not create. */
  const mayBeAllowed = (path: string): boolean => {
    const segments = path.slice(1).split('/');
    if (pathWithStreams.test(path)) return false;
    return segments.every((segment) => plainId.test(segment) && !isForeign(segment));
  };
  /** Whether a session has a date from before this run created any stream. */
  const precedesRun = (createdAt: unknown): boolean => {
    const time = readTime(createdAt);
    return time !== undefined && firstTime !== undefined && time < firstTime - clockSkew;
  };
  /** The id of a stream or session, and what means another stream, too, names no stream of this run. */
  const noteNoAlias = (id: unknown): void => {
    if (isAlias(idText(id))) aliases.set(idText(id).toLowerCase(), undefined);
  };
  const note = ({ id, parentId, playbackId, createdAt }: SeenItem, listedFor: string): void => {
    if (!hasCreated) [id, parentId, playbackId].forEach(protect);
    [id, parentId].forEach(noteBeginning);
    noteNoAlias(id);
    if (![id, parentId].some((own) => ownStreams.has(idText(own)))) noteNoAlias(playbackId);
    // A careless service may show an id that was made up as a parent.
    if (ownsStream(idText(parentId)) && !precedesRun(createdAt)) adoptSession(id, parentId);
    else if (idText(parentId) !== '' || isForeign(id) || (listedFor !== '' && !owns(listedFor))) {
      [id, playbackId].forEach(protect);
    }
  };
  const noteOtherShown = (asked: string, shown: string): void => {
    if (madeUp.has(asked) || gone.has(asked)) mistakesIds = true;
    // The stream that an id is made from does no harm: it is the run's.
    const isMade = isAlias(asked) || isMadeFromOne(asked);
    if (isMade && !owns(shown)) mistakesIds = true;
  };
  /** Notes that a stream is gone, or that the service shows another one for an id that no stream has. */
  const noteAbsence = ({ method }: Outgoing, path: string | undefined, body: unknown): void => {
    const asked = idInPath(pathOfStream.exec(path ?? '')?.[1]);
    if (method === 'DELETE' && ownStreams.has(asked)) gone.add(asked);
    const shown = isSafeMethod(method) && isObject(body) ? idText(body['id']) : '';
    if (shown !== '' && shown.toLowerCase() !== asked.toLowerCase()) noteOtherShown(asked, shown);
  };
  const createsStream = ({ method, url }: Outgoing): boolean =>
    method === 'POST' && pathsBelow('interface', url).some((path) => creationPath.test(path));
  const startsSession = ({ method, url }: Outgoing): boolean =>
    method === 'POST' &&
    pathsBelow('control', url).some((path) => controlRequestPath.exec(path)?.[2] === 'start');
  /** Why a stream is not the run's, in words; `undefined` if it is, or if no creation returned its id. */
  const whyNotOwn = (id: unknown): string | undefined => {
    const text = idText(id);
    const doubt = doubtful.get(text.toLowerCase());
    if (doubt !== undefined) return doubts[doubt];
    if (isMistaken(text)) return doubts.shared;
    const ended = endedId(text);
    if (ended !== undefined) return whyNotOwn(ended);
    if (shortened.has(text) && !isDerived(text)) return doubts.shortened;
    if (isAlias(text) && !isDerived(text)) return doubts.alias;
    return ownStreams.has(text) && !isProven() ? alone : undefined;
  };
  const idsWritten = (url: string): string[] => [
    ...pathsBelow('interface', url).map((path) => idInPath(pathOfOne.exec(path)?.[1])),
    ...pathsBelow('control', url).map((path) => idInPath(controlRequestPath.exec(path)?.[1])),
  ];

  return {
    /** Adds the address of the interface. */
    addBase: (address: string) => void bases.interface.add(withoutSlash(address)),
    /** Adds the address of the control API, which may be below or above the interface. */
    addControl: (address: string) => void bases.control.add(withoutSlash(address)),
    /** From now on, no request that writes passes. */
    forbidWrites(): void {
      isReadOnly = true;
    },
    /** The user named this stream: it and its sessions are only read. */
    protect,
    /** This run made up an id, which no stream or session has. */
    addMadeUp(id: string): void {
      if (plainId.test(id)) madeUp.add(id);
    },
    /**
     * The id of a stream of this run without its last characters, in several ways. Recording may be switched by them, as no
     * stream has them: there are none if ids may be counted.
     */
    shortenedIds(id: string): readonly string[] {
      if (!ownsStream(id) || !beginsAlone(id)) return [];
      const ids = charactersCut.map((count) => id.slice(0, -count)).filter(isUnlikeAny);
      for (const shorter of ids) shortened.set(shorter, id);
      return ids;
    },
    /** Whether another creation must follow before anything is written, as there was only one. */
    needsAnother: (id: unknown): boolean => ownStreams.has(idText(id)) && !isProven(),
    /** Why a stream is not touched, although a creation returned its id; `undefined` for any other. */
    whyNotOwn,
    /** Whether this run created the stream with this id, or the stream of the session with this id. */
    owns,
    /** Whether a text names nothing but a stream or session of this run: by its id, its playback id or its stream key. */
    names: (text: unknown): boolean => owns(text) || ownsAlias(idText(text)),
    /** Whether an identifier is so long that nothing of another kind has it by chance. */
    isUnlikely: (id: unknown): boolean => unlikelyId.test(idText(id)),
    /**
     * The user consented to a request that writes. Returns whether it may be sent: not if it names a stream
     * or session that this run did not create.
     */
    allow(request: Outgoing): boolean {
      const paths = pathsBelow('interface', new URL(request.url).href);
      if (paths.length > 0 && paths.every(mayBeAllowed)) allowed.add(lineOf(request));
      return mayPass(request);
    },
    /**
     * @throws ForeignWrite for a request that may change what this run did not create, and Blocked if that is because
     *   the service returned the id of a stream for another creation, too.
     */
    admit(request: Outgoing): void {
      const { method = 'GET', url } = request;
      if (isSafeMethod(method)) return;
      if (mayPass(request)) {
        hasCreated ||= createsStream(request) || startsSession(request);
        return;
      }
      for (const id of isReadOnly ? [] : idsWritten(url)) {
        const reason = whyNotOwn(id);
        if (reason !== undefined) throw new Blocked(`the stream is not touched, as ${reason}`);
      }
      const { pathname } = new URL(url);
      const exception = new ForeignWrite(
        `${method} ${pathname} was not sent, as it may change what this run did not create`,
      );
      refused ??= exception;
      throw exception;
    },
    /**
     * Learns from a successful response which ids belong to this run. Those that were shown before its first
     * creation do not, nor do the sessions of any other stream.
     */
    learn(request: Outgoing, response: SeenResponse): void {
      if (response.status < 200 || response.status > 299) return;
      const creates = createsStream(request);
      const path = pathsBelow('interface', request.url).find((path) => pathOfSome.test(path));
      // Media may be below the base URL too, and is not parsed.
      if (!creates && !startsSession(request) && path === undefined) return;
      const body = jsonOf(response);
      if (creates && isObject(body)) judgeCreated(body, response);
      noteAbsence(request, path, body);
      const [, listedFor = ''] = sessionsPath.exec(path ?? '') ?? [];
      for (const item of itemsWithIds(body)) note(item, idInPath(listedFor));
    },
    /** @throws ForeignWrite if any request was refused, as the exception may have been caught. */
    throwRefused(): void {
      if (refused !== undefined) throw refused;
    },
  };
}

/** The id that was given one of the endings; `undefined` if an id has none. */
function endedId(id: string): string | undefined {
  const ending = idEndings.find((text) => id.endsWith(text));
  return ending && id.slice(0, -ending.length);
}

/** An id without the characters that may be counted; empty for a short one. */
function beginningOf(id: string): string {
  return id.slice(0, -charactersCounted);
}

function lineOf({ method, url }: Outgoing): string {
  return `${method} ${new URL(url).href}`;
}

function withoutSlash(address: string): string {
  // Without the lookbehind, a search would begin at each of many slashes that a target has sent.
  return new URL(address).href.replace(/(?<!\/)\/+$/, '');
}

/** An id as text; empty for anything that is not an id, or is too long for a path. */
function idText(id: unknown): string {
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  return text.length > longestId ? '' : text.toWellFormed();
}

/** A time in milliseconds since 1970, from a text, or a number of seconds or of a thousandth of them to a billionth. */
function readTime(value: unknown): number | undefined {
  const number = typeof value === 'string' && !/^\d+$/.test(value) ? Date.parse(value) : value;
  const time = Number(number ?? Number.NaN);
  // Before 1980, it is no time of a stream.
  if (!(time > 3e8) || typeof value === 'boolean' || typeof value === 'object') return undefined;
  if (time < 3e11) return time * 1_000;
  if (time < 3e14) return time;
  return time < 3e17 ? time / 1_000 : time / 1_000_000;
}

/** An id from a path; left as it is unless it has the usual encoding. */
function idInPath(text = ''): string {
  try {
    const id = decodeURIComponent(text);
    return encodeURIComponent(id) === text ? id : text;
  } catch {
    return text;
  }
}

const namesOfIds = ['id', 'parentId', 'playbackId'] as const;

/** The objects in a response that name an id, down to a few levels. */
function itemsWithIds(body: unknown, depth = 3, items: SeenItem[] = []): SeenItem[] {
  for (const value of Array.isArray(body) ? body : [body]) {
    if (!isObject(value)) continue;
    if (namesOfIds.some((key) => key in value)) items.push(value);
    if (depth === 0) continue;
    for (const key in value) {
      if (typeof value[key] === 'object') itemsWithIds(value[key], depth - 1, items);
    }
  }
  return items;
}
