import { z } from 'zod';

/** Tags that the stacks set themselves. */
const ours = ['app', 'stage'];

/** What AWS takes in the name of a tag; a comma or an equals sign would be ours to split at. */
const tagName = z
  .string()
  .regex(
    /^(?!aws:)[\w .:/+@-]{1,128}$/i,
    'the name of a tag has letters, digits and _.:/+@-, and does not begin with aws:',
  )
  .refine((name) => !ours.includes(name), 'the tags app and stage are set by the stacks');
const tagValue = z.string().regex(/^[\w .:/+@-]{0,256}$/, 'the value of a tag has letters, digits and _.:/+@-');

/** Tags by name: an object in cdk.json, `name=value,name=value` on the command line. */
export const tagsSchema = z.preprocess(
  (given) => (typeof given === 'string' ? Object.fromEntries(given.split(',').map(split)) : given),
  z.record(tagName, tagValue),
);

/** Without an equals sign the whole is a name that no tag may have, so that the schema refuses it. */
function split(entry: string): [string, string] {
  const at = entry.indexOf('=');
  return at < 1 ? [`,${entry}`, ''] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()];
}
