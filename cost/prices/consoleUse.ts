import { type Line, priceLines, standing } from './bill.ts';
import type { PriceSheet } from './priceSheet.ts';
import { CONSOLE_FILE_BYTES, CONSOLE_GB, CONSOLE_MS, CONSOLE_POLL_SECONDS, CONSOLE_THROTTLE } from './serviceFacts.ts';

const GB = 1_024 ** 3;
/** Working hours of a month in which somebody has the page in view: 22 days of eight hours. */
const VISIBLE_HOURS = 22 * 8;
/** Answer to a poll without changes, with its headers, in bytes. */
const POLL_BYTES = 1_000;

/** What the deployed console uses for requests: its API and its function. */
function consoleLines(requests: number, bytesEach: number): Line[] {
  return [
    standing('httpRequest', 'requests of the console', requests),
    standing('lambdaRequest', 'console', requests),
    standing('lambdaGbSecond', 'console', (requests * CONSOLE_MS * CONSOLE_GB) / 1_000),
    standing('dataOut', 'answers of the console', (requests * bytesEach) / GB),
  ];
}

/** A month of a person who watches the page in working hours, in US dollars, without free allowances. */
export function consolePerson(sheet: PriceSheet): number {
  return priceLines(consoleLines((VISIBLE_HOURS * 3_600) / CONSOLE_POLL_SECONDS, POLL_BYTES), sheet).total;
}

/**
 * A day of anonymous requests at the API's throttle, each for the largest file of the page, in US dollars without free allowances. API
 * Gateway does not charge for requests above the throttle. It calls the throttle a target, which can be exceeded for a short time:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
export function floodDay(sheet: PriceSheet): number {
  return priceLines(consoleLines(CONSOLE_THROTTLE.rateLimit * 86_400, CONSOLE_FILE_BYTES), sheet).total;
}
