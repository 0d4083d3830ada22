import { answerRequests } from '../../dev/support/ipc.ts';
import { type HttpLoad, loadHttp } from './httpLoad.ts';
import { type Saturation, type Storm, saturate, serve, storm } from './load.ts';
import { Population, type Target } from './population.ts';

const population = new Population(JSON.parse(process.argv[2] ?? '{}') as Target);

/** The operations of a load generator, which is a separate process. */
const requests = {
  storm: (input: Storm) => storm(population, input),
  saturate: (input: Saturation) => saturate(population, input),
  serve: (input: Storm) => serve(population, input),
  /** Uses its own addresses and connections. */
  http: (input: HttpLoad) => loadHttp(input),
  /** Starts pings, evenly distributed over all connections, as often as SDKs do or every so many seconds. */
  ping: (everyS: number | null) => {
    population.keepPinging(everyS ?? undefined);
    return population.tally;
  },
  tally: (_: null) => population.tally,
  arrivals: (_: null) => population.arrivals,
};
export type GeneratorRequests = typeof requests;
answerRequests(requests);
