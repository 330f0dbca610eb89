import type { AddressInfo } from 'node:net';
import { goodWireRequests, randomWireRequests, WireSender, type RequestParts } from '@sinebar/testing/wire-requests';
import type { RunningInspection } from '../running-inspection.fixture.js';

export { asSent, expectErrorBody, type RequestParts, type WireRequest } from '@sinebar/testing/wire-requests';

const BASE = '/dataServiceRest';

/** Generates requests below `/dataServiceRest`, valid or not. */
export const randomRequests = (parts: RequestParts) => randomWireRequests(BASE, parts);

export const goodRequests = (parts: RequestParts) => goodWireRequests(BASE, parts);

export class RequestSender extends WireSender {
  constructor(inspection: () => RunningInspection) {
    super(() => (inspection().server.address() as AddressInfo).port);
  }
}
