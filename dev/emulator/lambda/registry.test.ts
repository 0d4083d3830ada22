import { describe, expect, test } from '@jest/globals';
import { Identities } from '../iam/identities.ts';
import { functionDefinition } from '../testing/functions.ts';
import { manualClock } from '../testing/manualClock.ts';
import type { FunctionDefinition } from './definition.ts';
import { applyEnvironment, sharedEnvironment } from './environment.ts';
import { createFunctionRegistry, maxPayloadBytes } from './registry.ts';

async function registryOf(...definitions: FunctionDefinition[]) {
  return registryOfAccount(1000, ...definitions);
}

async function registryOfAccount(concurrentExecutions: number, ...definitions: FunctionDefinition[]) {
  const log: string[] = [];
  const clock = manualClock();
  const registry = createFunctionRegistry(definitions, {
    clock,
    log: (line) => log.push(line),
    concurrentExecutions,
    identities: new Identities(),
    maxInstances: 1,
  });
  await registry.load();
  return { registry, log, clock };
}

describe('function registry', () => {
  test('a handler gets the event as JSON and a context, and its answer comes back as JSON', async () => {
    const { registry } = await registryOf(functionDefinition('Probe'));
    const event = { do: 'context', when: new Date(0), nothing: undefined };
    const result = await registry.invoke('Probe', event);
    expect(result).toEqual({
      ok: true,
      payload: {
        event: { do: 'context', when: '1970-01-01T00:00:00.000Z' },
        functionName: 'Probe',
        memory: '256',
        remaining: 1000,
        arn: 'arn:aws:lambda:us-east-1:000000000000:function:Probe',
      },
    });
  });

  test('name, ARN and qualified ARN all lead to the function', async () => {
    const { registry } = await registryOf(functionDefinition('Probe'));
    const arn = 'arn:aws:lambda:us-east-1:000000000000:function:Probe';
    for (const name of ['Probe', arn, `${arn}:live`]) {
      expect(await registry.invoke(name, { do: 'nothing' })).toEqual({ ok: true, payload: null });
    }
    expect(() => registry.invoke('Nobody', {})).toThrow('No function called "Nobody" among: Probe');
  });

  test('a throwing handler is reported, on one line, without its event', async () => {
    const { registry, log } = await registryOf(functionDefinition('Probe'));
    const result = await registry.invoke('Probe', { do: 'throw', token: 'secret' });
    expect(result).toEqual({
      ok: false,
      reason: 'failed',
      errorType: 'TypeError',
      errorMessage: 'it broke\nbadly',
    });
    expect(log).toHaveLength(1);
    expect(log[0]).toMatch(/^lambda Probe failed: TypeError: it broke badly/);
    expect(log.join()).not.toContain('secret');
  });

  test('a handler that outlives its timeout, or the caller’s shorter limit, is given up', async () => {
    const { registry, clock } = await registryOf(functionDefinition('Probe'));
    const byFunction = registry.invoke('Probe', { do: 'hang' });
    const byCaller = registry.invoke('Probe', { do: 'hang' }, { limitMs: 200 });
    clock.advance(200);
    expect(await byCaller).toMatchObject({
      ok: false,
      reason: 'unanswered',
      errorMessage: 'No answer within 0.20 seconds',
    });
    clock.advance(800);
    expect(await byFunction).toMatchObject({
      reason: 'failed',
      errorType: 'Sandbox.Timedout',
      errorMessage: 'Task timed out after 1.00 seconds',
    });
    await registry.idle();
  });

  const refused = {
    ok: false,
    reason: 'throttled',
    errorType: 'TooManyRequestsException',
    errorMessage: 'Rate Exceeded: ConcurrentInvocationLimitExceeded',
  };

  test('past the account’s concurrent executions an invocation is refused at once, until another ends', async () => {
    const { registry, log, clock } = await registryOfAccount(
      2,
      functionDefinition('Probe'),
      functionDefinition('Other'),
    );
    const hanging = [registry.invoke('Probe', { do: 'hang' }), registry.invoke('Other', { do: 'hang' })];
    expect(await registry.invoke('Probe', { do: 'nothing', token: 'secret' })).toEqual(refused);
    expect(log).toEqual(['lambda Probe throttled: ConcurrentInvocationLimitExceeded']);
    clock.advance(1000);
    await Promise.all(hanging);
    expect(await registry.invoke('Probe', { do: 'nothing' })).toEqual({ ok: true, payload: null });
  });

  test('an invocation whose caller gave up still counts, until it ends', async () => {
    const { registry, clock } = await registryOfAccount(1, functionDefinition('Probe'));
    const left = registry.invoke('Probe', { do: 'hang' }, { limitMs: 200 });
    clock.advance(200);
    expect(await left).toMatchObject({ reason: 'unanswered' });
    expect(await registry.invoke('Probe', { do: 'nothing' })).toEqual(refused);
    clock.advance(800);
    await registry.idle();
    expect(await registry.invoke('Probe', { do: 'nothing' })).toMatchObject({ ok: true });
  });

  test('more than this process works on at once count as running, and begin when others end', async () => {
    const { registry, clock } = await registryOfAccount(61, functionDefinition('Probe'));
    const invoked = Array.from({ length: 60 }, () => registry.invoke('Probe', { do: 'hang' }));
    const last = registry.invoke('Probe', { do: 'nothing' });
    expect(await registry.invoke('Probe', { do: 'nothing' })).toEqual(refused);
    clock.advance(1000);
    expect(await last).toEqual({ ok: true, payload: null });
    clock.advance(1000);
    expect((await Promise.all(invoked)).every((result) => !result.ok && result.reason === 'failed')).toBe(true);
  });

  test('an answer above Lambda’s limit is a failure', async () => {
    const { registry } = await registryOf(functionDefinition('Probe'));
    expect(await registry.invoke('Probe', { do: 'flood', bytes: maxPayloadBytes })).toMatchObject({
      ok: false,
      errorMessage: `The answer is ${maxPayloadBytes + 2} bytes; Lambda's limit is ${maxPayloadBytes}`,
    });
  });

  test('a missing file or export is named', async () => {
    await expect(registryOf(functionDefinition('Lost', { entry: 'dev/emulator/nowhere.ts' }))).rejects.toThrow(
      'Function Lost: cannot import dev/emulator/nowhere.ts',
    );
    await expect(registryOf(functionDefinition('Odd', { exportName: 'run' }))).rejects.toThrow(
      'Function Odd: dev/emulator/testing/handlers/probe.ts exports no function "run"',
    );
  });
});

describe('shared environment', () => {
  test('is the union of all', () => {
    expect(
      sharedEnvironment([
        functionDefinition('A', { environment: { X: '1' } }),
        functionDefinition('B', { environment: { X: '1', Y: '2' } }),
      ]),
    ).toEqual({ X: '1', Y: '2' });
  });

  test('leaves out a name that has two values', () => {
    expect(
      sharedEnvironment([
        functionDefinition('A', { environment: { X: '1', Y: '2' } }),
        functionDefinition('B', { environment: { X: '2' } }),
      ]),
    ).toEqual({ Y: '2' });
  });

  test('is undone on request', () => {
    process.env['FW_TEST_KEPT'] = 'before';
    const restore = applyEnvironment({ FW_TEST_KEPT: undefined, FW_TEST_NEW: 'now' });
    expect([process.env['FW_TEST_KEPT'], process.env['FW_TEST_NEW']]).toEqual([undefined, 'now']);
    restore();
    expect([process.env['FW_TEST_KEPT'], process.env['FW_TEST_NEW']]).toEqual(['before', undefined]);
    delete process.env['FW_TEST_KEPT'];
  });
});
