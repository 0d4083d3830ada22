import { expect, test } from '@jest/globals';
import { parseSettings } from './config.ts';

test.each([
  [{ fargate: { count: 'two' } }, 'fargate.count=two cannot be used: it must be a whole number.'],
  [{ throttlingRate: 1.5 }, 'throttlingRate=1.5 cannot be used: it must be a whole number.'],
  [{ throttlingRate: -1 }, 'throttlingRate=-1 cannot be used: it must be more than 0.'],
  [{ monthlyBudget: 'ten' }, 'monthlyBudget=ten cannot be used: it must be a number.'],
  [{ pongs: 'yes' }, 'pongs=yes cannot be used: it must be true or false.'],
  [{ region: 5 }, 'region=5 cannot be used: it must be a string.'],
  [{ host: 3 }, 'host=3 cannot be used: it must be an object.'],
  [{ tags: 'a' }, 'tags=a cannot be used: it must be an object.'],
  [
    { streamingAccessLogs: 'x' },
    'streamingAccessLogs=x cannot be used: it must be one of off, create-role, existing-role.',
  ],
  [{ fargate: { vcpu: 3 } }, 'fargate.vcpu=3 cannot be used: it must be one of 0.25, 0.5, 1.'],
  [{ alarmEmail: 5 }, 'alarmEmail=5 cannot be used: not an e-mail address.'],
])('a value of the wrong type or range is explained in words: %j', (settings, message) => {
  expect(() => parseSettings(settings)).toThrow(message);
});
