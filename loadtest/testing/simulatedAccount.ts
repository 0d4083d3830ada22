import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { aWorker } from './results.ts';

/** A stack of CloudFormation. A deleted one is only found by its id. */
interface SimulatedStack {
  readonly id: string;
  readonly outputs: Readonly<Record<string, string>>;
  status: string;
}

/** The stacks whose exports a stack uses, by the end of their names. CloudFormation does not delete them before it. */
const USES: Readonly<Record<string, readonly string[]>> = {
  Serverless: ['Data'],
  Host: ['Data', 'Serverless'],
  Fargate: ['Data', 'Serverless'],
};

/** The policy names of JSON services, by the name in their requests. */
const JSON_SERVICES: Readonly<Record<string, string>> = {
  AmazonSSM: 'ssm',
  ServiceQuotasV20190624: 'servicequotas',
  GraniteServiceVersion20100801: 'cloudwatch',
};

/**
 * Simulates the AWS account of a comparison: CloudFormation, STS, Service Quotas, Lambda's settings, Systems Manager, S3, and a
 * CloudWatch without data. Each run on the load generator writes the measurements of one worker. DynamoDB is not included.
 */
export class SimulatedAccount {
  /** Calls in their order: `cloudformation:DescribeStacks`. */
  readonly calls: string[] = [];
  readonly #stacks = new Map<string, SimulatedStack>();
  readonly #deleted = new Map<string, SimulatedStack>();
  readonly #objects = new Map<string, Buffer>();
  readonly #quotas: Readonly<Record<string, number>>;
  /** Requests are not repeated, so no connection may end while a client could use it again. */
  readonly #server = createServer(
    { keepAliveTimeout: 600_000 },
    (request, response) => void this.#answer(request, response),
  );
  /** The number of the first call that fails, like after the death of a process. */
  diesAt = Number.POSITIVE_INFINITY;

  /** Stacks that cannot be deleted. */
  readonly staying = new Set<string>();
  readonly #next = new Map<string, { left: number; readonly status: string }>();

  /** @param quotas by code */
  constructor(quotas: Readonly<Record<string, number>>) {
    this.#quotas = quotas;
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** Makes a stack, as a deployment does. */
  create(name: string, outputs: Readonly<Record<string, string>> = {}, status = 'CREATE_COMPLETE'): void {
    this.#call('cloudformation:CreateStack');
    this.#stacks.set(name, {
      id: `arn:aws:cloudformation:us-east-1:1:stack/${name}/${this.calls.length}`,
      outputs,
      status,
    });
  }

  /** Changes the status of a stack after some describe calls. */
  whenAsked(name: string, times: number, status: string): void {
    this.#next.set(name, { left: times, status });
  }

  /** The existing stacks and objects. */
  left(): string[] {
    return [...this.#stacks.keys(), ...this.#objects.keys()];
  }

  #call(name: string): void {
    if (this.calls.push(name) >= this.diesAt) throw new Error('the process is dead');
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const target = String(request.headers['x-amz-target'] ?? '');
    const path = new URL(request.url ?? '', 'http://x').pathname;
    try {
      const [status, answer] = target
        ? this.#json(target, JSON.parse(String(body)))
        : body.includes('Action=')
          ? this.#query(new URLSearchParams(String(body)))
          : path.endsWith('/account-settings')
            ? this.#settings()
            : this.#object(request.method ?? '', path, body);
      response.writeHead(status).end(answer);
    } catch {
      request.socket.destroy();
    }
  }

  #settings(): Answer {
    this.#call('lambda:GetAccountSettings');
    return [200, JSON.stringify({ AccountLimit: { ConcurrentExecutions: this.#quotas['L-B99A9384'] } })];
  }

  #json(target: string, input: Readonly<Record<string, string>>): Answer {
    const [service, operation] = target.split('.') as [string, string];
    this.#call(`${JSON_SERVICES[service]}:${operation}`);
    if (operation === 'GetMetricData') return [200, JSON.stringify({ MetricDataResults: [] })];
    if (operation === 'GetServiceQuota') {
      const Value = this.#quotas[input['QuotaCode'] ?? ''];
      return [200, JSON.stringify({ Quota: { Value } })];
    }
    if (operation === 'DescribeInstanceInformation') {
      const isThere = this.calls.filter((call) => call.endsWith(operation)).length > 1;
      return [200, JSON.stringify({ InstanceInformationList: isThere ? [{ PingStatus: 'Online' }] : [] })];
    }
    if (operation === 'SendCommand') {
      if (!this.calls.includes('ssm:DescribeInstanceInformation')) throw new Error('the agent is not registered');
      this.#run(JSON.stringify(input));
      return [200, JSON.stringify({ Command: { CommandId: '11111111-1111-1111-1111-111111111111' } })];
    }
    return [200, JSON.stringify({ Status: 'Success' })];
  }

  /** Writes the results of a load generator's script to its bucket. */
  #run(commands: string): void {
    const [, job = ''] = /s3:\/\/[^/]+\/(jobs\/[\w.-]+)/.exec(commands) ?? [];
    const [, archive] = [...this.#objects].find(([key]) => key.endsWith(job)) ?? [];
    if (!archive) throw new Error(`there is no ${job}`);
    for (const [, bucket, name] of commands.matchAll(/s3:\/\/([^/]+)\/(results\/[\w.-]+)/g))
      this.#objects.set(
        `/${bucket}/${name}`,
        name?.endsWith('.begun') ? Buffer.from(String(Date.now())) : measuredBy(archive),
      );
  }

  #object(method: string, path: string, body: Buffer): Answer {
    const action = { PUT: 'PutObject', GET: 'GetObject', DELETE: 'DeleteObject' }[method] ?? method;
    this.#call(`s3:${action}`);
    const found = this.#objects.get(path);
    if (method === 'PUT') this.#objects.set(path, body);
    if (method === 'DELETE') this.#objects.delete(path);
    if (method !== 'GET') return [method === 'PUT' ? 200 : 204, ''];
    return found ? [200, found] : [404, '<Error><Code>NoSuchKey</Code></Error>'];
  }

  #query(query: URLSearchParams): Answer {
    const action = query.get('Action') ?? '';
    const isSts = action === 'GetCallerIdentity';
    this.#call(`${isSts ? 'sts' : 'cloudformation'}:${action}`);
    const result = (xml: string): Answer => [
      200,
      `<${action}Response><${action}Result>${xml}</${action}Result></${action}Response>`,
    ];
    if (isSts) return result('<Account>123456789012</Account><Arn>arn:aws:iam::123456789012:user/me</Arn>');
    const name = query.get('StackName') ?? '';
    const stack =
      this.#stacks.get(name) ?? [...this.#stacks.values()].find(({ id }) => id === name) ?? this.#deleted.get(name);
    if (action === 'DescribeStackEvents') return result('<StackEvents></StackEvents>');
    // AWS has nothing against deleting a stack that is not there.
    if (!stack && action === 'DeleteStack') return result('');
    if (!stack) {
      const error = `<Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message>`;
      return [400, `<ErrorResponse><Error>${error}</Error></ErrorResponse>`];
    }
    if (action === 'DeleteStack' && stack?.status.startsWith('UPDATE_') && stack.status.endsWith('IN_PROGRESS')) {
      const error =
        '<Type>Sender</Type><Code>ValidationError</Code><Message>Stack cannot be deleted while in status UPDATE_IN_PROGRESS</Message>';
      return [400, `<ErrorResponse><Error>${error}</Error></ErrorResponse>`];
    }
    if (action === 'DeleteStack') {
      stack.status = 'DELETE_IN_PROGRESS';
      return result('');
    }
    this.#change(stack);
    const answer = result(`<Stacks><member>${describeXml(stack)}</member></Stacks>`);
    if (stack.status === 'DELETE_IN_PROGRESS') this.#delete(stack);
    return answer;
  }

  /** Lets time pass for a stack. */
  #change(stack: SimulatedStack): void {
    const next = this.#next.get(nameOf(stack));
    if (!next || --next.left > 0) return;
    stack.status = next.status;
    this.#next.delete(nameOf(stack));
  }

  /** Deletes a stack, unless another one uses what it exports. A bucket of it goes with what is in it. */
  #delete(stack: SimulatedStack): void {
    const name = nameOf(stack);
    const [prefix, kind = ''] = [name.replace(/-\w+$/, ''), name.split('-').at(-1)];
    const users = Object.keys(USES).filter(
      (user) => USES[user]?.includes(kind) && this.#stacks.has(`${prefix}-${user}`),
    );
    if (users.length > 0 || this.staying.has(name)) {
      stack.status = 'DELETE_FAILED';
      return;
    }
    stack.status = 'DELETE_COMPLETE';
    this.#stacks.delete(name);
    this.#deleted.set(stack.id, stack);
    if (kind === 'Host') this.#objects.clear();
  }
}

type Answer = readonly [status: number, body: string | Buffer];

function nameOf({ id }: SimulatedStack): string {
  return id.split('/')[1] ?? '';
}

function describeXml(stack: SimulatedStack): string {
  const outputs = Object.entries(stack.outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  return (
    `<StackName>${nameOf(stack)}</StackName><StackId>${stack.id}</StackId><StackStatus>${stack.status}</StackStatus>` +
    `<Outputs>${outputs.join('')}</Outputs>`
  );
}

/** The measurements of a worker that runs the script of a job. */
function measuredBy(job: Buffer): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'flagwire-slices-'));
  try {
    const script = execFileSync('tar', ['xzOf', '-', './worker-0/script.json'], { input: job, encoding: 'utf8' });
    const [{ arrivalRate: rate }] = JSON.parse(script).config.phases;
    const counters = { began: rate, 'syncs answered': rate };
    const slices = aWorker().map((slice) => ('began' in slice.counters ? { ...slice, counters } : slice));
    writeFileSync(join(folder, '0.ndjson'), slices.map((slice) => `${JSON.stringify(slice)}\n`).join(''));
    return execFileSync('tar', ['czf', '-', '-C', folder, '0.ndjson']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
