import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';

/** The environment that a view or dialog shows and changes. */
export const ShownEnvironment = createContext<EnvironmentName | undefined>(undefined);

/** The environment of the view or dialog that the component is in. */
export function useEnvironment(): EnvironmentName {
  return useContext(ShownEnvironment) ?? { id: '', name: '', isProduction: false };
}
