import { createRandom } from '../../../fixtures/random.ts';
import {
  buildEndedSession,
  byAge,
  day,
  hour,
  type SessionRecord,
  type WorldContents,
  type WorldSource,
} from '../../../fixtures/world-records.ts';
import { recommendedProfiles } from '../../../interface/recommended-profiles.ts';
import type { OtherRecords } from '../../service/world.ts';

/** How many streams others have in the account. */
const streamCount = 200;

const names = [
  'Warehouse 7, gate B',
  '🎬🔥 live 24/7 👩‍👩‍👧‍👦',
  'مجلس المدينة — البث المباشر',
  'שידור חי: ישיבת מועצה',
  '港の配信・第二回',
  'a name that does not end '.repeat(12).slice(0, 300),
  '<b>Town council</b> & "friends"',
  'Zürich — Großmünster',
] as const;

/** The records of others who use the same account. Those of one key always have the same ids. */
export function createOtherRecords(seed: string): OtherRecords {
  const idsByKey = new Map<string, ReadonlySet<string>>();
  const build: OtherRecords['build'] = (source, apiKey) => {
    const random = createRandom(`${seed}/${apiKey}/others`);
    return buildOthers({ ...source, random });
  };
  return {
    build,
    has(id, source, apiKey) {
      const ids = idsByKey.get(apiKey) ?? idsOf(build(source, apiKey));
      idsByKey.set(apiKey, ids);
      return ids.has(id);
    },
  };
}

function idsOf({ streams, sessions }: WorldContents): ReadonlySet<string> {
  return new Set([...streams, ...sessions].map(({ id }) => id));
}

/** Streams of the last weeks. Every fourth has two sessions, of which one recording failed. */
function buildOthers(source: WorldSource): WorldContents {
  const { random, now, buildStream } = source;
  const sessions: SessionRecord[] = [];
  const streams = Array.from({ length: streamCount }, (_, index) => {
    const createdAt = now - 30 * day + index * hour;
    const name = `${names[index % names.length]}${index < names.length ? '' : ` ${index}`}`;
    const record = index % 4 === 0;
    const profiles = index % 2 === 0 ? recommendedProfiles : [];
    const stream = buildStream(random, createdAt, { name, record, profiles });
    if (!record) return stream;
    const [first, second] = [1, 2].map((order) =>
      buildEndedSession(source, stream, createdAt + order * hour, 61.4 * order),
    );
    if (first !== undefined) sessions.push(first);
    if (second !== undefined) sessions.push({ ...second, recordingStatus: 'failed' });
    return stream;
  });
  return { streams, sessions: sessions.sort(byAge) };
}
