import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { newUuid } from './new-uuid';
import { viewsQuery } from './queries/administration-queries';
import { queryKeys } from './queries/keys';
import { useServer } from './server';
import { useMayOnServer, useUserName } from './session/use-session';
import { plantPath, useSavedViews, type SavedView } from './use-saved-views';

/** A view that stands on the start page. */
export interface ShownView extends SavedView {
  /** Absent for one that is kept in this browser. */
  uuid?: string;
  /** Whether all users see it. */
  isShared: boolean;
  mayRemove: boolean;
}

export interface Views {
  views: readonly ShownView[];
  /** Where views of one's own are kept. */
  keptIn: 'browser' | 'server';
  /** Whether the reader may save views for all users. */
  mayShare: boolean;
  /** Saves a view in the place of the one with the same name. */
  save: (view: SavedView, isShared: boolean) => Promise<void>;
  remove: (view: ShownView) => Promise<void>;
}

/** Returns the views of the reader: those that this browser keeps, and, kept on the server, those of the user and those for all. */
export function useViews(): Views {
  const client = useServer();
  const queries = useQueryClient();
  const plant = plantPath(useRouter().basepath);
  const local = useSavedViews();
  const mayShare = useMayOnServer('configuration:write');
  const keptIn = useUserName() === '' ? 'browser' : 'server';
  const { data: stored = [] } = useQuery(viewsQuery(client));
  const renew = () => queries.invalidateQueries({ queryKey: queryKeys.server('views') });
  return {
    views: [
      ...local.views.map((view) => ({ ...view, isShared: false, mayRemove: true })),
      ...stored.map(({ uuid, name, address, shared }) => ({
        uuid,
        name,
        address: `${plant}${address}`,
        isShared: shared,
        mayRemove: !shared || mayShare,
      })),
    ],
    keptIn,
    mayShare,
    save: async (view, isShared) => {
      if (keptIn === 'browser' && !isShared) return local.save(view);
      const known = stored.find(({ name, shared }) => name === view.name && shared === isShared);
      const address = view.address.slice(plant.length);
      await client.views.put(known?.uuid ?? newUuid(), { name: view.name, address, shared: isShared });
      await renew();
    },
    remove: async ({ uuid, name }) => {
      if (uuid === undefined) return local.remove(name);
      await client.views.delete(uuid);
      await renew();
    },
  };
}
