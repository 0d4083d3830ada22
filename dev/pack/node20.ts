/** Polyfills for Node 20, without a warning of the AWS SDK. */

// The AWS SDK is in the package. Its warning is about later versions of the SDK.
process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';

Promise.withResolvers ??= function withResolvers<T>() {
  const made = {} as PromiseWithResolvers<T>;
  made.promise = new Promise<T>((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
} as typeof Promise.withResolvers;

Map.groupBy ??= function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K) {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index);
    index += 1;
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

Array.fromAsync ??= async function fromAsync<T>(items: AsyncIterable<T>) {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
} as typeof Array.fromAsync;
