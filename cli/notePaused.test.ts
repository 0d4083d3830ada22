import { expect, test } from '@jest/globals';
import { DATA_FOLDER } from '../shared/runtime/announcement.ts';
import { CommandMaker } from './command.ts';
import { notePausedPlans } from './notePaused.ts';
import { TestCli } from './testing/cli.ts';

test('a paused plan has the name of its segment in the environment that was changed', async () => {
  const cli = await TestCli.start();
  try {
    for (const name of ['shop', 'target']) await cli.run('env', 'create', name);
    await cli.run('segment', 'create', 'Other', '--id', 'beta', '--env', 'shop');
    await cli.run('segment', 'create', 'Beta', '--id', 'beta', '--env', 'target');
    await cli.run('segment', 'include', 'Beta', 'ann', '--at', '+1h', '--env', 'target');
    for (const [user, chosen] of [
      ['bob', {}],
      ['eve', { env: 'shop' }],
    ] as const) {
      await cli.run('segment', 'include', 'Beta', user, '--env', 'target');
      const notes: string[] = [];
      const commands = new CommandMaker({ out: () => {}, err: (text) => notes.push(text) }, []);
      const session = commands.open({ data: DATA_FOLDER, ...chosen });
      await session.environmentToChange(await session.store.environments.find('target'));
      await notePausedPlans(session, 0);
      expect(notes).toEqual([
        expect.stringMatching(/^note: the plan of segment "Beta" .* plan resume Beta --env \S+$/),
      ]);
      const resume = notes.join().replace(/.* npm run flags -- /, '');
      expect(await cli.run(...resume.split(' '))).toMatchObject({
        code: 0,
        out: expect.stringContaining(' in target'),
      });
    }
  } finally {
    await cli.close();
  }
});
