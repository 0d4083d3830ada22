import { config } from 'zod';

// The page's policy forbids `eval`. Import this before modules that create schemas.
config({ jitless: true });
