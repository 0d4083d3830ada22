import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject } from '../shared/flags/reader.ts';
import { MAX_NESTING } from './jsonFile.ts';
import { mistakenService, SERVICES } from './services.ts';
import { REFERENCE_DATA } from './testing/cli.ts';
import { WrongForm } from './translation/translation.ts';

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));
const sample = (service: string, name: string) => read(import.meta.dirname, service, 'testing', 'data', name);
const inside = (file: unknown, field: string) => (file as Record<string, unknown>)[field];

/** A file of each service. */
const FILES: Readonly<Record<string, unknown>> = {
  featbit: read(REFERENCE_DATA, 'flags.json'),
  flagd: { flags: { f: { state: 'ENABLED', variants: { on: true }, defaultVariant: 'on' } } },
  flagsmith: sample('flagsmith', 'environment.json'),
  launchdarkly: inside(sample('launchdarkly', 'target-match.json'), 'sdkData'),
  unleash: inside(sample('unleash', '08-variants.json'), 'state'),
};
const names = ['featbit', ...Object.keys(SERVICES)];

describe('a file of a service', () => {
  test.each(names)('%s is taken for that service’s, and for no other’s', (name) => {
    expect(mistakenService(FILES[name], name)).toBeUndefined();
    for (const other of names.filter((candidate) => candidate !== name)) {
      expect(mistakenService(FILES[name], other)).toMatch(
        new RegExp(`^it has the field ".+" of .+; use --from ${name}$`),
      );
    }
  });

  test('that is of none is left to who reads it', () => {
    for (const name of [...names, 'nobody']) {
      for (const file of [null, [], {}, { flags: {} }, 'text']) expect(mistakenService(file, name)).toBeUndefined();
    }
  });
});

/** Every position in a JSON value where another value could be. */
function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const members = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  return [path, ...members.flatMap(([name, member]) => placesIn(member, [...path, name]))];
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((item, n) => (String(n) === name ? replaced(item, rest, by) : item));
  return isJsonObject(value) ? { ...value, [name]: replaced(value[name], rest, by) } : value;
}

test.each(Object.entries(SERVICES))(
  'a file of %s with anything in a place of it is read or refused',
  (name, service) => {
    const places = placesIn(FILES[name]);
    const check = () =>
      fc.assert(
        fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, by) => {
          try {
            service.read(replaced(FILES[name], place, by));
          } catch (error) {
            if (!(error instanceof WrongForm)) throw error;
          }
        }),
        { numRuns: 1_000 },
      );
    expect(check).not.toThrow();
  },
);

test.each(Object.entries(SERVICES))(
  'a file of %s that is nested up to the limit is read or refused',
  (name, service) => {
    const places = placesIn(FILES[name]);
    const levels = MAX_NESTING - Math.max(...places.map((place) => place.length));
    const nested = (begin: string, end: string) => JSON.parse(`${begin.repeat(levels)}true${end.repeat(levels)}`);
    for (const by of [nested('[', ']'), nested('{"!":', '}'), nested('{"and":[', ']}')]) {
      for (const place of places) {
        try {
          service.read(replaced(FILES[name], place, by));
        } catch (error) {
          expect(error).toBeInstanceOf(WrongForm);
        }
      }
    }
  },
);
