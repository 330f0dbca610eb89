import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PART_RIGHTS, SERVER_RIGHTS } from '@sinebar/access-control';
import { eventually } from '@sinebar/testing';
import { CertifiedProvider, OTHER_RESOURCE, signInWithPage } from '@sinebar/testing/providers';
import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { PEOPLE, startSecuredServer, type Answer, type SecuredServer } from './secured-server.fixture.ts';

/** Argon2id of the names backwards, cheap on purpose. */
const HASHES = {
  chief: '$argon2id$v=19$m=1024,t=1,p=1$idyDDFmhOlybWg5wQvdYnQ$8KAKkuqFkOBVdosMM1e/Z2LtgwkiYOcBo7vjxJJx0wE',
  ada: '$argon2id$v=19$m=1024,t=1,p=1$qqGdJB9nBPcSvEDVMGo9BA$6qdpSomz0y4zVornQrGA3ShXPLYdBuCW8zzr/165bFA',
};

const ROLES = {
  chief: { grants: [{ path: '/', rights: [...PART_RIGHTS] }, { rights: [...SERVER_RIGHTS] }] },
  pump: { grants: [{ path: '/Pump', rights: ['plan:read', 'rawData:read'] }] },
  pumpe: { grants: [{ path: '/Pumpe', rights: ['plan:read'] }] },
};
const CLAIMS = [{ claim: 'groups', value: 'pump', roles: ['pump'] }];
const basic = (name: string, password = [...name].reverse().join('')) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
});

function policy(adaRoles: string[] | undefined, claims: object[] = CLAIMS) {
  const users: Record<string, object> = { chief: { password: HASHES.chief, roles: ['chief'] } };
  if (adaRoles) users['ada'] = { password: HASHES.ada, roles: adaRoles };
  return { roles: ROLES, users, claims };
}

/** Builds an address for a route pattern. */
function exampleOf(path: string): string {
  return path.replace(/\{[^}]*\}/g, '').replace(/[:*]\w+/g, '0');
}

const PUMP = randomUUID();
const PUMPE = randomUUID();

describe('a server with users', () => {
  let server: SecuredServer;
  const pathsOf = ({ body }: Answer) => (body as { path: string }[]).map(({ path }) => path).sort();
  const bearer = () => server.bearer('tom');
  const tokenFrom = async (issuer: string, resource?: string) => ({
    authorization: `Bearer ${(await signInWithPage(issuer, PEOPLE.tom, resource)).accessToken}`,
  });
  /** Token of the same person from a provider that this server does not trust. */
  const elsewhere = async () => {
    const other = await CertifiedProvider.start({ accounts: [PEOPLE.tom] });
    try {
      return await tokenFrom(other.issuer);
    } finally {
      await other.stop();
    }
  };
  const expired = async () => {
    await server.provider.setClock(-400);
    try {
      return await bearer();
    } finally {
      await server.provider.setClock(0);
    }
  };

  beforeAll(async () => {
    server = await startSecuredServer(policy(['pump']), { SINEBAR_CORS_ORIGINS: 'https://page.example' });
    const created = await server.send('POST', '/dataServiceRest/parts', basic('chief'), [
      { uuid: PUMP, path: 'P:/Pump/' },
      { uuid: PUMPE, path: 'P:/Pumpe/' },
    ]);
    expect(created.status).toBe(201);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    await server.changePolicy(policy(['pump'], [...CLAIMS, { claim: randomUUID(), roles: [] }]));
  });

  describe('without credentials', () => {
    it('answers only what a client needs to sign in [D8.1]', () => {
      const open = server.routes.filter(({ permission }) => permission === 'open').map(({ method, path }) => `${method} ${path}`);
      expect(open.sort()).toEqual([
        'GET /',
        'GET /.well-known/ServerConfiguration',
        'GET /alarmServiceRest',
        'GET /alarmServiceRest/subscriptions/:uuid/unsubscribe',
        'GET /analysisServiceRest',
        'GET /console',
        'GET /console/*view',
        'GET /console/assets/:file',
        'GET /console/logo',
        'GET /dataServiceRest',
        'GET /dataServiceRest/serviceInformation',
        'GET /docs',
        'GET /docs/:file',
        'GET /eventServiceRest',
        'GET /exchangeServiceRest',
        'GET /oAuthServiceRest',
        'GET /oAuthServiceRest/oAuthConfiguration',
        'GET /oAuthServiceRest/oauthTokenInformation',
        'GET /oAuthServiceRest/serviceInformation',
        'GET /rawDataServiceRest',
        'GET /rawDataServiceRest/serviceInformation',
        'GET /reportServiceRest',
        'POST /alarmServiceRest/subscriptions/:uuid/unsubscribe',
      ]);
    });

    it.each([
      '/alarmServiceRest/',
      '/analysisServiceRest/',
      '/dataServiceRest/',
      '/dataServiceRest/serviceInformation',
      '/rawDataServiceRest/',
      '/rawDataServiceRest/serviceInformation',
      '/eventServiceRest',
      '/exchangeServiceRest/',
      '/oAuthServiceRest/',
      '/oAuthServiceRest/serviceInformation',
      '/oAuthServiceRest/oAuthConfiguration',
      '/OAuthServiceRest/OAuthTokenInformation',
      '/healthServiceRest/',
      '/healthServiceRest/ready',
      '/healthServiceRest/live',
    ])('answers GET %s [I167, D1.1]', async (path) => {
      // On a busy machine the product may be unready for a moment.
      await eventually(async () => (await server.send('GET', path)).status === 200, `${path} answers 200`);
      const answers = async () => (await server.send('GET', path, { authorization: 'Basic nonsense' })).status === 200;
      await eventually(answers, `${path} answers 200 to credentials that it does not read`);
    });

    it('refuses every other route before it reads anything else of the request [D8.1]', async () => {
      const guarded = server.routes.filter(({ permission }) => permission !== 'open');
      expect(guarded.length).toBeGreaterThan(50);
      const refused: string[] = [];
      for (const { method, path } of guarded) {
        const { status, headers, body } = await server.send(method, `${exampleOf(path)}?limitResult=bad&after=x`, {
          'content-length': '0',
        });
        const isRefusal = status === 401 && (body as { ExceptionType?: string }).ExceptionType === 'Unauthenticated';
        if (!isRefusal || headers['www-authenticate'] !== 'Basic realm="Sinebar", charset="UTF-8", Bearer realm="Sinebar"') {
          refused.push(`${method} ${path}: ${status}`);
        }
      }
      expect(refused).toEqual([]);
      expect((await server.send('HEAD', '/dataServiceRest/parts')).status).toBe(401);
    });

    it('sends a challenge, and where tokens come from [I168, D5.12, D8.1]', async () => {
      expect((await server.send('GET', '/dataServiceRest/serviceInformation')).body).toMatchObject({ securityEnabled: true });
      expect((await server.send('GET', '/oAuthServiceRest/')).body).toEqual({ supportedVersions: ['1.2.0'] });
      const information = {
        openIdAuthority: server.provider.issuer,
        clientId: 'desktop',
        browserClientId: 'browser',
        browserCompatibilityClientId: 'browser',
        redirectUri: 'urn:ietf:wg:oauth:2.0:oob',
        requestedScopes: 'openid profile email offline_access',
        additionalEndpointBaseAddresses: [],
      };
      expect((await server.send('GET', '/oAuthServiceRest/oAuthConfiguration')).body).toEqual({
        accessTokenType: 0,
        supportedOidcAuthenticationFlows: 2,
        upstreamTokenInformation: information,
        localTokenInformation: information,
      });
      expect((await server.send('GET', '/oAuthServiceRest/oauthTokenInformation')).body).toEqual(information);
    });

    it('answers preflight requests of browsers', async () => {
      const preflight = {
        origin: 'https://page.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      };
      const socket = await server.send('OPTIONS', '/socket.io/?EIO=4&transport=polling', preflight);
      expect(socket.status).toBe(204);
      expect(socket.headers['access-control-allow-origin']).toBe('https://page.example');
      expect(socket.headers['access-control-allow-headers']).toBe('authorization');
      const rest = await server.send('OPTIONS', '/dataServiceRest/parts', preflight);
      expect(rest.status).toBe(204);
      expect(rest.headers['access-control-allow-origin']).toBe('https://page.example');
    });

    it('reports behind a proxy only whether it is healthy, until a user signs in', async () => {
      const forwarded = { 'x-forwarded-for': '192.0.2.9' };
      expect((await server.send('GET', '/healthServiceRest/ready', forwarded)).body).toEqual({ status: 'Healthy' });
      expect((await server.send('GET', '/healthServiceRest/ready', { ...forwarded, ...basic('chief') })).body).toHaveProperty('details');
    });

    it('reports in its health that it requires credentials, and nothing of the policy', async () => {
      const { body } = await server.send('GET', '/healthServiceRest/ready');
      expect((body as { details: object[] }).details).toContainEqual({
        name: 'authentication',
        status: 'Healthy',
        detail: expect.stringMatching(/^basic\+oidc; access policy \w{16} is in force$/),
      });
      expect(JSON.stringify(body)).not.toMatch(/ada|pump|argon2/i);
    });
  });

  it('gives each user the rights of the policy, by password and by token [D2.6, D8.1]', async () => {
    const everything = pathsOf(await server.send('GET', '/dataServiceRest/parts?depth=65535', basic('chief')));
    expect(everything).toEqual(['/', 'P:/Pump/', 'P:/Pumpe/']);
    for (const who of [basic('ada'), await bearer()]) {
      const seen = await server.send('GET', '/dataServiceRest/parts?depth=65535', who);
      expect(seen.status).toBe(200);
      expect(pathsOf(seen)).toEqual(['P:/Pump/']);
      expect((await server.send('GET', `/dataServiceRest/parts/${PUMP}`, who)).status).toBe(200);
      expect((await server.send('GET', `/dataServiceRest/parts/${PUMPE}`, who)).status).toBe(403);
      const part = [{ uuid: randomUUID(), path: 'P:/Pump/x/' }];
      expect((await server.send('POST', '/dataServiceRest/parts', who, part)).status).toBe(403);
      expect((await server.send('DELETE', '/dataServiceRest/configuration', who)).status).toBe(403);
    }
    const unlisted = await server.bearer('olga');
    expect((await server.send('GET', '/dataServiceRest/parts', unlisted)).status).toBe(403);
  });

  it('uses different ETags for different rights, and changes them with the rights', async () => {
    const etag = async (who: object, more: object = {}) => server.send('GET', '/dataServiceRest/parts?depth=65535', { ...who, ...more });
    const ofChief = (await etag(basic('chief'))).headers.etag as string;
    const ofAda = (await etag(basic('ada'))).headers.etag as string;
    expect(ofAda).not.toBe(ofChief);
    expect((await etag(await bearer())).headers.etag).toBe(ofAda);
    expect((await etag(basic('ada'), { 'if-none-match': ofAda })).status).toBe(304);
    expect((await etag(basic('ada'), { 'if-none-match': ofChief })).status).toBe(200);
    await server.changePolicy(policy(['pumpe']));
    const changed = await etag(basic('ada'), { 'if-none-match': ofAda });
    expect(changed.status).toBe(200);
    expect(pathsOf(changed)).toEqual(['P:/Pumpe/']);
  });

  it('refuses users at once whom the policy no longer contains [D8.2]', async () => {
    const token = await bearer();
    expect((await server.send('GET', '/dataServiceRest/parts', basic('ada'))).status).toBe(200);
    expect((await server.send('GET', '/dataServiceRest/parts', token)).status).toBe(200);
    await server.changePolicy(policy(undefined, []));
    expect((await server.send('GET', '/dataServiceRest/parts', basic('ada'))).status).toBe(401);
    expect((await server.send('GET', '/dataServiceRest/parts', token)).status).toBe(403);
  });

  describe('refuses', () => {
    it.each<[string, () => Promise<{ authorization: string }>, RegExp]>([
      ['a wrong password', () => Promise.resolve(basic('chief', 'wrong')), /User name or password is wrong\./],
      ['a user that is not there', () => Promise.resolve(basic('mallory')), /User name or password is wrong\./],
      ['a token for another audience', () => tokenFrom(server.provider.issuer, OTHER_RESOURCE), /its audience is another one/],
      ['a token of another provider', elsewhere, /a key that the provider does not offer/],
      ['a token that has expired', expired, /has expired/],
      [
        'an unsigned token',
        () => Promise.resolve({ authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.e30.` }),
        /not accepted|no token/,
      ],
      ['credentials of 40 KiB', () => Promise.resolve({ authorization: `Bearer ${'a'.repeat(40 * 1024)}` }), /is longer than/],
    ])('%s with 401 [D2.6]', async (_what, who, sentence) => {
      const { status, body, headers } = await server.send('GET', '/dataServiceRest/parts', await who());
      expect(status).toBe(401);
      expect((body as { message: string }).message).toMatch(sentence);
      expect(headers['www-authenticate']).toMatch(/^Basic realm="Sinebar", charset="UTF-8", Bearer realm="Sinebar"/);
      expect(headers['cache-control']).toBe('no-store');
    });

    it('headers beyond the limit with 431', async () => {
      expect((await server.send('GET', '/dataServiceRest/parts', { authorization: `Bearer ${'a'.repeat(70 * 1024)}` })).status).toBe(431);
    });

    it('a second header Authorization, whatever the order', async () => {
      const line = (password: string) => `Authorization: ${basic('chief', password).authorization}\r\n`;
      const statusOf = async (headers: string) =>
        /^HTTP\/1\.1 (\d+)/.exec(
          await server.sendRaw(`GET /dataServiceRest/parts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`),
        )?.[1];
      expect(await statusOf(line('feihc'))).toBe('200');
      expect(await statusOf(line('wrong') + line('feihc'))).toBe('401');
      expect(await statusOf(line('feihc').replace('Basic ', 'Basic \r\n '))).toBe('400');
    });

    it('a file that is sent with wrong credentials, and keeps none of it', async () => {
      const file = await server.send(
        'POST',
        `/rawDataServiceRest/rawData/part/${PUMP}`,
        { ...basic('chief', 'no'), 'content-disposition': '"a.txt"' },
        'x',
      );
      expect(file.status).toBe(401);
      const listed = await server.send('GET', `/rawDataServiceRest/rawDataInformation/part/${PUMP}`, basic('chief'));
      expect(listed.body).toEqual([]);
    });

    it('attempts above the limit for mistyped passwords, with 429 and Retry-After', async () => {
      const answers: Answer[] = [];
      for (let i = 0; i < 12; i += 1) answers.push(await server.send('GET', '/dataServiceRest/parts', basic('oscar', `guess ${i}`)));
      expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429, 429]);
      expect(Number(answers.at(-1)?.headers['retry-after'])).toBeGreaterThan(0);
      expect(answers.at(-1)?.body).toMatchObject({ ExceptionType: 'TooManyRequests' });
      expect((await server.send('GET', '/dataServiceRest/parts', basic('chief'))).status).toBe(200);
    });

    it('tokens with 503 while their provider is unavailable, but no passwords', async () => {
      await server.provider.rotate();
      const withNewKey = await bearer();
      await server.provider.setDown(true);
      try {
        const { status, headers } = await server.send('GET', '/dataServiceRest/parts', withNewKey);
        expect(status).toBe(503);
        expect(headers['retry-after']).toBe('5');
        expect((await server.send('GET', '/dataServiceRest/parts', basic('chief'))).status).toBe(200);
      } finally {
        await server.provider.setDown(false);
      }
    });
  });

  describe('accepts sockets', () => {
    const connectWith = (options: Partial<ManagerOptions & SocketOptions>) =>
      new Promise<string>((resolve) => {
        const socket: Socket = io(`http://127.0.0.1:${server.port}/events`, { reconnection: false, forceNew: true, ...options });
        const done = (result: string) => {
          socket.disconnect();
          resolve(result);
        };
        socket.once('connect', () => done('in'));
        socket.once('connect_error', (error) => done(error.message));
      });

    it.each<[string, () => Promise<Partial<ManagerOptions & SocketOptions>>]>([
      ['with a header', () => Promise.resolve({ extraHeaders: basic('ada') })],
      ['with the value of the header', () => Promise.resolve({ auth: basic('ada') })],
      ['with name and password', () => Promise.resolve({ auth: { username: 'ada', password: 'ada'.split('').reverse().join('') } })],
      ['with a token', async () => ({ auth: { token: (await bearer()).authorization.slice('Bearer '.length) } })],
    ])('%s', async (_what, options) => {
      expect(await connectWith(await options())).toBe('in');
    });

    it.each<[string, Partial<ManagerOptions & SocketOptions>, RegExp]>([
      ['nothing', {}, /^Sign in to use this address/],
      ['a wrong password', { auth: { username: 'ada', password: 'x' } }, /^User name or password is wrong\.$/],
      ['a wrong token', { auth: { token: 'x' } }, /^This is no token of the provider\.$/],
      ['what is no text', { auth: { token: { $gt: '' } } }, /^The member token must be a text\.$/],
    ])('but not with %s', async (_what, options, sentence) => {
      expect(await connectWith(options)).toMatch(sentence);
    });
  });
});

describe('a server without users', () => {
  let server: SecuredServer;
  beforeAll(async () => {
    server = await startSecuredServer({}, { SINEBAR_AUTHENTICATION: 'none' });
  });
  afterAll(() => server.stop());

  it('requires no credentials, reports so, and names no provider of tokens [D8.1]', async () => {
    expect((await server.send('GET', '/dataServiceRest/parts', { authorization: 'Basic nonsense' })).status).toBe(200);
    expect((await server.send('GET', '/dataServiceRest/serviceInformation')).body).toMatchObject({ securityEnabled: false });
    expect((await server.send('GET', '/oAuthServiceRest/')).body).toEqual({ supportedVersions: ['1.2.0'] });
    for (const path of ['oAuthConfiguration', 'oauthTokenInformation']) {
      const { status, body } = await server.send('GET', `/oAuthServiceRest/${path}`);
      expect({ path, status, body }).toMatchObject({ path, status: 404, body: { message: 'This server does not use OpenID Connect.' } });
    }
  });
});
