import { signal } from '@preact/signals';
import type { Connection, PreviewValue } from './previewClient.ts';

/** Values that an SDK in this page receives. */
export interface PreviewState {
  readonly envId: string;
  readonly keyId: string;
  readonly values: readonly PreviewValue[];
  /** Keys that the last update changed. */
  readonly changed: ReadonlySet<string>;
}

/** Undefined without a connection. */
export const preview = signal<PreviewState | undefined>(undefined);

let end = () => {};

/** Connects an SDK. Other views do not disconnect it. @throws {Error} if it cannot connect */
export async function startPreview({ envId, ...connection }: Connection & { readonly envId: string }): Promise<void> {
  stopPreview();
  const { connectPreview } = await import('./previewClient.ts');
  const stop = await connectPreview(connection, (values) => {
    const before = preview.value && new Map(preview.value.values.map(({ key, value }) => [key, value]));
    const changed = values.flatMap(({ key, value }) => (before && before.get(key) !== value ? key : []));
    preview.value = { envId, keyId: connection.keyId, values, changed: new Set(changed) };
  });
  end = () => void stop();
}

/** Disconnects it. */
export function stopPreview(): void {
  end();
  end = () => {};
  preview.value = undefined;
}
