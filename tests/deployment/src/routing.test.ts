import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { patternOf, routeFor, ROUTING } from '@sinebar/distributed';

const ROOT = join(import.meta.dirname, '../../..');
const NGINX_CONF = readFileSync(join(ROOT, 'infra/proxy/nginx.conf'), 'utf8');
const VITE_CONFIG = readFileSync(join(ROOT, 'apps/console/vite.config.ts'), 'utf8');

interface Location {
  pattern: string;
  service: string | undefined;
  rewrite: string | undefined;
  patient: boolean;
}

/** The locations with a regular expression, in the order of the file, which is the order in which nginx tries them. */
function nginxLocations(text: string): Location[] {
  const withoutComments = text.replace(/^\s*#.*$/gm, '');
  return [...withoutComments.matchAll(/location (\S+) (\S+) \{((?:[^{}]|\$\{\w+\})*)\}/g)]
    .filter(([, modifier]) => modifier === '~*' || modifier === '~')
    .map(([, , pattern = '', block = '']) => ({
      pattern,
      service: /proxy_pass http:\/\/\$\{plant_prefix\}([\w-]+)(?:\$plant_target)?;/.exec(block)?.[1],
      rewrite: /rewrite \^ (\S+) break;/.exec(block)?.[1],
      patient: block.includes('proxy_read_timeout 1h;'),
    }));
}

describe('routing table', () => {
  it('equals the one in nginx.conf', () => {
    const rules = ROUTING.map((rule) => ({
      pattern: patternOf(rule),
      service: rule.service,
      rewrite: rule.rewrite,
      patient: rule.sockets === true,
    }));
    expect(nginxLocations(NGINX_CONF)).toEqual(rules);
  });

  it('is covered by the development server of the console, which serves the page itself', () => {
    const [, list = ''] = /INTERFACES = \[([^\]]*)\]/.exec(VITE_CONFIG) ?? [];
    const forwarded = [...list.matchAll(/'([^']+)'/g)].map(([, path = '']) => path);
    const prefixes = ROUTING.map(({ prefix }) => prefix).filter((prefix) => prefix !== '' && prefix !== '/console');
    expect(prefixes.filter((prefix) => !forwarded.some((path) => prefix === path || prefix.startsWith(`${path}/`)))).toEqual([]);
  });

  it('forwards an address of nginx.conf as sent, without the prefix of a plant, unless it rewrites it', () => {
    const forwarded = [...NGINX_CONF.matchAll(/(rewrite \^ \S+ break;\s+)?proxy_pass (\S+);/g)];
    const isRight = forwarded.map(([, rewrite, address = '']) => address.endsWith('$plant_target') === (rewrite === undefined));
    expect(isRight).toEqual(forwarded.map(() => true));
  });

  it('ignores case in nginx.conf', () => {
    expect(NGINX_CONF).not.toMatch(/location ~ /);
  });

  it.each([
    ['/dataServiceRest', 'inspection', '/dataServiceRest'],
    ['/DataServiceRest/ServiceInformation', 'inspection', '/DataServiceRest/ServiceInformation'],
    ['/rawdataServiceRest/rawData/Part/{x}/0', 'raw-data', '/rawdataServiceRest/rawData/Part/{x}/0'],
    ['/events/?EIO=4', 'events', '/events/?EIO=4'],
    ['/events?EIO=4', 'events', '/events?EIO=4'],
    ['/Events/negotiate?negotiateVersion=1', 'events', '/Events/negotiate?negotiateVersion=1'],
    ['/.well-known/serverconfiguration/', 'events', '/.well-known/serverconfiguration/'],
    ['/socket.io/socket.io.js', 'events', '/socket.io/socket.io.js'],
    ['/HealthServiceRest/READY/?a=/b', 'inspection', '/healthServiceRest/all/ready?a=/b'],
    ['/healthServiceRest/all/ready', 'inspection', '/healthServiceRest/all/ready'],
    ['/oAuthServiceRest/oauthTokenInformation', 'inspection', '/oAuthServiceRest/oauthTokenInformation'],
    ['/', 'inspection', '/'],
    ['/?x=/rawDataServiceRest', 'inspection', '/?x=/rawDataServiceRest'],
    ['/console/parts/x', 'inspection', '/console/parts/x'],
    ['//', 'inspection', '//'],
    ['//dataServiceRest//parts', 'inspection', '//dataServiceRest//parts'],
    ['///rawDataServiceRest/rawData//x', 'raw-data', '///rawDataServiceRest/rawData//x'],
    ['//events//?EIO=4', 'events', '//events//?EIO=4'],
    ['//healthServiceRest//ready?x=1', 'inspection', '/healthServiceRest/all/ready?x=1'],
    ['//.well-known//ServerConfiguration', 'events', '//.well-known//ServerConfiguration'],
  ])('sends %s to %s as %s [S2]', (target, service, sent) => {
    expect(routeFor(target)).toMatchObject({ rule: { service }, target: sent });
  });

  it.each([
    '',
    '/%2FdataServiceRest/parts',
    '%2FdataServiceRest/parts',
    '//x/dataServiceRest',
    '*',
    '/eventsOfToday',
    '/.well-known/openid-configuration',
    '/.well-known/ServerConfiguration/x',
    '/Xwell-known/ServerConfiguration',
    '/socketXio/',
    '/dataServiceRestful',
    'http://host/dataServiceRest',
    '/x/dataServiceRest',
  ])('finds no service for "%s"', (target) => {
    expect(routeFor(target)).toBeUndefined();
  });
});
