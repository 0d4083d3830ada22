import { runSuite, type SuiteResult } from '../conformance/runSuite.ts';

/** A deployment that the conformance suite is led to; read by remote.suite.ts. */
export interface RemoteTarget {
  readonly streamingUrl: string;
  readonly httpUrl: string;
  readonly flagsTable: string;
  /** Prefix of the names of the suite's environments. */
  readonly environments: string;
}

/** The environment variable that carries a {@link RemoteTarget} to the suite, as JSON. */
export const REMOTE_TARGET = 'FLAGWIRE_REMOTE_TARGET';

/** Holds the conformance suite against a deployment; its progress goes to standard error. */
export function runRemoteSuite(target: RemoteTarget): Promise<SuiteResult> {
  const environment = { [REMOTE_TARGET]: JSON.stringify(target) };
  return runSuite('dev/verify/deployment/remote.suite.ts', { environment, showProgress: true });
}
