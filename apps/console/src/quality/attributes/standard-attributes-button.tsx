import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from '../../design/controls/button';
import { defineTexts, useFormats, useLanguage, useTexts } from '../../design/language/language';
import { Failed } from '../../design/states/pane-state';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMayOnServer } from '../../server/session/use-session';
import { useConfiguration } from './configuration';
import { defineStandardAttributes, missingStandardAttributes } from './define-standard-attributes';
import styles from './standard-attributes-button.module.css';

const texts = defineTexts({
  en: {
    use: 'Use the standard attributes',
    defining: 'Defining…',
    count: (count: string) => `Defines ${count} attributes with the keys of AQDEF, such as nominal value, limits, unit, batch and machine.`,
    noRight: 'The right configuration:write is missing. Ask an administrator to define the standard attributes.',
  },
  de: {
    use: 'Standardattribute verwenden',
    defining: 'Wird angelegt…',
    count: (count: string) =>
      `Legt ${count} Attribute mit den Schlüsseln von AQDEF an, etwa Nennmaß, Grenzen, Einheit, Charge und Maschine.`,
    noRight: 'Das Recht configuration:write fehlt. Bitten Sie einen Administrator, die Standardattribute anzulegen.',
  },
});

export interface StandardAttributesButtonProps {
  kind?: 'primary' | 'plain';
  /** Says why they are needed here. */
  children?: ReactNode;
  /** Whether nothing but the button is shown. */
  isButtonOnly?: boolean;
  /** Called when they are defined, before the pages that show them are renewed. */
  onDefined?: () => void;
}

/** One button that defines the standard attributes which the server lacks; nothing where it has them all. */
export function StandardAttributesButton({ kind = 'plain', children, isButtonOnly = false, onDefined }: StandardAttributesButtonProps) {
  const t = useTexts(texts);
  const { count } = useFormats();
  const language = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const mayWrite = useMayOnServer('configuration:write');
  const mayCreateCatalogs = useMayOnServer('catalog:write');
  const { configuration, isReady } = useConfiguration();
  const missing = missingStandardAttributes(configuration, mayCreateCatalogs);
  const definition = useMutation({
    mutationFn: () => defineStandardAttributes(server, configuration, missing, language),
    onSettled: () => queries.invalidateQueries({ queryKey: queryKeys.configuration() }),
    onSuccess: onDefined,
  });
  if (!isReady || missing.length === 0 || (isButtonOnly && !mayWrite)) return null;
  return (
    <div className={styles.offer}>
      {children}
      {!isButtonOnly && <p className={styles.note}>{mayWrite ? t.count(count(missing.length)) : t.noRight}</p>}
      {mayWrite && (
        <Button kind={kind} isDisabled={definition.isPending} onPress={() => definition.mutate()}>
          {definition.isPending ? t.defining : t.use}
        </Button>
      )}
      {definition.error !== null && <Failed error={definition.error} />}
    </div>
  );
}
