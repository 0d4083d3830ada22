import { signal } from '@preact/signals';
import type { EnvironmentName } from '../../../api.ts';
import type { HistoryChange } from '../../../history.ts';

/** The change in the undo dialog. */
export const undoing = signal<{ readonly environment: EnvironmentName; readonly change: HistoryChange } | undefined>(
  undefined,
);
