import { Logger } from '@aws-lambda-powertools/logger';
import type { Containment } from '../shared/evaluation/snapshot.ts';

/** The log of all entry points: one JSON object a line. Never hand it a secret, a token or a message's content. */
export const log = new Logger({ serviceName: 'flagwire' });

/** Reports what of an environment is contained: it never matches until somebody mends it. */
export function logContained(envId: string, contained: readonly Containment[]): void {
  for (const { kind, id, path, message } of contained) {
    log.warn(`${kind} "${id}" ${path === '' ? '' : `${path} `}never matches: ${message}`, { envId });
  }
}
