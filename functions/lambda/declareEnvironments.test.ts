import { describe, expect, test } from '@jest/globals';
import { Conflict } from '../../shared/store/table/errors.ts';
import { type CustomResourceEvent, type CustomResourceResponse, declareEnvironments } from './declareEnvironments.ts';

const [PRODUCTION, STAGING] = ['01234567-89ab-8def-a123-456789abcdef', '11234567-89ab-8def-a123-456789abcdef'];
const ids = { StackId: 'stack', RequestId: 'request', LogicalResourceId: 'Environments' };
const event: CustomResourceEvent = {
  ...ids,
  RequestType: 'Create',
  ResponseURL: 'https://response',
  ResourceProperties: { ServiceToken: 'arn', Environments: { [PRODUCTION]: 'production', [STAGING]: 'staging' } },
};

type Store = Parameters<typeof declareEnvironments>[0];

/** Environments by id, and the handler on them. */
function play(existing: Record<string, string> = {}, create?: Store['create'], recording?: () => Promise<void>) {
  const recorded: unknown[][] = [];
  const created: Record<string, unknown[]> = {};
  const answers: [url: string, response: CustomResourceResponse][] = [];
  const store: Store = {
    list: async () => Object.entries(existing).map(([id, name]) => ({ id, name })) as never,
    create:
      create ??
      (async (name, id = '', secrets = []) => {
        created[id] = [name, secrets];
        return undefined as never;
      }),
  };
  const record = recording ?? (async (...call: unknown[]) => void recorded.push(call));
  const handler = declareEnvironments(store, record, async (...answer) => void answers.push(answer));
  return { handler, created, answers, existing, recorded };
}

describe('environments that a stack declares', () => {
  test('are created without keys, and CloudFormation gets the answer', async () => {
    const { handler, created, answers } = play();
    await handler(event);
    expect(created).toEqual({ [PRODUCTION]: ['production', []], [STAGING]: ['staging', []] });
    expect(answers).toEqual([
      ['https://response', { ...ids, PhysicalResourceId: 'Environments-environments', Status: 'SUCCESS' }],
    ]);
  });

  test('stay as they are, with the name that they have', async () => {
    const { handler, created, answers } = play({ [PRODUCTION]: 'renamed' });
    await handler({ ...event, RequestType: 'Update' });
    expect(Object.keys(created)).toEqual([STAGING]);
    expect(answers[0]?.[1].Status).toBe('SUCCESS');
  });

  test('outlive the stack', async () => {
    const { handler, created, answers } = play();
    await handler({ ...event, RequestType: 'Delete' });
    expect(created).toEqual({});
    expect(answers[0]?.[1].Status).toBe('SUCCESS');
  });

  test('may be created by another call at the same time', async () => {
    const { handler, answers, existing } = play({}, async (name, id = '') => {
      existing[id] = name;
      throw new Conflict('it exists');
    });
    await handler(event);
    expect(answers[0]?.[1].Status).toBe('SUCCESS');
  });

  test('fail the deployment with a reason if they cannot be created', async () => {
    const { handler, answers } = play({}, async () => {
      throw new Error('AccessDenied');
    });
    await handler(event);
    expect(answers[0]?.[1]).toMatchObject({ Status: 'FAILED', Reason: 'AccessDenied' });
  });
});

describe('functions that evaluate flags without counts', () => {
  const Uncounted = { [PRODUCTION]: ['Shop/Cart'] };
  const withFunctions = { ...event, ResourceProperties: { ...event.ResourceProperties, Uncounted } };

  test.each([
    ['Create', withFunctions, Uncounted],
    ['Update', event, {}],
    ['Delete', withFunctions, {}],
  ] as const)('%s records those of the stack, in the place of those before', async (RequestType, given, expected) => {
    const { handler, recorded, answers } = play();
    await handler({ ...given, RequestType });
    expect(recorded).toEqual([['stack#Environments', expected]]);
    expect(answers[0]?.[1].Status).toBe('SUCCESS');
  });

  test.each([
    ['Update', 'FAILED'],
    ['Delete', 'SUCCESS'],
  ] as const)('%s without the table answers %s', async (RequestType, Status) => {
    const { handler, answers } = play({}, undefined, async () => {
      throw new Error('no table');
    });
    await handler({ ...event, RequestType });
    expect(answers[0]?.[1]).toMatchObject({ Status });
  });
});
