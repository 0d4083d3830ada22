import { signal } from '@preact/signals';
import type { PreviewValue } from './previewClient.ts';

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

/** Secret and user of the connection. */
interface Connection {
  readonly envId: string;
  readonly streamingUrl: string;
  readonly httpUrl: string;
  readonly clientKey: string;
  readonly keyId: string;
}

/** Connects an SDK. Other views do not disconnect it. @throws {Error} if it cannot connect */
export async function startPreview({ envId, ...connection }: Connection): Promise<void> {
  stopPreview();
  const { connectPreview } = await import('./previewClient.ts');
  const stop = await connectPreview(connection, (values) => {
    const before = preview.value?.values;
    preview.value = { envId, keyId: connection.keyId, values, changed: changedIn(before, values) };
  });
  end = () => void stop();
}

/** Disconnects it. */
export function stopPreview(): void {
  end();
  end = () => {};
  preview.value = undefined;
}

function changedIn(before: readonly PreviewValue[] | undefined, after: readonly PreviewValue[]): ReadonlySet<string> {
  const values = new Map(before?.map(({ key, value }) => [key, value]));
  return new Set(after.filter(({ key, value }) => before && values.get(key) !== value).map(({ key }) => key));
}
