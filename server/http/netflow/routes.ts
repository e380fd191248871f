// Data usage, data plans and SIMs: `/api/netflow/`.
import type { FastifyInstance } from 'fastify';
import { registerNetflowDevices } from './deviceRoutes.ts';
import type { NetflowDeps } from './netflowDeps.ts';
import { registerSimPlans } from './planRoutes.ts';
import { registerSims } from './simRoutes.ts';
import { registerNetflowUse } from './useRoutes.ts';

export async function registerNetflowRoutes(app: FastifyInstance, deps: NetflowDeps): Promise<void> {
  registerNetflowDevices(app, deps);
  registerNetflowUse(app, deps);
  registerSimPlans(app, deps);
  registerSims(app, deps);
}
