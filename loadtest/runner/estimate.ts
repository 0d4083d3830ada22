import { type PriceKey, unitPrice } from '../../cost/prices/priceSheet.ts';
import { FUNCTION_GB } from '../../cost/prices/serviceFacts.ts';
import { priceSheetOf } from '../../cost/prices/sheets.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import { countConnections, type LoadProfile } from '../scenarios/loadProfile.ts';
import { WrongArguments } from './outcome.ts';

/** List prices; Fargate on Linux and x86. The Spot discount varies, so it is ignored. */
const price = (key: PriceKey) => unitPrice(priceSheetOf('us-east-1'), key);

/** Tasks are billed from the download of their image. */
const START_HOURS = 5 / 60;

/** GB-seconds of a connection's three calls, which take 10, 20 and 10 ms. */
const CONNECTION_GB_SECONDS = FUNCTION_GB.connect * 0.01 + FUNCTION_GB.sync * 0.02 + FUNCTION_GB.disconnect * 0.01;

/** The estimated cost of a campaign in US dollars. */
export interface Estimate {
  readonly items: readonly (readonly [what: string, usd: number])[];
  readonly total: number;
}

/**
 * Estimates the cost of runs at list prices of us-east-1: the workers and, for an API Gateway target, its requests (the larger part).
 *
 * @param memory GB of each worker
 */
export function estimateCost(
  plans: readonly LoadProfile[],
  workers: { readonly count: number; readonly cpu: number; readonly memory: number },
  url: string,
): Estimate {
  const hours = plans.reduce((sum, { durationS }) => sum + durationS / 3_600 + START_HOURS, 0);
  const hourly = workers.cpu * price('fargateVcpuHour') + workers.memory * price('fargateGbHour');
  const items: [string, number][] = [
    [`${workers.count} Fargate workers for ${hours.toFixed(2)} h`, workers.count * hourly * hours],
  ];
  if (/\.execute-api\.|^wss:/.test(url)) items.push(...gatewayItems(plans));
  return { items, total: sumOf(items, ([, usd]) => usd) };
}

/**
 * Prints a cost, and checks it against the operator's consent.
 *
 * @throws {WrongArguments} if it exceeds the budget, or if there is neither a budget nor `--yes`
 */
export function agreeTo(
  { items, total }: Estimate,
  { budget, yes }: { readonly budget?: number; readonly yes?: boolean },
  say: (line: string) => void,
): void {
  say('estimated cost at list prices, in US dollars:');
  for (const [what, usd] of items) say(`  ${usd.toFixed(2).padStart(9)}  ${what}`);
  say(`  ${total.toFixed(2).padStart(9)}  total`);
  if (budget !== undefined && total > budget)
    throw new WrongArguments(
      `The cost exceeds the budget of ${budget}. Nothing was started. Raise --budget, or reduce the load.`,
    );
  if (budget === undefined && !yes) throw new WrongArguments('Nothing was started: add --budget <usd> or --yes.');
}

/** Charges of API Gateway, Lambda and DynamoDB for runs, at list prices of us-east-1. */
function gatewayItems(plans: readonly LoadProfile[]): [string, number][] {
  const connections = sumOf(plans, countConnections);
  const minutes = sumOf(plans, (plan) => (countConnections(plan) * secondsEach(plan)) / 60);
  const messages = sumOf(plans, (plan) => countConnections(plan) * (2 + 2 * messagesEach(plan)));
  const perSync =
    price('lambdaRequest') * 3 +
    CONNECTION_GB_SECONDS * price('lambdaGbSecond') +
    3 * price('readUnit') +
    2 * price('writeUnit');
  return [
    [`${Math.round(messages)} WebSocket messages`, messages * price('webSocketMessage')],
    [`${Math.round(minutes)} connection minutes`, minutes * price('connectionMinute')],
    [`${Math.round(connections)} connects and data-syncs: Lambda and DynamoDB`, connections * perSync],
  ];
}

function secondsEach({ variables, durationS }: LoadProfile): number {
  const { atMost, ping, live = Number.POSITIVE_INFINITY } = variables;
  return atMost === undefined ? Math.min(durationS, live) : atMost * ping;
}

function messagesEach(plan: LoadProfile): number {
  const { atMost, ping } = plan.variables;
  return atMost ?? (ping > 0 ? secondsEach(plan) / ping : 0);
}
