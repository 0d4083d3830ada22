import { z } from 'zod';
import { textOf } from './values.ts';

/** Tags that the stacks set themselves. */
const ours = ['app', 'stage'];

/** The characters that AWS accepts in the name of a tag. */
const tagName = textOf(
  /^(?!aws:)[\w .:/+@=-]{1,128}$/i,
  'the name of a tag consists of letters, digits and _.:/=+@-, and does not begin with aws:',
).refine((name) => !ours.includes(name), 'the stacks set the tags app and stage themselves');
const tagValue = textOf(/^[\w .:/+@=-]{0,256}$/, 'the value of a tag consists of letters, digits and _.:/=+@-');

/** Tags by name. */
export const tagsSchema = z.record(tagName, tagValue);
