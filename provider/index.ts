export type { FlagwireProviderOptions } from './options.ts';
export { FlagwireProvider } from './provider.ts';
