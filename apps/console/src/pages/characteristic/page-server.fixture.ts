import {
  CHARACTERISTIC_UUID,
  evaluationAnswer,
  PART_UUID,
  probabilityAnswer,
  seriesAnswer,
  summaryAnswer,
} from '../../testing/analysis-answers.fixture';
import { FakeServer } from '../../testing/fake-server.fixture';

export const ADDRESS = `/parts/${PART_UUID}/characteristics/${CHARACTERISTIC_UUID}`;
export const ANALYSIS = 'GET /analysisServiceRest/characteristics/:uuid';

/** A server with a characteristic, unless `answers` say otherwise. */
export function server(answers: ConstructorParameters<typeof FakeServer>[0] = {}): FakeServer {
  return new FakeServer({
    'GET /dataServiceRest/characteristics/:uuid': () => ({
      uuid: CHARACTERISTIC_UUID,
      path: 'PPC:/Car door/Frame/Gap left/',
      attributes: { 2142: 'mm' },
    }),
    'GET /dataServiceRest/parts': () => [],
    [`${ANALYSIS}/summary`]: () => summaryAnswer(),
    [`${ANALYSIS}/series`]: () => seriesAnswer(),
    [`${ANALYSIS}/probability`]: () => probabilityAnswer(),
    [`${ANALYSIS}/evaluation`]: () => evaluationAnswer(),
    ...answers,
  });
}
