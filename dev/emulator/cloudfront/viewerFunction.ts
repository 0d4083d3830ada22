import { runInNewContext } from 'node:vm';

/**
 * Runs a function of CloudFront for a request.
 *
 * @param code in the runtime 2.0, with at most one key-value store
 * @param store the contents of that store
 * @returns the id of the origin that it selects. Undefined if it leaves the choice to the behavior
 * @throws what the function throws, or if it returns anything but the unchanged request, which the emulator does not play
 */
export async function selectOrigin(
  code: string,
  request: { readonly method: string; readonly uri: string },
  store: ReadonlyMap<string, string>,
): Promise<string | undefined> {
  let selected: string | undefined;
  const get = async (key: string) => {
    const value = store.get(key);
    if (value === undefined) throw new Error(`the key ${key} does not exist`);
    return value;
  };
  const selectRequestOriginById = (id: string) => {
    selected = id;
  };
  const cf = { kvs: () => ({ get }), selectRequestOriginById };
  const script = code.replace("import cf from 'cloudfront';", '');
  Object.freeze(request);
  const returned = await runInNewContext(`${script}\nhandler({ request });`, { cf, request }, { timeout: 1_000 });
  if (returned !== request) throw new Error('the function does not return its request');
  return selected;
}
