import { expect, test } from '@jest/globals';
import { awaitAgent, type GeneratorAccess } from './machineCommands.ts';

/** A load generator whose agent has these states, one for each question, and the last one from then on. */
function generator(...states: (string | Error)[]): GeneratorAccess & { readonly asked: () => number } {
  let asked = 0;
  const send = async () => {
    const PingStatus = states[Math.min(asked++, states.length - 1)];
    if (PingStatus instanceof Error) throw PingStatus;
    return { InstanceInformationList: PingStatus === '' ? [] : [{ PingStatus }] };
  };
  return { instanceId: 'i-1', bucket: 'b', s3: {} as never, ssm: { send } as never, pollMs: 0, asked: () => asked };
}

const { signal } = new AbortController();

test('waits until Systems Manager reaches the load generator', async () => {
  const access = generator('', 'ConnectionLost', 'Online');
  await awaitAgent(access, signal);
  expect(access.asked()).toBe(3);
});

test('fails if Systems Manager does not reach it in time, and names the machine', async () => {
  const access = generator('');
  await expect(awaitAgent(access, signal)).rejects.toThrow('does not reach the load generator i-1');
  expect(access.asked()).toBe(60);
});

test('goes on if the state cannot be read, and ends on Ctrl-C', async () => {
  await awaitAgent(generator(new Error('AccessDenied')), signal);
  await expect(awaitAgent(generator(''), AbortSignal.abort())).rejects.toThrow('aborted');
});
