import type { TargetOf } from '../target.ts';
import { authenticationCases } from './authentication.ts';
import { dataSyncCases } from './dataSync.ts';
import { httpCases } from './http.ts';
import { invalidConditionCases } from './invalidConditions.ts';
import { largeCases } from './large.ts';
import { largeServerCases } from './largeServers.ts';
import { messageCases } from './messages.ts';
import { ofrepCases } from './ofrep.ts';
import { burstCases, pushCases } from './push.ts';
import { sdkCases } from './sdks.ts';

/** The whole suite, for one target. */
export function conformanceCases(target: TargetOf): void {
  authenticationCases(target);
  dataSyncCases(target);
  messageCases(target);
  httpCases(target);
  ofrepCases(target);
  pushCases(target);
  sdkCases(target);
  invalidConditionCases(target);
  largeCases(target);
  burstCases(target);
  largeServerCases(target);
}
