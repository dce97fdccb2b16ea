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

/** Reads a whole file at a relative address; `undefined` if it is refused. */
async function readFile({ ask, request }: Step, address: string): Promise<Bytes | undefined> {
  // An address may be signed, and so is that of another file beside it.
  const { search } = new URL(request.url);
  // The client may have asked for a range of another file.
  const response = await ask('GET', address + search, undefined, { range: 'bytes=0-' });
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined;
}

/** Answers a request for a segment whose name ends in `.ts`. */
export async function serveTransportStream(step: Step): Promise<Response | undefined> {
  const [, name] = /\/([^/]+)\.ts$/.exec(new URL(step.request.url).pathname) ?? [];
  if (name === undefined) return undefined;
  const head = await readFile(step, 'init.mp4');
  const segment = await readFile(step, `${name}.m4s`);
  if (head === undefined || segment === undefined) return undefined;
  const fragment = new Uint8Array(await new Blob([head, segment]).arrayBuffer());
  return fileResponse(await toTransportStream(fragment), 'video/mp2t');
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

/** Serves the initialization segment and the segments of a rendition as parts of one file. */
export function inByteRanges(): Rewrite {
  return (next) => {
    const remembered = new Map<string, readonly Part[]>();
    const partsAt = async (step: Step, folder: string): Promise<readonly Part[]> => {
      const address = new URL(folder, step.request.url).href;
      const known = remembered.get(address);
      if (known !== undefined) return known;
      const parts = await findParts(step, address);
      if (remembered.size >= maxRemembered) remembered.clear();
      remembered.set(address, parts);
      return parts;
    };
    return together(
      rewriteResponse('any playlist', async (response, step) => {
        if (!response.ok) return undefined;
        return changeText(response, async (text) => {
          const [, folder] = /#EXT-X-MAP:URI="(.*)init\.mp4"/.exec(text) ?? [];
          return folder === undefined ? text : nameRanges(text, await partsAt(step, `./${folder}`));
        });
      }),
      on('media', async (step) => {
        const { pathname } = new URL(step.request.url);
        if (!pathname.endsWith(`/${joinedName}`)) return undefined;
        return serveRange(step, await partsAt(step, '.'));
      }),
    )(next);
  };
}

/**
 * The files of the rendition in a folder, in the order of its playlist. All segments but the last repeat the whole loop, so
 * they are equally long.
 */
async function findParts({ ask }: Step, folder: string): Promise<Part[]> {
  const lengthOf = async (name = ''): Promise<number> => {
    const { headers } = await ask('HEAD', new URL(name, folder).href);
    return Number(headers.get('content-length'));
  };
  const playlist = await (await ask('GET', new URL('index.m3u8', folder).href)).text();
  const names: readonly string[] = playlist.match(/^\d+\.m4s$/gm) ?? [];
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
      /#EXT-X-MAP:URI="(.*)init\.mp4"/,
      (_, folder) => `#EXT-X-MAP:URI="${folder}${joinedName}",BYTERANGE="${rangeOf('init.mp4')}"`,
    )
    .replace(
      /^(.*?)(\d+\.m4s)$/gm,
      (_, folder, name) => `#EXT-X-BYTERANGE:${rangeOf(name)}\n${folder}${joinedName}`,
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
