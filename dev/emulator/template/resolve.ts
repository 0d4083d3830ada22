import { apiHost, pseudoParameters } from './account.ts';
import { type LocalAddresses, resourceValue } from './resourceValues.ts';
import { pathOf, type ResourceLocation, type Templates } from './template.ts';

/** A resource whose properties are resolved, intrinsics and all, at the moment they are read. */
export interface Resource extends ResourceLocation {
  /** `<stack>/<logicalId>`, for errors and logs. */
  readonly path: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * A property's value, or that of a property within it; undefined when the template leaves it out. Only what is asked for is
   * resolved.
   */
  property(name: string, ...within: string[]): unknown;
  /** The value of `Ref` to this resource (`attribute` omitted), or of one of its attributes. */
  value(attribute?: string): string;
}

/** The templates of an app, read with local values in the place of AWS's. */
export interface Model {
  /** Every resource of the given types, in the order of the templates. */
  resources(...types: string[]): Resource[];
}

/** Reads `templates` with `addresses` standing for what AWS would assign. Errors appear when a value is read. */
export function readModel(templates: Templates, addresses: LocalAddresses): Model {
  const resolver = new Resolver(templates, addresses);
  const all = Object.entries(templates).flatMap(([stack, { Resources = {} }]) =>
    Object.entries(Resources).map(([logicalId, resource]) => ({ stack, logicalId, resource })),
  );
  return {
    resources: (...types) =>
      all
        .filter(({ resource }) => types.includes(resource.Type))
        .map(({ stack, logicalId, resource: { Type: type, Metadata: metadata = {}, Properties = {} } }) => ({
          stack,
          logicalId,
          type,
          metadata,
          path: pathOf({ stack, logicalId }),
          property: (...names) => {
            const raw = names.reduce<unknown>(
              (outer, key) => (outer as typeof Properties | undefined)?.[key],
              Properties,
            );
            return resolver.resolve(stack, raw);
          },
          value: (name = 'Ref') => String(resolver.attribute(stack, logicalId, name)),
        })),
  };
}

/** The values of templates. A stack is named by the template that a value is in. */
class Resolver {
  readonly #templates: Templates;
  readonly #addresses: LocalAddresses;
  #exports: ReadonlyMap<string, { readonly stack: string; readonly value: unknown }> | undefined;

  constructor(templates: Templates, addresses: LocalAddresses) {
    this.#templates = templates;
    this.#addresses = addresses;
  }

  /** A value without intrinsics. */
  resolve(stack: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.resolve(stack, item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [[name, argument] = ['', undefined], ...others] = entries;
    const isIntrinsic = others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'));
    if (isIntrinsic) return this.#intrinsic(stack, name, argument);
    return Object.fromEntries(entries.map(([key, item]) => [key, this.resolve(stack, item)]));
  }

  /** An attribute of a resource, or its `Ref`. A parameter has only a `Ref`. */
  attribute(stack: string, logicalId: string, name: string): unknown {
    const { Resources, Parameters } = this.#templates[stack] ?? {};
    const resource = Resources?.[logicalId];
    if (resource) {
      const text = (property: string) => {
        const value = this.resolve(stack, resource.Properties?.[property]);
        return typeof value === 'string' ? value : undefined;
      };
      return this.#localUrl(resourceValue({ stack, logicalId, resource, text }, name, this.#addresses));
    }
    const { Default } = Parameters?.[logicalId] ?? {};
    if (name === 'Ref' && Default !== undefined) return Default;
    throw new Error(`${stack}: there is no resource "${logicalId}", and no parameter of that name with a default`);
  }

  #intrinsic(stack: string, name: string, argument: unknown): unknown {
    switch (name) {
      case 'Ref':
        return this.#reference(stack, String(argument));
      case 'Fn::GetAtt': {
        const [id = '', ...path] = typeof argument === 'string' ? argument.split('.') : (argument as string[]);
        return this.attribute(stack, id, path.join('.'));
      }
      case 'Fn::Join': {
        const [separator, parts] = this.resolve(stack, argument) as [string, unknown[]];
        return this.#localUrl(parts.join(separator));
      }
      case 'Fn::Sub':
        return this.#localUrl(this.#substitute(stack, String(argument)));
      case 'Fn::ImportValue':
        return this.#imported(stack, String(this.resolve(stack, argument)));
      default:
        throw new Error(`${stack}: the emulator does not support ${name} (${JSON.stringify(argument)})`);
    }
  }

  #reference(stack: string, name: string): unknown {
    if (name === 'AWS::StackName') return stack;
    return pseudoParameters[name] ?? this.attribute(stack, name, 'Ref');
  }

  #substitute(stack: string, text: string): string {
    return text.replace(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      return String(name.includes('.') ? this.#intrinsic(stack, 'Fn::GetAtt', name) : this.#reference(stack, name));
    });
  }

  #imported(stack: string, key: string): unknown {
    this.#exports ??= new Map(
      Object.entries(this.#templates).flatMap(([from, { Outputs = {} }]) =>
        Object.values(Outputs).flatMap(({ Export, Value: value }) =>
          Export ? [[String(this.resolve(from, Export.Name)), { stack: from, value }] as const] : [],
        ),
      ),
    );
    const found = this.#exports.get(key);
    if (!found) throw new Error(`${stack}: no stack exports "${key}"`);
    return this.resolve(found.stack, found.value);
  }

  /** An execute-api URL as AWS would write it becomes the gateway's own: the port is what a local client needs. */
  #localUrl(text: string): string {
    if (!text.includes('.execute-api.')) return text;
    const { gatewayUrl, ownUrls } = this.#addresses;
    return text.replace(executeApi, (_whole, scheme: string, id: string) => {
      const url = ownUrls?.get(id) ?? gatewayUrl;
      return scheme === 'wss' ? url.replace(/^http:/, 'ws:') : url;
    });
  }
}

const executeApi = new RegExp(`(https|wss)://${apiHost('([a-z0-9]{10})').replaceAll('.', '\\.')}`, 'g');
