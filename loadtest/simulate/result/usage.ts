/** Functions that are called. */
export type CalledFunction = 'connect' | 'sync' | 'disconnect' | 'publish' | 'deliver';

/** What was asked of each service. */
export class Usage {
  handshakes = 0;
  dataSyncs = 0;
  answers = 0;
  posts = 0;
  queueRequests = 0;
  readonly calls: Record<CalledFunction, { count: number; ms: number }> = {
    connect: { count: 0, ms: 0 },
    sync: { count: 0, ms: 0 },
    disconnect: { count: 0, ms: 0 },
    publish: { count: 0, ms: 0 },
    deliver: { count: 0, ms: 0 },
  };

  addCall(name: CalledFunction, ms: number): void {
    const { calls } = this;
    calls[name].count++;
    calls[name].ms += ms;
  }
}
