import { describe, expect, it } from '@jest/globals';
import {
  ACTION_ATTRIBUTE,
  CAUSE_ATTRIBUTE,
  SinebarClient,
  STANDARD_ATTRIBUTES,
  type AnyAttributeDefinition,
  type Catalog,
} from '@sinebar/client';
import { FakeServer } from '../../testing/fake-server.fixture';
import type { Configuration } from './configuration';
import { defineStandardAttributes, missingStandardAttributes } from './define-standard-attributes';

const BATCH: AnyAttributeDefinition = {
  definitionType: 'AttributeDefinition',
  key: 6,
  description: 'Lot',
  type: 'AlphaNumeric',
  length: 9,
};

function configurationWith(definitions: readonly AnyAttributeDefinition[], catalogs: readonly Catalog[] = []): Configuration {
  return {
    byKey: new Map(definitions.map((definition) => [definition.key, definition])),
    of: () => [],
    catalogs: new Map(catalogs.map((catalog) => [catalog.uuid, catalog])),
    hasVersions: false,
  };
}

/** Defines what is missing; returns the requests in order with their bodies. */
async function define(configuration: Configuration) {
  const sent: { address: string; body: unknown }[] = [];
  const server = new FakeServer();
  for (const address of ['POST /dataServiceRest/catalogs', 'POST /dataServiceRest/configuration/:owner'])
    server.answer(address, ({ url, body }) => void sent.push({ address: url.pathname, body }));
  const client = new SinebarClient({ url: 'http://sinebar.test', fetch: server.fetch });
  await defineStandardAttributes(client, configuration, missingStandardAttributes(configuration, true), 'de');
  return sent;
}

describe('standard attributes', () => {
  it('are defined with their names in the language, and catalogs before what refers to them', async () => {
    const sent = await define(configurationWith([]));
    expect(sent.map(({ address }) => address.split('/').slice(2).join('/'))).toEqual([
      'configuration/catalog',
      'catalogs',
      'configuration/part',
      'configuration/characteristic',
      'configuration/measurement',
      'configuration/value',
    ]);
    const machines = (sent[1]?.body as Catalog[] | undefined)?.find(({ name }) => name === 'Maschinen');
    expect(sent[3]?.body).toContainEqual({ definitionType: 'AttributeDefinition', key: 2101, description: 'Nennmaß', type: 'Float' });
    expect(sent[4]?.body).toContainEqual({
      definitionType: 'CatalogAttributeDefinition',
      key: 10,
      description: 'Maschine',
      catalog: machines?.uuid,
    });
  });

  it('leave what the server has as it is, and use its catalogs of the same name', async () => {
    const machines = { uuid: 'm', name: 'Machines', validAttributes: [4062], catalogEntries: [] };
    const sent = await define(configurationWith([BATCH], [machines]));
    const measurements = sent.find(({ address }) => address.endsWith('/measurement'))?.body as AnyAttributeDefinition[];
    expect(measurements.map(({ key }) => key)).not.toContain(6);
    expect(measurements.find(({ key }) => key === 10)).toMatchObject({ catalog: 'm' });
    const catalogs = sent.find(({ address }) => address.endsWith('/catalogs'))?.body as Catalog[];
    expect(catalogs.map(({ name }) => name).sort()).toEqual(['Maßnahmen', 'Prüfer', 'Prüfmittel', 'Ursachen']);
  });

  it('need the right to create catalogs only for those that refer to catalogs', () => {
    const without = missingStandardAttributes(configurationWith([]), false);
    expect(without).toEqual(
      STANDARD_ATTRIBUTES.filter(({ key, type }) => type !== 'Catalog' && key !== CAUSE_ATTRIBUTE && key !== ACTION_ATTRIBUTE),
    );
  });
});
