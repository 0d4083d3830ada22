import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawCostDashboard } from './costPicture.ts';

/** Draws docs/images/cost-dashboard.svg anew; costDashboard.test.ts says when it has to be. */
writeFileSync(join(import.meta.dirname, '../../../../docs/images/cost-dashboard.svg'), drawCostDashboard());
