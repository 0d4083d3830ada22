import { apiHost, pseudoParameters } from './account.ts';
import { type LocalAddresses, type ResourceInPlace, resourceValue } from './resourceValues.ts';
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
  const exported = exportsOf(templates);

  function resource(stack: string, logicalId: string): ResourceInPlace | undefined {
    const found = templates[stack]?.Resources?.[logicalId];
    if (!found) return undefined;
    return {
      stack,
      logicalId,
      resource: found,
      text(property) {
        const value = resolve(stack, found.Properties?.[property]);
        return typeof value === 'string' ? value : undefined;
      },
    };
  }

  function attribute(stack: string, logicalId: string, name: string): unknown {
    const at = resource(stack, logicalId);
    if (at) return localUrl(resourceValue(at, name, addresses));
    const parameter = templates[stack]?.Parameters?.[logicalId];
    if (name === 'Ref' && parameter?.Default !== undefined) return parameter.Default;
    throw new Error(`${stack}: there is no resource "${logicalId}", and no parameter of that name with a default`);
  }

  function resolve(stack: string, value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => resolve(stack, item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [only] = entries;
    if (entries.length === 1 && only && (only[0] === 'Ref' || only[0].startsWith('Fn::'))) {
      return intrinsic(stack, only[0], only[1]);
    }
    return Object.fromEntries(entries.map(([key, item]) => [key, resolve(stack, item)]));
  }

  function intrinsic(stack: string, name: string, argument: unknown): unknown {
    switch (name) {
      case 'Ref':
        return reference(stack, String(argument));
      case 'Fn::GetAtt': {
        const [id, ...path] = typeof argument === 'string' ? argument.split('.') : (argument as string[]);
        return attribute(stack, id ?? '', path.join('.'));
      }
      case 'Fn::Join': {
        const [separator, parts] = resolve(stack, argument) as [string, unknown[]];
        return localUrl(parts.join(separator));
      }
      case 'Fn::Sub':
        return localUrl(substitute(stack, String(argument)));
      case 'Fn::ImportValue': {
        const key = String(resolve(stack, argument));
        const found = exported().get(key);
        if (!found) throw new Error(`${stack}: no stack exports "${key}"`);
        return resolve(found.stack, found.value);
      }
      default:
        throw new Error(`${stack}: the emulator does not support ${name} (${JSON.stringify(argument)})`);
    }
  }

  function reference(stack: string, name: string): unknown {
    if (name === 'AWS::StackName') return stack;
    return pseudoParameters[name] ?? attribute(stack, name, 'Ref');
  }

  function substitute(stack: string, text: string): string {
    return text.replace(/\$\{(!?)([^}]+)\}/g, (_whole, literal: string, name: string) => {
      if (literal) return `\${${name}}`;
      if (!name.includes('.')) return String(reference(stack, name));
      return String(intrinsic(stack, 'Fn::GetAtt', name));
    });
  }

  /** An execute-api URL as AWS would write it becomes the gateway's own: the port is what a local client needs. */
  function localUrl(text: string): string {
    if (!text.includes('.execute-api.')) return text;
    const authority = addresses.gatewayUrl.replace(/^http:/, '');
    return text.replace(executeApi, (_whole, scheme: string) => `${scheme === 'wss' ? 'ws' : 'http'}:${authority}`);
  }

  function exportsOf(all: Templates): () => Map<string, { stack: string; value: unknown }> {
    let cache: Map<string, { stack: string; value: unknown }> | undefined;
    return () => {
      cache ??= new Map(
        Object.entries(all).flatMap(([stack, template]) =>
          Object.values(template.Outputs ?? {}).flatMap((output) =>
            output.Export
              ? [[String(resolve(stack, output.Export.Name)), { stack, value: output.Value }] as const]
              : [],
          ),
        ),
      );
      return cache;
    };
  }

  return {
    resources: (...types) =>
      Object.entries(templates).flatMap(([stack, template]) =>
        Object.entries(template.Resources ?? {})
          .filter(([, found]) => types.includes(found.Type))
          .map(([logicalId, found]) => ({
            stack,
            logicalId,
            path: pathOf({ stack, logicalId }),
            type: found.Type,
            metadata: found.Metadata ?? {},
            property: (name: string, ...within: string[]) => {
              const raw = within.reduce<unknown>(
                (outer, key) => (outer as Record<string, unknown> | undefined)?.[key],
                found.Properties?.[name],
              );
              return resolve(stack, raw);
            },
            value: (name = 'Ref') => String(attribute(stack, logicalId, name)),
          })),
      ),
  };
}

const executeApi = new RegExp(`(https|wss)://${apiHost('[a-z0-9]{10}').replaceAll('.', '\\.')}`, 'g');
