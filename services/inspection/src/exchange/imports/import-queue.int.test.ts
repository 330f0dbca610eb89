import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import { describeWith, eventually } from '@sinebar/testing';
import request from 'supertest';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';

const fileOf = (name: string) => ['K0100 1', `K1001/1 ${name}`, 'K2002/1 Diameter', '20.01', ''].join('\r\n');

describeWith(['postgres'], 'imports of one user', () => {
  let inspection: RunningInspection;
  beforeAll(async () => {
    inspection = await startInspection({ SINEBAR_IMPORTS_PER_USER: 1 });
  });
  afterAll(() => inspection.stop());

  /** Begins an import whose body is not complete. */
  const begin = (name: string, query = ''): { sent: ClientRequest; answer: Promise<number> } => {
    const sent = httpRequest({
      port: (inspection.server.address() as AddressInfo).port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/exchangeServiceRest/imports?format=aqdef${query}`,
      headers: { 'Content-Type': 'text/plain' },
    });
    const answer = once(sent, 'response').then(async ([response]) => {
      const message = response as IncomingMessage;
      if (message.statusCode !== 202) await json(message);
      else message.resume();
      return message.statusCode as number;
    });
    sent.write(fileOf(name).slice(0, 10));
    return { sent, answer };
  };
  const end = ({ sent }: { sent: ClientRequest }, name: string) => sent.end(fileOf(name).slice(10));
  const post = (name: string) =>
    request(inspection.server).post('/exchangeServiceRest/imports?format=aqdef').set('Content-Type', 'text/plain').send(fileOf(name));

  it('run as many at a time as the setting says; a further one waits until one ends [D10.10]', async () => {
    const first = begin('first');
    await once(first.sent, 'socket');
    await eventually(() => inspection.spooling() === 1);
    // Another user does not wait.
    await inspection.as({ ...EVERYONE, name: 'bob' }, async () => {
      expect((await post('of bob')).status).toBe(201);
    });
    let isSecondDone = false;
    const second = post('second').then(({ status }) => {
      isSecondDone = true;
      return status;
    });
    for (let i = 0; i < 20; i += 1) await request(inspection.server).get('/exchangeServiceRest').expect(200);
    expect(isSecondDone).toBe(false);
    end(first, 'first');
    expect(await first.answer).toBe(201);
    expect(await second).toBe(201);
  });

  it('count in the background, too', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, i) => {
        const started = begin(`background ${i}`, '&runAsync=true');
        end(started, `background ${i}`);
        return started.answer;
      }),
    );
    expect(answers).toEqual([202, 202, 202, 202]);
    expect((await post('after the background')).status).toBe(201);
  });

  it('leave the queue when their client goes away', async () => {
    const first = begin('gone');
    first.answer.catch(() => undefined);
    await eventually(() => inspection.spooling() === 1);
    first.sent.destroy();
    expect((await post('after the one that left')).status).toBe(201);
  });
});
