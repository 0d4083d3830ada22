import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessorShare } from '../../machine/processorShare.ts';
import type { Call, Called } from './instance.ts';

/** How calls are made. */
export interface FunctionSetting {
  readonly bundle: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly share: ProcessorShare | undefined;
}

/** A call, and whether it was ended at its timeout. */
export interface MadeCall extends Called {
  readonly isKilled: boolean;
}

/**
 * Has an instance of a function handle an event until it is done with it, one call after another. One that does not end in
 * its time is killed, and another is started.
 *
 * @param mostCalls after which it gives up
 */
export async function callUntilDone(
  setting: FunctionSetting,
  eventOf: (timesReceived: number) => object,
  mostCalls: number,
): Promise<MadeCall[]> {
  const calls: MadeCall[] = [];
  let instance: ChildProcess | undefined;
  try {
    while (calls.length < mostCalls) {
      instance ??= await startInstance(setting);
      const call = await callOnce(instance, { event: eventOf(calls.length + 1), timeoutMs: setting.timeoutMs });
      calls.push(call);
      if (call.isKilled) instance = undefined;
      if (!call.isFailed) return calls;
    }
    throw new Error(`the change is not delivered after ${mostCalls} calls`);
  } finally {
    await endInstance(instance);
  }
}

async function startInstance({ bundle, environment, share }: FunctionSetting): Promise<ChildProcess> {
  const instance = fork(join(import.meta.dirname, 'instance.ts'), [bundle], { env: environment });
  if (instance.pid !== undefined) share?.add(instance.pid);
  await Promise.race([
    once(instance, 'message'),
    once(instance, 'exit').then(() => Promise.reject(new Error('the instance ended before its first call'))),
  ]);
  return instance;
}

async function callOnce(instance: ChildProcess, call: Call): Promise<MadeCall> {
  const ended = new AbortController();
  const { signal } = ended;
  instance.send(call);
  try {
    const answer = once(instance, 'message', { signal }).then(([called]) => ({ ...called, isKilled: false }));
    const timeout = sleep(call.timeoutMs, undefined, { signal }).then(async () => {
      await endInstance(instance);
      return { wallMs: call.timeoutMs, cpuMs: Number.NaN, isFailed: true, isKilled: true };
    });
    return await Promise.race([answer, timeout]);
  } finally {
    ended.abort();
  }
}

async function endInstance(instance: ChildProcess | undefined): Promise<void> {
  if (!instance || instance.exitCode !== null || instance.signalCode !== null) return;
  instance.kill('SIGKILL');
  await once(instance, 'exit');
}
