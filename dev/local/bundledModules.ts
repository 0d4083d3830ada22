import module from 'node:module';
import { pathToFileURL } from 'node:url';
import { lambdaBuild } from '../../infra/constructs/lambdaEntry.ts';
import { repositoryRoot } from '../../infra/repository.ts';

const OWN = `${pathToFileURL(repositoryRoot)}/`;
const ALIASES: Readonly<Record<string, string>> = lambdaBuild.alias;

/**
 * Gives the emulator's functions the modules that their bundles have, such as DynamoDB's client without the AWS SDK. So they have copies
 * of our modules. Node below 22.15 cannot do that: there they share the modules of this process.
 */
export function useBundledModules(): void {
  module.registerHooks?.({
    resolve(specifier, context, next) {
      if (!/\?(instance=|bundled)/.test(context.parentURL ?? '')) return next(specifier, context);
      const alias = ALIASES[specifier];
      const resolved = next(alias === undefined ? specifier : pathToFileURL(alias).href, context);
      const isOwn = resolved.url.startsWith(OWN) && !/node_modules|\?/.test(resolved.url);
      return isOwn ? { ...resolved, url: `${resolved.url}?bundled` } : resolved;
    },
  });
}
