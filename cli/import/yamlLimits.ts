import { type Document, isAlias, isMap, isScalar, isSeq } from 'yaml';

/** Maximum number of anchors and aliases. The library looks for the anchor of each alias among all before it. */
const REFERENCES_LIMIT = 10_000;

/** YAML that is too large with its aliases. The message has no name of a file. */
export class YamlTooLarge extends Error {
  override name = 'YamlTooLarge';
}

/** How much all YAML texts of a file may expand to. */
export class YamlBudget {
  /** Characters, and one for each value. */
  #left = 10_000_000;
  #references = 0;

  /** Counts a document, each alias as what it stands for. @throws {YamlTooLarge} @throws if a key of a map is repeated */
  take({ contents }: Pick<Document, 'contents'>): void {
    const anchored = new Map<string, number>();
    const sizeOf = (node: unknown): number => {
      if (isAlias(node)) {
        this.#refer();
        return anchored.get(node.source) ?? 0;
      }
      const size = 1 + innerSize(node, sizeOf);
      if (!(isScalar(node) || isMap(node) || isSeq(node)) || node.anchor === undefined) return size;
      this.#refer();
      anchored.set(node.anchor, size);
      return size;
    };
    this.#left -= sizeOf(contents);
    if (!(this.#left >= 0)) {
      throw new YamlTooLarge(
        'it is larger than 10,000,000 characters with its aliases and merge keys; write fewer of them, or split the file',
      );
    }
  }

  #refer(): void {
    if (++this.#references > REFERENCES_LIMIT)
      throw new YamlTooLarge('it has more than 10,000 anchors and aliases; write fewer');
  }
}

function innerSize(node: unknown, sizeOf: (node: unknown) => number): number {
  if (isScalar(node)) return typeof node.value === 'string' ? node.value.length : 1;
  if (isSeq(node)) return node.items.reduce<number>((sum, item) => sum + sizeOf(item), 0);
  if (!isMap(node)) return 0;
  const keys = new Set<unknown>();
  let sum = 0;
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? key.value : key;
    // The library compares each key with all others, so that 30,000 take half a minute.
    if (keys.has(name) && name !== '<<') throw new Error(`Map keys must be unique: ${String(name)}`);
    keys.add(name);
    sum += sizeOf(key) + sizeOf(value);
  }
  return sum;
}
