import type { ServerResponse } from 'node:http';

type State = 'pending' | 'running' | 'stopping' | 'stopped';

/** The API of EC2 with one instance. It refuses what EC2 refuses, as AWS's list of error codes says. */
export class PlayedEc2 {
  static readonly instanceId = 'i-0123456789abcdef0';
  state: State;
  launchedAt: number;
  /** The results of the status checks of a running instance. */
  readonly status = { system: 'ok', instance: 'ok' };
  /** The error code of all further requests of an action, such as `RequestLimitExceeded`. */
  readonly refused = new Map<string, string>();
  /** The actions that changed the instance, in order. */
  readonly changes: string[] = [];
  readonly #now: () => number;

  constructor(state: State, now: () => number) {
    this.state = state;
    this.#now = now;
    this.launchedAt = now();
  }

  /** Ends a change of the instance. */
  settle(): void {
    if (this.state === 'pending') this.state = 'running';
    if (this.state === 'stopping') this.state = 'stopped';
  }

  /** Answers a request of EC2's query protocol. */
  answer({ body }: { readonly body: string }, response: ServerResponse): void {
    const query = new URLSearchParams(body);
    const [action, id] = [query.get('Action') ?? '', query.get('InstanceId.1')];
    const isKnown = id === PlayedEc2.instanceId && query.get('Version') === '2016-11-15';
    const error = this.refused.get(action) ?? (isKnown ? this.#change(action) : 'InvalidInstanceID.NotFound');
    response.writeHead(error ? (error === 'RequestLimitExceeded' ? 503 : 400) : 200);
    response.end(
      error
        ? `<?xml version="1.0"?>\n<Response><Errors><Error><Code>${error}</Code><Message>about ${id}</Message></Error></Errors></Response>`
        : action === 'DescribeInstanceStatus'
          ? this.#describeStatus()
          : this.#describe(action),
    );
  }

  /** @returns the code if EC2 refuses */
  #change(action: string): string | undefined {
    if (action.startsWith('DescribeInstance')) return undefined;
    // An instance that already is, or comes, where the request wants it is left alone.
    const [from, via, to] =
      action === 'StartInstances'
        ? (['stopped', 'pending', 'running'] as const)
        : (['running', 'stopping', 'stopped'] as const);
    if (this.state === via || this.state === to) return undefined;
    if (this.state !== from) return 'IncorrectInstanceState';
    this.state = via;
    this.changes.push(action);
    if (via === 'pending') this.launchedAt = this.#now();
    return undefined;
  }

  /** By default, EC2 lists running instances only. */
  #describeStatus(): string {
    const check = (name: string, status: string) =>
      `<${name}><status>${status}</status><details><item><name>reachability</name><status>passed</status></item></details></${name}>`;
    const { system, instance } = this.status;
    const item = `<item><instanceState><code>16</code><name>running</name></instanceState>${check('systemStatus', system)}${check('instanceStatus', instance)}</item>`;
    return `<DescribeInstanceStatusResponse><instanceStatusSet>${this.state === 'running' ? item : ''}</instanceStatusSet></DescribeInstanceStatusResponse>`;
  }

  #describe(action: string): string {
    const launched = `<launchTime>${new Date(this.launchedAt).toISOString()}</launchTime>`;
    const item = `<instanceState>\n<code>16</code>\n<name>${this.state}</name>\n</instanceState>${launched}`;
    return `<${action}Response><reservationSet><item><instancesSet><item>${item}</item></instancesSet></item></reservationSet></${action}Response>`;
  }
}
