import { STAMP_ATTRIBUTES, type StandardAttribute } from '@sinebar/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../design/controls/button';
import { useLanguage, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import type { Configuration } from '../../quality/attributes/configuration';
import { defineStandardAttributes } from '../../quality/attributes/define-standard-attributes';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMayOnServer } from '../../server/session/use-session';
import styles from './drawing.module.css';
import { texts } from './texts';

/** Whether the attributes of balloons can hold what they are for. */
export interface StampAttributesState {
  configuration: Configuration;
  missing: readonly StandardAttribute[];
  /** Keys that hold something else. */
  taken: readonly number[];
  isUsable: boolean;
}

/** Compares the attributes of balloons with the definitions of the server. */
export function useStampAttributes(configuration: Configuration): StampAttributesState {
  const ofCharacteristics = new Map(configuration.of('characteristic').map((definition) => [definition.key, definition]));
  const missing = STAMP_ATTRIBUTES.filter(({ key }) => !configuration.byKey.has(key));
  const taken = STAMP_ATTRIBUTES.filter(({ key, type }) => {
    const definition = ofCharacteristics.get(key);
    if (definition === undefined) return configuration.byKey.has(key);
    return definition.definitionType !== 'AttributeDefinition' || definition.type !== type;
  }).map(({ key }) => key);
  return { configuration, missing, taken, isUsable: missing.length === 0 && taken.length === 0 };
}

/** Says why balloons cannot be edited, and offers to define their attributes. */
export function StampAttributes({ attributes: { configuration, missing, taken } }: { attributes: StampAttributesState }) {
  const t = useTexts(texts);
  const language = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const mayDefine = useMayOnServer('configuration:write');
  const definition = useMutation({
    mutationFn: () => defineStandardAttributes(server, configuration, missing, language),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.configuration() }),
  });
  if (taken.length > 0) return <p role="status">{t.taken(taken.join(', '))}</p>;
  if (missing.length === 0) return null;
  return (
    <div role="status" className={styles.offer}>
      <p>
        {t.missing} {!mayDefine && t.noDefinitions}
      </p>
      {mayDefine && (
        <Button isDisabled={definition.isPending} onPress={() => definition.mutate()}>
          {t.define}
        </Button>
      )}
      {definition.error !== null && <Failed error={definition.error} />}
    </div>
  );
}
