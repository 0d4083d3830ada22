import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Flagsmith, LocalFileHandler } from 'flagsmith-nodejs';

/** Traits in the form of SDKs. */
export type Traits = Readonly<Record<string, string | number | boolean | null>>;

/** Flagsmith's own SDK with an environment document, offline. */
export function flagsmithWith(document: object): Flagsmith {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-flagsmith-'));
  const path = join(directory, 'environment.json');
  writeFileSync(path, JSON.stringify(document));
  const offlineHandler = new LocalFileHandler(path);
  rmSync(directory, { recursive: true });
  return new Flagsmith({ offlineMode: true, offlineHandler });
}

/** The imported values of features, by name: on or off, or the value of a feature that is on. Undefined for none. */
export async function flagsmithValues(
  flagsmith: Flagsmith,
  identifier: string,
  traits: Traits,
): Promise<(feature: string, hasValues: boolean) => string | undefined> {
  const flags = await flagsmith.getIdentityFlags(identifier, { ...traits });
  return (feature, hasValues) => {
    const { enabled, value } = flags.getFlag(feature);
    if (!hasValues) return String(enabled);
    if (!enabled) return 'disabled';
    return value === null || value === undefined ? undefined : String(value);
  };
}
