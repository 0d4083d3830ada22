import { config } from 'zod';

// The page may not compile code from texts; to be imported before anything that makes a schema.
config({ jitless: true });
