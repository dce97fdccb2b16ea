import { loadWorld } from '../../../fixtures/worlds.ts';
import { copyWorld, type WorldMoment } from '../../service/copy-world.ts';
import { isOfOthers, startWorld } from '../../service/whole-world.ts';
import type { OpenWorld, WorldSettings } from '../../service/world.ts';
import type { SavedState } from '../../state/change.ts';
import { plainId } from '../../state/ids.ts';
import type { Worlds } from '../../stores/open-worlds.ts';

interface CopySettings {
  readonly settings: WorldSettings;
  /** The settings of the worlds that are copied. */
  readonly copied: WorldSettings;
}

/**
 * Worlds in which a request can be tried: copies of what some worlds were at one moment. A world that nobody had opened
 * yet is made from its beginning.
 */
export function copyWorlds(
  moments: readonly WorldMoment[],
  { settings, copied }: CopySettings,
): Worlds {
  const ownSettings = withRoomOfItsOwn(settings);
  const copies = new Map(
    moments.map(({ world, saved }) => {
      const shown = ownSettings.others === undefined ? withoutOthers(world, saved) : saved;
      const moment = { world, saved: withIdsOf(ownSettings, copied.idForms, shown) };
      return [world.apiKey, copyWorld(moment, ownSettings)];
    }),
  );
  const opened = (): OpenWorld[] => [...copies.values()];
  const open = async (key: string): Promise<OpenWorld> => {
    if (typeof settings.world === 'string') await loadWorld(settings.world);
    const world = copies.get(key) ?? startWorld(ownSettings, key);
    copies.set(key, world);
    return world;
  };
  return {
    open,
    openAlready: (key) => copies.get(key),
    opened,
    openKept: async () => opened(),
    find: async (has) => opened().find(has),
    home: async () => undefined,
    end: async () => {},
  };
}

/** What is done to copies takes no room of the worlds that are copied. */
function withRoomOfItsOwn(settings: WorldSettings): WorldSettings {
  const { counts, maxRecords } = settings.recordCount;
  return { ...settings, recordCount: { counts: new Set(counts), maxRecords } };
}

/** A state without the records of others. */
function withoutOthers(world: OpenWorld, saved: SavedState): SavedState {
  if (world.settings.others === undefined) return saved;
  const isOwn = ({ id }: { readonly id: string }) => !isOfOthers(world, id);
  return {
    ...saved,
    streams: saved.streams.filter(isOwn),
    sessions: saved.sessions.filter(isOwn),
  };
}

/** A state whose records have the ids that another mock would have given them. */
function withIdsOf(
  { idForms }: WorldSettings,
  forms: WorldSettings['idForms'],
  saved: SavedState,
): SavedState {
  const isSame = idForms.stream === forms.stream && idForms.session === forms.session;
  if (isSame) return saved;
  const streamId = (id: string) =>
    idForms.stream === forms.stream ? id : plainId(forms.stream, id);
  const sessionId = (id: string) =>
    idForms.session === forms.session ? id : plainId(forms.session, id);
  return {
    ...saved,
    streams: saved.streams.map((stream) => ({ ...stream, id: streamId(stream.id) })),
    sessions: saved.sessions.map((session) => ({
      ...session,
      id: sessionId(session.id),
      parentId: streamId(session.parentId),
    })),
  };
}
