/** Runs a function with a value and counts its reads of properties, at any depth: a measure of time that is always the same. */
export function countReads<T extends object>(value: T, run: (counted: T) => unknown): number {
  let reads = 0;
  const proxies = new WeakMap<object, object>();
  const counted = <V>(original: V): V => {
    if (typeof original !== 'object' || original === null) return original;
    const known = proxies.get(original);
    if (known) return known as V;
    const get = (target: object, name: string | symbol) => {
      reads++;
      return counted(Reflect.get(target, name));
    };
    const proxy = new Proxy(original, { get });
    proxies.set(original, proxy);
    return proxy as V;
  };
  run(counted(value));
  return reads;
}
