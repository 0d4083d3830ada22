import { z } from 'zod';

/** A whole number above zero. */
export const count = z.coerce.number().int().positive();

/** A switch, from the command line as text. */
export const onOff = z.union(
  [z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')],
  'true or false',
);

/** A name of a host in the DNS. */
export const domainName = z
  .string()
  .regex(
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    'a domain name looks like flags.example.com',
  );
