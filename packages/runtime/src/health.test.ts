import { describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { healthRoutes } from './health.ts';
import { createHttpApp, closeHttpServer, createHttpServer, listen } from '@sinebar/http';
import { createLogger } from './logger.ts';
import type { HealthCheck } from './service.ts';

const log = createLogger({ service: 'test', level: 'silent' });

function app(checks: () => Promise<HealthCheck[]>, peers: string[] = [], isStopping = false, withDetails = true) {
  const maySeeDetails = () => Promise.resolve(withDetails);
  return createHttpApp({ routes: healthRoutes({ check: checks, peers, isStopping: () => isStopping, maySeeDetails }), log });
}
const check = (healthy: boolean) => () => Promise.resolve([{ name: 'database', healthy, detail: 'a sentence' }]);

describe('health', () => {
  it('contains the version [D5.12, D9]', async () => {
    expect(
      (
        await request(app(check(true)))
          .get('/HealthServiceRest/')
          .expect(200)
      ).body,
    ).toEqual({ supportedVersions: ['1.0.0'] });
  });

  it('contains only whether it is healthy for users who may not see more', async () => {
    const { body } = (await request(app(check(false), [], false, false))
      .get('/healthServiceRest/all/ready')
      .expect(503)) as { body: unknown };
    expect(body).toEqual({ status: 'Unhealthy' });
  });

  it('is ready with its dependencies and alive without them [D9]', async () => {
    expect(
      (
        await request(app(check(true)))
          .get('/healthServiceRest/ready')
          .expect(200)
      ).body,
    ).toMatchObject({ status: 'Healthy' });
    const away = app(check(false));
    expect((await request(away).get('/healthServiceRest/ready').expect(503).expect('Retry-After', '2')).body).toMatchObject({
      status: 'Unhealthy',
    });
    expect((await request(away).get('/healthServiceRest/live').expect(200)).body).toMatchObject({ status: 'Healthy' });
    await request(app(check(true), [], true))
      .get('/healthServiceRest/ready')
      .expect(503);
  });

  it('is unhealthy when a check fails', async () => {
    await request(app(() => Promise.reject(new Error('broken'))))
      .get('/healthServiceRest/ready')
      .expect(503);
  });

  it('includes the other services [D1.1]', async () => {
    const peer = createHttpServer(app(check(false)));
    const port = await listen(peer, 0, '127.0.0.1');
    const sum = app(check(true), [`http://127.0.0.1:${port}/`]);
    await request(sum).get('/healthServiceRest/ready').expect(200);
    await request(sum).get('/healthServiceRest/all/ready').expect(503);
    await request(sum).get('/healthServiceRest/all/live').expect(200);
    await closeHttpServer(peer, 100);
    await request(sum).get('/healthServiceRest/all/live').expect(503);
  });

  it('needs one healthy replica of each other service', async () => {
    const [good, bad] = [createHttpServer(app(check(true))), createHttpServer(app(check(false)))];
    const [goodUrl, badUrl] = await Promise.all([good, bad].map(async (peer) => `http://127.0.0.1:${await listen(peer, 0, '127.0.0.1')}`));
    await request(app(check(true), [`${badUrl}|${goodUrl}`]))
      .get('/healthServiceRest/all/ready')
      .expect(200);
    const sum = await request(app(check(true), [`${badUrl}|${goodUrl}`, `${badUrl}|${badUrl}`])).get('/healthServiceRest/all/ready');
    expect(sum.status).toBe(503);
    expect((sum.body as { details: unknown[] }).details).toContainEqual(
      expect.objectContaining({ status: 'Unhealthy', detail: 'answers 503, answers 503' }),
    );
    await Promise.all([good, bad].map((peer) => closeHttpServer(peer, 100)));
  });
});
