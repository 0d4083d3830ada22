import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DATA_FOLDER } from '../../shared/runtime/announcement.ts';
import { CommandMaker } from '../command.ts';
import { TestCli } from '../testing/cli.ts';
import { followChanges } from './historyCommands.ts';

let cli: TestCli;
beforeAll(async () => {
  cli = await TestCli.start();
  for (const line of ['env create shop', 'create a', 'create b'])
    expect(await cli.run(...line.split(' '))).toMatchObject({ code: 0 });
});
afterAll(() => cli.close());

test.each([
  [{ id: undefined, by: undefined }, ['a', 'b']],
  [{ id: 'b', by: undefined }, ['b']],
  [{ id: undefined, by: 'nobody' }, []],
])('writes new changes that match %j, oldest first', async (filters, expected) => {
  const session = new CommandMaker({ out: () => {}, err: () => {} }, []).open({ data: DATA_FOLDER });
  const [{ version }] = (await cli.run('history', '--json')).json;
  const since = Date.parse(version);
  await session.environment();
  for (const key of ['a', 'b']) expect(await cli.run('toggle', key)).toMatchObject({ code: 0 });
  const shown: string[] = [];
  const event = (json: unknown) => {
    const { documents } = json as { documents: { id: string }[] };
    shown.push(...documents.map(({ id }) => id));
  };
  // It ends after its first read.
  await followChanges({ ...session, event }, { ...filters, since }, AbortSignal.timeout(1));
  expect(shown).toEqual(expected);
});
