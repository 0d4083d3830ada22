import { EventEmitter } from 'node:events';
import { Unleash, type UnleashConfig } from 'unleash-client';

type Repository = NonNullable<UnleashConfig['repository']>;
type Feature = NonNullable<ReturnType<Repository['getToggle']>>;
type Segment = NonNullable<ReturnType<Repository['getSegment']>>;

/** An SDK's context: properties by name, including `userId`. */
export type UnleashContext = Readonly<Record<string, string | number>>;

/** Unleash's own SDK with a given server response, offline. */
export function unleashWith(file: {
  readonly features: readonly object[];
  readonly segments?: readonly object[];
}): Unleash {
  const repository = new MemoryRepository(file.features as Feature[], (file.segments ?? []) as Segment[]);
  const unleash = new Unleash({
    appName: 'test',
    url: 'http://localhost:0/',
    repository,
    disableAutoStart: true,
    disableMetrics: true,
    skipInstanceCountWarning: true,
  });
  repository.emit('ready');
  return unleash;
}

/** The imported value of an Unleash feature: on or off, or its variant's value. Undefined for none. */
export function unleashValue(
  unleash: Unleash,
  { name, hasVariants }: { name: string; hasVariants: boolean },
  context: UnleashContext,
): string | undefined {
  if (!hasVariants) return String(unleash.isEnabled(name, { ...context }));
  const variant = unleash.getVariant(name, { ...context });
  return variant.enabled ? (variant.payload?.value ?? variant.name) : undefined;
}

class MemoryRepository extends EventEmitter implements Repository {
  readonly #features: ReadonlyMap<string, Feature>;
  readonly #segments: ReadonlyMap<number, Segment>;

  constructor(features: readonly Feature[], segments: readonly Segment[]) {
    super();
    this.#features = new Map(features.map((feature) => [feature.name, feature]));
    this.#segments = new Map(segments.map((segment) => [segment.id, segment]));
  }

  getToggle(name: string) {
    return this.#features.get(name);
  }

  getToggles() {
    return [...this.#features.values()];
  }

  getTogglesWithSegmentData() {
    return [];
  }

  getSegment(id: number) {
    return this.#segments.get(id);
  }

  async start() {}

  stop() {}
}
