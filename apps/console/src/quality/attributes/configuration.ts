import type { Language } from '@sinebar/charts';
import type { AnyAttributeDefinition, AttributeOwner, Catalog, ConfigurationAnswer } from '@sinebar/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useFormats, useLanguage } from '../../design/language/language';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { attributeText, type AttributeText } from './attribute-text';
import { inLanguage } from './standard-attributes';

/** Definitions and catalogs of the server, ready to look up. */
export interface Configuration {
  byKey: ReadonlyMap<number, AnyAttributeDefinition>;
  of: (owner: AttributeOwner) => readonly AnyAttributeDefinition[];
  catalogs: ReadonlyMap<string, Catalog>;
  /** Whether earlier states of the plan are kept. */
  hasVersions: boolean;
}

const EMPTY: Configuration = { byKey: new Map(), of: () => [], catalogs: new Map(), hasVersions: false };

/** How long definitions and catalogs count as current, ms; an event of a change makes them stale at once. */
const CURRENT_MS = 5 * 60_000;

/** Reads definitions and catalogs; empty until they are there. */
export function useConfiguration(): { configuration: Configuration; isReady: boolean; error: unknown } {
  const server = useServer();
  const language = useLanguage();
  const definitions = useQuery({
    queryKey: queryKeys.configuration('definitions'),
    queryFn: ({ signal }) => server.configuration.get({ signal }),
    staleTime: CURRENT_MS,
  });
  const catalogs = useQuery({
    queryKey: queryKeys.configuration('catalogs'),
    queryFn: ({ signal }) => server.catalogs.list({ signal }),
    staleTime: CURRENT_MS,
  });
  const configuration = useMemo(
    () => (definitions.data && catalogs.data ? configurationOf(definitions.data, catalogs.data, language) : EMPTY),
    [definitions.data, catalogs.data, language],
  );
  return { configuration, isReady: configuration !== EMPTY, error: definitions.error ?? catalogs.error };
}

function configurationOf(answer: ConfigurationAnswer, catalogs: readonly Catalog[], language: Language): Configuration {
  const owners: readonly AttributeOwner[] = ['part', 'characteristic', 'measurement', 'value', 'catalog'];
  const named = new Map(
    owners.map((owner) => [owner, answer[`${owner}Attributes`].map((definition) => inLanguage(owner, definition, language))]),
  );
  const of = (owner: AttributeOwner) => named.get(owner) ?? [];
  return {
    byKey: new Map(owners.flatMap((owner) => of(owner).map((definition) => [definition.key, definition]))),
    of,
    catalogs: new Map(catalogs.map((catalog) => [catalog.uuid, catalog])),
    hasVersions: answer.versioningType !== undefined && answer.versioningType !== 'Off',
  };
}

/** Returns a function that formats attribute values by their definitions. */
export function useAttributeText(configuration: Configuration): (key: number, text: string) => AttributeText {
  const formats = useFormats();
  return useMemo(
    () => (key, text) => attributeText(configuration.byKey.get(key), text, configuration.catalogs, configuration.byKey, formats),
    [configuration, formats],
  );
}
