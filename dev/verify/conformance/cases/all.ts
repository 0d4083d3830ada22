import type { GetTarget } from '../target.ts';
import { authenticationCases } from './authentication.ts';
import { browserPageCases } from './browserPages.ts';
import { dataSyncCases } from './dataSync.ts';
import { httpCases } from './http.ts';
import { largeCases } from './large.ts';
import { largeServerCases } from './largeServers.ts';
import { messageCases } from './messages.ts';
import { ofrepCases } from './ofrep.ts';
import { ofrepValueCases } from './ofrepValues.ts';
import { planCases } from './plans.ts';
import { playedSdkCases } from './playedSdks.ts';
import { burstCases, pushCases } from './push.ts';
import { receiptCases } from './receipts.ts';
import { relayCases } from './relay.ts';
import { sdkCases } from './sdks.ts';
import { usageCases } from './usage.ts';

/** Parts of the suite that do not apply to all targets. */
interface Parts {
  readonly receipts?: boolean;
  readonly usage?: boolean;
}

/** The whole suite, for one target. @param parts of the suite that do not apply, as `false` */
export function conformanceCases(target: GetTarget, parts?: Parts): void {
  shortCases(target, parts);
  longCases(target);
}

/** Bursts of changes, and the largest environments, which take long. */
export function longCases(target: GetTarget): void {
  burstCases(target);
  largeServerCases(target);
}

/** The suite but for {@link longCases}. */
export function shortCases(target: GetTarget, { receipts = true, usage = true }: Parts = {}): void {
  authenticationCases(target);
  dataSyncCases(target);
  messageCases(target);
  httpCases(target);
  ofrepCases(target);
  ofrepValueCases(target);
  pushCases(target);
  planCases(target);
  if (receipts) receiptCases(target);
  sdkCases(target);
  if (usage) usageCases(target);
  browserPageCases(target);
  playedSdkCases(target);
  relayCases(target);
  largeCases(target);
}
