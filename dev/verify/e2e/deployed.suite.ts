import { afterAll, beforeEach, expect, jest, test } from '@jest/globals';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { setTimeouts } from '../../../shared/testing/until.ts';
import { conformanceCases } from '../conformance/cases/all.ts';
import { webhookCases } from '../conformance/cases/webhooks.ts';
import { changeEventCases, removeLateLog } from './cases/changeEvents.ts';
import { planCases } from './cases/plans.ts';
import { restoreCases } from './cases/restore.ts';
import { Deployment } from './deployment.ts';
import { progress, startEmulator } from './emulator.ts';
import { takeInventory } from './inventory.ts';
import { openTarget } from './target.ts';

jest.setTimeout(180_000);
// The emulator calls one function at a time: a change's sixteen deliveries follow one another, and wait for those before.
// A step of a plan also waits for the schedule, which runs every minute.
setTimeouts({ message: 60_000, condition: 120_000 });

// Here and not in a hook, so that what fails is told once, and not by every test.
const report = progress();
const emulator = await startEmulator(report);
report(`the emulator answers at ${emulator.endpoint}; its log is ${emulator.logFile}`);
const deployment = await Deployment.create(emulator, report).catch(async (error: unknown) => {
  // No hook runs then, and the emulator would keep the process.
  await emulator.stop();
  throw error;
});
Object.assign(process.env, emulator.environment);
const target = await openTarget(deployment, createDynamoDb());

beforeEach(() => report(expect.getState().currentTestName ?? ''));

afterAll(async () => {
  target.store.close();
  await emulator.stop();
  report('the emulator is stopped');
});

conformanceCases(() => target);
webhookCases(() => target);
changeEventCases(deployment, target);
planCases(deployment, target);
restoreCases(deployment, target);

test('cdk destroy leaves what cdk bootstrap had made, and nothing else', async () => {
  await removeLateLog(deployment);
  const { before } = deployment;
  const deployed = await takeInventory(emulator);
  for (const [kind, names] of Object.entries(before)) expect(deployed[kind]?.length).toBeGreaterThan(names.length);
  expect(await deployment.destroy()).toEqual(before);
});
