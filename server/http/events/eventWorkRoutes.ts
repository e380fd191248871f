import type { FastifyInstance } from 'fastify';
import { registerEventActs } from './eventActRoute.ts';
import { registerEventFilters } from './eventFilterRoutes.ts';
import { registerEventReading } from './eventReadRoutes.ts';
import type { EventWorkDeps } from './eventWorkDeps.ts';
import { registerEventList } from './list/eventList.ts';

/** Events as members work with them: lists, one by one, and what is done to them. */
export async function registerEventWorkRoutes(app: FastifyInstance, deps: EventWorkDeps): Promise<void> {
  registerEventList(app, deps);
  registerEventReading(app, deps);
  registerEventFilters(app, deps);
  registerEventActs(app, deps);
}
