import { describe, expect, test } from '@jest/globals';
import { describeWith } from '../../support/jest/describeWith.ts';
import { answersOf, measuredAnswers, nodeAnswers, ownAnswers, PROGRAMS } from './clients/conditions.ts';
import { python } from './clients/pythonProcess.ts';

describe('conditions have the results in shared/testing/data/sdk-conditions.json', () => {
  test('in this service and the Node SDK', async () => {
    expect(ownAnswers()).toEqual(measuredAnswers('Flagwire'));
    expect(await nodeAnswers()).toEqual(measuredAnswers('Node'));
  });

  // The registries do not have all SDKs: a variable names where they are.
  for (const sdk of ['Go', 'Java'] as const) {
    if (!process.env[`FEATBIT_${sdk.toUpperCase()}_SDK`]) continue;
    test(`in the ${sdk} SDK`, async () => {
      expect(await answersOf((await PROGRAMS[sdk]()) ?? [])).toEqual(measuredAnswers(sdk));
    });
  }
});

(await describeWith(python))('conditions in the Python SDK', () => {
  test('have the measured results', async () => {
    expect(await answersOf(await PROGRAMS.Python())).toEqual(measuredAnswers('Python'));
  });
});
