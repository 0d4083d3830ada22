import type { Effects } from '../shared/runtime/effects.ts';
import type { Credentials } from '../shared/runtime/signature.ts';

/** How long before their end credentials are renewed, and the time between two attempts, in milliseconds. */
const RENEW_MS = 5 * 60_000;
const RETRY_MS = 10_000;

/** Maximum time of the endpoint's answer, in milliseconds. */
const TIMEOUT_MS = 1_000;

/** Maximum time of the AWS SDK's providers, in milliseconds. Some of them ask other services. */
const SDK_MS = 5_000;

/** The endpoint of ECS for relative paths. */
const ECS = 'http://169.254.170.2';

/** Hosts that get a container's token without TLS: this machine, ECS and EKS, as in the AWS SDK. */
const NEAR = /^(localhost|127(\.\d+){3}|\[::1\]|169\.254\.170\.(2|23)|\[fd00:ec2::23\])$/;

/** Keys, and when they end, in unix milliseconds. */
interface Lease {
  readonly keys: Credentials;
  readonly endsAt: number;
}

/**
 * Where a provider's AWS credentials come from, asked for each request: the environment variables, as in Lambda; the endpoint of a
 * container or Pod (https://docs.aws.amazon.com/sdkref/latest/guide/feature-container-credentials.html); or else the AWS SDK's
 * package of credential providers, if it is installed.
 *
 * @param sdk the package. An argument, so that bundles of users do not contain it
 */
export function credentialsFrom(
  env: NodeJS.ProcessEnv,
  effects: Pick<Effects, 'now' | 'monotonic' | 'timeout' | 'onSilence'>,
  sdk = '@aws-sdk/credential-provider-node',
): () => Promise<Credentials> {
  const fromContainer = leased(() => askContainer(env, effects), effects);
  let fromSdk: Promise<() => Promise<Credentials>> | undefined;
  return async () => {
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
    if (accessKeyId && secretAccessKey) {
      return { accessKeyId, secretAccessKey, sessionToken: env['AWS_SESSION_TOKEN'] || undefined };
    }
    if (containerUrl(env)) return fromContainer();
    fromSdk ??= loadSdk(sdk);
    const find = await fromSdk;
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error(`${sdk} gave no credentials within ${SDK_MS / 1_000} seconds`));
      const cancel = effects.onSilence(SDK_MS, giveUp);
      find().then(resolve, reject).finally(cancel);
    });
  };
}

/** Keeps what was asked for until shortly before its end. What cannot be renewed serves until its end. */
function leased(ask: () => Promise<Lease>, effects: Pick<Effects, 'now' | 'monotonic'>): () => Promise<Credentials> {
  let lease: Lease | undefined;
  let asking: Promise<Lease> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const left = (lease?.endsAt ?? 0) - effects.now();
    if (lease && left > 0 && (left > RENEW_MS || effects.monotonic() - askedAt < RETRY_MS)) return lease.keys;
    if (!asking) {
      askedAt = effects.monotonic();
      asking = ask().finally(() => {
        asking = undefined;
      });
    }
    try {
      lease = await asking;
    } catch (error) {
      if (!lease || left <= 0) throw error;
    }
    return lease.keys;
  };
}

function containerUrl(env: NodeJS.ProcessEnv): string | undefined {
  const path = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'];
  return path ? ECS + path : env['AWS_CONTAINER_CREDENTIALS_FULL_URI'];
}

/** The token is read for each request: Kubernetes replaces its file. */
async function askContainer(env: NodeJS.ProcessEnv, { timeout }: Pick<Effects, 'timeout'>): Promise<Lease> {
  const text = containerUrl(env) ?? '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && !NEAR.test(url?.hostname ?? '')) {
    const variable = `AWS_CONTAINER_CREDENTIALS_${env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'] ? 'RELATIVE' : 'FULL'}_URI`;
    throw new Error(`${variable} must lead to https:// or an endpoint of this machine, but is "${text}"`);
  }
  const file = env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'];
  const token = file
    ? await process.getBuiltinModule('node:fs/promises').readFile(file, 'utf8')
    : env['AWS_CONTAINER_AUTHORIZATION_TOKEN'];
  const headers: Record<string, string> = token ? { authorization: token.trim() } : {};
  const response = await fetch(text, { headers, signal: timeout(TIMEOUT_MS), redirect: 'error' });
  if (!response.ok)
    throw new Error(`the endpoint of the container's credentials answered with status ${response.status}`);
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = (await response.json()) as Record<string, string>;
  if (!AccessKeyId || !SecretAccessKey) throw new Error('the endpoint of the container gave no credentials');
  const keys = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token };
  return { keys, endsAt: Expiration ? Date.parse(Expiration) : Number.POSITIVE_INFINITY };
}

async function loadSdk(name: string): Promise<() => Promise<Credentials>> {
  try {
    const { defaultProvider } = await import(name);
    return defaultProvider();
  } catch (cause) {
    const advice = `set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or install ${name}`;
    throw new Error(`there are no AWS credentials in the environment: ${advice}`, { cause });
  }
}
