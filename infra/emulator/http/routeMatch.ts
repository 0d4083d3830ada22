/** A route that fits a request, and the values of its path variables. */
export interface RouteMatch {
  readonly routeKey: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
}

/**
 * Picks the route of an HTTP API for a request: full matches first, then those with a greedy `{name+}`, then
 * `$default`; among equals the more literal one, and a method before `ANY`.
 *
 * @param path the request's path, decoded, without query.
 */
export function matchRoute(routeKeys: readonly string[], method: string, path: string): RouteMatch | undefined {
  const ranked = routeKeys
    .flatMap((routeKey) => {
      const [routeMethod = '', routePath] = routeKey.split(' ');
      if (routePath === undefined || (routeMethod !== 'ANY' && routeMethod !== method)) return [];
      const found = pattern(routePath).exec(path);
      if (!found) return [];
      const greedy = routePath.includes('+}') ? 4 : 0;
      const variable = routePath.includes('{') ? 2 : 0;
      const any = routeMethod === 'ANY' ? 1 : 0;
      const pathParameters = found.groups ? { pathParameters: { ...found.groups } } : {};
      return [{ match: { routeKey, ...pathParameters }, rank: greedy + variable + any }];
    })
    .sort((a, b) => a.rank - b.rank);
  const fallback = routeKeys.includes('$default') ? { routeKey: '$default' } : undefined;
  return ranked[0]?.match ?? fallback;
}

function pattern(routePath: string): RegExp {
  const source = routePath
    .split(/(\{[^}]+\})/)
    .map((part) => {
      const name = /^\{(\w+)(\+?)\}$/.exec(part);
      if (name) return `(?<${name[1]}>${name[2] ? '.+' : '[^/]+'})`;
      return part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}
