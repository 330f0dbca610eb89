import { chooseDrawing, type RawDataInformation } from '@sinebar/client';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMay } from '../../server/session/use-session';

/** The drawing of a part among its own files; absent where none of them is an image or PDF. */
export interface DrawingOfPart {
  file: RawDataInformation | undefined;
}

/** Finds the drawing of a part, where the reader may read its files. */
export function useDrawing(partUuid: string, partPath: string | undefined): UseQueryResult<DrawingOfPart> {
  const server = useServer();
  const mayRead = useMay('rawData:read', partPath);
  return useQuery({
    queryKey: queryKeys.files('drawing', partUuid),
    queryFn: async ({ signal }): Promise<DrawingOfPart> => ({
      file: chooseDrawing(await server.rawData.list('Part', { uuids: [partUuid], signal })),
    }),
    enabled: mayRead,
  });
}
