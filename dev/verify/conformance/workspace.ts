import { randomUUID } from 'node:crypto';
import type { Document } from '../../../shared/flags/document.ts';
import { type Flag, parseFlag } from '../../../shared/flags/flag.ts';
import { parseSegment, type Segment } from '../../../shared/flags/segment.ts';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { referenceDocuments } from '../../../shared/reference-data/documents.ts';
import type { StoredDocument } from '../../../shared/store/documents/item.ts';
import { accepted } from '../../../shared/testing/fixtures.ts';
import type { Target } from './target.ts';

/** An environment of a test's own, with the means to change it. */
export class Workspace {
  readonly target: Target;
  readonly envId: string;
  readonly clientKey: string;
  readonly serverKey: string;
  readonly #keys: Record<'client' | 'server', { id: string; value: string }>;

  private constructor(target: Target, envId: string, keys: Record<'client' | 'server', { id: string; value: string }>) {
    this.target = target;
    this.envId = envId;
    this.clientKey = keys.client.value;
    this.serverKey = keys.server.value;
    this.#keys = keys;
  }

  /** Makes an environment with documents; FeatBit's benchmark data by default. */
  static async create(target: Target, documents: readonly Document[] = referenceDocuments()): Promise<Workspace> {
    const name = `${target.environments ?? 'conformance'}-${randomUUID()}`;
    const { environment, secrets } = await target.store.environments.create(name);
    const keyOf = (type: 'client' | 'server') => {
      const issued = secrets.find(({ record }) => record.type === type);
      return { id: issued?.record.id ?? '', value: issued?.value ?? '' };
    };
    const workspace = new Workspace(target, environment.id, { client: keyOf('client'), server: keyOf('server') });
    await target.store.documents.import(environment.id, documents);
    return workspace;
  }

  /** The same environment after its service has moved: the tables of a local process are elsewhere after a restart. */
  at(target: Target): Workspace {
    return new Workspace(target, this.envId, this.#keys);
  }

  /** A fresh connection token, as SDKs make one for every attempt. */
  token(type: 'client' | 'server', timestamp = Date.now()): string {
    return encodeToken(type === 'client' ? this.clientKey : this.serverKey, timestamp, 7);
  }

  /** The address of a connection. */
  url(type: 'client' | 'server', token = this.token(type)): string {
    return `${this.target.streamingUrl}/streaming?type=${type}&token=${token}`;
  }

  /** Changes or makes a flag. @returns what was written */
  flag(key: string, change: Partial<Flag> | ((flag: Flag) => Flag)): Promise<StoredDocument[]> {
    return this.target.store.documents.writeFlag(this.envId, key, (flag) => {
      const before = flag ?? simpleFlag(key);
      return typeof change === 'function' ? change(before) : { ...before, ...change };
    });
  }

  /** Switches a flag off if it is on, and on if it is off. */
  toggle(key: string): Promise<StoredDocument[]> {
    return this.flag(key, (flag) => ({ ...flag, isEnabled: !flag.isEnabled }));
  }

  segment(id: string, change: Partial<Segment>): Promise<StoredDocument[]> {
    return this.target.store.documents.writeSegment(this.envId, id, (segment) => ({
      ...(segment ?? accepted(parseSegment({ id, name: id }))),
      ...change,
    }));
  }

  /** Ends a secret, after a while or now, and gives its successor. */
  async rotate(type: 'client' | 'server', graceMs: number): Promise<string> {
    const issued = await this.target.store.secrets.rotate(this.envId, this.#keys[type].id, graceMs);
    return issued.value;
  }
}

/** Flags as documents. */
export function flagDocuments(...flags: readonly Flag[]): Document[] {
  return flags.map((document) => ({ kind: 'flag', document }));
}

/** A boolean flag that is on and returns `true` for all users. */
export function simpleFlag(key: string, more: Partial<Flag> = {}): Flag {
  const variations = [
    { id: `${key}-true`, name: 'true', value: 'true' },
    { id: `${key}-false`, name: 'false', value: 'false' },
  ];
  const fallthrough = { includedInExpt: true, variations: [{ id: `${key}-true`, rollout: [0, 1], exptRollout: 1 }] };
  const flag = {
    key,
    variationType: 'boolean',
    variations,
    isEnabled: true,
    disabledVariationId: `${key}-false`,
    fallthrough,
  };
  return { ...accepted(parseFlag(flag)), ...more };
}
