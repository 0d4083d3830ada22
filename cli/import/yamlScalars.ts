import type { ScalarTag } from 'yaml';
import { asJsonValue, parseDocuments, yamlTags } from './jsonFile.ts';

/** A scalar of YAML that is no text. What it is depends on the type of the member that has it. */
export class YamlScalar {
  /** Its text in the file. */
  readonly source: string;
  /** Its value without a type: a number, true, false or null. A time is text. */
  readonly value: unknown;

  constructor(source: string, value: unknown) {
    this.source = source;
    this.value = value;
  }

  toJSON(): unknown {
    return this.value;
  }
}

/**
 * The first document of a YAML file, for services whose readers stop there, with scalars as {@link YamlScalar}.
 *
 * @param text of a file that has been read without an error
 */
export function readFirstDocument(text: string): unknown {
  const [first] = parseDocuments(text, (tags) =>
    yamlTags(tags).map((tag) => (typeof tag !== 'string' && isScalarTag(tag) ? keepingSource(tag) : tag)),
  );
  return first?.toJS({ maxAliasCount: -1 });
}

function isScalarTag(tag: object): tag is ScalarTag {
  return 'test' in tag && 'tag' in tag && /:(null|bool|int|float|timestamp)$/.test(String(tag.tag));
}

function keepingSource(tag: ScalarTag): ScalarTag {
  return {
    ...tag,
    resolve: (source, onError, options) => {
      const resolved = tag.resolve(source, onError, options);
      const value = resolved instanceof Object && 'value' in resolved ? resolved.value : resolved;
      return new YamlScalar(source, asJsonValue('', value));
    },
  };
}
