import type { AnyAttributeDefinition, AttributeOwner } from '@sinebar/client';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../design/controls/button';
import { ConfirmDialog } from '../../design/controls/confirm-dialog';
import { FilterField } from '../../design/controls/field';
import { useFormats, useTexts } from '../../design/language/language';
import { OptionsLine, TableFoot } from '../../design/layout/lines';
import { Page } from '../../design/page/page';
import { Empty, Failed, Skeleton } from '../../design/states/pane-state';
import { useConfiguration } from '../../quality/attributes/configuration';
import { StandardAttributesButton } from '../../quality/attributes/standard-attributes-button';
import { RenameDialog } from '../../quality/editing/rename-dialog';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { useMayOnServer } from '../../server/session/use-session';
import { useView } from '../../server/use-view';
import { CreateDefinition } from './create-definition';
import { DefinitionTable } from './definition-table';
import styles from './definitions.module.css';
import { OWNERS, type DefinitionsAddress } from './search';
import { texts } from './texts';

const NAMES = {
  part: 'ofPart',
  characteristic: 'ofCharacteristic',
  measurement: 'ofMeasurement',
  value: 'ofValue',
  catalog: 'ofCatalog',
} as const satisfies Record<AttributeOwner, string>;

/** Attributes that parts, characteristics, measurements, values and catalog entries may carry. */
export function DefinitionsPage() {
  const t = useTexts(texts);
  const { count } = useFormats();
  const server = useServer();
  const queries = useQueryClient();
  const mayWrite = useMayOnServer('configuration:write');
  const { view, change } = useView<DefinitionsAddress>();
  const { owner = 'part', find = '' } = view;
  const { configuration, isReady, error } = useConfiguration();
  const [isCreating, setCreating] = useState(false);
  const [renamed, setRenamed] = useState<AnyAttributeDefinition>();
  const [removed, setRemoved] = useState<AnyAttributeDefinition>();
  const all = configuration.of(owner);
  const shown = all.filter((definition) => matches(definition, find)).sort((a, b) => a.key - b.key);
  const renew = () => queries.invalidateQueries({ queryKey: queryKeys.configuration() });
  return (
    <Page
      title={t[NAMES[owner]]}
      tabs={
        <nav className={styles.tabs} aria-label={t.owners}>
          {OWNERS.map((known) => (
            <Link
              key={known}
              to="/administration/definitions"
              search={{ owner: known }}
              aria-current={known === owner ? 'page' : undefined}
            >
              {t[known]} {isReady && <span>{count(configuration.of(known).length)}</span>}
            </Link>
          ))}
        </nav>
      }
    >
      <OptionsLine
        actions={
          mayWrite && (
            <>
              {all.length > 0 && <StandardAttributesButton isButtonOnly />}
              <Button kind="primary" isDisabled={!isReady} onPress={() => setCreating(true)}>
                {t.create}
              </Button>
            </>
          )
        }
      >
        <FilterField label={t.filter} value={find} onChange={(text) => change({ find: text === '' ? undefined : text })} />
      </OptionsLine>
      {!isReady && (error === null || error === undefined ? <Skeleton rows={6} /> : <Failed error={error} onRetry={() => void renew()} />)}
      {isReady && shown.length > 0 && (
        <DefinitionTable
          name={t[NAMES[owner]]}
          definitions={shown}
          catalogs={configuration.catalogs}
          onRename={mayWrite ? setRenamed : undefined}
          onRemove={mayWrite ? setRemoved : undefined}
        />
      )}
      {isReady && shown.length === 0 && (
        <Empty>
          {all.length > 0 ? (
            <p>{t.nothingFound}</p>
          ) : (
            <>
              <p>{t.noneYet}</p>
              <StandardAttributesButton />
            </>
          )}
        </Empty>
      )}
      {isReady && all.length > 0 && (
        <TableFoot note={mayWrite ? undefined : t.readOnly}>{t.shown(count(shown.length), count(all.length))}</TableFoot>
      )}
      {isCreating && (
        <CreateDefinition
          title={t.createTitle(t[NAMES[owner]])}
          owner={owner}
          configuration={configuration}
          onCreate={async (definition) => {
            await server.configuration.create(owner, [definition]);
            await renew();
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {renamed && (
        <RenameDialog
          title={t.renameTitle(renamed.description)}
          fields={[{ id: 'name', label: t.name, text: renamed.description }]}
          problemOf={({ name = '' }) => (name.trim() === '' ? t.noName : undefined)}
          onSave={async ({ name = '' }) => {
            await server.configuration.update(owner, [{ ...renamed, description: name.trim() }]);
            await renew();
          }}
          onClose={() => setRenamed(undefined)}
        />
      )}
      {removed && (
        <ConfirmDialog
          title={t.removeTitle(removed.description)}
          goes={[t.goesDefinition(String(removed.key), removed.description), t[`goes${owner}`]]}
          action={t.removeAction}
          onConfirm={async () => {
            await server.configuration.delete(owner, [removed.key]);
            await renew();
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Page>
  );
}

function matches({ key, description }: AnyAttributeDefinition, find: string): boolean {
  const wanted = find.trim().toLowerCase();
  return String(key).includes(wanted) || description.toLowerCase().includes(wanted);
}
