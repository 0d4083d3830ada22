import { config } from 'zod';

// The page's policy forbids code from text. Import this before any module that makes a schema.
config({ jitless: true });
