import type { RequestObserver } from '@sinebar/http';
import type { Metrics } from './metrics.ts';

/** Histogram buckets in seconds; the limits of the routes are 60, 120 and 280 s. */
const SECONDS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** Registers rates, latencies and bytes by route. */
export function httpMetrics(metrics: Metrics): RequestObserver {
  const requests = metrics.counter({
    name: 'sinebar_http_requests_total',
    help: 'Requests that have ended; status 499: the answer was cut short, mostly by a client that left',
    labels: ['route', 'method', 'status'],
  });
  const seconds = metrics.histogram({
    name: 'sinebar_http_request_duration_seconds',
    help: 'Time from the head of a request to the last byte of its answer, seconds',
    labels: ['route', 'method'],
    buckets: SECONDS,
  });
  const received = metrics.counter({
    name: 'sinebar_http_received_bytes_total',
    help: 'Bytes of requests, with headers, as they came',
    labels: ['route'],
  });
  const sent = metrics.counter({
    name: 'sinebar_http_sent_bytes_total',
    help: 'Bytes of answers, with headers, as they were sent',
    labels: ['route'],
  });
  let inProgress = 0;
  metrics.gauge({ name: 'sinebar_http_requests_in_progress', help: 'Requests whose answer has not ended yet' }, (set) => set(inProgress));
  return {
    begun: () => {
      inProgress += 1;
    },
    ended: ({ route = 'none', method: sentMethod, status, durationS, receivedBytes, sentBytes }) => {
      const method = METHODS.has(sentMethod) ? sentMethod : 'other';
      inProgress -= 1;
      requests.inc({ route, method, status: String(status) });
      seconds.observe({ route, method }, durationS);
      if (receivedBytes > 0) received.inc({ route }, receivedBytes);
      if (sentBytes > 0) sent.inc({ route }, sentBytes);
    },
  };
}
