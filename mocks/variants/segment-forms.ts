import type { Rewrite } from '../messages/client-request.ts';
import type { Bytes } from '../messages/response.ts';
import {
  changeText,
  emptyResponse,
  fileResponse,
  on,
  rewriteResponse,
  type Step,
  together,
} from './rewrite.ts';
import { toTransportStream } from './transport-stream.ts';

/** The address of a file beside the one that is asked for. If that has a signature, both have it. */
function besides(name: string, { request }: Step): string {
  return name + new URL(request.url).search;
}

/** Asks for a whole file beside the one that is asked for. */
function askForFile(step: Step, name: string): Promise<Response> {
  // The client may have asked for a range of another file.
  return step.ask('GET', besides(name, step), undefined, { range: 'bytes=0-' });
}

/** Reads a whole file beside the one that is asked for; `undefined` if it is refused. */
async function readFile(step: Step, name: string): Promise<Bytes | undefined> {
  const response = await askForFile(step, name);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}

/** Answers a request for a segment whose name ends in `.ts`. */
export async function serveTransportStream(step: Step): Promise<Response | undefined> {
  const [, name] = /\/([^/]+)\.ts$/.exec(new URL(step.request.url).pathname) ?? [];
  if (name === undefined) return undefined;
  const [head, segment] = [
    await askForFile(step, 'init.mp4'),
    await askForFile(step, `${name}.m4s`),
  ];
  if (!head.ok || !segment.ok) return undefined;
  return fileResponse(packWhenRead(head, segment), 'video/mp2t');
}

/** A transport stream that is packed once somebody reads it: whoever only compares responses does not. */
function packWhenRead(head: Response, segment: Response): ReadableStream<Bytes> {
  return new ReadableStream(
    {
      async pull(controller) {
        const files = [await head.arrayBuffer(), await segment.arrayBuffer()];
        const fragment = new Uint8Array(await new Blob(files).arrayBuffer());
        controller.enqueue(await toTransportStream(fragment));
        controller.close();
      },
      async cancel() {
        await Promise.all([head.body?.cancel(), segment.body?.cancel()]);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A file that is a part of a larger one. */
interface Part {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The maximum number of renditions whose parts are remembered. */
const maxRemembered = 20;
const joinedName = 'all.mp4';

/** The initialization segment in a playlist: its folder and its query. */
const initialization = /#EXT-X-MAP:URI="(.*)init\.mp4(\?[^"]*)?"/;

/** Each segment in a playlist: its folder, its name and its query. */
const segments = /^(?!#)(.*?)(\d+\.m4s)(\?.*)?$/gm;

/** Serves the initialization segment and the segments of a rendition as parts of one file. */
export function inByteRanges(): Rewrite {
  return (next) => {
    const remembered = new Map<string, readonly Part[]>();
    const partsAt = async (step: Step, folder: string): Promise<readonly Part[]> => {
      const { href, pathname } = new URL(folder, step.request.url);
      const known = remembered.get(pathname);
      if (known !== undefined) return known;
      const parts = await findParts(step, href);
      if (remembered.size >= maxRemembered) remembered.clear();
      remembered.set(pathname, parts);
      return parts;
    };
    return together(
      rewriteResponse('any playlist', async (response, step) => {
        if (!response.ok) return undefined;
        return changeText(response, async (text) => {
          const [, folder] = initialization.exec(text) ?? [];
          return folder === undefined ? text : nameRanges(text, await partsAt(step, `./${folder}`));
        });
      }),
      on('media', async (step) => {
        const { pathname } = new URL(step.request.url);
        if (!pathname.endsWith(`/${joinedName}`)) return undefined;
        // Who may not read a part of the file, as its signature has ended, may not read the file.
        const part = await askForFile(step, 'init.mp4');
        if (!part.ok) return part;
        await part.body?.cancel();
        return serveRange(step, await partsAt(step, '.'));
      }),
    )(next);
  };
}

/**
 * The files of the rendition in a folder, in the order of its playlist. All segments but the last repeat the whole loop, so
 * they are equally long.
 */
async function findParts(step: Step, folder: string): Promise<Part[]> {
  const ask = (method: string, name: string): Promise<Response> =>
    step.ask(method, besides(new URL(name, folder).href, step));
  const lengthOf = async (name = ''): Promise<number> => {
    const { headers } = await ask('HEAD', name);
    return Number(headers.get('content-length'));
  };
  const playlist = await (await ask('GET', 'index.m3u8')).text();
  const names = [...playlist.matchAll(segments)].map(([, , name = '']) => name);
  const last = names.length - 1;
  const [ofHead, ofFirst, ofLast] = [
    await lengthOf('init.mp4'),
    await lengthOf(names[0]),
    await lengthOf(names[last]),
  ];
  return [
    { name: 'init.mp4', start: 0, end: ofHead },
    ...names.map((name, index) => {
      const start = ofHead + index * ofFirst;
      return { name, start, end: start + (index === last ? ofLast : ofFirst) };
    }),
  ];
}

/** A playlist that names ranges of one file in place of files. */
function nameRanges(playlist: string, parts: readonly Part[]): string {
  const rangeOf = (name: string): string => {
    const { start, end } = parts.find((part) => part.name === name) ?? { start: 0, end: 0 };
    return `${end - start}@${start}`;
  };
  return playlist
    .replace(
      initialization,
      (_, folder, query = '') =>
        `#EXT-X-MAP:URI="${folder}${joinedName}${query}",BYTERANGE="${rangeOf('init.mp4')}"`,
    )
    .replace(
      segments,
      (_, folder, name, query = '') =>
        `#EXT-X-BYTERANGE:${rangeOf(name)}\n${folder}${joinedName}${query}`,
    );
}

/** Serves a range of a file with these parts; without a range, all of it. */
async function serveRange(step: Step, parts: readonly Part[]): Promise<Response> {
  const length = parts.at(-1)?.end ?? 0;
  const range = step.request.headers.get('range');
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
  const start = Number(first);
  const end = Math.min(last === '' ? length : Number(last) + 1, length);
  if (start >= end) return emptyResponse(416, { 'content-range': `bytes */${length}` });
  const body = readParts(
    step,
    parts.filter((part) => part.start < end && part.end > start),
    { start, end },
  );
  const headers = { 'content-type': 'video/mp4', 'accept-ranges': 'bytes' };
  if (range === null) return new Response(body, { headers });
  const contentRange = `bytes ${start}-${end - 1}/${length}`;
  return new Response(body, {
    status: 206,
    headers: { ...headers, 'content-range': contentRange },
  });
}

/** The bytes of some parts within a range, of which each is read when its turn comes. */
function readParts(
  step: Step,
  parts: readonly Part[],
  { start, end }: { readonly start: number; readonly end: number },
): ReadableStream<Bytes> {
  const waiting = [...parts];
  return new ReadableStream(
    {
      async pull(controller) {
        const part = waiting.shift();
        if (part === undefined) return controller.close();
        const bytes = (await readFile(step, part.name)) ?? new Uint8Array();
        controller.enqueue(bytes.subarray(Math.max(0, start - part.start), end - part.start));
      },
    },
    { highWaterMark: 0 },
  );
}
