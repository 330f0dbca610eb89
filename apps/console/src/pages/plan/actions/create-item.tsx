import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { FormDialog } from '../../../quality/editing/form-dialog';
import { TextField } from '../../../design/controls/text-field';
import { useTexts } from '../../../design/language/language';
import { AttributeField, useTextProblem } from '../../../quality/attributes/attribute-field';
import { StandardAttributesButton } from '../../../quality/attributes/standard-attributes-button';
import type { Configuration } from '../../../quality/attributes/configuration';
import { CHARACTERISTIC_KEYS } from '@sinebar/client';
import { newUuid } from '../../../server/new-uuid';
import { childPathOf, nameOf } from '../../../server/queries/plan-path';
import { useServer } from '../../../server/server';
import { ALWAYS_OFFERED, crossedLimits, HAS_UNIT, IMPORTANT } from '../characteristic-limits';
import { itemsOf, type PlanItem } from '../plan-item';
import type { PlanKind } from '../search';
import { texts } from '../texts';
import { renewPlan } from '../../../quality/editing/renew-plan';

export interface CreateItemProps {
  kind: PlanKind;
  parent: PlanItem;
  configuration: Configuration;
  /** Items of the kind that stand there already. */
  taken: readonly PlanItem[];
  onClose: () => void;
}

/** Asks for the name of a new part or characteristic, and for the limits of a characteristic. */
export function CreateItem({ kind, parent, configuration, taken, onClose }: CreateItemProps) {
  const t = useTexts(texts);
  const server = useServer();
  const queries = useQueryClient();
  const problemOf = useTextProblem();
  const [name, setName] = useState('');
  const [attributes, setAttributes] = useState<Readonly<Record<string, string>>>({});
  const [begun, setBegun] = useState(attributes);
  const nameField = useRef<HTMLInputElement>(null);
  const creation = useMutation({
    mutationFn: async (_: { isNext: boolean }) => {
      const written = Object.fromEntries(Object.entries(attributes).filter(([, text]) => text !== ''));
      const path = childPathOf(parent.path, kind, name.trim());
      await itemsOf(server, kind).create([{ uuid: newUuid(), path, attributes: written }]);
      await renewPlan(queries);
    },
    onSuccess: (_, { isNext }) => {
      if (!isNext) return onClose();
      setName('');
      // The unit is usually that of the one before; its measures are not.
      const next = { [CHARACTERISTIC_KEYS.unit]: attributes[CHARACTERISTIC_KEYS.unit] ?? '' };
      setAttributes(next);
      setBegun(next);
      nameField.current?.focus();
    },
  });
  const definitions = kind === 'part' ? [] : configuration.of(kind).filter(({ key }) => IMPORTANT.includes(key));
  const given = name.trim().toLowerCase();
  const isTaken = given !== '' && taken.some(({ path }) => nameOf(path).toLowerCase() === given);
  const isWrong = definitions.some((definition) => problemOf(definition, attributes[definition.key] ?? '') !== undefined);
  const isCrossed = crossedLimits(attributes);
  const canCreate = given !== '' && !isTaken && !isWrong && !isCrossed && !creation.isPending;
  return (
    <FormDialog
      title={kind === 'part' ? t.newPartTitle : t.newCharacteristicTitle}
      action={t.create}
      canSubmit={canCreate}
      error={creation.error}
      onSubmit={() => creation.mutate({ isNext: false })}
      otherActions={[{ name: t.createAndNext, onPress: () => creation.mutate({ isNext: true }) }]}
      draft={{
        form: `new ${kind} in ${parent.uuid}`,
        value: { name, attributes },
        begun: { name: '', attributes: begun },
        onRestore: (kept) => {
          setName(kept.name);
          setAttributes(kept.attributes);
        },
      }}
      onClose={onClose}
    >
      <TextField
        label={t.name}
        value={name}
        onChange={setName}
        error={isTaken ? t.taken : undefined}
        inputRef={nameField}
        autoFocus
        validationBehavior="aria"
      />
      {definitions.map((definition) => (
        <AttributeField
          key={definition.key}
          definition={definition}
          configuration={configuration}
          text={attributes[definition.key] ?? ''}
          onChange={(text) => setAttributes((known) => ({ ...known, [definition.key]: text }))}
          unit={HAS_UNIT.has(definition.key) ? attributes[CHARACTERISTIC_KEYS.unit] : undefined}
        />
      ))}
      {kind === 'characteristic' && ALWAYS_OFFERED.some((key) => !configuration.byKey.has(key)) && (
        <StandardAttributesButton>
          <p>{t.noLimitAttributes}</p>
        </StandardAttributesButton>
      )}
      {isCrossed && <p role="alert">{t.crossed}</p>}
    </FormDialog>
  );
}
