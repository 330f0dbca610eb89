import type { AddressInfo } from 'node:net';
import { goodWireRequests, randomWireRequests, WireSender, type RequestFields } from '@sinebar/testing/wire-requests';
import type { RunningInspection } from '../running-inspection.fixture.ts';

export { asSent, expectErrorBody, type RequestFields, type WireRequest } from '@sinebar/testing/wire-requests';

const BASE = '/dataServiceRest';

/** Generates requests below `/dataServiceRest`, valid or not. */
export const randomRequests = (fields: RequestFields) => randomWireRequests(BASE, fields);

export const goodRequests = (fields: RequestFields) => goodWireRequests(BASE, fields);

export class RequestSender extends WireSender {
  constructor(inspection: () => RunningInspection) {
    super(() => (inspection().server.address() as AddressInfo).port);
  }
}
