import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../support/freePort.ts';
import { pythonEnvironment, type Report } from '../../support/tools/python.ts';
import { startGuarded } from './guarded.ts';

/** The account, region and credentials that the emulator knows; the credentials open nothing anywhere else. */
const identity = {
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_REGION: 'us-east-1',
  AWS_DEFAULT_REGION: 'us-east-1',
};

/** Reports on stderr, each line with the seconds since the first. */
export function progress(): Report {
  const start = performance.now();
  return (line) =>
    void process.stderr.write(`e2e ${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${line}\n`);
}

/** The emulator, from PyPI. */
export const ministack = { name: 'ministack', requirements: join(import.meta.dirname, 'requirements.txt') };

/** A running ministack, an independent AWS emulator: one process on one port of 127.0.0.1. This Node runs its functions. */
export type Emulator = Awaited<ReturnType<typeof startEmulator>>;

/** Installs ministack on first use, starts it, and waits until it answers. @throws Error that names its log if it does not */
export async function startEmulator(report: Report) {
  const commands = await pythonEnvironment(ministack, report);
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const server = await startGuarded(
    'ministack',
    join(commands, 'ministack'),
    (directory) => settings(port, directory),
    `${endpoint}/_ministack/health`,
  );
  const { AWS_REGION: region, AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = identity;
  const environment: Readonly<Record<string, string>> = {
    ...identity,
    AWS_ENDPOINT_URL: endpoint,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  return {
    /** The endpoint of all services: `http://127.0.0.1:<port>`. */
    endpoint,
    /** Environment variables with which the AWS SDKs, the CDK and the flags CLI use only this emulator. */
    environment,
    logFile: server.logFile,
    /** A temporary directory that is removed with the emulator. */
    directory: server.directory,
    /** The one account and region in it, as `cdk bootstrap` wants them. */
    accountAndRegion: `aws://000000000000/${region}`,
    /** Configuration of an AWS SDK client. */
    clientConfig: { endpoint, region, credentials: { accessKeyId, secretAccessKey } },
    /** Ends it and all its Lambdas, and removes its directory. */
    stop: server.stop,
  };
}

function settings(port: number, directory: string): NodeJS.ProcessEnv {
  const node = dirname(process.execPath);
  return {
    ...identity,
    PATH: [node, process.env['PATH']].join(delimiter),
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    SFTP_ENABLED: '0',
    // Real host names in events and URLs: the emulator leads what its Lambdas send to them back to itself.
    MINISTACK_HOST: 'us-east-1.amazonaws.com',
    // Taken by every Lambda worker.
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'sharedAgent.ts'))}`,
    TMPDIR: directory,
  };
}
