import type { Command } from 'commander';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import { countTiers } from '../../shared/store/tiers.ts';
import { TIER_MODES, type Tier } from '../../shared/tier/tier.ts';
import type { CommandMaker } from '../command.ts';
import { confirmOptions } from '../confirmProduction.ts';
import { CliError, UsageError } from '../io.ts';
import type { Session } from '../session.ts';

/** Maximum number of connections of API Gateway to count. */
const MOST_COUNTED = 10_000;

/** `tier`: where clients of the front door are. */
export function addTierCommand(program: Command, commands: CommandMaker): void {
  const modes = TIER_MODES.join(', ');
  commands.addGlobal(
    program,
    'tier [mode]',
    `show where clients of the front door are, or set it: ${modes}`,
    async (session, [given]) => {
      const mode = TIER_MODES.find((each) => each === given);
      if (given !== undefined && !mode) throw new UsageError(`"${given}" is not a mode; write one of: ${modes}`);
      const { environments, tiers } = session.store;
      const tier = await tiers.read();
      if (!tier) {
        throw new CliError(
          `table ${session.table} has no tier. The service has no front door, or was deployed less than a minute ago. The setting frontDoor adds one`,
        );
      }
      if (!mode) return showTier(session, tier);
      // The tier is that of all environments.
      const production = (await environments.list()).find(({ isProduction }) => isProduction);
      if (production) await session.environmentToChange(await environments.find(production.id));
      session.result(
        await tiers.setMode(mode),
        `mode is ${mode}; the tier follows within minutes (${session.where()})`,
      );
    },
    confirmOptions(),
  );
}

async function showTier({ store, openConnections, result }: Session, tier: Tier): Promise<void> {
  const connections = await countTiers(store, await openConnections(), MOST_COUNTED);
  const { gateway, host = 'an unknown number' } = connections;
  const health = (await store.machine.read())?.health;
  result({ ...tier, health, connections }, [
    `${tier.wanted === 'host' ? 'host' : 'API Gateway'} since ${formatTimestamp(tier.changedAt)}`,
    `mode ${tier.mode}, set by ${tier.by}`,
    `machine: ${health?.kind === 'unhealthy' ? health.reason : (health?.kind ?? 'unknown')}`,
    `connections: ${gateway}${gateway < MOST_COUNTED ? '' : ' or more'} on API Gateway, ${host} on hosts`,
  ]);
}
