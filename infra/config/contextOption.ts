import { Option } from 'commander';

/** Context as the command line has it: keys and texts. */
export type GivenContext = Readonly<Record<string, string>>;

/** `-c key=value`, as often as wanted; its value is a {@link GivenContext}. @throws Error if one is not `key=value` */
export function contextOption(): Option {
  return new Option('-c, --context <key=value>', 'context over that of cdk.json (infra/config/contextKeys.ts)')
    .argParser((text, before: GivenContext) => ({ ...before, ...contextEntry(text) }))
    .default({}, 'none');
}

function contextEntry(argument: string): GivenContext {
  const at = argument.indexOf('=');
  if (at < 1) throw new Error(`-c ${argument} is not a context value: write -c key=value.`);
  return { [argument.slice(0, at)]: argument.slice(at + 1) };
}
