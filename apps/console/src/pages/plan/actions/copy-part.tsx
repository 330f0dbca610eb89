import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../../quality/editing/form-dialog';
import { TextField } from '../../../design/controls/text-field';
import { useTexts } from '../../../design/language/language';
import { newUuid } from '../../../server/new-uuid';
import { childPathOf, nameOf, parentPathOf } from '../../../server/queries/plan-path';
import { useServer } from '../../../server/server';
import type { PlanItem } from '../plan-item';
import { texts } from '../texts';
import { renewPlan } from '../../../quality/editing/renew-plan';

/** Levels of the plan that are copied: all. */
const DEPTH = 65_535;

export interface CopyPartProps {
  part: PlanItem;
  onClose: () => void;
  onCopied: (uuid: string) => void;
}

/** Asks for a name and copies a part, with its characteristics and the parts below, beside it. */
export function CopyPart({ part, onClose, onCopied }: CopyPartProps) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const [name, setName] = useState(t.copyOf(nameOf(part.path)));
  const copying = useMutation({
    mutationFn: async () => {
      const path = childPathOf(parentPathOf(part.path), 'part', name.trim());
      const below = await server.planItems.list({ parentUuids: [part.uuid], depth: DEPTH });
      // The marker grows with the levels; only the beginning of the names changes.
      const moved = (from: string) =>
        from.slice(0, from.indexOf('/')) + rootOf(path) + from.slice(from.indexOf('/') + rootOf(part.path).length);
      const copies = below.map((item) => ({ uuid: newUuid(), path: moved(item.path), attributes: item.attributes }));
      const uuid = newUuid();
      const isPart = ({ path: copied }: { path: string }) => !copied.slice(0, copied.indexOf(':')).includes('C');
      await server.parts.create([{ uuid, path, attributes: part.attributes }, ...copies.filter(isPart)]);
      const characteristics = copies.filter((copy) => !isPart(copy));
      try {
        if (characteristics.length > 0) await server.characteristics.create(characteristics);
      } catch (error) {
        await server.parts.delete({ partUuids: [uuid] });
        throw error;
      }
      await renewPlan(queries);
      return uuid;
    },
    onSuccess: onCopied,
  });
  return (
    <FormDialog
      title={t.copyTitle(nameOf(part.path))}
      action={t.copyAction}
      canSubmit={name.trim() !== '' && !copying.isPending}
      error={copying.error}
      onSubmit={() => copying.mutate()}
      draft={{ form: `copy of ${part.uuid}`, value: name, onRestore: setName }}
      onClose={onClose}
    >
      <p>{t.copyLead}</p>
      <TextField label={t.copyName} value={name} onChange={setName} autoFocus />
    </FormDialog>
  );
}

/** The names of a path without its marker: `/Car door/`. */
function rootOf(path: string): string {
  return path.slice(path.indexOf('/'));
}
