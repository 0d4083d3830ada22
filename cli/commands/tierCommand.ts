import type { Command } from 'commander';
import { TIER_NAMES, type Tier } from '../../shared/tier/tier.ts';
import type { CommandMaker } from '../command.ts';
import { confirmOptions } from '../confirmProduction.ts';
import { CliError, UsageError } from '../io.ts';
import type { Session } from '../session.ts';

const LABELS = { host: 'the host', gateway: 'API Gateway' };
const UNKNOWN = 'the host or API Gateway: the hint is not written yet';

/** `tier`: where new connections of the front door go. */
export function addTierCommand(program: Command, commands: CommandMaker): void {
  const names = TIER_NAMES.join(', ');
  commands.addGlobal(
    program,
    'tier [tier]',
    `show where new connections of the front door go, or set it: ${names}`,
    async (session, [given]) => {
      const wanted = TIER_NAMES.find((each) => each === given);
      if (given !== undefined && !wanted) throw new UsageError(`"${given}" is not a tier; write one of: ${names}`);
      const { environments, tiers } = session.store;
      const tier = await tiers.read();
      if (!tier) {
        throw new CliError(
          `table ${session.table} has no tier. The service has no front door, or was deployed less than a minute ago. The setting frontDoor adds one`,
        );
      }
      if (!wanted) return showTier(session, tier);
      // The tier is that of all environments.
      const production = (await environments.list()).find(({ isProduction }) => isProduction);
      if (production) await session.environmentToChange(await environments.find(production.id));
      session.result(
        await tiers.setWanted(wanted),
        `the tier is ${wanted}; new connections follow within minutes${session.where()}`,
      );
    },
    confirmOptions(),
  );
}

async function showTier({ store, result, time, plain }: Session, tier: Tier): Promise<void> {
  const health = (await store.machine.read())?.health;
  result({ ...tier, health }, [
    `new connections go to ${tier.hinted ? LABELS[tier.hinted] : UNKNOWN}`,
    `set to ${tier.wanted} by ${plain(tier.by)}, ${time(tier.changedAt)}`,
    `machine: ${health?.kind === 'unhealthy' ? health.reason : (health?.kind ?? 'unknown')}`,
  ]);
}
